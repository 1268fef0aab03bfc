"""A traditional round as a value: the hands of all seats, and what a hand is.

Quotations are the rules page's own words. Who is next is in `traditional`, what
a hand is paid in `traditional_pays`.
"""

from typing import Final

import msgspec

from controller.contract.cards import Card, rank
from controller.contract.seats import HouseRules, SeatResult, SeatStake, Variant
from controller.rules.hand import SEVEN_AND_HALF, half_points

SEVENS: Final = ("7", "7")


class Held(msgspec.Struct, frozen=True):
    """A hand and what became of it. Its first card lies face down until `shown`."""

    seat: int
    stake: int = 0
    """In cents; the bank has none."""
    cards: tuple[Card, ...] = ()
    shown: bool = False
    asked: bool = False
    """A card was asked for and is due."""
    stood: bool = False
    burned: bool = False
    """Its first card was burned for a new one."""
    of_split: bool = False
    second: bool = False
    """Of the two hands of a split."""


class Round(msgspec.Struct, frozen=True, kw_only=True, tag="traditional"):
    """A round in play: the hands in the order of play, the bank's last.

    With a pot the bank plays one player at a time: `hands` are those two,
    `waiting` who comes after, `over` and `paid` what was before.
    """

    house: HouseRules
    bank: int
    hands: tuple[Held, ...] = ()
    waiting: tuple[SeatStake, ...] = ()
    over: tuple[Held, ...] = ()
    paid: tuple[SeatResult, ...] = ()
    ante: int = 0
    pot: int = 0

    def plays(self, variant: Variant) -> bool:
        return variant in self.house.variants

    @property
    def players(self) -> tuple[Held, ...]:
        return self.hands[:-1]

    @property
    def banker(self) -> Held:
        """The bank's hand."""
        return self.hands[-1]


def points(game: Round, hand: Held) -> int:
    """In half points; "two 7s as the whole hand do not bust": they count 7½ with `triple`."""
    return SEVEN_AND_HALF if _two_sevens(game, hand) else worth(game, hand.cards)


def worth(game: Round, cards: tuple[Card, ...]) -> int:
    return half_points(cards, game.house.wild_card if game.plays(Variant.WILD) else None)


def _two_sevens(game: Round, hand: Held) -> bool:
    return game.plays(Variant.TRIPLE) and tuple(map(rank, hand.cards)) == SEVENS


def is_full(game: Round, hand: Held) -> bool:
    """7½ or more: it gets no more cards."""
    return points(game, hand) >= SEVEN_AND_HALF


def is_bust(game: Round, hand: Held) -> bool:
    return points(game, hand) > SEVEN_AND_HALF


def is_natural(game: Round, hand: Held) -> bool:
    """ "7½ on the first two cards": what a split hand makes later is none."""
    return len(hand.cards) == 2 and not hand.of_split and points(game, hand) == SEVEN_AND_HALF


def is_triple(game: Round, hand: Held) -> bool:
    """ "Two 7s as the whole hand, or a natural made with the wild card." """
    if not game.plays(Variant.TRIPLE) or not is_natural(game, hand):
        return False
    wild = game.plays(Variant.WILD) and game.house.wild_card in hand.cards
    return wild or _two_sevens(game, hand)


def is_royal(game: Round, hand: Held) -> bool:
    """A hand that takes or keeps the bank: a natural with `royal`, a triple hand with `triple`."""
    return is_triple(game, hand) or (game.plays(Variant.ROYAL) and is_natural(game, hand))
