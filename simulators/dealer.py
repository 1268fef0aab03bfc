"""The person at the table: does what the screen says, at a pace, and clears incidents.

The dealer sees what the dealer's screen shows (the published view) and has the
commands that it offers; a supervisor is called where the role asks for one. Never
draws twice for one instruction, and waits while the screen is grey. Deliberate
errors come from `simulators.faults`; which way out of a halt is taken is in
`simulators.clearing`.
"""

import random
from collections.abc import Callable
from typing import Final, NamedTuple

from controller.client import Changed, Event, Follower, Stale
from controller.contract.commands import (
    CloseDeck,
    Exit,
    OpenDeck,
    OpenTable,
    Resolve,
    Role,
    StopAfterRound,
    Verdict,
    Void,
    Why,
)
from controller.contract.facts import ReaderSession, ReadingNoted
from controller.contract.readings import OPEN_RUNGS, ReadingKind
from controller.contract.state import HaltView, Phase, TableView, What
from controller.runtime.clock import NANOSECONDS, Clock
from simulators.asking import Asking
from simulators.clearing import Clearing, Situation, situation
from simulators.faults import Faults, spoil
from simulators.physical import Physical
from simulators.shoe import Shoe

_CARDS_LIE: Final = frozenset({Phase.BURN, Phase.DEAL, Phase.DECISION, Phase.RESULT, Phase.HALTED})
_ENDED: Final = frozenset({Phase.RESULT, Phase.VOIDED, Phase.CLOSED, Phase.WAITING})
_ERR_IN: Final = frozenset({Phase.BETTING, Phase.DECISION, Phase.RESULT})
_COUNT_OUT: Final = 0.2
"""How often the rest of a deck is drawn through the reader."""


class Pace(NamedTuple):
    """How fast this person is, in seconds."""

    card: float
    """Between two cards, and to look at a halt."""
    settle: float
    """After a reader came back, before a card is trusted to it."""
    patience: float
    """Until a card that the screen does not show is taken for lost."""


