"""The forty cards: their codes, ranks, suits and what they count.

A card is its two-letter code, rank then suit: `AD 7C JS KB`. A code says which
card it is, never which hand it lies in: position comes from the rules.
What is not here: what a hand is worth (`controller.rules.hand`), how a reader's
own code maps to a card (`drivers.shoe.profile`).
"""

from typing import Annotated, Final, TypeAlias

from msgspec import Meta

Card: TypeAlias = Annotated[
    str,
    Meta(
        pattern="^[A2-7JQK][DCSB]$",
        max_length=2,
        description="rank A 2-7 J Q K, then suit D denari, C coppe, S spade, B bastoni",
        examples=["AD", "7C", "JS", "KB"],
    ),
]

RANKS: Final = "A234567JQK"
SUITS: Final = "DCSB"
FIGURES: Final = frozenset("JQK")
WILD: Final[Card] = "KD"
"""The king of coins, the *matta*."""

DECK: Final[tuple[Card, ...]] = tuple(rank + suit for suit in SUITS for rank in RANKS)
FACES: Final[frozenset[Card]] = frozenset(DECK)

HALF_POINTS: Final[dict[Card, int]] = {
    card: 1 if card[0] in FIGURES else 2 * (RANKS.index(card[0]) + 1) for card in DECK
}
"""Card → what it counts alone, in half points: figures 1, ace 2, … seven 14."""


def rank(card: Card) -> str:
    return card[0]


def suit(card: Card) -> str:
    return card[1]


def points(half_points: int) -> str:
    """As people write it, in every language alike: 11 → `5½`, 1 → `½`, 0 → `0`."""
    whole, half = divmod(half_points, 2)
    return f"{whole or ''}½" if half else str(whole)


def is_figure(card: Card) -> bool:
    return card[0] in FIGURES
