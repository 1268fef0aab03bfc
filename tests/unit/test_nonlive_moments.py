"""What becomes of a main bet, wherever in its round the connection was lost."""

import json
from pathlib import Path

import pytest
from felt import MS, Felt, S
from finish_journal import START, finish, run, told, windows, written

from controller.contract.commands import Counts, Decisions, Exit, Void
from controller.contract.facts import (
    AnyFact,
    BetsTaken,
    BettingOpened,
    CardCounted,
    DecisionsTaken,
    PlayersShut,
    RoundSettled,
)
from controller.contract.readings import ReadingKind
from controller.contract.state import Phase
from controller.journal.when import time_of


def left_at_three(burn: int = 0, **bets: int) -> Felt:
    """Two players at 3 against 2, then 4½: both hit once, then one is gone."""
    felt = Felt(burn=burn).open().bets(**({"main": 2} | bets))
    felt.cards(("7C", "6C")[:burn]).cards(["3S", "2C"])
    felt.choose(hit=2)
    felt.card("AD")
    felt.choose(stand=1, left=1)
    return felt.cards(["4D"])


@pytest.fixture
def settled(tmp_path: Path) -> Path:
    felt = left_at_three()
    assert felt.phase is Phase.RESULT
    return written(felt, tmp_path / "j")


def seq_of(directory: Path, kind: type[AnyFact], place: int = 0) -> int:
    return told(directory, kind)[place].seq


def test_in_a_decision_window_the_player_is_asked_with_the_cards_that_lie_there(
    settled: Path,
) -> None:
    opening, shuffle, asked, *_ = finish(settled, "--seq", windows(settled)[1])
    assert (opening["verdict"], opening["position"], opening["dealer"]) == (
        "deal",
        ["3S", "AD"],
        ["2C"],
    )
    assert asked == {
        "type": "asked",
        "position": ["3S", "AD"],
        "dealer": ["2C"],
        "half_points": 8,
    }
    assert (opening["not_carried"], opening["missed"]) == (["dealer 4D"], [])
    assert len(shuffle["unseen"]) == 37
    assert "4D" in shuffle["unseen"]


def test_a_hit_that_the_live_round_had_counted_is_dealt_at_once(settled: Path) -> None:
    """Between the count and the card the hit is made; the live card is not carried over."""
    opening, _, first, *_ = finish(settled, "--seq", seq_of(settled, DecisionsTaken))
    assert opening["position"] == ["3S"]
    assert (first["reason"], first["hand"]) == ("hit", "position")
    assert opening["missed"] == ["position AD"]


def test_who_was_lost_in_a_window_after_hitting_has_hit(settled: Path) -> None:
    """The journal proves it: only later was that player counted as gone."""
    opening, _, first, *_ = finish(settled, "--seq", windows(settled)[0])
    assert opening["position"] == ["3S"]
    assert first["reason"] == "hit"


def test_before_any_card_nothing_is_carried_over_and_all_is_dealt_anew(tmp_path: Path) -> None:
    felt = Felt().open().bets(main=1).cards(["3S", "2C"])
    felt.choose(left=1)
    directory = written(felt, tmp_path / "j")
    for kind in (BetsTaken, BettingOpened):
        opening, shuffle, first, second, *_ = finish(directory, "--seq", seq_of(directory, kind))
        assert (opening["position"], opening["dealer"], opening["exposed"]) == ([], [], [])
        assert opening["missed"] == ["position 3S", "dealer 2C"]
        assert len(shuffle["unseen"]) == 40
        assert [first["reason"], second["reason"]] == ["first", "up_card"]


def test_after_the_settlement_the_live_result_stands(settled: Path) -> None:
    (only,) = finish(settled, "--seq", seq_of(settled, RoundSettled))
    assert (only["type"], only["verdict"]) == ("opening", "settled")


def test_who_was_never_counted_as_gone_has_a_live_result(tmp_path: Path) -> None:
    """Also a player without a choice: an automatic win needs no connection."""
    felt = Felt().open().bets(main=1).cards(["7S", "5C"])
    directory = written(felt, tmp_path / "j")
    (only,) = finish(directory, "--seq", seq_of(directory, CardCounted))
    assert only["verdict"] == "live"


