"""The simulated server's own tally of seats: against the rules, and against a wrong result."""

import random

import pytest
from felt import Felt
from msgspec.structs import replace
from seats_play import houses

from controller.contract.cards import DECK
from controller.contract.facts import AnyFact
from controller.contract.seat_facts import BankPassed, SeatsSettled
from controller.contract.seats import HouseRules, Seated, Variant
from controller.contract.state import Phase
from simulators.seat_tally import SeatTally

HOUSES = list(houses(4, most=8))


def _round(house: HouseRules, seed: int) -> list[AnyFact]:
    rng = random.Random(seed)
    felt = Felt(game="traditional", house=house, no_bets="skip").open()
    ante = 700 if Variant.POT in house.variants else 0
    felt.seat_bets(dict.fromkeys(range(2, house.seats + 1), 300), ante)
    shoe = iter(rng.sample(DECK, len(DECK)))
    while felt.phase in (Phase.DEAL, Phase.DECISION):
        if felt.phase is Phase.DEAL:
            felt.card(next(shoe))
            continue
        seated = felt.state.view.seated
        assert isinstance(seated, Seated)
        if felt.seat(seated.turn, rng.choice(seated.options[::-1])).why:
            felt.seat(seated.turn, seated.options[rng.randrange(2)])
    return felt.facts


@pytest.mark.parametrize("part", range(4))
def test_rules_and_tally_agree_whatever_the_switches(part: int) -> None:
    for n, house in enumerate(HOUSES[part::4]):
        passing = replace(house, bank=("fixed", "passing")[n % 2])
        for seed in range(3):
            tally = SeatTally(passing)
            for fact in _round(passing, 1_000 * n + seed):
                tally.hear(fact)
            assert tally.complaints == [], passing.variants


def _complaints(change: type[AnyFact], **told: object) -> list[str]:
    house = HouseRules(seats=4, bank="passing")
    tally = SeatTally(house)
    for fact in _round(house, 5):
        tally.hear(replace(fact, **told) if isinstance(fact, change) else fact)
    return tally.complaints


def test_a_wrong_result_or_a_bank_that_goes_astray_is_a_complaint() -> None:
    assert any("money was made or lost" in told for told in _complaints(SeatsSettled, bank_net=1))
    assert any("went to seat 4, not 2" in told for told in _complaints(BankPassed, seat=4))
    assert any("not every bet" in told for told in _complaints(SeatsSettled, results=()))
