"""A traditional round worked out anew from what was published: the hands, the money, the bank.

It shares nothing with `controller.rules`: it follows the published facts with
pencil and paper, in half points, and is compared with what the table settled.
A card that was never shown is None here, and is never needed.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

from controller.contract.facts import AnyFact, CardCounted
from controller.contract.seat_facts import (
    BankPassed,
    ChoiceTaken,
    HandShown,
    PotPaid,
    SeatBetsTaken,
    SeatsSettled,
)
from controller.contract.seats import Choice, HouseRules, SeatOutcome, SeatResult

_VALUES: Final[dict[str, int]] = {"J": 1, "Q": 1, "K": 1, "A": 2} | {
    str(n): 2 * n for n in range(2, 8)
}
_FULL: Final = 15

Whose: TypeAlias = tuple[int, bool]
"""A seat, and whether it is its second hand."""


class Hands:
    """The hands of the round in play, as everybody sees them."""

    def __init__(self) -> None:
        self.bank = 0
        self.stakes: dict[int, int] = {}
        self.cards: dict[Whose, list[str | None]] = {}
        self.split: set[int] = set()

    def hear(self, fact: AnyFact) -> None:
        if isinstance(fact, SeatBetsTaken):
            self.bank, self.cards, self.split = fact.bank, {}, set()
            self.stakes = {stake.seat: stake.cents for stake in fact.stakes}
        elif isinstance(fact, CardCounted) and fact.seat:
            self.cards.setdefault((fact.seat, fact.second), []).append(fact.card)
        elif isinstance(fact, HandShown):
            self.cards[fact.seat, fact.second] = [*fact.cards]
        elif isinstance(fact, ChoiceTaken) and fact.choice is Choice.BURN:
            self.cards[fact.seat, False] = []
        elif isinstance(fact, ChoiceTaken) and fact.choice is Choice.SPLIT:
            self.split.add(fact.seat)
            self.cards[fact.seat, True] = [self.cards[fact.seat, False].pop()]
        elif isinstance(fact, PotPaid):
            self.cards.pop((self.bank, False), None)


class SeatTally:
    """Hears every fact of one table; `complaints` is where it finds something else."""

    def __init__(self, house: HouseRules) -> None:
        self._house = house
        self._on = {variant.value for variant in house.variants}
        self._hands = Hands()
        self._pot = self._ante = 0
        self._paid: list[SeatResult] = []
        self._bank = house.bank_seat
        self._next = self._bank
        self._unpassed = False
        self.complaints: list[str] = []

    def hear(self, fact: AnyFact) -> None:
        if isinstance(fact, SeatBetsTaken):
            self._begin(fact)
        self._check(fact)
        self._hands.hear(fact)

    def _begin(self, fact: SeatBetsTaken) -> None:
        if self._unpassed and self._next != self._bank:
            self.complaints.append(f"the bank stayed at seat {self._bank}, not {self._next}")
        self._unpassed = False
        self._bank = fact.bank
        self._pot = self._ante = fact.ante
        self._paid = []

    def _check(self, fact: AnyFact) -> None:
        if isinstance(fact, PotPaid):
            self._compare(fact.result)
            self._pot -= fact.result.net
            self._paid.append(fact.result)
            if fact.pot != self._pot or self._pot < 0:
                self.complaints.append(f"the pot is {fact.pot}, not {self._pot}")
        elif isinstance(fact, SeatsSettled):
            self._settled(fact)
        elif isinstance(fact, BankPassed):
            if fact.seat != self._next:
                self.complaints.append(f"the bank went to seat {fact.seat}, not {self._next}")
            self._unpassed = False

    def _settled(self, fact: SeatsSettled) -> None:
        for result in fact.results:
            if result not in self._paid:
                self._compare(result)
        if sum(result.net for result in fact.results) + fact.bank_net:
            self.complaints.append(f"round {fact.round}: money was made or lost")
        if {result.seat for result in fact.results} != set(self._hands.stakes) and not self._ante:
            self.complaints.append(f"round {fact.round}: not every bet was settled")
        self._next, self._unpassed = self._next_bank(), True

    def _compare(self, result: SeatResult) -> None:
        stake = self._hands.stakes.get(result.seat, 0)
        stake = min(stake, self._pot) if self._ante else stake
        due = self._times((result.seat, result.second), result.outcome) * stake
        if due != result.net:
            self.complaints.append(f"seat {result.seat} was paid {result.net}, due are {due}")

    def _times(self, whose: Whose, outcome: SeatOutcome) -> int:
        hand, banker = self._hands.cards[whose], (self._hands.bank, False)
        theirs = self.worth(self._hands.cards.get(banker, []))
        if None in hand:  # not shown: the bank must be bust, and the hand is a plain one
            return int(theirs > _FULL and outcome is SeatOutcome.BANK_BUST)
        mine, natural = self.worth(hand), self._natural(whose)
        if mine > _FULL:
            return -1
        beats = "natural_beats" in self._on and natural and not self._natural(banker)
        if theirs > _FULL or mine > theirs or (beats and theirs == _FULL):
            return self._royal_times(whose)
        return -1 if natural or "royal_double" not in self._on else -self._royal_times(banker)

    def _royal_times(self, whose: Whose) -> int:
        if self._triple(whose):
            return 3
        return 2 if self._natural(whose) and "royal" in self._on else 1

    def worth(self, hand: Sequence[str | None]) -> int:
        """In half points; what is not shown counts nothing."""
        cards = [card for card in hand if card is not None]
        if "triple" in self._on and [card[0] for card in cards] == ["7", "7"]:
            return _FULL
        wild = self._house.wild_card if "wild" in self._on else ""
        rest: int = sum(_VALUES[card[0]] for card in cards if card != wild)
        if wild not in cards:
            return rest
        if rest == 0:
            return 1
        tries: list[int] = [rest + value for value in (1, *range(2, 15, 2))]
        return max((points for points in tries if points <= _FULL), default=min(tries))

    def _natural(self, whose: Whose) -> bool:
        cards = self._hands.cards.get(whose, [])
        whole = whose[0] not in self._hands.split
        return len(cards) == 2 and None not in cards and whole and self.worth(cards) == _FULL

    def _triple(self, whose: Whose) -> bool:
        cards = self._hands.cards[whose]
        wild = "wild" in self._on and self._house.wild_card in cards
        sevens = [card[0] for card in cards if card] == ["7", "7"]
        return "triple" in self._on and self._natural(whose) and (wild or sevens)

    def _next_bank(self) -> int:
        seats = self._house.seats
        order = [(self._bank + n - 1) % seats + 1 for n in range(seats)]  # the bank's own first
        for seat in order:
            whose = (seat, False)
            if self._natural(whose) and ("royal" in self._on or self._triple(whose)):
                return seat
        return order[1] if self._house.bank == "passing" else self._bank
