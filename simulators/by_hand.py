"""A person deals: the screen is theirs, and Enter at the terminal draws from the simulated shoe.

Stands where `simulators.dealer` stands, and does only what hands do: draw a card,
pass it again, put a deck into the shoe that the screen has opened, clear the felt.
When to draw, and every button, is the person's; a card too many is drawn all the same.
What is not here: the screen (`mazziere display`), which is the real one.
"""

import os
import select
from collections.abc import Callable
from typing import Final

from controller.client import Changed, Event, Follower
from controller.contract.commands import Exit
from controller.contract.facts import (
    AnyFact,
    DeckClosed,
    DeckOpened,
    Resumed,
    RoundSettled,
    RoundSkipped,
    RoundVoided,
)
from controller.contract.seat_facts import SeatsSettled
from controller.contract.state import TableView, What
from simulators.dealer import CARDS_LIE
from simulators.drawing import Drawing
from simulators.physical import Physical
from simulators.story import counted

HOW: Final = (
    "you deal: open the screen and do what it says; press its buttons there, and here",
    "  Enter          draw the next card from the shoe",
    "  a, then Enter  pass the last card through the reader again",
    "  Ctrl-C         end",
)
_READ: Final = 4096


class ByHand:
    """One table's cards in the hands of whoever types at `keys` (a descriptor)."""

    def __init__(
        self,
        follower: Follower,
        drawing: Drawing,
        physical: Physical,
        *,
        keys: int,
        rounds: int | None,
        say: Callable[[str], None],
    ) -> None:
        self._follower = follower
        self._drawing = drawing
        self._physical = physical
        self._keys = keys
        self._rounds = rounds
        self._say = say
        self._typed = b""
        self._ended = 0
        self.doubtful: set[str] = set()
        """All that were dealt by hand: nobody knows when a person gives one up."""
        self.finished = False

    def err(self) -> None:
        """A person needs no help to draw a card that nobody asked for."""

    def hear(self, event: Event) -> None:
        if isinstance(event, Changed):
            self._follow(event.message.fact)

    def act(self) -> None:
        """Draw what was asked for since the last look."""
        self._drawing.clear_jam()
        view = self._follower.view
        if view is not None and view.phase not in CARDS_LIE:
            self._physical.clear_felt()
        for line in self._lines():
            self._do(line.strip().lower(), view)
        self.finished = self.finished or (self._rounds is not None and self._ended >= self._rounds)

    def _follow(self, fact: AnyFact) -> None:
        match fact:
            case DeckOpened():
                self._physical.load(fact.deck)
                self.doubtful.add(fact.deck)
            case DeckClosed():
                self._physical.unload()
            case Resumed(exit=Exit.SET_ASIDE):
                self._set_aside()
            case RoundSettled() | SeatsSettled() | RoundVoided() | RoundSkipped():
                self._ended += 1

    def _set_aside(self) -> None:
        view = self._follower.view
        if view is not None:
            for card in self._physical.surplus(view):
                self._physical.discard(card)

    def _lines(self) -> list[str]:
        """The lines typed meanwhile; the end of all typing ends the shift."""
        if self.finished or not select.select([self._keys], [], [], 0)[0]:
            return []
        typed = os.read(self._keys, _READ)
        self.finished = not typed
        *whole, self._typed = (self._typed + typed).split(b"\n")
        return [line.decode("utf-8", "replace") for line in whole]

    def _do(self, key: str, view: TableView | None) -> None:
        if key not in ("", "a"):
            self._tell("Enter draws a card; a and Enter passes the last one again")
        elif view is None:
            self._tell("the controller is not there yet: wait for the screen")
        elif not self._physical.deck:
            self._tell(
                "there is no deck in the shoe: on the screen, take the old one out and open one"
            )
        elif key == "a":
            self._again()
        elif not self._physical.shoe:
            self._tell("the shoe is empty: take the deck out, on the screen")
        else:
            self._draw(view)

    def _draw(self, view: TableView) -> None:
        out = self._physical.out
        self._drawing.draw_now(view)
        if self._physical.out == out:
            return  # it does not come out: the story says why
        face_down = view.move.face_down or view.move.what is What.BURN
        self._told_card("face down" if face_down else self._drawing.last_card)

    def _again(self) -> None:
        if not self._drawing.last_card:
            self._tell("no card was drawn yet")
            return
        self._drawing.pass_again()
        self._told_card("passed again")

    def _told_card(self, what: str) -> None:
        felt, out = len(self._physical.felt), self._physical.out
        self._tell(f"card {what}: {counted(felt, 'card')} on the felt, {out} out of the shoe")

    def _tell(self, text: str) -> None:
        self._say(f"{'':>9}{text}")
