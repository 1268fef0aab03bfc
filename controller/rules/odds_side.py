"""What the side bets return, alone and beside a main bet.

Partita Perfetta is settled by the first two cards whatever anyone does. Mano di
Poker needs a second card, so what it returns depends on one choice, that at one
card: `mano_di_poker_with` weighs it together with the main bet. Here cards have
suits; the main bet's worth comes from the graph.
"""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from math import factorial
from typing import Final, NamedTuple

from controller.contract.cards import DECK, Card
from controller.contract.state import Hand
from controller.rules.odds_tree import KIND_OF, Choice, Draw, End, Node
from controller.rules.odds_value import Valuation
from controller.rules.side_bets import mano_di_poker, partita_perfetta

_ORDERS: Final = factorial(len(DECK))


def partita_perfetta_return() -> Fraction:
    paid = [partita_perfetta(first, up) for first, up in permutations(DECK, 2)]
    return Fraction(sum(paid), len(paid))


class Hands(NamedTuple):
    """What Mano di Poker pays over all second cards, after each first card and up card."""

    paid: dict[tuple[Card, Card], int]

    @classmethod
    def dealt(cls) -> "Hands":
        paid: defaultdict[tuple[Card, Card], int] = defaultdict(int)
        for first, up, second in permutations(DECK, 3):
            paid[first, up] += mano_di_poker(first, second, up)
        return cls(paid)


class Pair(NamedTuple):
    """A main bet and a Mano di Poker played together: what each returns of its own stake."""

    main: Fraction
    mano_di_poker: Fraction

    def together(self, stake: Fraction) -> Fraction:
        """Of everything staked, with `stake` on Mano di Poker for each 1 on the main bet."""
        return (self.main + stake * self.mano_di_poker) / (1 + stake)


def always_second_card(root: Node, valuation: Valuation, hands: Hands) -> Pair:
    """Mano di Poker's published return: nobody stands on one card."""
    return _played(root, valuation, hands, None)


def mano_di_poker_with(
    root: Node, valuation: Valuation, hands: Hands, stake: Fraction = Fraction(0)
) -> Pair:
    """Both bets, played for the most of both; with a stake of 0, for the main bet alone.

    `root` is the graph of a player who has placed Mano di Poker.
    """
    return _played(root, valuation, hands, stake)


def _played(root: Node, valuation: Valuation, hands: Hands, stake: Fraction | None) -> Pair:
    main = second_cards = 0
    for node, paid in _at_one_card(root, hands):
        side = paid * factorial(len(DECK) - 3)
        stand, hit = _if_asked(node, valuation)
        if isinstance(node, Choice):
            takes = stake is None or hit + 2 * stake * side > stand
        else:
            takes = not isinstance(node, End)
        main += hit if takes else stand
        second_cards += side if takes else 0
    return Pair(Fraction(main, 2 * _ORDERS), Fraction(second_cards, _ORDERS))


def _if_asked(node: Node, valuation: Valuation) -> tuple[int, int]:
    """What the main bet returns on standing and on hitting; the same, where nobody is asked."""
    if isinstance(node, Choice):
        return valuation.total(node.stand).halves, valuation.total(node.hit).halves
    return (valuation.total(node).halves,) * 2


def _at_one_card(root: Node, hands: Hands) -> Iterator[tuple[Node, int]]:
    """Each first card as its player sees it, and what Mano di Poker pays over all cards to come."""
    for first in DECK:
        node = _with(root, first)
        ups = [up for up in DECK if up != first]
        if isinstance(node, Draw) and node.hand is Hand.DEALER:
            yield from ((_with(node, up), hands.paid[first, up]) for up in ups)
        else:
            yield node, sum(hands.paid[first, up] for up in ups)


def _with(node: Node, card: Card) -> Node:
    if not isinstance(node, Draw):
        raise TypeError(f"no card comes at {node}")
    return dict(node.by_kind)[KIND_OF[card]]
