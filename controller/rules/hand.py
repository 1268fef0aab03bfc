"""What a hand is worth: half points, the wild card, bust and the Royal.

Source: the game's own help, "Cards and point values" and "King of Coins and
Sette e Mezzo Royal". Values are integers in half points: 15 is 7½.
"""

from collections.abc import Sequence
from typing import Final

from controller.contract.cards import HALF_POINTS, WILD, Card, is_figure, rank

SEVEN: Final = 14
SEVEN_AND_HALF: Final = 15
FIVE: Final = 10
WILD_ALONE: Final = 1
_HIGHEST_CARD: Final = 14


def half_points(cards: Sequence[Card], wild_card: Card | None = WILD) -> int:
    """The hand's value, the wild card standing for the card that brings it nearest 7½.

    `wild_card` is which one it is; None where the house plays without.
    """
    total = 0
    wild = False
    for card in cards:
        if card == wild_card:
            wild = True
        else:
            total += HALF_POINTS[card]
    if not wild:
        return total
    return total + (WILD_ALONE if total == 0 else _best_stand_in(SEVEN_AND_HALF - total))


def _best_stand_in(gap: int) -> int:
    """The most a card can count (½, 1, 2 … 7; never 1½) without passing the gap."""
    if gap < 2:
        return 1
    return min(gap - gap % 2, _HIGHEST_CARD)


def is_bust(cards: Sequence[Card]) -> bool:
    return half_points(cards) > SEVEN_AND_HALF


def is_royal(cards: Sequence[Card]) -> bool:
    """Exactly two cards: the king of coins and a figure or a seven, in either order."""
    if len(cards) != 2 or WILD not in cards:
        return False
    other = cards[1] if cards[0] == WILD else cards[0]
    return is_figure(other) or rank(other) == "7"