class Dealer:
    """One table's dealer. `rounds` ended, the table is closed and `finished` is true."""

    def __init__(
        self,
        follower: Follower,
        shoe: Shoe,
        physical: Physical,
        faults: Faults,
        *,
        clock: Clock,
        rng: random.Random,
        pace: Pace,
        rounds: int | None,
        shift: str,
    ) -> None:
        self._follower = follower
        self._shoe = shoe
        self._physical = physical
        self._faults = faults
        self._clock = clock
        self._rng = rng
        self._pace = pace
        self._rounds = rounds
        self._shift = shift
        self._asking = Asking(follower, "dealer")
        self._clearing = Clearing(physical, rng, passes_again=shoe.device.passes_again)
        self._resolving: Exit | None = None
        self._counted = False
        self._believed: tuple[str, ...] = ()
        self._seen: Situation | None = None
        self._decks = 0
        self._first_round: int | None = None
        self._mark: object = None
        self._drawn_at = 0
        self._look_at = 0
        self._ready_at: int | None = None
        self._again = ""
        self._jammed = False
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
        answer = self._asking.heard(event)
        if answer is not None:
            self._hear_answer(answer.verdict, answer.why)
        if isinstance(event, Stale):
            self._ready_at = None
        if isinstance(event, Changed):
            self._watch_reader(event.message.fact)

    def act(self) -> None:
        """Do the next thing, if it is time for it."""
        view = self._follower.view
        self._clear_jam()
        if view is None or not self._follower.live:
            self._drawn_at = self._clock.mono()  # patience begins when the screen is back
            return
        if self._first_round is None:
            self._first_round = view.round
        self._look_at_reader(view)
        if self._asking.busy:
            return
        if view.halt is not None:
            self._clear(view, view.halt)
            return
        self._seen = None
        if view.phase not in _CARDS_LIE:
            self._physical.clear_felt()
        if not self._stop_if_due(view):
            self._err_if_due(view)
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

    def _draw_rest(self, view: TableView) -> None:
        if self._physical.shoe:
            self._draw_due(view)
        elif self._clock.mono() > self._drawn_at + self._ns(self._pace.patience):
            self._asking.ask(CloseDeck(), Role.DEALER)

    def _is_mine(self, view: TableView) -> bool:
        """The deck on the screen is the one in the shoe, and nothing is wrong with it."""
        deck = view.deck
        return deck is not None and deck.deck == self._physical.deck not in self.doubtful

    def _stop_if_due(self, view: TableView) -> bool:
        if view.stop_after_round or view.phase is Phase.CLOSED:
            return False
        last = self._rounds is not None and view.round - (self._first_round or 0) >= self._rounds
        wrong_deck = view.deck is not None and view.deck.deck in self.doubtful
        if not (last or wrong_deck):
            return False
        self._asking.ask(StopAfterRound(), Role.DEALER)
        return True

    # Cards

    def _draw_due(self, view: TableView) -> None:
        """One card for one instruction; then the screen must show it before the next."""
        now = self._clock.mono()
        if not self._ready(now) or now < self._drawn_at + self._ns(self._pace.card):
            return
        out = view.deck.out if view.deck else 0
        mark = (view.round, view.move, view.position.cards, view.dealer.cards, out)
        if mark != self._mark:
            self._mark = mark
            self._draw(view)
        elif now > self._drawn_at + self._ns(self._pace.patience):
            self._card_is_lost()

    def _draw(self, view: TableView) -> None:
        self._drawn_at = self._clock.mono()
        if self._again:
            card, self._again = self._again, ""
            self._shoe.say(self._shoe.device.card(card))
            return
        fault = self._faults.for_card()
        if fault == "jam":
            self._jam()
            return
        if fault == "foreign":
            self._physical.slip_in_stranger()
        if self._take_card(view) and not self._meets(fault, view):
            copies = self._shoe.device.card(self._clearing.last_card)
            self._shoe.say_pieces(spoil(fault, copies, self._rng))

    def _take_card(self, view: TableView) -> bool:
        """The top card to where the screen says: a burn goes to the discards, face down."""
        card = self._physical.draw()
        if card is None:
            return False
        self._clearing.last_card = card
        if view.move.what in (What.BURN, What.DRAW_REST):
            self._physical.discard(card)
        return True

    def _meets(self, fault: str, view: TableView) -> bool:
        """Whether the fault has taken the report's place."""
        device = self._shoe.device
        if fault == "no_read":
            self._shoe.say(device.no_read())
            return True
        if fault == "glue":
            first = device.card(self._clearing.last_card)
            second = self._take_card(view)
            self._shoe.say([*first, *(device.card(self._clearing.last_card) if second else ())])
            return True
        return fault == "gap" and not device.skip()

    def _jam(self) -> None:
        self._jammed = True
        self._mark = None
        self._shoe.say(self._shoe.device.jam())

    def _clear_jam(self) -> None:
        if self._jammed and self._clock.mono() > self._drawn_at + 2 * self._ns(self._pace.card):
            self._jammed = False
            self._shoe.say(self._shoe.device.cleared())

    def _card_is_lost(self) -> None:
        """The screen does not show the card: pass it again, or the round cannot be saved."""
        self._drawn_at = self._clock.mono()
        if self._shoe.device.passes_again:
            self._shoe.say(self._shoe.device.card(self._clearing.last_card))
            return
        self.doubtful.add(self._physical.deck)
        self._asking.ask(Void(reason="a card lies on the felt that was not read"), Role.SUPERVISOR)

    def _err_if_due(self, view: TableView) -> None:
        if self._erring and view.phase in _ERR_IN and self._ready(self._clock.mono()):
            self._erring = False
            if self._is_mine(view) and self._take_card(view):
                self._shoe.say(self._shoe.device.card(self._clearing.last_card))

    # The reader, as the screen shows it

    def _look_at_reader(self, view: TableView) -> None:
        if not any(reader.rung in OPEN_RUNGS for reader in view.readers):
            self._ready_at = None
        elif self._ready_at is None:
            self._ready_at = self._clock.mono() + self._ns(self._pace.settle)

    def _watch_reader(self, fact: object) -> None:
        """A reader that came back needs a moment, even if it was never seen to be away."""
        back = isinstance(fact, ReadingNoted) and fact.kind is ReadingKind.REOPENED
        if back or isinstance(fact, ReaderSession):
            self._ready_at = None

    def _ready(self, now: int) -> bool:
        return self._ready_at is not None and now >= self._ready_at

    # Halts

    def _clear(self, view: TableView, halt: HaltView) -> None:
        now = self._clock.mono()
        if situation(halt) != self._seen:
            self._seen = situation(halt)
            self._look_at = now + self._ns(self._pace.card)
        if now < self._look_at or not self._ready(now):
            return
        asked = self._clearing.next(view, halt)
        self._look_at = now + self._ns(self._pace.card)
        if asked is not None:
            self._ask_way_out(view, halt, asked)

    def _ask_way_out(self, view: TableView, halt: HaltView, asked: Resolve) -> None:
        self._resolving, self._counted = asked.exit, halt.count
        self._asking.ask(asked, self._clearing.role(asked.exit), halt.seq)
        self._believed = (*view.position.cards, *view.dealer.cards)

    def _hear_answer(self, verdict: Verdict, why: Why) -> None:
        way, self._resolving = self._resolving, None
        if verdict is not Verdict.DONE:
            if why is Why.DECK:
                self._physical.unload()
            return
        if way is None:
            return
        self._mark = None
        if way is Exit.VOID and self._counted:
            self.doubtful.add(self._physical.deck)
        elif way is Exit.SCAN_AGAIN:
            self._again = self._clearing.last_card
        elif way is Exit.SET_ASIDE:
            for card in self._physical.surplus(self._believed):
                self._physical.discard(card)

    def _ns(self, seconds: float) -> int:
        return round(seconds * NANOSECONDS)
