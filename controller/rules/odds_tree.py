"""Every way a round can go for one player, as a graph grown by the game's own rules.

`grow` asks `next_step` and `settle` of the game and nothing else; it knows no
rule. It only calls equal what the rules cannot tell apart, which the tests hold:
cards that count alike (`KINDS`: the figures are one, the wild card is itself),
a hand in another order, and, once the player's hand is closed, hands of one
`Standing`. The graph holds no chances: `controller.rules.odds_value` weighs it.
Suits and the side bets: `controller.rules.odds_side`.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from controller.contract.cards import DECK, WILD, Card, is_figure, rank
from controller.contract.commands import Counts
from controller.contract.state import ClosedBy, Hand, Outcome
from controller.rules.catalogue import Rules
from controller.rules.hand import half_points, is_royal
from controller.rules.live import Round, choose, close, deal
from controller.rules.steps import Close, Deal, Decide, Settle

KINDS: Final[tuple[Card, ...]] = ("JS", "AS", "2S", "3S", "4S", "5S", "6S", "7S", WILD)
"""One card for all that count like it."""
KIND_OF: Final[dict[Card, int]] = {
    card: KINDS.index(card if card == WILD else ("J" if is_figure(card) else rank(card)) + "S")
    for card in DECK
}
Composition: TypeAlias = tuple[int, ...]
"""How many cards of each kind."""
FORTY: Final[Composition] = tuple(Counter(KIND_OF.values())[kind] for kind in range(len(KINDS)))

UNSEEN: Final[Card] = "??"
"""A card face down. It counts nothing: rules that looked at it too early would fail on it."""


class Standing(NamedTuple):
    """All that the rest of a round can depend on once the player's hand is closed."""

    by: ClosedBy
    half_points: int
    royal: bool
    shown: tuple[Card, ...]


class Ending(NamedTuple):
    """One way the dealer's hand can go: these cards, in this many orders, to this outcome."""

    outcome: Outcome
    halves: int
    """What the main bet returns, in halves of the stake."""
    orders: int
    needs: tuple[tuple[int, int], ...]
    """(kind, how many of it)"""
    length: int


@dataclass(frozen=True, slots=True, eq=False)
class Draw:
    """A card comes to the hand: a node for each kind that it can be."""

    seen: Composition
    hand: Hand
    shown: tuple[Card, ...]
    by_kind: tuple[tuple[int, "Node"], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """The player chooses, knowing these cards."""

    position: tuple[Card, ...]
    shown: tuple[Card, ...]
    stand: "Node"
    hit: "Node"


@dataclass(frozen=True, slots=True, eq=False)
class End:
    """The player's hand is closed; the dealer's cards and the outcome follow."""

    seen: Composition
    shown: tuple[Card, ...]
    endings: tuple[Ending, ...]


Node: TypeAlias = Draw | Choice | End


def grow(rules: Rules, *, mdp: bool = False) -> Node:
    """The whole graph of a round of this game, for one player."""
    return _Grower(rules).node(Round(plain=int(not mdp), mdp=int(mdp)))


class _Grower:
    """Grows each node once: a round that the rules cannot tell from another is that other."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._nodes: dict[Round, Node] = {}
        self._endings: dict[Standing, tuple[Ending, ...]] = {}

    def node(self, game: Round) -> Node:
        known = self._nodes.get(game)
        if known is None:
            known = self._nodes[game] = self._new(game)
        return known

    def _new(self, game: Round) -> Node:
        if game.closed:
            return self._end(game)
        step = self._rules.next_step(game)
        if isinstance(step, Close):
            return self.node(close(game, step.closings))
        if isinstance(step, Decide):
            return self._choice(game)
        if not isinstance(step, Deal):
            raise TypeError(f"{step} cannot come while the player is in")
        if step.face_down and step.hand is Hand.DEALER:
            return self.node(deal(game, step.hand, UNSEEN))
        return self._draw(game, step.hand)

    def _draw(self, game: Round, hand: Hand) -> Draw:
        seen = _seen(game)
        by_kind = (
            (kind, self.node(_plain(deal(game, hand, card))))
            for kind, card in enumerate(KINDS)
            if seen[kind] < FORTY[kind]
        )
        return Draw(seen, hand, _shown(game), tuple(by_kind))

    def _choice(self, game: Round) -> Choice:
        stay = choose(game, Counts(), Counts())
        go = choose(game, Counts(hit=game.plain), Counts(hit=game.mdp))
        return Choice(game.position, _shown(game), self.node(stay), self.node(go))

    def _end(self, game: Round) -> End:
        (closing,) = game.closed
        hand = game.position
        standing = Standing(closing.by, half_points(hand), is_royal(hand), _shown(game))
        endings = self._endings.get(standing)
        if endings is None:
            endings = self._endings[standing] = tuple(self._play_out(game))
        return End(_seen(game), standing.shown, endings)

    def _play_out(self, game: Round) -> Iterator[Ending]:
        """The dealer's hand to its end, in every way; orders of one composition are counted."""
        found: Counter[tuple[Composition, Outcome, int]] = Counter()
        ways = _turned(game)
        while ways:
            longer: dict[tuple[Composition, Card], tuple[Round, int]] = {}
            for (drawn, first), (at, orders) in ways.items():
                step = self._rules.next_step(at)
                if isinstance(step, Settle):
                    (result,) = self._rules.settle(at)
                    found[drawn, result.outcome, result.main_halves or 0] += orders
                    continue
                if not (isinstance(step, Deal) and step.hand is Hand.DEALER):
                    raise TypeError(f"{step} cannot come after the player's hand is closed")
                for more, kind in _one_more(drawn):
                    before = longer.get((more, first), (at, 0))[1]
                    dealt = _plain(deal(at, Hand.DEALER, KINDS[kind]))
                    longer[more, first] = dealt, before + orders
            ways = longer
        for (drawn, outcome, halves), orders in found.items():
            needs = tuple((kind, n) for kind, n in enumerate(drawn) if n)
            yield Ending(outcome, halves, orders, needs, sum(drawn))


_NONE: Final[Composition] = (0,) * len(KINDS)


def _turned(game: Round) -> dict[tuple[Composition, Card], tuple[Round, int]]:
    """The dealer's hand as play begins on it: a card face down may be any."""
    if game.dealer != (UNSEEN,):
        return {(_NONE, game.dealer[0]): (game, 1)}
    return {
        (more, KINDS[kind]): (replace(game, dealer=(KINDS[kind],)), 1)
        for more, kind in _one_more(_NONE)
    }


def _one_more(drawn: Composition) -> Iterator[tuple[Composition, int]]:
    for kind, n in enumerate(drawn):
        if n < FORTY[kind]:
            yield (*drawn[:kind], n + 1, *drawn[kind + 1 :]), kind


def _plain(game: Round) -> Round:
    """The one round that stands for all with these hands: cards sorted, past choices forgotten."""
    return replace(
        game,
        position=tuple(sorted(game.position)),
        dealer=(*game.dealer[:1], *sorted(game.dealer[1:])),
        decided=game.decided if game.decided == len(game.position) else 0,
    )


def _shown(game: Round) -> tuple[Card, ...]:
    return () if game.dealer == (UNSEEN,) else game.dealer


def _seen(game: Round) -> Composition:
    seen = list(_NONE)
    for card in (*game.position, *_shown(game)):
        seen[KIND_OF[card]] += 1
    return tuple(seen)
