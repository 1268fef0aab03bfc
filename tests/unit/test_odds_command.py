"""`mazziere rtp`: what it prints and what its JSON holds are the fractions that were proved."""

import json
import resource
import subprocess
import sys
from fractions import Fraction
from typing import Any

import pytest
from click.testing import CliRunner

from controller.cli import main
from controller.rules.catalogue import GAMES


def _rtp(*arguments: str) -> str:
    run = CliRunner().invoke(main, ["rtp", *arguments])
    assert run.exit_code == 0, run.output
    return run.stdout


@pytest.fixture(scope="module")
def live() -> dict[str, Any]:
    told: dict[str, Any] = json.loads(_rtp("live", "--json", "--strategy", "--burn", "1"))
    return told


def test_each_return_is_an_exact_fraction_and_the_per_cent_of_it(live: dict[str, Any]) -> None:
    for bet in ("main", "partita_perfetta", "mano_di_poker"):
        exact = Fraction(live[bet]["rtp"])
        assert "/" in live[bet]["rtp"]
        assert live[bet]["percent"] == pytest.approx(float(100 * exact), abs=1e-12)
        assert f"{live[bet]['percent']:.2f}" == live["published_percent"][bet]


def test_the_outcomes_add_up_and_pay_the_main_bet(live: dict[str, Any]) -> None:
    chances = {name: Fraction(o["probability"]) for name, o in live["main"]["outcomes"].items()}
    assert sum(chances.values()) == 1
    wins = chances["auto_win"] + chances["higher"] + chances["dealer_bust"]
    paid = Fraction(5, 2) * chances["royal"] + 2 * wins + chances["push"]
    assert paid == Fraction(live["main"]["rtp"])


def test_a_burn_is_told_with_its_own_fraction_and_its_card_counted(live: dict[str, Any]) -> None:
    assert live["burn"]["same"] is True
    assert live["burn"]["main"]["rtp"] == live["main"]["rtp"]
    assert live["cards"]["most"] == 19
    assert Fraction(live["cards"]["mean"]) > 5


def test_the_strategy_has_a_row_for_each_score_and_up_card_and_names_what_differs(
    live: dict[str, Any],
) -> None:
    rows = {(row["half_points"], row["up_card"]): row for row in live["strategy"]}
    assert len(rows) == len(live["strategy"]) == 57
    assert rows[14, "7S"]["play"] == "stand"
    assert {"hand": ["JS", "JS", "KD"], "play": "hit"} in rows[14, "7S"]["differs"]
    assert rows[1, "JS"] == {"half_points": 1, "up_card": "JS", "play": "hit", "differs": []}


def test_it_costs_seconds_and_little_memory() -> None:
    """Processor time, not the clock's: the machine may be at other work."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    asked = "from controller.cli import main; main(['rtp', 'live', '--json'])"
    measure = (
        "import resource, subprocess, sys\n"
        f"asked = [sys.executable, '-c', {asked!r}]\n"
        "subprocess.run(asked, stdout=subprocess.DEVNULL, check=True)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    run = subprocess.run([sys.executable, "-c", measure], capture_output=True, check=True)
    assert int(run.stdout) < 500 * 1024
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before < 5


@pytest.mark.parametrize("game", GAMES)
def test_the_table_for_people_says_that_each_published_figure_agrees(game: str) -> None:
    text = _rtp(game, "--strategy")
    assert text.count("agrees") == 3
    assert "DIFFERS" not in text
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize(
    "arguments",
    [
        ["live", "--mdp-stake", "-1"],
        ["live", "--mdp-stake", "x"],
        ["poker"],
        ["live", "--mdp-stake", "1/0"],
        ["live", "--burn", "9"],
    ],
)
def test_what_cannot_be_asked_is_misuse(arguments: list[str]) -> None:
    run = CliRunner().invoke(main, ["rtp", *arguments])
    assert run.exit_code == 2
    assert "Error: " in run.stderr
