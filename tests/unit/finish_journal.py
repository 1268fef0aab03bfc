"""Journals to finish bets from: what a `Felt` has seen, written as the controller writes it."""

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result
from felt import Felt

from controller.cli import main
from controller.contract.facts import AnyFact, DecisionOpened
from controller.journal.entries import Placing, Told, entries
from controller.journal.segments import Journal
from controller.truth import Truth

START = 1_700_000_000_000_000_000
SEED = "0f" * 32


class Wall:
    """A wall clock that shows what it is set to."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        return self.now


def written(felt: Felt, directory: Path, *, step_at: int = -1, step: int = 0) -> Path:
    """The journal of everything that this table has seen, in segments of 16 KiB.

    From input `step_at` on the wall clock is `step` off.
    """
    wall, journal = Wall(), Journal.open(directory, segment_bytes=1 << 14)
    truth = Truth(journal, wall)
    for n, asked in enumerate(felt.inputs):
        wall.now = START + asked.at + (step if 0 <= step_at <= n else 0)
        truth.take(asked)
        truth.checkpoint(asked.at)
    assert truth.state == felt.state
    journal.close()
    return directory


def told(directory: Path, *kinds: type[AnyFact]) -> list[Told]:
    """Every fact of these kinds, with its seq."""
    placing = Placing()
    facts = [fact for entry in entries(directory) for fact in placing.told(entry)]
    return [one for one in facts if isinstance(one.fact, kinds)]


def windows(directory: Path, number: int = 1) -> list[int]:
    """The seq of each decision window of a round."""
    return [one.seq for one in told(directory, DecisionOpened) if one.round == number]


def run(*arguments: object, given: str = "") -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=given)


def finish(directory: Path, *options: object, given: str = 9 * "S\n") -> list[dict[str, Any]]:
    """The record's entries: of round 1, with one seed, and S to all, unless said otherwise."""
    said = list(options) if "--round" in options else ["--round", 1, *options]
    seed = [] if "--seed-file" in said else ["--seed-hex", SEED]
    result = run("finish", directory, *said, *seed, "--json", given=given)
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]
