"""The rules pages' vectors, live and RNG, through `mazziere settle` as a person calls it."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from controller.cli import main
from controller.rules.catalogue import GAMES

VECTORS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "rules.json").read_text())[
    "rounds"
]
GIVEN = ("id", "deal_order", "decisions", "mdp_placed")
TOLD = (
    "player",
    "dealer",
    "result",
    "main_net",
    "main_return",
    "pp_net",
    "mdp_net",
    "mdp_status",
    "cards_used",
)


def _settled(game: str, *, whole: bool) -> dict[str, dict[str, Any]]:
    vectors = [vector for vector in VECTORS if vector["game"] == game]
    given = (v if whole else {name: v[name] for name in GIVEN} for v in vectors)
    lines = "".join(json.dumps(vector) + "\n" for vector in given)
    run = CliRunner().invoke(main, ["settle", game], input=lines)
    assert run.exit_code == 0, run.output
    return {told["id"]: told for told in map(json.loads, run.stdout.splitlines())}


def test_every_round_of_the_vectors_is_of_a_game_of_the_catalogue() -> None:
    assert {vector["game"] for vector in VECTORS} == set(GAMES)
    assert len(VECTORS) == 36


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("whole", [False, True], ids=["its input alone", "the whole vector"])
def test_every_vector_is_settled_as_the_page_says(game: str, *, whole: bool) -> None:
    settled = _settled(game, whole=whole)
    for vector in VECTORS:
        if vector["game"] == game:
            told = settled[vector["id"]]
            assert {name: told[name] for name in TOLD} == {name: vector[name] for name in TOLD}