def test_no_card_is_dealt_before_the_live_round_has_counted_the_player_as_gone(
    tmp_path: Path,
) -> None:
    felt = Felt().open().bets(main=1).cards(["3S", "2C"])
    felt.wait(20 * MS)
    directory = written(felt, tmp_path / "open")
    (only,) = finish(directory, "--seq", windows(directory)[0])
    assert (only["verdict"], only["final"]) == ("in_play", False)
    felt.choose(left=1)
    counted = written(felt, tmp_path / "counted")
    assert finish(counted, "--seq", windows(counted)[0])[0]["verdict"] == "deal"


def test_once_players_are_shut_out_the_count_still_says_who_was_gone(tmp_path: Path) -> None:
    felt = Felt().open().bets(main=2).cards(["3S", "2C"])
    felt.wait(8 * S)
    felt.choose(left=1)
    directory = written(felt, tmp_path / "j")
    opening, _, asked, *_ = finish(directory, "--seq", seq_of(directory, PlayersShut, 1))
    assert (opening["verdict"], asked["type"]) == ("deal", "asked")


def test_a_void_round_has_nothing_to_finish_whenever_it_was_voided(tmp_path: Path) -> None:
    """Before, a finish says that it may yet be void."""
    felt = Felt().open().bets(main=2).cards(["3S", "2C"])
    felt.choose(hit=1, left=1)
    before = written(felt, tmp_path / "before")
    ended = finish(before, "--seq", windows(before)[0])[-1]
    assert (ended["type"], ended["final"], ended["side_bets"]) == ("finished", False, None)
    felt.supervisor(Void("malfunction", round=1))
    directory = written(felt, tmp_path / "after")
    (only,) = finish(directory, "--seq", windows(directory)[0])
    assert (only["verdict"], only["final"]) == ("void", True)


def test_during_a_halt_the_card_in_question_lies_not_yet_on_the_table(tmp_path: Path) -> None:
    """Set aside afterwards, it is in the shuffle; named, it counts from then on."""
    for way, open_later in ((Exit.SET_ASIDE, False), (Exit.NAME_IT, True)):
        felt = Felt().open().bets(main=2).cards(["3S"])
        felt.read(ReadingKind.NO_READ)
        assert felt.phase is Phase.HALTED
        halted = felt.state.seq
        waiting = written(felt, tmp_path / f"halted-{way}")
        assert finish(waiting, "--seq", halted)[0]["verdict"] == "halted"
        felt.resolve(way, **({"card": "2C"} if open_later else {}))
        if not open_later:
            felt.card("2C")
        felt.choose(stand=1, left=1)
        directory = written(felt.cards(["4D"]), tmp_path / f"after-{way}")
        opening, shuffle, *_ = finish(directory, "--seq", halted)
        assert (opening["phase"], opening["position"], opening["dealer"]) == ("halted", ["3S"], [])
        assert "2C" in shuffle["unseen"]
        at_window = finish(directory, "--seq", windows(directory)[0])[0]
        assert at_window["dealer"] == ["2C"]


def test_a_card_set_aside_and_a_burn_are_in_the_shuffle_and_earlier_rounds_are_not(
    tmp_path: Path,
) -> None:
    felt = left_at_three(burn=1)
    felt.wait(5 * S)
    felt.bets(main=1).cards(["6S", "5D", "2D"])
    felt.card("QC")
    felt.resolve(Exit.SET_ASIDE)
    felt.choose(left=1)
    directory = written(felt, tmp_path / "j")
    window = windows(directory, 2)[0]
    opening, shuffle, *_ = finish(directory, "--round", 2, "--seq", window + 3)
    assert opening["exposed"] == ["3S", "2C", "AD", "4D", "5D", "2D"]
    assert {"7C", "6S", "QC"} <= set(shuffle["unseen"])
    assert len(shuffle["unseen"]) == 34


def test_a_moment_after_the_gap_in_which_others_went_on_is_not_this_player_s(
    tmp_path: Path,
) -> None:
    """Who still chose in a window that opened later was connected then."""
    felt = Felt().open().bets(main=2).cards(["AS", "AC"])
    felt.choose(hit=2)
    felt.card("AD")
    felt.choose(hit=2)
    felt.card("AB")
    felt.choose(left=2)
    directory = written(felt, tmp_path / "j")
    result = run("finish", directory, "--round", 1, "--seq", windows(directory)[0])
    assert result.exit_code == 2
    assert "the connection was lost later" in result.stderr
    assert finish(directory, "--seq", windows(directory)[1])[0]["verdict"] == "deal"


