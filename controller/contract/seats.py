"""Seats at a table where everyone has a hand of their own: house rules, bets, choices, hands.

The words of the traditional game. A face-down card is a number here (`down`)
until the rules turn it; money is whole cents. What the switches mean is in
`controller.rules.traditional`, which of them go together in
`controller.rules.traditional_house`.
"""

from enum import StrEnum
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from controller.contract.cards import WILD, Card

Seat = Annotated[int, Meta(ge=1, le=12)]
Cents = Annotated[int, Meta(ge=0, le=1_000_000_000)]


class Variant(StrEnum):
    """The house's switches; all are off unless it names them."""

    NATURAL_BEATS = "natural_beats"
    """A player's natural wins against a bank's 7½ that is none."""
    WILD = "wild"
    """One figure takes the value of a card, and is shuffled back in after its hand."""
    ROYAL = "royal"
    """A natural pays 2:1, and its player takes the bank."""
    ROYAL_DOUBLE = "royal_double"
    """The bank's own such hand takes from the players what it would pay them."""
    TRIPLE = "triple"
    """Two sevens, or a natural with the wild card, pay 3:1."""
    BURN_FIRST = "burn_first"
    """A first card of the house's rank may be burned for a new one."""
    POT = "pot"
    """The bank plays each player in turn for what lies in the pot."""
    SPLIT = "split"
    """Two figures may be played as two hands, for a second bet."""


class HouseRules(msgspec.Struct, frozen=True, kw_only=True):
    """How this house plays the traditional game."""

    seats: Seat
    bank_seat: Seat = 1
    """Who has the bank first."""
    bank: Literal["fixed", "passing"] = "fixed"
    variants: tuple[Variant, ...] = ()
    wild_card: Card = WILD
    burn_rank: Literal["4", "3"] = "4"
    deck_out: Literal["", "void"] = ""
    """What happens when the deck runs out in a round; empty: not stated."""
    stake_least: Cents = 100
    stake_most: Cents = 10_000


class Choice(StrEnum):
    """What a seat may do in its turn."""

    HIT = "hit"
    STAND = "stand"
    BURN = "burn"
    SPLIT = "split"


class SeatStake(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player's bet."""

    seat: Seat
    cents: Cents


class SeatOutcome(StrEnum):
    """How a seat's hand ends."""

    TRIPLE = "triple"
    NATURAL = "natural"
    BANK_BUST = "bank_bust"
    HIGHER = "higher"
    BUST = "bust"
    BANK_TRIPLE = "bank_triple"
    BANK_NATURAL = "bank_natural"
    TIE = "tie"
    LOWER = "lower"


class SeatResult(msgspec.Struct, frozen=True, kw_only=True):
    """What a hand wins (`net` above 0) or loses; `half_points` is 0 if it was not shown."""

    seat: int
    second: bool = False
    stake: int
    half_points: int
    outcome: SeatOutcome
    net: int


class SeatHand(msgspec.Struct, frozen=True, kw_only=True):
    """A seat's hand as it lies on the felt: `down` cards face down, then `cards` face up.

    `half_points` counts the cards that are face up.
    """

    seat: int
    second: bool = False
    """The second hand of a split."""
    bank: bool = False
    stake: int = 0
    down: int = 0
    cards: tuple[Card, ...] = ()
    half_points: int = 0
    stood: bool = False
    bust: bool = False


class Seated(msgspec.Struct, frozen=True, kw_only=True):
    """The seats of the table: the bank, the hands in the order of play, whose turn it is."""

    bank: int
    hands: tuple[SeatHand, ...] = ()
    turn: int = 0
    second: bool = False
    """It is the second hand's turn."""
    options: tuple[Choice, ...] = ()
    pot: int = 0
    results: tuple[SeatResult, ...] = ()
    bank_net: int = 0
