"""Any history of a table with seats: no hidden face gets out, no cent is lost, no card twice.

The same people, readers and restarts as at the live table (`test_table_history`);
here the seats bet and choose, and what they may not do is told to them alone.
"""

import random
from typing import Any

import msgspec
from accounting import FACE, Inventory
from felt import Felt
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule
from seats_play import houses
from test_table_history import Histories

from controller.contract.commands import Choose, Role, SeatBets, Verdict, Why
from controller.contract.facts import AnyFact
from controller.contract.seat_facts import BankPassed, SeatBetsTaken, SeatsSettled, TurnOpened
from controller.contract.seats import Choice, HouseRules, Seated, SeatStake, Variant
from controller.contract.state import Phase

HOUSES = [house for seats in (2, 4, 6) for house in houses(seats, most=3)]


class SeatedHistories(Histories):
    """One table with seats, and everybody who can do something to it."""

    @initialize(
        seed=st.integers(0, 10_000),
        house=st.sampled_from(HOUSES),
        bank=st.sampled_from(["fixed", "passing"]),
    )
    def begin(self, seed: int, house: HouseRules, bank: str) -> None:  # type: ignore[override]
        self.rng = random.Random(seed)
        house = msgspec.structs.replace(house, bank=bank)
        self.felt = Felt(game="traditional", house=house, no_bets="skip")
        self.house, self.bank = house, house.bank_seat
        self.inventory = Inventory()
        self.told = 0
        self.shoe: list[str] = []
        self.sessions = 1
        self.sent = []
        self.felt.reader_up()

    def _bet(self, main: int) -> None:
        window = self.felt.state.view.window
        if window is not None:
            self.felt.wait(max(0, window.players_until - self.felt.now))
            self.felt.server(self._placed(self.rng))

    def _placed(self, rng: random.Random) -> SeatBets:
        seats = [n for n in range(1, self.house.seats + 1) if n != self.felt.state.bank]
        some = rng.sample(seats, rng.randint(0, len(seats)))
        stakes = tuple(SeatStake(seat, rng.randint(100, 10_000)) for seat in some)
        ante = rng.randint(1, 9_000) if stakes and Variant.POT in self.house.variants else 0
        return SeatBets(stakes=stakes, ante=ante, rules=self.felt.state.view.rules)

    def _choose(self) -> None:
        seated, window = self.felt.state.view.seated, self.felt.state.view.window
        assert isinstance(seated, Seated)
        if self.rng.random() < 0.1 and window is not None:
            self.felt.wait(max(0, window.summary_until - self.felt.now))
            return
        hits = self.rng.random() < 0.6
        wish = Choice.HIT if hits else self.rng.choice(seated.options)
        self._asks(seated.turn, wish)

    def _asks(self, seat: int, choice: Choice) -> None:
        before, known = self.felt.state, len(self.felt.facts)
        answer = self.felt.command(Choose(seat=seat, choice=choice), self.rng.choice(ROLES))
        if answer.why is Why.FACE_DOWN:
            assert answer.verdict is Verdict.REFUSED
            assert choice in (Choice.BURN, Choice.SPLIT)
            assert (self.felt.state, len(self.felt.facts)) == (before, known), "told to none else"

    def the_server_answers(self) -> None:
        halted = self.felt.state.halt.phase if self.felt.state.halt else self.felt.phase
        if halted is Phase.BETTING:
            self.felt.server(self._placed(random.Random(1)))
        elif self.felt.phase is Phase.DECISION:
            self._choose()

    @precondition(lambda self: self.felt.state.deck is not None)
    @rule(seat=st.integers(1, 12), choice=st.sampled_from(list(Choice)), cents=st.integers(0, 300))
    def anyone_asks_anything(self, seat: int, choice: Choice, cents: int) -> None:
        self._asks(seat, choice)
        stakes = (SeatStake(seat, cents),)
        self.felt.server(SeatBets(stakes=stakes, ante=cents, rules=self.felt.state.view.rules))

    def _hear(self, fact: AnyFact) -> None:
        super()._hear(fact)
        if isinstance(fact, SeatBetsTaken):
            self.bets = fact
        elif isinstance(fact, TurnOpened):
            _check_options(self.house, fact)
        elif isinstance(fact, SeatsSettled):
            self._check_settled(fact)
        elif isinstance(fact, BankPassed):
            assert fact.before == self.bank != fact.seat
            self.bank = fact.seat

    def _check_settled(self, fact: SeatsSettled) -> None:
        assert sum(result.net for result in fact.results) + fact.bank_net == 0
        assert fact.bank_net >= -self.bets.ante or Variant.POT not in self.house.variants
        betting = {stake.seat: stake.cents for stake in self.bets.stakes}
        assert {result.seat for result in fact.results} <= set(betting)
        for result in fact.results:
            assert result.stake <= betting[result.seat]

    def teardown(self) -> None:
        super().teardown()
        shown = msgspec.json.encode(self.felt.state.view).decode() if hasattr(self, "felt") else ""
        assert not set(FACE.findall(shown)) & self.inventory.secret if shown else True


ROLES: list[Any] = [Role.SERVER, Role.DEALER]


def _check_options(house: HouseRules, turn: TurnOpened) -> None:
    """What is offered follows from the house and the number of cards, and from no face."""
    assert set(turn.options) >= {Choice.HIT, Choice.STAND}
    may = {Choice.BURN: Variant.BURN_FIRST, Choice.SPLIT: Variant.SPLIT}
    assert all(switch in house.variants for choice, switch in may.items() if choice in turn.options)


TestSeatedHistories = SeatedHistories.TestCase
TestSeatedHistories.settings = settings(max_examples=60, stateful_step_count=50, deadline=None)
