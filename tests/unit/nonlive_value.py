"""What a bet is worth from a given table on, worked out exactly and in more than one way.

`finished` walks the non-live finish itself, `live_value` weighs the graph of the
odds over every burn that may lie in the discards, `seconded` asks the second
writing of the game. All are fractions of a stake under best play.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import NamedTuple

from slow_odds import Live, key, value_of

from controller.contract.cards import DECK, Card
from controller.contract.commands import Counts
from controller.contract.state import Hand
from controller.rules import live, nonlive
from controller.rules.live import Round
from controller.rules.nonlive import Finish
from controller.rules.odds_tree import FORTY, KIND_OF, KINDS, Choice, Composition, Draw, Node, grow
from controller.rules.odds_value import Deck, Valuation
from controller.rules.steps import Close, Deal, Decide, Settle

HALF = Fraction(1, 2)


class Situation(NamedTuple):
    """An undecided hand, what earlier rounds of its deck showed, and how many burns are unseen."""

    position: tuple[Card, ...]
    up: Card
    earlier: tuple[Card, ...] = ()
    burns: int = 0

    @property
    def exposed(self) -> tuple[Card, ...]:
        return (*self.earlier, *self.position, self.up)

    @property
    def game(self) -> Round:
        return Round(position=self.position, dealer=(self.up,), plain=1)


def composition(cards: Sequence[Card]) -> Composition:
    kinds = Counter(KIND_OF[card] for card in cards)
    return tuple(kinds[kind] for kind in range(len(KINDS)))


class Walk:
    """The production finish, each next card tried in turn; the player does what is best."""

    def __init__(self) -> None:
        self._known: dict[tuple[Round, Composition], Fraction] = {}

    def value(self, game: Round, left: Composition) -> Fraction:
        alike = _alike(game), left
        if alike not in self._known:
            self._known[alike] = self._new(*alike)
        return self._known[alike]

    def _new(self, game: Round, left: Composition) -> Fraction:
        step = live.next_step(game)
        if isinstance(step, Settle):
            (result,) = live.settle(game)
            assert result.main_halves is not None
            return result.main_halves * HALF
        if isinstance(step, Decide):
            ways = (nonlive.take(Finish(game, ()), step, hit=hit).game for hit in (False, True))
            return max(self.value(way, left) for way in ways)
        if not isinstance(step, Deal):
            return self.value(nonlive.take(Finish(game, ()), step).game, left)
        total = Fraction(0)
        for kind, n in enumerate(left):
            if n:
                dealt = nonlive.take(Finish(game, (KINDS[kind],)), step).game
                fewer = (*left[:kind], n - 1, *left[kind + 1 :])
                total += Fraction(n, sum(left)) * self.value(dealt, fewer)
        return total


def _alike(game: Round) -> Round:
    """Cards that count alike are one, and a hand has no order (`test_odds_equivalence`)."""
    kinds = [[KINDS[KIND_OF[card]] for card in hand] for hand in (game.position, game.dealer)]
    position, dealer = sorted(kinds[0]), (*kinds[1][:1], *sorted(kinds[1][1:]))
    closed = game.decided if game.decided == len(position) else 0
    return Round(
        position=tuple(position),
        dealer=dealer,
        plain=game.plain,
        mdp=game.mdp,
        closed=game.closed,
        decided=closed,
    )


def finished(at: Situation) -> Fraction:
    return Walk().value(at.game, composition(nonlive.unseen(at.exposed)))


def live_value(at: Situation) -> Fraction:
    """The live table: burned cards are out of the shoe, and nobody knows which they are."""
    valuation = Valuation(tuple(_decks(at)))
    tally = valuation.total(_node(at))
    return Fraction(tally.halves, 2 * sum(tally.orders))


def _decks(at: Situation) -> Iterator[Deck]:
    """What the burns may have left of the deck, each as often as there are such burns."""
    unburned = [card for card in DECK if card not in at.earlier]
    unseen = nonlive.unseen(at.exposed)
    weights: Counter[Composition] = Counter()
    for burn in permutations(unseen, at.burns):
        weights[composition([card for card in unburned if card not in burn])] += 1
    yield from (Deck(left, weight) for left, weight in weights.items())


def _node(at: Situation) -> Node:
    """This hand in the graph of all rounds: who was asked on the way has hit."""
    node = _drawn(_drawn(_root(), at.position[0]), at.up)
    for card in at.position[1:]:
        node = _drawn(node.hit if isinstance(node, Choice) else node, card)
    return node


@cache
def _root() -> Node:
    return grow(live)


def _drawn(node: Node, card: Card) -> Node:
    assert isinstance(node, Draw)
    return dict(node.by_kind)[KIND_OF[card]]


def seconded(at: Situation) -> Fraction:
    hand = tuple(sorted(map(value_of, at.position), key=key))
    deck = tuple(sorted(map(value_of, nonlive.unseen(at.exposed)), key=key))
    return Live().dealt(hand, value_of(at.up), deck)


class Crowd:
    """One player who stands, and others who go on: what the one receives from the live table.

    The others hit whenever they are asked, so the position draws on and the
    dealer's cards come from further down the shoe.
    """

    def value(self, game: Round, left: Composition, depth: int) -> Fraction:
        step = live.next_step(game)
        if isinstance(step, Settle):
            mine = next(r for r in live.settle(game) if r.depth == depth)
            assert mine.main_halves is not None
            return mine.main_halves * HALF
        if isinstance(step, Decide):
            counts = Counts(hit=game.plain)
            return self.value(live.choose(game, counts, Counts()), left, depth)
        if not isinstance(step, Deal):
            assert isinstance(step, Close)
            return self.value(live.close(game, step.closings), left, depth)
        return self._drawn(game, step.hand, left, depth)

    def _drawn(self, game: Round, hand: Hand, left: Composition, depth: int) -> Fraction:
        total = Fraction(0)
        for kind, n in enumerate(left):
            if n:
                fewer = (*left[:kind], n - 1, *left[kind + 1 :])
                dealt = live.deal(game, hand, KINDS[kind])
                total += Fraction(n, sum(left)) * self.value(dealt, fewer, depth)
        return total


class Asked(NamedTuple):
    """Orders of the cards (as the odds count them) by whether the player is ever asked."""

    never_halves: int
    """What those orders return in which no choice comes."""
    orders: int
    """In which one does."""
    halves: int
    """What these return."""


def asked(node: Node, valuation: Valuation) -> Asked:
    """From here on, in a whole deck."""
    known: dict[Node, Asked] = {}

    def of(node: Node) -> Asked:
        if node not in known:
            known[node] = new(node)
        return known[node]

    def new(node: Node) -> Asked:
        if not isinstance(node, Draw):
            tally = valuation.total(node)
            if isinstance(node, Choice):
                return Asked(0, sum(tally.orders), tally.halves)
            return Asked(tally.halves, 0, 0)
        futures = [(FORTY[kind] - node.seen[kind], of(then)) for kind, then in node.by_kind]
        return Asked(*(sum(n * then[place] for n, then in futures) for place in range(3)))

    return of(node)
