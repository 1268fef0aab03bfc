"""What the switches of the house change at the table: the bank, the pot, the split, the deck."""

import random

from felt import Felt, S
from seats_felt import last, seated, settled, table

from controller.contract.cards import DECK
from controller.contract.facts import (
    DeckLocked,
    RoundVoided,
)
from controller.contract.seat_facts import (
    BankPassed,
    HandShown,
    PotPaid,
    SeatsSettled,
)
from controller.contract.seats import Choice, SeatOutcome, Variant
from controller.contract.state import Phase, What


def test_a_natural_takes_the_bank_and_is_paid_double_and_the_deck_is_changed() -> None:
    felt = table(Variant.ROYAL, bank="passing").seat_bets({2: 100, 3: 200})
    felt.cards(["5D", "7C", "6S"])
    felt.seat(2, Choice.STAND)
    felt.seat(3, Choice.HIT)
    felt.card("JS")
    assert isinstance(last(felt, HandShown), HandShown), "7½ is announced and shown"
    felt.seat(1, Choice.STAND)
    assert settled(felt) == {2: (SeatOutcome.LOWER, -100), 3: (SeatOutcome.NATURAL, 400)}
    assert last(felt, BankPassed) == BankPassed(before=1, seat=3, royal=True)
    assert isinstance(last(felt, DeckLocked), DeckLocked)
    felt.wait(5 * S)
    assert (felt.phase, seated(felt).bank) == (Phase.WAITING, 3)


def test_the_bank_stays_where_it_was_through_a_restart_and_a_void() -> None:
    felt = table(bank="passing").seat_bets({2: 100}).cards(["5D", "6C"])
    felt.seat(2, Choice.STAND)
    felt.seat(1, Choice.STAND)
    assert felt.state.bank == 2
    felt.restart()
    assert felt.state.bank == 2
    assert felt.state.rules.house is not None
    assert felt.state.rules.house.bank_seat == 1


def test_the_wild_card_is_shown_at_the_end_and_the_deck_shuffled() -> None:
    felt = table(Variant.WILD).seat_bets({2: 100}).cards(["KD", "6C"])
    felt.seat(2, Choice.STAND)
    felt.seat(1, Choice.HIT)
    felt.card("5S")
    assert settled(felt) == {2: (SeatOutcome.BANK_BUST, 100)}
    assert last(felt, HandShown) == HandShown(seat=2, cards=("KD",), half_points=1)
    assert last(felt, DeckLocked).why == "wild_card"  # type: ignore[union-attr]


def test_with_a_pot_the_bank_plays_each_in_turn_and_the_pot_is_the_limit() -> None:
    felt = table(Variant.POT).seat_bets({2: 400, 3: 5_000}, ante=1_000)
    felt.cards(["5D", "6C"])
    felt.seat(2, Choice.STAND)
    felt.seat(1, Choice.STAND)
    paid = last(felt, PotPaid)
    assert isinstance(paid, PotPaid)
    assert (paid.result.net, paid.pot) == (-400, 1_400)
    felt.cards(["7D", "2C"])
    felt.seat(3, Choice.STAND)
    felt.seat(1, Choice.STAND)
    assert settled(felt) == {2: (SeatOutcome.LOWER, -400), 3: (SeatOutcome.HIGHER, 1_400)}
    assert seated(felt).bank_net == -1_000


def test_two_figures_are_split_into_two_hands_for_a_second_bet() -> None:
    felt = table(Variant.SPLIT).seat_bets({2: 100}).cards(["JD", "6C"])
    felt.seat(2, Choice.HIT)
    felt.card("QS")
    assert seated(felt).options == (Choice.HIT, Choice.STAND, Choice.SPLIT)
    felt.seat(2, Choice.SPLIT)
    felt.seat(2, Choice.HIT)
    felt.card("7C")
    assert (seated(felt).turn, seated(felt).second) == (2, True)
    felt.seat(2, Choice.HIT)
    felt.card("4C")
    felt.seat(2, Choice.STAND)
    felt.seat(1, Choice.STAND)
    fact = last(felt, SeatsSettled)
    assert isinstance(fact, SeatsSettled)
    assert [(r.second, r.net) for r in fact.results] == [(False, 100), (True, -100)]


def _greedy(seed: int) -> Felt:
    """Twelve seats that begin with a figure and hit while they may, however the round ends."""
    felt = table(seats=12, deck_out="void").seat_bets(dict.fromkeys(range(2, 13), 100))
    mixed = random.Random(seed).sample(DECK, len(DECK))
    shoe = iter(sorted(mixed, key=lambda card: card[0] not in "JQK"))
    while felt.phase in (Phase.DEAL, Phase.DECISION):
        if felt.phase is Phase.DEAL:
            felt.card(next(shoe))
        else:
            felt.seat(seated(felt).turn, Choice.HIT)
    return felt


def test_when_the_deck_runs_out_the_round_is_void_and_all_bets_are_returned() -> None:
    felts = (_greedy(seed) for seed in range(100))
    felt = next(felt for felt in felts if felt.phase is Phase.VOIDED)
    told = last(felt, RoundVoided)
    assert isinstance(told, RoundVoided)
    assert (told.reason, felt.state.felt) == ("deck_out", len(DECK))
    felt.wait(5 * S)
    assert felt.state.view.move.what is What.CHANGE_DECK
