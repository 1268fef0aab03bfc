"""What a round is worth: every order of the unseen cards counted, none sampled.

A node of the graph (`controller.rules.odds_tree`) is worth a `Tally`: of all
orders in which the cards not yet seen can lie, how many end in each outcome.
Tallies are whole numbers, so nothing is ever rounded: a fraction of the forty
cards' 40! orders is exact. The player takes what returns most over all orders,
knowing the cards seen and no others; between equals the player stands.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations_with_replacement
from math import comb, factorial, perm
from typing import Final, NamedTuple, TypeAlias

from controller.contract.state import Outcome
from controller.rules.odds_tree import FORTY, KINDS, Choice, Composition, End, Node

OUTCOMES: Final = tuple(Outcome)
_PLACE: Final = {outcome: place for place, outcome in enumerate(OUTCOMES)}
_FACTORIAL: Final = tuple(factorial(n) for n in range(sum(FORTY) + 1))
_FALLING: Final = tuple(
    tuple(perm(left, n) for n in range(max(FORTY) + 1)) for left in range(max(FORTY) + 1)
)
"""[left][n]: in how many orders n of the left cards of a kind can come."""


class Deck(NamedTuple):
    """Cards that can come, and how many orders of what lies before them are behind it."""

    cards: Composition = FORTY
    weight: int = 1


WHOLE: Final = (Deck(),)


def burned(n: int) -> tuple[Deck, ...]:
    """The decks that an unseen burn of n cards can leave, each with the burn's orders."""
    decks = []
    for burn in combinations_with_replacement(range(len(KINDS)), n):
        gone = tuple(burn.count(kind) for kind in range(len(KINDS)))
        if all(out <= there for out, there in zip(gone, FORTY, strict=True)):
            left = tuple(there - out for out, there in zip(gone, FORTY, strict=True))
            ways = _FACTORIAL[n]
            for there, out in zip(FORTY, gone, strict=True):
                ways *= comb(there, out)
            decks.append(Deck(left, ways))
    return tuple(decks)


class Tally(NamedTuple):
    """Orders by outcome (as in `OUTCOMES`), what they return, and the cards they use.

    `halves` is what all the orders together return, in halves of the stake.
    """

    orders: tuple[int, ...]
    halves: int
    cards: int


NOTHING: Final = Tally((0,) * len(OUTCOMES), 0, 0)
_Tallies: TypeAlias = dict[Node, tuple[Tally, ...]]
Chooser: TypeAlias = Callable[[Choice, int, int], bool]
"""Hit? Given the choice, and what standing and hitting return over all orders."""


def for_the_most(_choice: Choice, stand: int, hit: int) -> bool:
    return hit > stand


class Valuation:
    """Weighs a graph for one set of decks and one way of choosing.

    With more than one deck the player does not know which it is: a choice is
    made over all of them, which is what not seeing the burn means.
    """

    def __init__(
        self,
        decks: Sequence[Deck] = WHOLE,
        chooser: Chooser = for_the_most,
        *,
        ends: _Tallies | None = None,
        known: _Tallies | None = None,
    ) -> None:
        self._decks = decks
        self._chooser = chooser
        self._ends: _Tallies = {} if ends is None else ends
        self._tallies: _Tallies = {} if known is None else known
        self.hits: dict[Choice, bool] = {}
        """Every choice that was come to, and whether the player hits."""
        self.longest = 0
        """The most cards that any order and any play can use."""

    def choosing(self, chooser: Chooser) -> "Valuation":
        """The same decks, another way of choosing; what follows a closed hand is not redone."""
        return Valuation(self._decks, chooser, ends=self._ends)

    def also_choosing(self, chooser: Chooser) -> "Valuation":
        """The same and more: another way that agrees with this one on every choice come to."""
        return Valuation(self._decks, chooser, ends=self._ends, known=dict(self._tallies))

    def total(self, node: Node) -> Tally:
        """Over all the decks, each with its weight."""
        return _sum(
            (deck.weight, tally)
            for deck, tally in zip(self._decks, self.tallies(node), strict=True)
        )

    def tallies(self, node: Node) -> tuple[Tally, ...]:
        """One for each deck."""
        known = self._tallies.get(node)
        if known is None:
            known = self._tallies[node] = self._new(node)
        return known

    def _new(self, node: Node) -> tuple[Tally, ...]:
        if isinstance(node, Choice):
            return self.tallies(node.hit if self._hit(node) else node.stand)
        lefts = [_left(deck.cards, node.seen) for deck in self._decks]
        if isinstance(node, End):
            if node not in self._ends:
                ends = (self._play_out(node, left) if left else NOTHING for left in lefts)
                self._ends[node] = tuple(ends)
            return self._ends[node]
        if any(left and not sum(left) for left in lefts):
            raise ValueError("the deck is too small for this game")
        futures = [(kind, self.tallies(then)) for kind, then in node.by_kind]
        return tuple(
            _sum((left[kind], then[place]) for kind, then in futures) if left else NOTHING
            for place, left in enumerate(lefts)
        )

    def _hit(self, choice: Choice) -> bool:
        stand, hit = self.total(choice.stand).halves, self.total(choice.hit).halves
        self.hits[choice] = self._chooser(choice, stand, hit)
        return self.hits[choice]

    def _play_out(self, end: End, left: Composition) -> Tally:
        orders = [0] * len(OUTCOMES)
        halves = used = 0
        unseen, already = sum(left), sum(end.seen)
        for ending in end.endings:
            ways = ending.orders
            for kind, n in ending.needs:
                ways *= _FALLING[left[kind]][n]
            if ways:
                ways *= _FACTORIAL[unseen - ending.length]
                orders[_PLACE[ending.outcome]] += ways
                halves += ways * ending.halves
                used += ways * (already + ending.length)
                self.longest = max(self.longest, already + ending.length)
        if sum(orders) != _FACTORIAL[unseen]:
            raise ValueError(f"a deck of {unseen} cards more is too small for this game")
        return Tally(tuple(orders), halves, used)


def most_cards(root: Node) -> int:
    """The most cards that a round of this graph can use, in any order and any play."""
    valuation = Valuation()
    valuation.total(root)
    return valuation.longest


def _left(cards: Composition, seen: Composition) -> Composition:
    """What can still come; nothing, where more is seen than there is."""
    left = tuple(there - gone for there, gone in zip(cards, seen, strict=True))
    return left if min(left) >= 0 else ()


def _sum(weighed: Iterable[tuple[int, Tally]]) -> Tally:
    orders, halves, cards = [0] * len(OUTCOMES), 0, 0
    for weight, tally in weighed:
        if weight > 0 and tally is not NOTHING:
            orders = [sum_ + weight * more for sum_, more in zip(orders, tally.orders, strict=True)]
            halves += weight * tally.halves
            cards += weight * tally.cards
    return Tally(tuple(orders), halves, cards)
