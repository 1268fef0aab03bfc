"""What a traditional hand wins or loses, and who has the bank next.

All in whole cents, and nothing is made or lost: what the hands win is what the
bank, or the pot, loses. Quotations are the rules page's own words.
"""

from typing import Final, NamedTuple

from controller.contract.seats import SeatOutcome, SeatResult, Variant
from controller.rules.hand import SEVEN_AND_HALF
from controller.rules.traditional_hands import (
    Held,
    Round,
    is_bust,
    is_natural,
    is_royal,
    is_triple,
    points,
)

TRIPLE: Final = 3
ROYAL: Final = 2


class NextBank(NamedTuple):
    """Who has the bank in the next round; `royal`: taken by a hand, not by rotation."""

    seat: int
    royal: bool


def results(game: Round) -> tuple[SeatResult, ...]:
    """Every player's hand of the round, in the order of play."""
    return (*game.paid, *(result(game, hand) for hand in game.players))


def result(game: Round, hand: Held) -> SeatResult:
    outcome, times = outcome_of(game, hand)
    return SeatResult(
        seat=hand.seat,
        second=hand.second,
        stake=hand.stake,
        half_points=points(game, hand) if hand.shown else 0,
        outcome=outcome,
        net=times * hand.stake,
    )


def outcome_of(game: Round, hand: Held) -> tuple[SeatOutcome, int]:
    """How it ends, and how many times its stake that wins or (below 0) loses."""
    if is_bust(game, hand):  # "loses at once, even if the bank later busts"
        return SeatOutcome.BUST, -1
    if is_bust(game, game.banker):  # "pays every hand not bust"
        return _win(game, hand, SeatOutcome.BANK_BUST)
    mine, banks = points(game, hand), points(game, game.banker)
    if mine > banks or _natural_beats(game, hand):
        return _win(game, hand, SeatOutcome.HIGHER)
    if is_natural(game, hand):  # the bank takes no more from a player with a natural
        return SeatOutcome.TIE, -1
    return _loss(game, SeatOutcome.TIE if mine == banks else SeatOutcome.LOWER)


def _natural_beats(game: Round, hand: Held) -> bool:
    """ "Wins against a bank's plain 7½; a bank natural never loses to it." """
    return (
        game.plays(Variant.NATURAL_BEATS)
        and is_natural(game, hand)
        and points(game, game.banker) == SEVEN_AND_HALF
        and not is_natural(game, game.banker)
    )


def _win(game: Round, hand: Held, plain: SeatOutcome) -> tuple[SeatOutcome, int]:
    if is_triple(game, hand):
        return SeatOutcome.TRIPLE, TRIPLE
    if is_natural(game, hand):
        return SeatOutcome.NATURAL, ROYAL if game.plays(Variant.ROYAL) else 1
    return plain, 1


def _loss(game: Round, plain: SeatOutcome) -> tuple[SeatOutcome, int]:
    """ "A bank natural may take double", "the bank's own such hand may take triple"."""
    if game.plays(Variant.ROYAL_DOUBLE) and is_royal(game, game.banker):
        if is_triple(game, game.banker):
            return SeatOutcome.BANK_TRIPLE, -TRIPLE
        return SeatOutcome.BANK_NATURAL, -ROYAL
    return plain, -1


def bank_net(game: Round) -> int:
    """The other side of all results; with a pot, what is left of it beyond the ante."""
    if game.plays(Variant.POT):
        return game.pot - game.ante
    return -sum(result.net for result in results(game))


def next_bank(game: Round) -> NextBank:
    """ "Several: the one nearest the bank's right", which is the first in the order of play."""
    if game.hands and game.banker.shown and is_royal(game, game.banker):
        return NextBank(game.bank, royal=True)
    for hand in game.players:
        if is_royal(game, hand):
            return NextBank(hand.seat, royal=True)
    if game.house.bank == "passing":
        return NextBank(game.bank % game.house.seats + 1, royal=False)
    return NextBank(game.bank, royal=False)


def wild_came(game: Round) -> bool:
    """It lies in a hand of this round: "the deck is reshuffled at the end"."""
    wild = game.house.wild_card
    return game.plays(Variant.WILD) and any(wild in h.cards for h in (*game.over, *game.hands))
