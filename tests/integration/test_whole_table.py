"""The whole table as a newcomer runs it: real daemons, a real pty, simulated people.

The run itself holds cards and results against its own truth and ends with 5 if
they differ; here the journal is read back besides.
"""

import random
import signal
import socket
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.client import Endpoints, Follower
from controller.contract.audience import Audience
from controller.contract.commands import OpenDeck, OpenTable, Role
from controller.contract.state import What
from controller.runtime.bus import Bus
from controller.runtime.clock import SystemClock
from controller.runtime.config import load
from tests.integration.whole_table import WholeTable, facts, leftovers

PROTOCOLS = ("angel-eye", "ssi", "line")
QUICK = ("--speed", "100", "--seed", "1", "--no-display")
KILLS = 20


def until(condition: Callable[[], bool], seconds: float) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end


def check_books(directory: Path) -> None:
    """Nothing doubled: each reading is one entry, each round has one end."""
    told = facts(directory)
    entries = [f for f in told if f["fact"] in ("card_counted", "card_set_aside")]
    readings = Counter(tuple(sorted(entry["reading"].items())) for entry in entries)
    assert [reading for reading, times in readings.items() if times > 1] == []
    ends = [f["round"] for f in told if f["fact"] in ("round_settled", "round_voided")]
    begun = [f["round"] for f in told if f["fact"] == "betting_opened"]
    assert begun == list(range(1, len(begun) + 1))
    assert ends in (begun, begun[:-1])  # the last may have been interrupted


@pytest.mark.parametrize(
    ("protocol", "rounds"), [("angel-eye", "50"), ("ssi", "20"), ("line", "20")]
)
def test_every_round_is_dealt_and_settled_and_none_is_void(
    tmp_path: Path, protocol: str, rounds: str
) -> None:
    directory = tmp_path / "table"
    with WholeTable(directory, *QUICK, "--rounds", rounds, "--protocol", protocol) as table:
        assert table.wait(100) == 0, table.said()
    assert f"{rounds} settled, 0 void" in table.said()
    check_books(directory)
    assert leftovers(directory) == []


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_with_every_fault_each_card_is_still_one_entry_and_each_result_right(
    tmp_path: Path, protocol: str
) -> None:
    directory = tmp_path / "table"
    options = ("--rounds", "25", "--burn", "1", "--faults", "all", "--protocol", protocol)
    with WholeTable(directory, *QUICK, *options) as table:
        assert table.wait(110) == 0, table.said()
    check_books(directory)


def test_without_players_rounds_are_dealt_for_nobody(tmp_path: Path) -> None:
    with WholeTable(tmp_path / "table", *QUICK, "--rounds", "5", "--players", "0") as table:
        assert table.wait(60) == 0, table.said()
    assert "5 settled, 0 void" in table.said()
    assert table.said().count("dealt for nobody") == 5


def test_a_person_deals_with_enter_and_the_screens_commands(tmp_path: Path) -> None:
    directory = tmp_path / "table"
    options = ("--speed", "100", "--rounds", "1", "--dealer", "none", "--protocol", "line")
    with WholeTable(directory, *options) as table:
        deal_by_hand(table)
        assert table.wait(20) == 0, table.said()
    assert "1 settled, 0 void" in table.said()
    assert "1 card on the felt, 1 out of the shoe" in table.said()


def deal_by_hand(table: WholeTable) -> None:
    """Do what the screen says until the run ends: open table and deck, then a card when due."""
    until(lambda: "screen" in table.said(), 20)
    bus = Bus()
    config = load(table.directory / "table.toml").bus
    screen = Follower(
        bus, Endpoints(config.url("ops"), config.url("requests")), audience=Audience.OPS,
        clock=SystemClock(),
    )  # fmt: skip
    done: list[object] = []
    acts = {What.OPEN_TABLE: OpenTable(), What.CHANGE_DECK: OpenDeck("by-hand-1")}
    while table.process.poll() is None:
        screen.step(50)
        view = screen.view
        seen = view and (view.move.what, view.round, view.position, view.dealer)
        if view is None or not screen.live or seen in done:
            continue
        done.append(seen)
        if do := acts.get(view.move.what):
            screen.send(do, role=Role.DEALER, who="screen:dealer")
        elif view.move.what in (What.DEAL_POSITION, What.DEAL_DEALER):
            table.press_enter()
    bus.close()


