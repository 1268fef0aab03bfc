"""A million traditional hands: no cent is made or lost, whatever the switches, seats and bank."""

import random

import pytest
from msgspec.structs import replace
from seats_play import dealt, houses, produced, seeded

from controller.contract.seats import HouseRules
from controller.rules.traditional_house import most_cards

HANDS = 1_000_000
SHARDS = 8


@pytest.mark.soak
@pytest.mark.parametrize("shard", range(SHARDS))
def test_over_a_million_hands_money_is_conserved(shard: int) -> None:
    rng = random.Random(shard)
    plain = [house for seats in (2, 3, 5, 8) for house in houses(seats, most=8)]
    hands = n = 0
    while hands < HANDS // SHARDS:
        n += 1
        house = _passing(rng.choice(plain), rng)
        bank, deck, bets, ante = dealt(rng, house)
        try:
            played = produced(house, bank, deck, bets, seeded(n), ante)
        except StopIteration:
            continue  # the deck ran out: the table voids such a round
        hands += len(bets)
        assert sum(played.purse.values()) == 0, (house, bank, deck, bets, n, ante)
        assert len(played.places) <= most_cards(house)
        assert 1 <= played.next_bank <= house.seats


def _passing(house: HouseRules, rng: random.Random) -> HouseRules:
    return replace(house, bank=rng.choice(["fixed", "passing"]))
