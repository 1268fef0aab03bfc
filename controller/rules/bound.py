"""The most cards one live round can use, found by playing every round that could beat it.

Branch and bound over `live.next_step` itself: cards that count alike are one
(the wild card apart), and a line is given up when even the smallest cards left
could not make it longer than the longest found. Enough players are assumed that
somebody stands wherever standing is allowed and somebody always hits, which is
what makes a round long.
"""

from collections import Counter
from functools import cache
from typing import Final

from controller.contract.cards import DECK, HALF_POINTS, WILD, Card, is_figure
from controller.contract.commands import Counts
from controller.rules import live
from controller.rules.hand import SEVEN
from controller.rules.steps import Close, Deal, Decide

_CROWD: Final = 1_000
"""More players than a round has decisions."""
_KINDS: Final[dict[Card, str]] = {
    card: "KD" if card == WILD else "JS" if is_figure(card) else card[0] + "S" for card in DECK
}
"""Every card → one that stands for all that count like it."""


@cache
def most_cards(burn: int = 0) -> int:
    """The longest round of any deck order and any play, burns included."""
    left = Counter(_KINDS.values())
    return burn + _longest(live.Round(plain=_CROWD, mdp=_CROWD), left, 0)


def _longest(game: live.Round, left: Counter[str], best: int) -> int:
    step = live.next_step(game)
    while not isinstance(step, Deal):
        if isinstance(step, Close):
            game = live.close(game, step.closings)
        elif isinstance(step, Decide):
            game = live.choose(game, _all_but_one(step.plain), _all_but_one(step.mdp))
        else:
            return max(best, len(game.position) + len(game.dealer))
        step = live.next_step(game)
    for kind in sorted(left, key=HALF_POINTS.__getitem__):
        if left[kind] and _could_reach(game, left) > best:
            best = _longest(live.deal(game, step.hand, kind), left - Counter([kind]), best)
    return best


def _all_but_one(players: int) -> Counts:
    return Counts(hit=players - 1, stand=1)


def _could_reach(game: live.Round, left: Counter[str]) -> int:
    """No more cards than this, were only the smallest cards to come.

    A hand that still draws counts at most 7 (position) or 4½ (dealer) before
    its last card, and never less than its cards with the wild one at ½.
    """
    room = hands = 0
    for cards, most in ((game.position, SEVEN), (game.dealer, live.DEALER_STANDS - 1)):
        in_play = most - sum(map(HALF_POINTS.__getitem__, cards))
        if in_play >= 0 and (cards is game.dealer or game.plain or game.mdp):
            room += in_play
            hands += 1
    drawn = len(game.position) + len(game.dealer) + hands
    for kind in sorted(left, key=HALF_POINTS.__getitem__):
        fitting = min(left[kind], room // HALF_POINTS[kind])
        drawn += fitting
        room -= fitting * HALF_POINTS[kind]
    return drawn
