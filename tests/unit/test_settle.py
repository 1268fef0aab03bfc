"""`mazziere settle`: what is no round is refused by its line, and every other line is settled."""

import json
from decimal import Decimal
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.cli import main
from controller.contract.cards import DECK
from controller.contract.commands import Counts
from controller.games.settle import LONGEST_LINE
from controller.games.vocabulary import LANGUAGES
from controller.rules.catalogue import GAMES
from controller.rules.live import Round, choose, close, deal, perfect_pair
from controller.rules.steps import Close, Deal, Settle

WON = {"deal_order": ["6S", "JC", "5B"], "decisions": ["S"]}
ROYAL = {"deal_order": ["KD", "2S", "JC", "4S"]}


def _lines(*given: object) -> str:
    return "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in given)


def _settle(*given: object, game: str = "live", options: tuple[str, ...] = ()) -> list[Any]:
    run = CliRunner().invoke(main, ["settle", game, *options], input=_lines(*given))
    told = [json.loads(line) for line in run.stdout.splitlines()]
    assert run.exit_code == (2 if any("error" in each for each in told) else 0), run.stderr
    assert "Traceback" not in run.output
    return told


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("{never closed", "malformed"),
        ("[]", "array"),
        ("[" * 50_000, "array"),
        ({}, "deal_order"),
        ({"deal_order": "AS"}, "deal_order"),
        ({"deal_order": ["6S", "8C"]}, "card 2, '8C', is none of the forty"),
        ({"deal_order": ["6S", "6S"]}, "card 2, 6S, has already been dealt"),
        ({"deal_order": []}, "card 1 is missing: one to the position (first)"),
        ({"deal_order": ["6S", "JC"], "decisions": ["S"]}, "card 3 is missing"),
        ({"deal_order": ["6S", "JC", "5B"]}, "decision 1 is missing: the player has 6 in 6S"),
        (WON | {"deal_order": ["6S", "JC", "5B", "AS"]}, "card 4, AS, is one too many"),
        (WON | {"decisions": ["S", "H"]}, "decision 2 is one too many"),
        (WON | {"decisions": ["stand"]}, "decision 1, 'stand', is neither H (hit) nor S (stand)"),
        (WON | {"mdp_palced": True}, "mdp_palced"),
        (WON | {"game": "rng"}, "of 'rng', not of live"),
        (WON | {"stakes": {}}, "main"),
        (WON | {"stakes": {"main": "0"}}, "the stake on main is 0"),
        (WON | {"stakes": {"main": "NaN"}}, "the stake on main is NaN"),
        (WON | {"stakes": {"main": "1e400"}}, "the stake on main"),
        (WON | {"stakes": {"main": 1, "mdp": 1}, "mdp_placed": False}, "stakes has an mdp"),
        (WON | {"stakes": {"main": 1}, "mdp_placed": True}, "stakes has no mdp"),
    ],
)
def test_a_bad_line_says_what_is_wrong_and_costs_only_itself(bad: object, said: str) -> None:
    before, error, after = _settle(WON, bad, ROYAL)
    assert error["line"] == 2
    assert said in error["error"]
    assert (before["line"], before["result"]) == (1, "higher")
    assert (after["line"], after["result"]) == (3, "royal")


def test_bytes_that_are_no_text_are_a_bad_line_too() -> None:
    given = b'{"deal_order": ["\xff"]}\n' + _lines(WON).encode()
    run = CliRunner().invoke(main, ["settle", "live"], input=given)
    error, told = map(json.loads, run.stdout.splitlines())
    assert "line" in error
    assert "error" in error
    assert told["result"] == "higher"


@pytest.mark.parametrize("over", [0, 1, LONGEST_LINE, 3 * LONGEST_LINE - 1])
def test_a_line_too_long_for_a_round_costs_only_itself(over: int) -> None:
    round_ = json.dumps(WON)
    padded = round_ + " " * (LONGEST_LINE - len(round_) + over)
    before, padded_told, after = _settle(WON, padded, ROYAL)
    assert ("error" in padded_told) == (over > 0)
    assert [before["line"], padded_told["line"], after["line"]] == [1, 2, 3]
    assert after["result"] == "royal"


def test_a_last_line_too_long_and_never_ended_is_told() -> None:
    run = CliRunner().invoke(main, ["settle", "live"], input=_lines(WON) + " " * 200_000)
    _, error = map(json.loads, run.stdout.splitlines())
    assert error == {"line": 2, "error": "it is longer than 65536 bytes"}


def test_an_empty_line_is_passed_over_and_still_counted() -> None:
    assert [told["line"] for told in _settle(WON, "", WON)] == [1, 3]


