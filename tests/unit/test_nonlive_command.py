"""`mazziere finish`: step by step or at once, the same cards from the same seed, on record."""

import json
import stat
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from felt import Felt
from finish_journal import SEED, finish, run, windows, written

from controller.contract.cards import DECK
from controller.contract.commands import Counts, Decisions
from controller.games.played import play
from controller.games.vocabulary import LANGUAGES, load
from controller.rules import live
from controller.rules.shuffle import Stream, shuffled

LOW = ("AS", "AC")
"""A hand that is asked more than once, whatever comes."""


@pytest.fixture
def left(tmp_path: Path) -> Path:
    felt = Felt().open().bets(main=2, pp=1).cards(LOW)
    felt.choose(stand=1, left=1)
    return written(felt.cards(["7D"]), tmp_path / "j")


@pytest.fixture
def window(left: Path) -> int:
    return windows(left)[0]


def test_in_one_go_and_step_by_step_the_same_cards_come(left: Path, window: int) -> None:
    at_once = finish(left, "--seq", window, "--decisions", "HHS", given="")
    by_lines = finish(left, "--seq", window, given='"H"\n{"decision": "H"}\nS\n')
    mixed = finish(left, "--seq", window, "--decisions", "H", given="H\nS\n")
    assert at_once == by_lines == mixed
    assert at_once[-1]["type"] == "finished"


def test_the_record_is_enough_to_deal_it_again_by_hand(left: Path, window: int) -> None:
    opening, shuffle, *steps, ended = finish(left, "--seq", window, "--decisions", "HS")
    seed = bytes.fromhex(ended["seed"])
    assert shuffle["commitment"] == sha256(seed).hexdigest()
    assert sorted(shuffle["unseen"] + opening["exposed"]) == sorted(DECK)
    assert ended["order"] == list(shuffled(shuffle["unseen"], Stream(seed).below))
    dealt = [step["card"] for step in steps if step.get("step") == "deal"]
    assert dealt == ended["order"][: len(dealt)]
    again = play(live, [*LOW, *dealt], [*ended["decisions"]])
    (result,) = live.settle(again.game)
    assert (result.outcome, result.main_halves) == (ended["result"], 2 * ended["main_return"])
    assert all(step["why"] for step in steps if step["type"] == "step")


def test_the_seed_is_told_only_at_the_end(left: Path, window: int) -> None:
    result = run("finish", left, "--round", 1, "--seq", window, "--seed-hex", SEED, "--json")
    assert result.exit_code == 2
    assert SEED not in result.output
    assert sha256(bytes.fromhex(SEED)).hexdigest() in result.stdout
    assert "order" not in result.stdout


def test_no_choice_is_not_stand_and_with_its_seed_kept_the_bet_goes_on(
    left: Path, window: int, tmp_path: Path
) -> None:
    kept = tmp_path / "seed"
    options = ["--round", 1, "--seq", window, "--seed-file", kept]
    broken_off = run("finish", left, *options, "--decisions", "H", "--json")
    assert broken_off.exit_code == 2
    assert "goes on from here" in broken_off.stderr
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    whole = finish(left, *options, "--decisions", "HS")
    before = [json.loads(line) for line in broken_off.stdout.splitlines()]
    assert whole[: len(before)] == before
    assert whole[-1]["seed"] == kept.read_text().strip()


def test_a_file_that_holds_no_seed_is_refused_and_left_alone(
    left: Path, window: int, tmp_path: Path
) -> None:
    other = tmp_path / "letter"
    other.write_text("dear sir")
    result = run("finish", left, "--round", 1, "--seq", window, "--seed-file", other)
    assert result.exit_code == 2
    assert "name a file that is not there yet" in result.stderr
    assert other.read_text() == "dear sir"


def test_without_a_seed_given_every_finish_has_its_own(left: Path, window: int) -> None:
    options = ["--round", 1, "--seq", window, "--decisions", "S", "--json"]
    seeds = {
        json.loads(run("finish", left, *options).stdout.splitlines()[-1])["seed"] for _ in "ab"
    }
    assert len(seeds) == 2


def test_a_line_that_is_no_choice_costs_only_itself(left: Path, window: int) -> None:
    lines = ["maybe", "[", "7", '{"decision": "X"}', "null", "", "S"]
    said = finish(left, "--seq", window, given="\n".join(lines))
    assert [entry["type"] for entry in said].count("error") == 5
    assert said[-1]["decisions"] == "S"


def test_a_server_is_asked_before_it_must_answer(left: Path, window: int) -> None:
    """Over a real pipe: every entry is there before the next line is read."""
    command = [
        sys.executable, "-c", "from controller.cli import main; main()",
        "finish", str(left), "--round", "1", "--seq", str(window), "--seed-hex", SEED, "--json",
    ]  # fmt: skip
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        assert process.stdin
        assert process.stdout
        entries: list[dict[str, Any]] = []
        while not entries or entries[-1]["type"] != "finished":
            entries.append(json.loads(process.stdout.readline()))
            if entries[-1]["type"] == "asked":
                process.stdin.write('{"decision": "S"}\n')
                process.stdin.flush()
        assert process.wait(20) == 0
    assert entries == finish(left, "--seq", window, "--decisions", "S")


def test_the_side_bets_are_those_of_the_live_round(tmp_path: Path) -> None:
    """Partita Perfetta by its first cards, Mano di Poker by the second that it dealt."""
    felt = Felt().open().bets(main=2, pp=1, mdp=2).cards(["AS", "AC"])
    felt.server(Decisions(mdp=Counts(hit=1, left=1)))
    felt.card("AD")
    felt.server(Decisions(mdp=Counts(stand=1)))
    directory = written(felt.cards(["7D"]), tmp_path / "j")
    ended = finish(directory, "--seq", windows(directory)[0], "--mdp", "--decisions", "S")[-1]
    assert ended["side_bets"] == {"pp": 6, "mdp": 51}
    assert ended["position"] == ["AS"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_person_reads_the_same_in_both_languages(left: Path, window: int, language: str) -> None:
    options = ["--round", 1, "--seq", window, "--seed-hex", SEED, "--decisions", "HHS"]
    said = run("finish", left, *options, "--lang", language)
    assert said.exit_code == 0
    assert "{" not in said.stdout
    assert said.stdout.endswith(f"Seed: {SEED}\n")
    assert ("banco" in said.stdout) is (language == "it")
    assert "AS" in said.stdout


def test_neither_language_has_a_word_that_the_other_lacks() -> None:
    italian, english = (load(language).finish for language in LANGUAGES)
    assert set(italian) == set(english)


def test_a_finish_leaves_the_journal_as_it_was(left: Path, window: int) -> None:
    before = {path: path.read_bytes() for path in left.iterdir()}
    finish(left, "--seq", window, "--decisions", "S")
    assert {path: path.read_bytes() for path in left.iterdir()} == before
