"""The person at the table: does what the screen says, at a pace, and clears incidents.

The dealer sees what the dealer's screen shows (the published view) and has the
commands that it offers; a supervisor is called where the role asks for one. While
the screen is grey nothing is done. How a card is drawn is in `simulators.drawing`,
which way out of a halt is taken in `simulators.clearing`.
"""

import random
from collections.abc import Callable
from typing import Final, NamedTuple

from controller.client import Event, Follower
from controller.contract.commands import (
    CloseDeck,
    OpenDeck,
    OpenTable,
    Resolve,
    Role,
    StopAfterRound,
    Verdict,
    Void,
    Why,
)
from controller.contract.commands import Exit as WayOut
from controller.contract.state import HaltView, Phase, TableView, What
from controller.runtime.clock import NANOSECONDS, Clock
from simulators.asking import Asking
from simulators.clearing import Clearing, Situation, situation
from simulators.drawing import Drawing
from simulators.physical import Physical
from simulators.reader_watch import ReaderWatch

CARDS_LIE: Final = frozenset({Phase.BURN, Phase.DEAL, Phase.DECISION, Phase.RESULT, Phase.HALTED})
"""Phases in which the felt is not cleared."""
_ENDED: Final = frozenset({Phase.RESULT, Phase.VOIDED, Phase.CLOSED, Phase.WAITING})
_ERR_IN: Final = frozenset({Phase.BETTING, Phase.DECISION, Phase.RESULT})
_COUNT_OUT: Final = 0.2
"""How often the rest of a deck is drawn through the reader."""


class Shift(NamedTuple):
    """What a dealer comes to do."""

    name: str
    """Begins the name of every deck, so that none is ever used twice."""
    rounds: int | None
    """After so many the table is closed; None: deal for ever."""
    look: float
    """Seconds to look at a halt before doing anything about it."""


