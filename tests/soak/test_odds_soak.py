"""The odds of the whole deck, written twice; and a long sample at the running table."""

import random
from fractions import Fraction

import pytest
import slow_odds
from table_sample import sample, z_score

from controller.rules import live, rng
from controller.rules.catalogue import Rules
from controller.rules.odds import main_return_after_burn, prove
from controller.rules.odds_score import scores
from controller.rules.odds_tree import grow
from controller.rules.odds_value import Valuation

pytestmark = pytest.mark.soak

ROUNDS = 100_000


@pytest.mark.parametrize(("rules", "slow"), [(live, slow_odds.Live), (rng, slow_odds.Rng)])
def test_the_second_writing_returns_the_same_fraction_of_all_forty_cards(
    rules: Rules, slow: type[slow_odds.Live] | type[slow_odds.Rng]
) -> None:
    assert slow().returns(slow_odds.FORTY) == prove(rules).main


@pytest.mark.parametrize("stake", [Fraction(0), Fraction(1, 3), Fraction(1)])
def test_mano_di_poker_beside_the_main_bet_is_the_same_in_the_second_writing(
    stake: Fraction,
) -> None:
    pair = prove(live, stake).mano_di_poker.best_for_both
    assert slow_odds.mano_di_poker_played_for_the_main_bet(stake) == tuple(pair)


def test_a_long_sample_at_the_running_table_lies_within_three_standard_errors() -> None:
    odds, returned = prove(live), sample(ROUNDS, seed=20260)
    exact = {
        "main": odds.main,
        "pp": odds.partita_perfetta,
        "mdp": odds.mano_di_poker.always_second_card.mano_di_poker,
    }
    z = {bet: z_score(returned[bet], fraction) for bet, fraction in exact.items()}
    print(f"{ROUNDS} rounds, z-scores: {z}")
    assert max(map(abs, z.values())) < 3


def test_burning_two_cards_leaves_the_very_fraction() -> None:
    assert main_return_after_burn(live, 2) == main_return_after_burn(live, 0)


@pytest.mark.parametrize("rules", [live, rng])
def test_no_play_by_score_drawn_at_random_near_the_best_is_better(rules: Rules) -> None:
    """Two to four of its choices turned round at once."""
    root, odds, draw = grow(rules), prove(rules), random.Random(7)
    valuation = Valuation()
    strategy = {row.scores: row.hit for row in odds.strategy}
    best = valuation.choosing(lambda choice, _s, _h: strategy[scores(choice)]).total(root).halves
    for _ in range(300):
        turned = set(draw.sample(sorted(strategy), draw.randint(2, 4)))
        tried = valuation.choosing(
            lambda choice, _s, _h, turned=turned: strategy[at := scores(choice)] ^ (at in turned)
        )
        assert tried.total(root).halves <= best
