"""Which switches of the traditional game go together, and how many cards a round can use.

`complaint` says in one sentence what is wrong with a house's rules; the tables
say why two switches contradict each other, and which one needs another.
"""

from functools import cache
from types import MappingProxyType
from typing import Final

from controller.contract.cards import DECK, HALF_POINTS, WILD, Card, is_figure
from controller.contract.seats import HouseRules, Variant
from controller.rules.hand import SEVEN, SEVEN_AND_HALF

FEWEST_SEATS: Final = 2
MOST_SEATS: Final = 12
WILD_CARDS: Final[tuple[Card, ...]] = (WILD, "QC")
"""The king of coins; or, with French cards, the queen of hearts (hearts are cups)."""

_MORE_THAN_POT: Final = "may win more than the stake, and the pot holds no more than that"
CONFLICTS: Final = MappingProxyType(
    {
        frozenset({Variant.POT, Variant.ROYAL}): f"a natural {_MORE_THAN_POT}",
        frozenset({Variant.POT, Variant.TRIPLE}): f"such a hand {_MORE_THAN_POT}",
        frozenset({Variant.POT, Variant.ROYAL_DOUBLE}): (
            "it doubles what a royal pays, and a pot pays none"
        ),
        frozenset({Variant.POT, Variant.SPLIT}): (
            "the pot is the limit of the one hand that is played for it, a split is a second bet"
        ),
    }
)
"""Two switches that contradict each other, and why."""

NEEDS: Final = MappingProxyType(
    {
        Variant.ROYAL_DOUBLE: (
            (Variant.ROYAL, Variant.TRIPLE),
            "the bank takes what it would pay for such a hand, and without them it pays no more",
        ),
    }
)
"""A switch that means nothing without one of the others, and why."""


def complaint(house: HouseRules) -> str:
    """What is wrong with these rules, as a key and a sentence; empty if they can be dealt."""
    return _of_numbers(house) or _of_variants(house.variants) or _of_deck(house)


def _of_numbers(house: HouseRules) -> str:
    if not FEWEST_SEATS <= house.seats <= MOST_SEATS:
        return f"game.seats: must be {FEWEST_SEATS} to {MOST_SEATS}, one of them the bank"
    if not 1 <= house.bank_seat <= house.seats:
        return f"game.bank_seat: must be one of the {house.seats} seats"
    if house.wild_card not in WILD_CARDS:
        return f"game.wild_card: must be {' or '.join(WILD_CARDS)}, the queen of hearts"
    if not 0 < house.stake_least <= house.stake_most:
        return "game.stake_least: must be at least 1 cent and no more than stake_most"
    return ""


def _of_variants(variants: tuple[Variant, ...]) -> str:
    if len(set(variants)) < len(variants):
        return "game.variants: each may be named once"
    for variant, (others, why) in NEEDS.items():
        if variant in variants and not set(others) & set(variants):
            return f"game.variants: {variant} needs {' or '.join(others)}: {why}"
    for pair, why in CONFLICTS.items():
        if pair <= set(variants):
            return f"game.variants: {' and '.join(sorted(pair))} do not go together: {why}"
    return ""


def _of_deck(house: HouseRules) -> str:
    most = most_cards(house)
    if most <= len(DECK) or house.deck_out:
        return ""
    return (
        f"game.deck_out: a round of {house.seats} seats may need {most} cards of {len(DECK)}; "
        'say what happens then (deck_out = "void"), or seat fewer'
    )


def most_cards(house: HouseRules) -> int:
    """No round of any order and any play uses more cards than this (it may be beyond forty).

    A hand that takes its last card counted 7 at most before it, the wild card
    at ½; and one player's hand is 7½ at most with its last card, or the bank
    takes none. So the hands hold their last cards, but for that one's, and as
    many more as the smallest cards of the deck fit into 7 for each hand and ½.
    A burned first card is one more.
    """
    players = house.seats - 1
    games = players if Variant.POT in house.variants else 1
    hands = players + games
    if Variant.SPLIT in house.variants:
        hands += min(players, sum(map(is_figure, DECK)) // 2)
    burns = 0
    if Variant.BURN_FIRST in house.variants:
        burns = min(hands, sum(card[0] == house.burn_rank for card in DECK))
    room = SEVEN * hands + games * (SEVEN_AND_HALF - SEVEN)
    most = max(n + _fitting(room, house.burn_rank, n) for n in range(burns + 1))
    return most + hands - games


@cache
def _fitting(room: int, burn_rank: str, burned: int) -> int:
    """How many of the deck's smallest cards, but for the burned ones, count no more than that."""
    gone = [card for card in DECK if card[0] == burn_rank][:burned]
    fitting = 0
    for value in sorted(HALF_POINTS[card] for card in DECK if card not in gone):
        room -= value
        if room < 0:
            break
        fitting += 1
    return fitting
