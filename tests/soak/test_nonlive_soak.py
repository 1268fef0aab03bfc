"""The non-live finish over every first two cards, and a long sample of players who left."""

from itertools import product

import pytest
from nonlive_sample import returned
from nonlive_value import Situation, Walk, composition, live_value, seconded
from table_sample import z_score

from controller.contract.cards import DECK, WILD
from controller.rules import live, nonlive
from controller.rules.live import Round
from controller.rules.odds import prove
from controller.rules.odds_tree import KINDS

pytestmark = pytest.mark.soak

DECKS = 20_000
EARLIER = ("KC", "QC", "2D", "7D", "5C", "4C", "JD", "6C", "AC", "3D")


@pytest.mark.parametrize("burns", [0, 1, 2])
@pytest.mark.parametrize("earlier", [(), EARLIER])
def test_after_any_first_two_cards_the_finish_is_worth_what_the_live_table_is(
    earlier: tuple[str, ...], burns: int
) -> None:
    walk = Walk()
    for first, up in product(KINDS, KINDS):
        if first == up == WILD:
            continue
        other = up if up != first else f"{up[0]}B"
        at = Situation((first,), other, earlier, burns)
        left = composition(nonlive.unseen(at.exposed))
        assert walk.value(at.game, left) == live_value(at) == seconded(at), at


def test_from_no_card_at_all_it_is_the_whole_game() -> None:
    assert Walk().value(Round(plain=1), composition(DECK)) == prove(live).main


def test_a_long_sample_of_players_who_left_lies_within_three_standard_errors() -> None:
    sample = returned(DECKS, seed=20261)
    z = z_score(sample, prove(live).main)
    print(f"{len(sample)} rounds, z-score {z}")
    assert abs(z) < 3
