"""The game server of a table with seats: bets, the choice of the seat whose turn it is, the tally.

It counts and answers as a server does; what a seat's own first card is it learns
from the felt, as the person sitting there does, and never from a message.
"""

import random
from collections.abc import Mapping
from typing import Final, NamedTuple

from controller.client import Changed, Event, Follower
from controller.contract.cards import FACES
from controller.contract.commands import Choose, Role, SeatBets, Verdict, Why
from controller.contract.facts import AnyFact, RoundVoided
from controller.contract.seat_facts import ChoiceTaken, SeatsSettled
from controller.contract.seats import Choice, HouseRules, Seated, SeatHand, SeatStake, Variant
from controller.contract.state import Phase, TableView, Window
from controller.runtime.clock import Clock
from simulators.asking import Asking
from simulators.physical import Physical
from simulators.seat_policy import SeatPlayer
from simulators.seat_tally import SeatTally

_OVERTAKEN: Final = frozenset({Why.STALE, Why.EPOCH, Why.EXPIRED})
"""Refusals that only say that the table has moved on."""


class Plan(NamedTuple):
    """What a seat will do in one turn, and when; no choice: it is silent."""

    window: int
    choice: Choice | None
    at: int


class SeatServer:
    """Follows the table and answers its windows; `complaints` is what it found wrong."""

    def __init__(
        self,
        follower: Follower,
        clock: Clock,
        rng: random.Random,
        *,
        house: HouseRules,
        players: Mapping[int, SeatPlayer],
        physical: Physical,
    ) -> None:
        self._follower = follower
        self._clock = clock
        self._rng = rng
        self._house = house
        self._players = players
        self._physical = physical
        self._asking = Asking(follower, "game-server")
        self._tally = SeatTally(house)
        self._bets: SeatBets | None = None
        self._betting = 0
        self._plan = Plan(0, None, 0)
        self._refused: set[int] = set()
        self._mute_until = 0
        self._complaints: list[str] = []
        self._checked: set[int] = set()
        self.settled = 0
        self.voided = 0

    @property
    def complaints(self) -> list[str]:
        return [*self._complaints, *self._tally.complaints]

    def mute(self, ns: int) -> None:
        """Say nothing for so long: whose turn it is stands, if it is longer than the turn."""
        self._mute_until = self._clock.mono() + ns

    def hear(self, event: Event) -> None:
        answer = self._asking.heard(event)
        if answer and answer.verdict is Verdict.REFUSED:
            if answer.why is Why.FACE_DOWN:
                self._refused.add(self._plan.window)
            elif answer.why not in _OVERTAKEN:
                told = f"the game server was refused: {answer.why} {answer.text}"
                self._complaints.append(told)
        if isinstance(event, Changed):
            self._note(event.message.fact)

    def act(self) -> None:
        """Answer the open window, if it is time to."""
        view = self._follower.view
        if view is None or view.window is None or not self._follower.live or self._asking.busy:
            return
        if self._clock.mono() < self._mute_until:
            return
        phase = view.halt.phase if view.halt else view.phase
        if phase is Phase.BETTING and view.seated:
            self._answer_bets(view, view.window, view.seated)
        elif view.phase is Phase.DECISION and view.seated:
            self._answer_turn(view.window, view.seated)

    def _answer_bets(self, view: TableView, window: Window, seated: Seated) -> None:
        if window.seq != self._betting or self._bets is None:
            self._betting, self._bets = window.seq, self._placed(view, seated.bank)
        if window.shut:
            self._asking.ask(self._bets, Role.SERVER, window.seq)

    def _placed(self, view: TableView, bank: int) -> SeatBets:
        bets = {seat: p.bet(self._house) for seat, p in self._players.items() if seat != bank}
        stakes = tuple(SeatStake(seat, cents) for seat, cents in bets.items() if cents)
        antes = stakes and Variant.POT in self._house.variants
        ante = self._players[bank].ante(self._house) if antes else 0
        return SeatBets(stakes=stakes, ante=ante, rules=view.rules)

    def _answer_turn(self, window: Window, seated: Seated) -> None:
        if self._plan.window != window.seq:
            self._plan = self._make_plan(window, seated)
        plan, choice = self._plan, self._plan.choice
        if choice is None or self._clock.mono() < plan.at:
            return
        if window.seq in self._refused:
            choice = Choice.STAND
        role = Role.DEALER if seated.turn == seated.bank else Role.SERVER
        self._asking.ask(Choose(seat=seated.turn, choice=choice), role, window.seq)

    def _make_plan(self, window: Window, seated: Seated) -> Plan:
        whose = (seated.turn, seated.second)
        hand = next(h for h in reversed(seated.hands) if (h.seat, h.second) == whose)
        cards = self._held(hand)
        choice = self._players[seated.turn].choose(
            self._tally.worth(cards), seated.options, self._allowed(cards)
        )
        now = self._clock.mono()
        thinking = self._rng.uniform(0.1, 0.5) * max(0, window.players_until - now)
        return Plan(window.seq, choice, now + round(thinking))

    def _held(self, hand: SeatHand) -> list[str]:
        """The seat's own cards, with the one that lies face down if it knows which that is."""
        own = self._physical.face_down.get(hand.seat, "") if hand.down else ""
        return [own, *hand.cards] if own in FACES else [*hand.cards]

    def _allowed(self, cards: list[str]) -> frozenset[Choice]:
        figures = len(cards) == 2 and all(card[0] in "JQK" for card in cards)
        burns = len(cards) == 1 and cards[0][0] == self._house.burn_rank
        return frozenset({Choice.SPLIT} if figures else {Choice.BURN} if burns else ())

    def _note(self, fact: AnyFact) -> None:
        self._tally.hear(fact)
        if isinstance(fact, ChoiceTaken):
            self._register(fact)
        elif isinstance(fact, RoundVoided):
            self.voided += 1
        elif isinstance(fact, SeatsSettled):
            if fact.round in self._checked:
                self._complaints.append(f"round {fact.round} was settled twice")
            self._checked.add(fact.round)
            self.settled += 1

    def _register(self, fact: ChoiceTaken) -> None:
        sent = self._plan.choice if self._plan.window == fact.window else None
        refused = fact.window in self._refused
        if not fact.silent and fact.choice is not sent and not refused:
            told = f"window {fact.window}: seat {fact.seat} was said to {fact.choice}, not {sent}"
            self._complaints.append(told)
