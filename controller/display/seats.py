"""The seats of the dealer's screen, made from the controller's view alone.

Pure, like `view`; what lies face down is a number of backs here.
"""

import msgspec

from controller.contract.cards import Card, points
from controller.contract.seats import Seated, SeatHand, SeatOutcome, SeatResult


class SeatPanel(msgspec.Struct, frozen=True, kw_only=True):
    """A seat's hand as drawn: `down` backs, then the cards that lie face up."""

    seat: int
    second: bool
    bank: bool
    turn: bool
    stake: str
    down: int
    cards: tuple[Card, ...]
    points: str
    stood: bool
    bust: bool
    outcome: SeatOutcome | None
    net: str


def money(cents: int) -> str:
    """1250 → `12.50`."""
    whole, rest = divmod(abs(cents), 100)
    return f"{'-' * (cents < 0)}{whole}.{rest:02d}"


def seat_panels(seated: Seated) -> tuple[SeatPanel, ...]:
    results = {(result.seat, result.second): result for result in seated.results}
    hands = sorted(seated.hands, key=lambda hand: (hand.seat, hand.second))
    return tuple(_seat(seated, hand, results.get((hand.seat, hand.second))) for hand in hands)


def _seat(seated: Seated, hand: SeatHand, result: SeatResult | None) -> SeatPanel:
    net = result.net if result else seated.bank_net if hand.bank and seated.results else None
    return SeatPanel(
        seat=hand.seat,
        second=hand.second,
        bank=hand.bank,
        turn=(hand.seat, hand.second) == (seated.turn, seated.second),
        stake="" if hand.bank else money(hand.stake),
        down=hand.down,
        cards=hand.cards,
        points=points(hand.half_points) if hand.cards and not hand.down else "",
        stood=hand.stood,
        bust=hand.bust,
        outcome=result.outcome if result else None,
        net="" if net is None else money(net),
    )