def test_an_answer_can_be_given_back_and_is_settled_alike() -> None:
    (told,) = _settle(WON | {"id": "mine", "stakes": {"main": 3}})
    (again,) = _settle(told | WON | {"stakes": {"main": 3}})
    assert again == told


@pytest.mark.parametrize(
    ("given", "stakes", "paid"),
    [
        (ROYAL, {"main": "10"}, {"main": "25.00", "total": "25.00"}),
        (ROYAL, {"main": "3.33"}, {"main": "8.32", "total": "8.32"}),
        (ROYAL, {"main": 3.33}, {"main": "8.32", "total": "8.32"}),
        (ROYAL, {"main": "10.019"}, {"main": "25.02", "total": "25.02"}),
        (WON, {"main": "0.015"}, {"main": "0.02", "total": "0.02"}),
        (
            {"deal_order": ["5S", "5C", "3D"]},
            {"main": "7", "pp": "1.999"},
            {"main": "0.00", "pp": "11.94", "total": "11.94"},
        ),
        (
            {"deal_order": ["7S", "6S", "5S"], "decisions": ["H"]},
            {"main": 1, "mdp": "0.99"},
            {"main": "0.00", "mdp": "75.24", "total": "75.24"},
        ),
        (WON, {"main": "999999999999.99"}, {"main": "1999999999999.98"}),
    ],
)
def test_amounts_are_rounded_down_to_the_cent(
    given: dict[str, Any], stakes: dict[str, Any], paid: dict[str, str]
) -> None:
    (told,) = _settle(given | {"stakes": stakes})
    assert told["amounts"] | paid == told["amounts"]
    bets = [Decimal(amount) for bet, amount in told["amounts"].items() if bet != "total"]
    assert sum(bets) == Decimal(told["amounts"]["total"])


def test_mano_di_poker_on_one_card_is_told_by_whether_it_would_have_changed_the_round() -> None:
    at_once = {"deal_order": ["6S", "5C"]}
    plain, placed = _settle(at_once, at_once | {"mdp_placed": True, "decisions": ["S"]})
    assert (plain["mdp_status"], plain["mdp_net"]) == ("not_placed_path_differs", None)
    assert (placed["mdp_status"], placed["mdp_net"]) == ("not_eligible", -1)
    assert (plain["main_net"], placed["main_net"]) == (1, 1)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_step_is_explained_in_both_languages(game: str, language: str) -> None:
    given = {"live": ["KD", "2S", "JC", "4S"], "rng": ["KD", "3S", "JC", "4C", "JB"]}
    (told,) = _settle(
        {"deal_order": given[game]}, game=game, options=("--explain", "--lang", language)
    )
    said = [step["why"] for step in told["steps"]]
    assert all(said)
    assert not any("{" in sentence for sentence in said)
    assert ("matta" in said[-1]) is (language == "it")


def test_the_explanation_names_the_rule_and_the_scores() -> None:
    (told,) = _settle({"deal_order": ["3S", "6C", "2D", "2C"]}, options=("--explain",))
    assert [step["why"] for step in told["steps"]][2:5] == [
        "The hand, 3, is below the up card, 6: one more card, without a choice.",
        "The hand, 5, is below the up card, 6: one more card, without a choice.",
        "The dealer shows 6 and will stand; the hand, 7, is above it and not bust: "
        "it wins at once.",
    ]


def test_a_game_that_is_not_there_and_a_file_that_is_not_there_are_misuse() -> None:
    for arguments in (["settle", "poker"], ["settle", "live", "no-such-file"]):
        run = CliRunner().invoke(main, arguments)
        assert run.exit_code == 2
        assert "Usage: main settle" in run.stderr


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(GAMES)), st.permutations(DECK), st.lists(st.booleans(), min_size=18))
def test_any_round_that_the_rules_can_deal_is_settled_and_no_shorter_one(
    game: str, deck: list[str], hits: list[bool]
) -> None:
    rules = GAMES[game].rules
    at, used, decisions = Round(plain=1), 0, []
    while not isinstance(step := rules.next_step(at), Settle):
        if isinstance(step, Deal):
            at, used = deal(at, step.hand, deck[used]), used + 1
        elif isinstance(step, Close):
            at = close(at, step.closings)
        else:
            hit = hits[len(decisions)]
            decisions.append("H" if hit else "S")
            at = choose(at, Counts(hit=int(hit)), Counts())
    whole = {"deal_order": deck[:used], "decisions": decisions}
    short = whole | {"deal_order": deck[: used - 1]}
    told, refused = _settle(whole, short, game=game)
    (result,) = rules.settle(at)
    assert told["result"] == result.outcome
    assert told["main_return"] * 2 == result.main_halves
    assert told["pp_net"] == perfect_pair(at) - 1
    assert told["cards_used"] == used
    assert "missing" in refused["error"]
