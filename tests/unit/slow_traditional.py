"""Traditional Sette e Mezzo a second time, as somebody would tell it at Christmas.

Slow and naive on purpose: people with cards in their hands, points in decimals,
money moved from purse to purse. It shares neither structure nor code with
`controller.rules`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

Ask = Callable[[int, bool, int, list[str]], str]
"""(seat, second hand, cards in it, what is allowed) → `hit`, `stand`, `burn` or `split`."""


@dataclass
class Person:
    """One hand of somebody at the table."""

    seat: int
    bet: int
    cards: list[str] = field(default_factory=list)
    second: bool = False
    split: bool = False
    showed: bool = False


@dataclass
class Evening:
    """One round, and what was seen of it."""

    seats: int
    bank: int
    switches: set[str]
    wild: str = "KD"
    burn_rank: str = "4"
    passing: bool = False
    purse: dict[int, int] = field(default_factory=dict)
    places: list[tuple[int, bool]] = field(default_factory=list)
    people: list[Person] = field(default_factory=list)
    pot: int = 0
    next_bank: int = 0
    shuffle: bool = False

    @property
    def shown(self) -> set[tuple[int, str]]:
        return {(p.seat, card) for p in self.people if p.showed for card in p.cards}

    def value(self, cards: list[str]) -> float:
        worth = {"J": 0.5, "Q": 0.5, "K": 0.5, "A": 1.0}
        if "triple" in self.switches and [card[0] for card in cards] == ["7", "7"]:
            return 7.5
        plain = [c for c in cards if not ("wild" in self.switches and c == self.wild)]
        total = sum(worth.get(c[0]) or float(c[0]) for c in plain)
        if len(plain) == len(cards):
            return total
        if not plain:
            return 0.5
        tries = [total + other for other in (7, 6, 5, 4, 3, 2, 1, 0.5)]
        return max([t for t in tries if t <= 7.5] or [min(tries)])

    def natural(self, person: Person) -> bool:
        return len(person.cards) == 2 and not person.split and self.value(person.cards) == 7.5

    def triple(self, person: Person) -> bool:
        sevens = [card[0] for card in person.cards] == ["7", "7"]
        jolly = "wild" in self.switches and self.wild in person.cards
        return "triple" in self.switches and self.natural(person) and (sevens or jolly)

    def royal(self, person: Person) -> bool:
        return self.triple(person) or ("royal" in self.switches and self.natural(person))


def play(evening: Evening, deck: list[str], bets: dict[int, int], ask: Ask, ante: int = 0) -> None:
    """Deal `deck`; afterwards the purses, the places of the cards and the next bank are known."""
    e, shoe = evening, iter(deck)
    e.purse = dict.fromkeys(range(1, e.seats + 1), 0)
    e.next_bank = e.bank % e.seats + 1 if e.passing else e.bank
    right = [(e.bank + n - 1) % e.seats + 1 for n in range(1, e.seats)]
    order = [seat for seat in right if seat in bets]
    if "pot" not in e.switches:
        _game(e, shoe, [Person(seat, bets[seat]) for seat in order], Person(e.bank, 0), ask)
        return
    e.pot = ante
    e.purse[e.bank] -= ante
    for seat in order:
        if e.pot == 0:
            break
        bet, before = min(bets[seat], e.pot), e.purse[e.bank]
        _game(e, shoe, [Person(seat, bet)], Person(e.bank, 0), ask)
        e.pot += e.purse[e.bank] - before
        e.purse[e.bank] = before
    e.purse[e.bank] += e.pot


def _game(e: Evening, shoe: Iterator[str], people: list[Person], bank: Person, ask: Ask) -> None:
    for person in [*people, bank]:
        _card(e, shoe, person)
    hands: list[Person] = []
    for person in people:
        hands += _plays(e, shoe, person, ask)
    if any(e.value(hand.cards) <= 7.5 for hand in hands):
        _open(e, bank)
        _plays(e, shoe, bank, ask)
        if e.value(bank.cards) <= 7.5:
            for hand in hands:
                _open(e, hand)
    if "wild" in e.switches:
        for hand in [*hands, bank]:
            if e.wild in hand.cards:
                e.shuffle = True
                _open(e, hand)
    for hand in hands:
        _money(e, hand, bank)
    _next_bank(e, hands, bank)


def _next_bank(e: Evening, hands: list[Person], bank: Person) -> None:
    if e.royal(bank) and bank.showed:
        e.next_bank = e.bank
    else:
        lucky = [hand.seat for hand in hands if e.royal(hand)]
        e.next_bank = lucky[0] if lucky else e.next_bank


def _card(e: Evening, shoe: Iterator[str], person: Person) -> None:
    e.places.append((person.seat, person.second))
    person.cards.append(next(shoe))


def _open(e: Evening, person: Person) -> None:
    person.showed = True
    e.people.append(person)


def _plays(e: Evening, shoe: Iterator[str], person: Person, ask: Ask) -> list[Person]:
    """This person's turn; two hands come of it if there was a split."""
    burned = False
    while e.value(person.cards) < 7.5:
        may = ["hit", "stand"]
        first = len(person.cards) == 1 and not burned and not person.split
        if "burn_first" in e.switches and first and person.cards[0][0] == e.burn_rank:
            may.append("burn")
        figures = len(person.cards) == 2 and all(card[0] in "JQK" for card in person.cards)
        if "split" in e.switches and figures and not person.split and person.seat != e.bank:
            may.append("split")
        answer = ask(person.seat, person.second, len(person.cards), may)
        if answer == "stand":
            return [person]
        if answer == "hit":
            _card(e, shoe, person)
        elif answer == "burn":
            burned = True
            person.cards = []
            _card(e, shoe, person)
            if person.seat == e.bank:
                _open(e, person)
        else:
            other = Person(person.seat, person.bet, [person.cards.pop()], second=True)
            person.split = other.split = True
            _open(e, person)
            _open(e, other)
            return [*_plays(e, shoe, person, ask), *_plays(e, shoe, other, ask)]
    _open(e, person)
    return [person]


def _money(e: Evening, hand: Person, bank: Person) -> None:
    mine, theirs = e.value(hand.cards), e.value(bank.cards)
    if mine > 7.5:
        times = -1
    elif theirs > 7.5 or mine > theirs or _natural_wins(e, hand, bank):
        royal = "royal" in e.switches and e.natural(hand)
        times = 3 if e.triple(hand) else 2 if royal else 1
    elif "royal_double" in e.switches and e.royal(bank) and not e.natural(hand):
        times = -3 if e.triple(bank) else -2
    else:
        times = -1
    e.purse[hand.seat] += times * hand.bet
    e.purse[e.bank] -= times * hand.bet


def _natural_wins(e: Evening, hand: Person, bank: Person) -> bool:
    both = e.value(hand.cards) == e.value(bank.cards) == 7.5
    return "natural_beats" in e.switches and both and e.natural(hand) and not e.natural(bank)
