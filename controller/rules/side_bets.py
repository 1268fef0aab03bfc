"""Partita Perfetta and Mano di Poker: what they return, in stakes (0 is lost).

Source: the games' pay tables. The king of coins is an ordinary king here. Both
are settled whatever the main bet does.
"""

from typing import Final

from controller.contract.cards import Card, is_figure, rank, suit

PAIR_OF_SEVENS: Final = 55
PAIR_OF_FIGURES: Final = 10
PAIR_ACE_TO_SIX: Final = 5

ROYAL_FLUSH: Final = 150
STRAIGHT_FLUSH: Final = 75
THREE_OF_A_KIND: Final = 50
FLUSH: Final = 6
STRAIGHT: Final = 5
STRAIGHTS: Final = frozenset(
    frozenset(ranks) for ranks in ("A23", "234", "345", "456", "567", "JQK")
)


def partita_perfetta(first: Card, up: Card) -> int:
    """The player's first card and the dealer's have the same rank."""
    if rank(first) != rank(up):
        return 0
    if rank(first) == "7":
        return PAIR_OF_SEVENS + 1
    return 1 + (PAIR_OF_FIGURES if is_figure(first) else PAIR_ACE_TO_SIX)


def mano_di_poker(first: Card, second: Card, up: Card) -> int:
    """The player's first two cards and the dealer's first, as a three-card poker hand."""
    odds = _odds((first, second, up))
    return odds + 1 if odds else 0


def _odds(cards: tuple[Card, Card, Card]) -> int:
    ranks = frozenset(map(rank, cards))
    flush = len(set(map(suit, cards))) == 1
    straight = ranks in STRAIGHTS
    if flush and straight:
        return ROYAL_FLUSH if ranks == frozenset("JQK") else STRAIGHT_FLUSH
    if len(ranks) == 1:
        return THREE_OF_A_KIND
    if flush:
        return FLUSH
    return STRAIGHT if straight else 0
