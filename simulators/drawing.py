"""The dealer's hand at the shoe: one card for one instruction, and what can befall it.

A card is drawn, goes where the screen says and passes the reader; the screen must
show it before the next. Here the faults that concern a card take effect.
What is not here: when to draw (`simulators.dealer`), what the screen means.
"""

import random
from collections.abc import Callable
from typing import Final, NamedTuple

from controller.contract.state import Reason, TableView, What
from controller.runtime.clock import NANOSECONDS, Clock
from simulators.faults import Faults, spoil
from simulators.physical import Physical
from simulators.shoe import Shoe

_LOST_IS_NO_CARDS: Final = 0.5


class Pace(NamedTuple):
    """How fast this person is, in seconds."""

    card: float
    """Between two cards, and to look at a halt."""
    patience: float
    """Until a card that the screen does not show is taken for lost."""


class Drawing:
    """Draws from `physical` past `shoe`; remembers the last card and whether it was seen."""

    def __init__(
        self,
        shoe: Shoe,
        physical: Physical,
        faults: Faults,
        *,
        clock: Clock,
        rng: random.Random,
        pace: Pace,
        mended: Callable[[str, str], None],
    ) -> None:
        self._shoe = shoe
        self._physical = physical
        self._faults = faults
        self._clock = clock
        self._rng = rng
        self._card_ns = round(pace.card * NANOSECONDS)
        self._patience_ns = round(pace.patience * NANOSECONDS)
        self._mended = mended
        self._drawn_at = 0
        self._shown: object = None  # what the screen showed when the last card was drawn
        self._again = False
        self._jammed = False
        self.last_card = ""

    @property
    def lost(self) -> bool:
        """The last card has not come up on the screen for too long."""
        return self._shown is not None and self._since_drawn() > self._patience_ns

    @property
    def can_pass_again(self) -> bool:
        """Whether this reader reads a card that is shown to it a second time."""
        return self._shoe.device.passes_again

    def draw(self, view: TableView) -> None:
        """The card that is due, if the pace allows and the screen has shown the one before."""
        if self._jammed or self._since_drawn() < self._card_ns or not self._is_news(view):
            return
        if self._again:
            self.pass_again()
        else:
            self.draw_now(view)

    def draw_now(self, view: TableView) -> None:
        """The next card, whether it is due or not, and whatever befalls it."""
        self._drawn_at = self._clock.mono()
        fault = self._faults.for_card()
        if fault == "jam":
            self._jam()
            return
        if fault == "foreign":
            self._physical.slip_in_stranger()
        if self._take(view) and not self._meets(fault, view):
            self._shoe.say_pieces(spoil(fault, self._report(), self._rng))

    def draw_unasked(self, view: TableView) -> None:
        """A dealer's error: a card though none is due."""
        if self._take(view):
            self._shoe.say(self._report())

    def expect_again(self, *, same_card: bool) -> None:
        """The way out of a halt was taken: a card is due anew, perhaps the very same."""
        self._shown = None
        self._again = same_card

    def pass_again(self) -> None:
        self._again = False
        self._drawn_at = self._clock.mono()
        self._shoe.say(self._report())

    def be_patient(self) -> None:
        """The screen is grey: waiting counts from when it is back."""
        self._drawn_at = self._clock.mono()

    def clear_jam(self) -> None:
        """Free the card and press the button, a moment after it stuck."""
        if self._jammed and self._since_drawn() > 2 * self._card_ns:
            self._jammed = False
            self._shoe.say(self._shoe.device.cleared())
            self._mended("jam freed", "the dealer sees it and frees the card")

    def _is_news(self, view: TableView) -> bool:
        out = view.deck.out if view.deck else 0
        shown = (view.round, view.move, view.position.cards, view.dealer.cards, out)
        if shown == self._shown:
            return False
        self._shown = shown
        return True

    def _take(self, view: TableView) -> bool:
        """The top card to where the screen says: a burn goes to the discards, face down."""
        card = self._physical.draw()
        if card is None:
            return False
        self.last_card = card
        if view.move.what in (What.BURN, What.DRAW_REST):
            self._physical.discard(card)
        elif view.move.reason is Reason.SEAT_AGAIN:
            self._physical.lay_down(card, view.move.n)
        elif view.move.face_down:
            self._physical.face_down[view.move.n] = card
        return True

    def _meets(self, fault: str, view: TableView) -> bool:
        """Whether the fault has taken the place of the card's report."""
        if fault == "no_read":
            self._shoe.say(self._shoe.device.no_read())
            return True
        if fault == "glue":
            first = self._report()
            second = self._report() if self._take(view) else []
            self._shoe.say([*first, *second])
            return True
        return fault == "gap" and self._loses_report()

    def _loses_report(self) -> bool:
        """The card's own report never arrives; or, of a device that numbers them, another one."""
        if self._rng.random() < _LOST_IS_NO_CARDS and self._shoe.device.skip():
            return False
        self._report()
        return True

    def _report(self) -> list[bytes]:
        return self._shoe.device.card(self.last_card)

    def _jam(self) -> None:
        self._jammed = True
        self._shown = None
        self._shoe.say(self._shoe.device.jam())

    def _since_drawn(self) -> int:
        return self._clock.mono() - self._drawn_at