class Dealer:
    """One table's dealer, for one shift; when it is over, `finished` is true."""

    def __init__(
        self,
        follower: Follower,
        drawing: Drawing,
        physical: Physical,
        reader: ReaderWatch,
        *,
        clock: Clock,
        rng: random.Random,
        shift: Shift,
        mended: Callable[[str, str], None],
    ) -> None:
        self._follower = follower
        self._drawing = drawing
        self._physical = physical
        self._reader = reader
        self._clock = clock
        self._rng = rng
        self._mended = mended
        self._look_ns = round(shift.look * NANOSECONDS)
        self._rounds = shift.rounds
        self._shift = shift.name
        self._asking = Asking(follower, "dealer")
        self._clearing = Clearing(physical, rng)
        self._resolving: tuple[Resolve, TableView] | None = None
        self._seen: Situation | None = None
        self._look_at = 0
        self._decks = 0
        self._first_round: int | None = None
        self._erring = False
        self.doubtful: set[str] = set()
        """Decks whose count was found wrong, and which are therefore changed."""
        self.finished = False
        self._moves: dict[What, Callable[[TableView], None]] = {
            What.OPEN_TABLE: self._at_closed_table,
            What.CHANGE_DECK: self._change_deck,
            What.DRAW_REST: self._draw_rest,
            What.BURN: self._draw_due,
            What.DEAL_POSITION: self._draw_due,
            What.DEAL_DEALER: self._draw_due,
            What.DEAL_SEAT: self._draw_due,
            What.DEAL_BANK: self._draw_due,
        }

    @property
    def ended(self) -> int:
        """Rounds that began and ended since this dealer came."""
        view = self._follower.view
        if view is None or self._first_round is None:
            return 0
        phase = view.halt.phase if view.halt else view.phase
        return view.round - self._first_round - (phase not in _ENDED)

    def err(self) -> None:
        """At the next moment when no card is due, draw one all the same."""
        self._erring = True

    def hear(self, event: Event) -> None:
        self._reader.hear(event)
        answer = self._asking.heard(event)
        if answer is not None:
            self._hear_answer(answer.verdict, answer.why)

    def act(self) -> None:
        """Do the next thing, if it is time for it."""
        view = self._follower.view
        self._drawing.clear_jam()
        if view is None or not self._follower.live:
            self._drawing.be_patient()
            return
        if self._first_round is None:
            self._first_round = view.round
        self._reader.look(view)
        if self._asking.busy:
            return
        if view.halt is not None:
            self._clear(view, view.halt)
        else:
            self._seen = None
            self._play(view)

    def _play(self, view: TableView) -> None:
        if view.phase not in CARDS_LIE:
            self._physical.clear_felt()
        if self._stop_if_due(view) or self._void_if_strange(view):
            return
        if self._erring and view.phase in _ERR_IN and self._reader.ready and self._is_mine(view):
            self._erring = False
            self._drawing.draw_unasked(view)
        if move := self._moves.get(view.move.what):
            move(view)

    # The table and its deck

    def _at_closed_table(self, view: TableView) -> None:
        done = self._rounds is not None and self.ended >= self._rounds
        if view.deck is not None and (done or not self._is_mine(view)):
            self._asking.ask(CloseDeck(), Role.DEALER)
        elif done:
            self.finished = True
        else:
            self._asking.ask(OpenTable(), Role.DEALER)

    def _change_deck(self, view: TableView) -> None:
        if view.deck is not None:
            whole = self._is_mine(view) and not view.deck.locked
            count_out = whole and self._rng.random() < _COUNT_OUT
            self._asking.ask(CloseDeck(count_out), Role.DEALER)
            return
        if not self._physical.deck or self._physical.out:
            self._decks += 1
            self._physical.load(f"{self._shift}-{self._decks}")
        self._asking.ask(OpenDeck(self._physical.deck), Role.DEALER)

    def _is_mine(self, view: TableView) -> bool:
        """The deck on the screen is the one in the shoe, and nothing is wrong with it."""
        deck = view.deck
        return deck is not None and deck.deck == self._physical.deck not in self.doubtful

    def _stop_if_due(self, view: TableView) -> bool:
        if view.stop_after_round or view.phase is Phase.CLOSED:
            return False
        last = self._rounds is not None and view.round - (self._first_round or 0) >= self._rounds
        if not last and (view.deck is None or self._is_mine(view)):
            return False
        self._asking.ask(StopAfterRound(), Role.DEALER)
        return True

    def _void_if_strange(self, view: TableView) -> bool:
        """A round that began with a deck which is not in this shoe cannot go on."""
        if view.phase in _ENDED or view.deck is None or view.deck.deck == self._physical.deck:
            return False
        void = Void(reason="its deck is no longer in the shoe", round=view.round)
        self._asking.ask(void, Role.SUPERVISOR)
        return True

    # Cards

    def _draw_due(self, view: TableView) -> None:
        if self._reader.ready:
            self._drawing.draw(view)
            if self._drawing.lost:
                self._save_lost_card(view)

    def _draw_rest(self, view: TableView) -> None:
        mine = self._is_mine(view)
        if mine and self._physical.shoe:
            self._draw_due(view)
        elif not mine or self._drawing.lost:
            self._asking.ask(CloseDeck(), Role.DEALER)

    def _save_lost_card(self, view: TableView) -> None:
        """The screen does not show the card: pass it again, or the round cannot be saved."""
        if self._drawing.can_pass_again:
            self._mended(
                "passed again", "the screen shows no card: passed through the reader again"
            )
            self._drawing.pass_again()
            return
        self._mended(
            "round given up", "the screen shows no card: the round and the deck are given up"
        )
        self._drawing.be_patient()
        self.doubtful.add(self._physical.deck)
        void = Void(reason="a card lies on the felt that was not read", round=view.round)
        self._asking.ask(void, Role.SUPERVISOR)

    # Halts

    def _clear(self, view: TableView, halt: HaltView) -> None:
        now = self._clock.mono()
        if situation(halt) != self._seen:
            self._seen = situation(halt)
            self._look_at = now + self._look_ns
        if now < self._look_at or not self._reader.ready:
            return
        self._look_at = now + self._look_ns
        trying = self._clearing.next(view, halt, self._drawing.last_card)
        if trying is not None:
            asked, role = trying
            self._resolving = asked, view
            self._asking.ask(asked, role, halt.seq)

    def _hear_answer(self, verdict: Verdict, why: Why) -> None:
        resolving, self._resolving = self._resolving, None
        if verdict is Verdict.DONE and resolving is not None:
            self._take_way_out(*resolving)
        elif why is Why.DECK:
            self._physical.unload()

    def _take_way_out(self, taken: Resolve, view: TableView) -> None:
        self._drawing.expect_again(same_card=taken.exit is WayOut.SCAN_AGAIN)
        if taken.exit is WayOut.SET_ASIDE:
            for card in self._physical.surplus(view):
                self._physical.discard(card)
        elif taken.exit is WayOut.VOID and taken.out is not None:
            self.doubtful.add(self._physical.deck)
