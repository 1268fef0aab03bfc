"""What happened at a table with seats: bets, turns, hands that were shown, money, the bank.

Facts like those of `controller.contract.facts`, which joins them to all others;
cards come to seats as `CardCounted`, whose face is struck out if it lies face down.
"""

from controller.contract.cards import Card
from controller.contract.fact import Fact
from controller.contract.seats import Choice, SeatResult, SeatStake


class SeatBetsTaken(Fact, frozen=True, kw_only=True, tag="seat_bets_taken"):
    """The bets of all seats against this bank; the window is closed."""

    window: int
    bank: int
    stakes: tuple[SeatStake, ...]
    ante: int = 0
    """What the bank put into the pot."""

    @property
    def for_nobody(self) -> bool:
        return not self.stakes


class TurnOpened(Fact, frozen=True, kw_only=True, tag="turn_opened"):
    """A seat chooses. The options never depend on a card that lies face down."""

    seat: int
    second: bool = False
    options: tuple[Choice, ...]
    players_until: int
    summary_until: int


class ChoiceTaken(Fact, frozen=True, kw_only=True, tag="choice_taken"):
    """What the seat does; the window is closed. `silent`: it said nothing, and stands."""

    window: int
    seat: int
    second: bool = False
    choice: Choice
    silent: bool = False


class HandShown(Fact, frozen=True, kw_only=True, tag="hand_shown"):
    """The rules turn this hand's face-down card."""

    seat: int
    second: bool = False
    cards: tuple[Card, ...]
    half_points: int


class PotPaid(Fact, frozen=True, kw_only=True, tag="pot_paid"):
    """One player has played against the bank: `pot` is what lies in it now."""

    result: SeatResult
    pot: int


class SeatsSettled(Fact, frozen=True, kw_only=True, tag="seats_settled"):
    """The result, for ever: what every hand and the bank win or lose sums to nothing."""

    round: int
    bank: int
    results: tuple[SeatResult, ...]
    bank_net: int
    next_at: int


class BankPassed(Fact, frozen=True, kw_only=True, tag="bank_passed"):
    """Another seat has the bank. `royal`: it took it by its hand, not by rotation."""

    before: int
    seat: int
    royal: bool = False


AnySeatFact = (
    SeatBetsTaken | TurnOpened | ChoiceTaken | HandShown | PotPaid | SeatsSettled | BankPassed
)