def test_without_a_bet_there_is_nothing_to_finish(tmp_path: Path, settled: Path) -> None:
    result = run("finish", settled, "--round", 1, "--seq", windows(settled)[0], "--mdp")
    assert result.exit_code == 2
    assert "nobody with Mano di Poker" in result.stderr
    for no_bets in ("deal", "skip"):
        felt = Felt(no_bets=no_bets).open().bets(main=0)
        directory = written(felt, tmp_path / no_bets)
        result = run("finish", directory, "--round", 1, "--seq", seq_of(directory, BettingOpened))
        assert result.exit_code == 2
        assert "had a bet" in result.stderr


def test_a_player_with_mano_di_poker_is_asked_where_others_win_at_once(tmp_path: Path) -> None:
    felt = Felt().open().bets(main=2, mdp=1).cards(["6S", "5C"])
    felt.server(Decisions(mdp=Counts(left=1)))
    directory = written(felt, tmp_path / "j")
    window = windows(directory)[0]
    assert finish(directory, "--seq", window)[0]["verdict"] == "live"
    opening, _, asked, *steps = finish(directory, "--seq", window, "--mdp")
    assert (opening["verdict"], asked["type"]) == ("deal", "asked")
    assert opening["mdp_placed"]
    assert steps[-1]["side_bets"] == {"pp": 0, "mdp": 0}


def test_a_card_is_on_the_table_from_its_first_byte(settled: Path) -> None:
    """By time of day and by the monotonic clock alike, to the nanosecond."""
    card = told(settled, CardCounted)[1].fact
    assert isinstance(card, CardCounted)
    for stamp, dealer in ((card.stamp, ["2C"]), (card.stamp - 1, [])):
        for option in (("--mono", stamp), ("--at", time_of(START + stamp))):
            answer = run("journal", "at", settled, "--round", 1, *option, "--json")
            assert json.loads(answer.stdout)["dealer"] == dealer


def test_a_wall_clock_that_jumped_names_no_moment_and_says_what_does(tmp_path: Path) -> None:
    felt = left_at_three()
    directory = written(felt, tmp_path / "j", step_at=len(felt.inputs) - 2, step=-5 * S)
    at = time_of(START + felt.now)
    result = run("finish", directory, "--round", 1, "--at", at)
    assert result.exit_code == 2
    assert "the wall clock moved by 5.0 s" in result.stderr
    assert finish(directory, "--mono", felt.now - 1)[0]["clock"]["moved"] == 5 * S


def test_after_another_boot_the_monotonic_clock_names_no_moment_of_the_round(
    tmp_path: Path,
) -> None:
    felt = Felt().open().bets(main=2).cards(["3S", "2C"])
    felt.restart(boot="another")
    felt.reader_up()
    felt.resolve(Exit.GO_ON)
    felt.choose(stand=1, left=1)
    directory = written(felt.cards(["4D"]), tmp_path / "j")
    result = run("finish", directory, "--round", 1, "--mono", felt.now)
    assert result.exit_code == 2
    assert "give --seq or --at" in result.stderr
    opening, *_ = finish(directory, "--seq", windows(directory)[0])
    assert (opening["verdict"], opening["clock"]["boots"]) == ("deal", 2)


def test_the_round_is_found_behind_a_checkpoint_too(tmp_path: Path) -> None:
    felt = Felt(no_bets="skip").open()
    for _ in range(60):
        felt.bets(main=0)
    felt.bets(main=2).cards(["3S", "2C"])
    felt.choose(stand=1, left=1)
    directory = written(felt.cards(["4D"]), tmp_path / "j")
    assert len(list(directory.glob("*.seg"))) > 2
    window = windows(directory, 61)[0]
    opening, *_ = finish(directory, "--round", 61, "--seq", window)
    assert opening["exposed"] == ["3S", "2C"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--round", 9, "--seq", 5], "holds no round 9"),
        (["--round", 1, "--seq", 1], "lies before round 1, which opened at 2023-11-14T22:30:"),
        (["--round", 1, "--seq", 999], "fact 999 is none of round 1"),
        (["--round", 1], "Name the moment, once"),
        (["--round", 1, "--seq", 9, "--mono", 9], "Name the moment, once"),
        (["--round", 1, "--at", "2023-11-14 22:30:00"], "a time with its zone"),
        (["--round", 1, "--seq", 9, "--decisions", "HX"], "only H (hit) and S (stand)"),
        (["--round", 1, "--seq", 9, "--seed-hex", "00"], "64 hexadecimal digits"),
    ],
)
def test_a_moment_that_the_round_has_not_is_a_sentence_and_not_a_guess(
    settled: Path, options: list[object], said: str
) -> None:
    result = run("finish", settled, *options)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""
