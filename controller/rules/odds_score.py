"""The best play of one who knows only the two scores on the screen.

Such a player must choose alike for all hands of one score against one score,
so the choices hang together: what is best at 5 depends on what is done at 7.
From the highest score down, a choice is settled where every hand of that score
agrees on it; only where hands disagree are both tried, each to the end. The
result is therefore the best of all such strategies, not a good one.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from controller.contract.cards import Card
from controller.rules.hand import half_points
from controller.rules.odds_tree import FORTY, Choice, Draw, Node
from controller.rules.odds_value import Chooser, Valuation

FACE_DOWN: Final = 0
"""The dealer's score while no card of it is shown."""


class Scores(NamedTuple):
    """What the player sees: both hands' half points."""

    own: int
    dealer: int


Strategy: TypeAlias = Mapping[Scores, bool]
"""Hit?"""
_Try: TypeAlias = tuple[dict[Scores, bool], Valuation]


def best_by_score(root: Node, by_cards: Valuation) -> tuple[int, dict[Scores, bool]]:
    """What the best such strategy returns, in halves over all 40! orders, and the strategy."""
    groups: defaultdict[int, list[tuple[int, Node]]] = defaultdict(list)
    for ways, node in _openings(root, 1):
        groups[_shown_score(node.shown)].append((ways, node))
    total, strategy = 0, {}
    for dealer, openings in sorted(groups.items()):
        best, chosen = _Group(dealer, openings, by_cards).best()
        total += best
        strategy.update(chosen)
    return total, strategy


def scores(choice: Choice) -> Scores:
    return Scores(half_points(choice.position), _shown_score(choice.shown))


def _shown_score(shown: tuple[Card, ...]) -> int:
    return half_points(shown) if shown else FACE_DOWN


def _openings(node: Node, ways: int) -> Iterator[tuple[int, Node]]:
    """The rounds as they stand when the first two cards lie, with the orders that lead there."""
    if isinstance(node, Draw) and not node.shown:
        for kind, then in node.by_kind:
            yield from _openings(then, ways * (FORTY[kind] - node.seen[kind]))
    else:
        yield ways, node


class _Group:
    """All rounds against one score of the dealer, which no choice changes."""

    def __init__(self, dealer: int, openings: list[tuple[int, Node]], by_cards: Valuation) -> None:
        self._openings = openings
        self._choices: defaultdict[int, list[Choice]] = defaultdict(list)
        for choice in _choices([node for _, node in openings]):
            self._choices[half_points(choice.position)].append(choice)
        self._dealer = dealer
        self._by_cards = by_cards

    def best(self) -> tuple[int, dict[Scores, bool]]:
        return self._search(sorted(self._choices), {}, self._by_cards.choosing(_undecided))

    def _search(
        self, undecided: list[int], strategy: dict[Scores, bool], above: Valuation
    ) -> tuple[int, dict[Scores, bool]]:
        """`above` follows the strategy, and has weighed nothing that is still undecided."""
        if not undecided:
            return sum(ways * above.total(node).halves for ways, node in self._openings), strategy
        *lower, own = undecided
        tries = []
        for hit in (False, True):
            tried = {**strategy, Scores(own, self._dealer): hit}
            tries.append((tried, above.also_choosing(_following(tried))))
        found = (self._search(lower, *tried) for tried in self._worth_trying(own, tries))
        return max(found, key=lambda best: best[0])

    def _worth_trying(self, own: int, tries: list[_Try]) -> list[_Try]:
        """Standing, hitting, or both, if each is better for some hand of this score."""
        (_, stand), (_, hit) = tries
        gains = [
            hit.total(choice).halves - stand.total(choice).halves for choice in self._choices[own]
        ]
        if max(gains) <= 0:
            return tries[:1]
        return tries[1:] if min(gains) >= 0 else tries


def _undecided(choice: Choice, _stand: int, _hit: int) -> bool:
    raise AssertionError(f"nothing is decided yet, and {choice} was weighed")


def _following(strategy: Strategy) -> Chooser:
    return lambda choice, _stand, _hit: strategy[scores(choice)]


def _choices(nodes: list[Node]) -> Iterator[Choice]:
    """Every choice that can follow, each once."""
    known: set[Node] = set()
    while nodes:
        node = nodes.pop()
        if node in known:
            continue
        known.add(node)
        if isinstance(node, Choice):
            yield node
            nodes += [node.stand, node.hit]
        elif isinstance(node, Draw):
            nodes += [then for _, then in node.by_kind]