def test_a_port_that_is_taken_is_said_before_anything_starts(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with WholeTable(tmp_path / "table", "--port", port) as table:
            assert table.wait(20) == 2
    assert f"port {port} cannot be had" in table.said()
    assert not (tmp_path / "table").exists()


@pytest.mark.timeout(300)
def test_killing_any_daemon_twenty_times_doubles_nothing_and_loses_nothing_silently(
    tmp_path: Path,
) -> None:
    directory, rng = tmp_path / "table", random.Random(20)
    options = ("--speed", "20", "--seed", "2", "--burn", "1")
    with WholeTable(directory, *options) as table:
        killed: Counter[str] = Counter()
        while killed.total() < KILLS:
            assert table.runs_on(rng.uniform(0.5, 2.5)), table.said()
            name = rng.choice(("shoe", "controller", "controller", "shoe", "display"))
            killed[name] += table.kill(name)
        assert table.runs_on(5), table.said()
        table.process.send_signal(signal.SIGINT)
        assert table.wait(30) == 0, table.said()
    assert set(killed) == {"shoe", "controller", "display"}
    check_books(directory)
    assert leftovers(directory) == []


def test_interrupted_it_ends_every_child_and_the_next_run_goes_on_in_the_same_journal(
    tmp_path: Path,
) -> None:
    directory = tmp_path / "table"
    for moment in (2.8, 3.3, 4.0):  # somewhere in a round, or between two decks
        with WholeTable(directory, *QUICK) as table:
            assert table.runs_on(moment), table.said()
            assert set(table.daemons()) == {"controller", "shoe"}
            table.process.send_signal(signal.SIGINT)
            assert table.wait(20) == 0, table.said()
        assert leftovers(directory) == []
    with WholeTable(directory, *QUICK, "--rounds", "3") as table:
        assert table.wait(60) == 0, table.said()
    check_books(directory)


def test_killed_itself_it_leaves_no_daemon_behind(tmp_path: Path) -> None:
    directory = tmp_path / "table"
    with WholeTable(directory, *QUICK) as table:
        assert table.runs_on(2), table.said()
        table.process.kill()
        table.process.wait(5)
        for _ in range(200):
            if not leftovers(directory):
                return
            table.runs_on(0.05)
        assert leftovers(directory) == []


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--faults", "nope"), "there is no fault 'nope'"),
        (("--speed", "0"), "--speed"),
        (("--rounds", "many"), "--rounds"),
        (("--faults", "kill_display", "--no-display"), "kill_display needs a display"),
        (("--dealer", "none", "--no-display"), "you cannot deal without the screen"),
    ],
)
def test_a_wrong_option_ends_with_one_sentence(
    tmp_path: Path, options: tuple[str, ...], words: str
) -> None:
    with WholeTable(tmp_path / "table", *options) as table:
        assert table.wait(20) == 2
    assert words in table.said()
    assert "Traceback" not in table.said()
    assert not (tmp_path / "table").exists()


@pytest.mark.parametrize(
    "options",
    [
        ("--seats", "5", "--variant", "wild,royal"),
        ("--seats", "3", "--variant", "pot,burn_first,natural_beats", "--bank", "fixed"),
        ("--seats", "12", "--variant", "split,triple,royal,royal_double", "--faults", "all"),
    ],
    ids=lambda options: options[3],
)
def test_a_traditional_table_is_dealt_and_every_cent_is_found_again(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    directory = tmp_path / "table"
    rounds = ("--game", "traditional", "--rounds", "15")
    with WholeTable(directory, *QUICK, *rounds, *options) as table:
        assert table.wait(110) == 0, table.said()
    settled = [f for f in facts(directory) if f["fact"] == "seats_settled"]
    assert len(settled) >= 3
    for fact in settled:
        assert sum(result["net"] for result in fact["results"]) + fact["bank_net"] == 0


def test_variants_that_contradict_each_other_end_with_the_reason(tmp_path: Path) -> None:
    options = ("--game", "traditional", "--variant", "pot,split")
    with WholeTable(tmp_path / "table", *QUICK, *options) as table:
        assert table.wait(20) == 2
    assert "pot and split do not go together" in table.said().replace("\n", " ")
    assert "Traceback" not in table.said()
