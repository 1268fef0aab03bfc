"""The rules page's own figures, through the rules that run the table: hands and the live game.

Every vector of `rules.json` is claimed here or by `test_rules_golden_rng.py`;
all are counted, so that none can be passed over in silence.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from controller.contract.commands import Counts
from controller.contract.state import Outcome, Result
from controller.rules import live
from controller.rules.hand import half_points, is_bust, is_royal
from controller.rules.side_bets import mano_di_poker
from controller.rules.steps import Close, Deal, Decide, Settle

VECTORS: dict[str, Any] = json.loads((Path(__file__).parent / "rules.json").read_text())
LIVE = [vector for vector in VECTORS["rounds"] if vector["game"] == "live"]
ELSEWHERE = {"rng": 7}
"""Vectors that another file claims."""


def _name(vector: dict[str, Any]) -> str:
    return str(vector["id"])


def test_no_vector_is_passed_over() -> None:
    others = [v["game"] for v in VECTORS["rounds"] if v["game"] != "live"]
    assert {game: others.count(game) for game in others} == ELSEWHERE
    assert len(LIVE) == 29
    assert set(VECTORS) == {"about", "hands", "rounds"}


@pytest.mark.parametrize("vector", VECTORS["hands"], ids=_name)
def test_a_hand_is_worth_what_the_page_says(vector: dict[str, Any]) -> None:
    cards = vector["cards"]
    assert half_points(cards) == 2 * vector["points"]
    assert is_royal(cards) is vector["royal"]
    assert is_bust(cards) is vector["bust"]


def _play(vector: dict[str, Any]) -> tuple[live.Round, int]:
    """One player; every card dealt and every choice made must be used up."""
    with_mdp = int(vector["mdp_placed"])
    game = live.Round(plain=1 - with_mdp, mdp=with_mdp)
    cards, choices = iter(vector["deal_order"]), iter(vector["decisions"])
    used = 0
    while not isinstance(step := live.next_step(game), Settle):
        if isinstance(step, Deal):
            game, used = live.deal(game, step.hand, next(cards)), used + 1
        elif isinstance(step, Close):
            game = live.close(game, step.closings)
        else:
            assert isinstance(step, Decide)
            hit = int(next(choices) == "H")
            one = Counts(hit, 1 - hit)
            game = live.choose(game, *((Counts(), one) if with_mdp else (one, Counts())))
    assert list(choices) == [], "the vector holds a choice that was never asked for"
    return game, used


@pytest.mark.parametrize("vector", LIVE, ids=_name)
def test_a_live_round_is_dealt_and_paid_as_the_page_says(vector: dict[str, Any]) -> None:
    game, used = _play(vector)
    assert used == vector["cards_used"]
    assert list(game.position) == vector["player"]
    assert list(game.dealer) == vector["dealer"]
    (result,) = live.settle(game)
    assert result.outcome is Outcome(vector["result"])
    assert result.main_halves == 2 * vector["main_return"]
    assert result.main_halves / 2 - 1 == vector["main_net"]
    assert live.perfect_pair(game) - 1 == vector["pp_net"]
    _check_mano_di_poker(vector, game, result)


def _check_mano_di_poker(vector: dict[str, Any], game: live.Round, result: Result) -> None:
    if vector["mdp_net"] is None:
        assert not vector["mdp_placed"], "a placed bet has a result"
        return
    if vector["mdp_status"] == "not_eligible":
        assert result.depth < 2
    assert result.mdp_returns - 1 == vector["mdp_net"]
    if result.depth >= 2:
        assert result.mdp_returns == mano_di_poker(*game.position[:2], game.dealer[0])
