"""The traditional game as the table deals it: bets by seat, the facts that move a round, the view.

The view shows what lies face up and how many cards lie face down, and nothing
that follows from a face: not even the points of a hand that is partly hidden.
"""

from typing import Any

from controller.contract.commands import Bets, SeatBets, Why
from controller.contract.facts import CardCounted, EpochOpened
from controller.contract.seat_facts import (
    ChoiceTaken,
    HandShown,
    PotPaid,
    SeatBetsTaken,
    SeatsSettled,
)
from controller.contract.seats import HouseRules, SeatHand, Variant
from controller.contract.seats import Seated as SeatedView
from controller.contract.state import Hand, TableView
from controller.rules import traditional
from controller.rules.game import Ending, Place
from controller.rules.steps import Pay, Step, Turn
from controller.rules.traditional_hands import Held, Round, is_bust, points, worth
from controller.rules.traditional_house import complaint, most_cards
from controller.rules.traditional_pays import bank_net, next_bank, results, wild_came


class Traditional:
    """The game, behind the contract that the table knows."""

    seated = True

    def complaint(self, burn: int, house: HouseRules | None) -> str:
        if burn:
            return "game.burn: must be 0; this game burns first cards (game.variants: burn_first)"
        return complaint(house) if house else "game.seats: must be said"

    def most_cards(self, _burn: int, house: HouseRules | None) -> int:
        return most_cards(house) if house else 0

    def bets(
        self, opening: EpochOpened, bank: int, window: int, asked: Bets | SeatBets
    ) -> SeatBetsTaken | Why:
        if not isinstance(asked, SeatBets):
            return Why.NOT_NOW
        house = _house(opening)
        seats = [stake.seat for stake in asked.stakes]
        if len(set(seats)) < len(seats) or bank in seats or max(seats, default=1) > house.seats:
            return Why.SEAT
        antes = Variant.POT in house.variants and bool(seats)
        if (asked.ante > 0) != antes or not _within_limits(house, asked):
            return Why.COUNTS
        return SeatBetsTaken(window=window, bank=bank, stakes=asked.stakes, ante=asked.ante)

    def begin(self, opening: EpochOpened, taken: SeatBetsTaken) -> Round:
        return traditional.begin(_house(opening), taken.bank, taken.stakes, taken.ante)

    def next_step(self, game: Round) -> Step:
        return traditional.next_step(game)

    def place(self, game: Round, _hand: Hand) -> Place:
        hand = game.hands[traditional.due(game)]
        return Place(len(hand.cards) + 1, hand.seat, hand.second, face_down=not hand.cards)

    def after(self, game: Round, fact: Any) -> Round:
        if isinstance(fact, CardCounted) and fact.card is not None:
            return traditional.deal(game, fact.card)
        if isinstance(fact, ChoiceTaken):
            return traditional.choose(game, fact.choice)
        if isinstance(fact, HandShown):
            return traditional.show(game, fact.seat, second=fact.second)
        if isinstance(fact, PotPaid):
            return traditional.pay(game, Pay(fact.result, fact.pot))
        raise ValueError(f"{type(fact).__name__} moves no round of seats")

    def shown(self, view: TableView, game: Round, _fact: Any) -> dict[str, Any]:
        step = traditional.next_step(game)
        turn = step if isinstance(step, Turn) else None
        hands = (*game.over, *game.hands)
        seated = SeatedView(
            bank=game.bank,
            hands=tuple(_on_felt(game, hand) for hand in hands),
            turn=turn.seat if turn else 0,
            second=turn.second if turn else False,
            options=turn.options if turn else (),
            pot=game.pot,
            results=game.paid,
        )
        return {"seated": seated}

    def settled(self, view: TableView, game: Round, next_at: int) -> Ending:
        bank = next_bank(game)
        passes = bank.seat != game.bank
        fact = SeatsSettled(
            round=view.round,
            bank=game.bank,
            results=results(game),
            bank_net=bank_net(game),
            next_at=next_at,
        )
        shuffle = "wild_card" if wild_came(game) else "bank_passed" if passes else ""
        return Ending(fact, bank.seat if passes else 0, bank.royal, shuffle)


def _house(opening: EpochOpened) -> HouseRules:
    if opening.house is None:
        raise ValueError("a table with seats needs its house's rules in the opening fact")
    return opening.house


def _within_limits(house: HouseRules, asked: SeatBets) -> bool:
    return all(house.stake_least <= stake.cents <= house.stake_most for stake in asked.stakes)


def _on_felt(game: Round, hand: Held) -> SeatHand:
    """What everyone sees of it: all of a hand that was shown, of others what lies face up."""
    up = hand.cards if hand.shown else hand.cards[1:]
    return SeatHand(
        seat=hand.seat,
        second=hand.second,
        bank=hand.seat == game.bank,
        stake=hand.stake,
        down=len(hand.cards) - len(up),
        cards=up,
        half_points=points(game, hand) if hand.shown else worth(game, up),
        stood=hand.stood,
        bust=hand.shown and is_bust(game, hand),
    )
