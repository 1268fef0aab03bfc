"""The real shoe daemon, as a process, between a pty and the controller's end of the bus."""

import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.contract.readings import (
    Hello,
    Reading,
    ReadingKind,
    Rung,
    ShoeOrder,
)
from drivers.shoe import angel_eye, line, ssi
from drivers.shoe.profile_file import load_profile
from tests.integration.shoe_rig import PATIENCE, Rig


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    subject = Rig(tmp_path)
    yield subject
    subject.end()
    assert "Traceback" not in subject.log.read_text()


def test_cards_go_from_the_wire_to_the_bus_in_order_with_bytes_and_times(rig: Rig) -> None:
    rig.start_settled()
    before = time.monotonic_ns()
    rig.shoe.send(b"4D\rKS\r8D\rNR\r")
    rig.controller.until_story("card 4D", "card KS", "foreign 8D", "no_read no_read")
    hello = rig.controller.heard[0]
    assert isinstance(hello, Hello)
    assert hello.boot == Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    for n, reading in enumerate(rig.controller.readings(), start=1):
        assert (reading.session, reading.n) == (hello.session, n)
        assert before <= reading.stamp <= time.monotonic_ns()
        assert abs(reading.utc - time.time_ns()) < 60 * 1_000_000_000
    assert rig.controller.readings()[0].raw == b"4D\r"


@pytest.mark.parametrize("profile", ["angel-eye", "ssi", "line"])
def test_a_whole_deck_is_read_once_and_in_order_by_each_protocol(rig: Rig, profile: str) -> None:
    rig.start_settled(profile)
    codes = load_profile(profile).codes()
    for n, (_, code) in enumerate(codes.items()):
        if profile == "angel-eye":
            report = angel_eye.report("123456789"[n % 9], "D", angel_eye.card_data(code))
            rig.shoe.send(report * 3)
        else:
            rig.shoe.send(ssi.decode_data(code) if profile == "ssi" else line.terminated(code))
    rig.controller.until_story(*(f"card {card}" for card in codes))
    if profile == "ssi":
        assert rig.shoe.hears(40 * 6, PATIENCE) == ssi.ACKNOWLEDGE * 40


def test_started_with_nothing_attached_it_stays_and_says_absent_then_opens(rig: Rig) -> None:
    process = rig.start()
    rig.controller.until_rung(Rung.ABSENT)
    rig.shoe.plug()
    rig.controller.until_rung(Rung.OPENED)
    assert rig.controller.story() == ["reopened"]
    assert process.poll() is None


def test_unplug_and_replug_again_and_again_is_told_each_time_and_leaks_nothing(rig: Rig) -> None:
    process = rig.start_settled()
    descriptors = Path(f"/proc/{process.pid}/fd")
    before = 0
    for count in range(1, 6):
        rig.shoe.unplug()
        rig.controller.until_rung(Rung.ABSENT)
        rig.shoe.plug()
        rig.controller.until_story(*["reopened"] * count)
        before = before or len(list(descriptors.iterdir()))  # the first one opens the spool
    rig.settle()
    rig.shoe.send(b"4D\r")
    rig.controller.until_story(*["reopened"] * 5, "card 4D")
    assert len(list(descriptors.iterdir())) == before


def test_an_absent_device_does_not_keep_the_processor_busy(rig: Rig) -> None:
    process = rig.start_settled()
    rig.shoe.unplug()
    rig.controller.until_rung(Rung.ABSENT)
    ticks = cpu_ticks(process.pid)
    over = time.monotonic() + 2
    rig.controller.until(lambda: time.monotonic() > over)
    assert cpu_ticks(process.pid) - ticks < 40  # of 200 in two seconds


def cpu_ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def test_garbage_and_a_wrong_speed_are_said_and_survived(rig: Rig) -> None:
    process = rig.start_settled("angel-eye")
    rig.shoe.send(b"\xf8\x80\x00\x78" * 64)
    rig.controller.until_rung(Rung.BYTES)
    rig.controller.until_story("no_read damaged")
    report = angel_eye.report("1", "D", angel_eye.card_data("spade-4"))
    rig.shoe.send(report * 3)
    rig.controller.until_story("no_read damaged", "card 4S")
    assert process.poll() is None


def test_a_second_opener_is_named_and_the_line_opens_when_it_is_gone(rig: Rig) -> None:
    rig.shoe.plug()
    hold = (
        "import sys, serial; port = serial.Serial(sys.argv[1], exclusive=True);"
        "print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", hold, rig.shoe.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        rig.start()
        rig.controller.until_rung(Rung.REFUSED)
        assert rig.controller.status is not None
        assert "another process" in rig.controller.status.detail
        holder.communicate(b"", timeout=PATIENCE)
    rig.controller.until_rung(Rung.OPENED)


def test_a_kill_with_unacknowledged_cards_loses_none_and_doubles_none(rig: Rig) -> None:
    process = rig.start_settled()
    rig.controller.acks = False
    rig.shoe.send(b"4D\rKS\r")
    rig.controller.until_story("card 4D", "card KS")
    process.send_signal(signal.SIGKILL)
    process.wait()
    first = rig.controller.readings()[0].session
    rig.controller.heard.clear()
    rig.controller.acks = True
    rig.start()
    rig.controller.until(
        lambda: any(isinstance(m, Hello) and m.session != first for m in rig.controller.heard)
    )
    order = [
        "hello" if isinstance(m, Hello) else f"{m.session == first} {m.n}"
        for m in rig.controller.heard
        if isinstance(m, Hello | Reading)
    ]
    assert order[:3] == ["True 1", "True 2", "hello"]
    rig.controller.until(lambda: not list((rig.directory / "spool").glob("*.jsonl")))


def test_a_torn_last_line_in_the_spool_costs_that_line_alone(rig: Rig) -> None:
    process = rig.start_settled()
    rig.controller.acks = False
    rig.shoe.send(b"4D\rKS\r")
    rig.controller.until_story("card 4D", "card KS")
    process.kill()
    process.wait()
    (spool,) = (rig.directory / "spool").glob("*.jsonl")
    assert spool.stat().st_mode & 0o777 == 0o600
    spool.write_bytes(spool.read_bytes()[:-20])
    rig.controller.heard.clear()
    rig.controller.acks = True
    rig.start()
    rig.controller.until(lambda: any(isinstance(m, Hello) for m in rig.controller.heard))
    assert rig.controller.story() == ["card 4D"]


def test_cards_read_while_the_controller_is_away_come_when_it_is_back(rig: Rig) -> None:
    rig.start_settled()
    rig.controller.stop()
    rig.shoe.send(b"4D\rKS\r")
    (spool,) = wait_for(lambda: [p for p in spool_files(rig) if p.read_bytes().count(b"\n") == 2])
    rig.controller.epoch = "e2"
    rig.controller.start()
    rig.controller.until_story("card 4D", "card KS")
    rig.controller.until(lambda: spool.stat().st_size == 0)


def spool_files(rig: Rig) -> list[Path]:
    return list((rig.directory / "spool").glob("*.jsonl"))


def wait_for(condition: Callable[[], list[Path]]) -> list[Path]:
    deadline = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < deadline
        select.select([], [], [], 0.02)
    return found


def test_a_controller_that_forgets_to_acknowledge_is_sent_it_again(rig: Rig) -> None:
    rig.start_settled()
    rig.controller.acks = False
    rig.shoe.send(b"4D\r")
    rig.controller.until(
        lambda: sum(isinstance(message, Reading) for message in rig.controller.heard) >= 3
    )
    assert rig.controller.story() == ["card 4D"]
    assert {m.n for m in rig.controller.readings()} == {1}


def test_an_order_reaches_the_shoe(rig: Rig) -> None:
    rig.start_settled("angel-eye")
    rig.controller.say(ShoeOrder(order="lock"))
    assert rig.shoe.hears(10, PATIENCE) == bytes.fromhex("024F504C4B3032033142")


def test_a_disk_that_takes_nothing_is_said_and_the_cards_still_go(rig: Rig) -> None:
    (rig.directory / "spool").write_text("in the way")
    process = rig.start_settled()
    rig.shoe.send(b"4D\r")
    rig.controller.until_story("card 4D")
    assert process.poll() is None
    assert "cannot be written" in rig.log.read_text()


def test_a_second_daemon_of_the_same_reader_is_refused_in_one_sentence(rig: Rig) -> None:
    rig.start_settled()
    second = rig.start()
    assert second.wait(timeout=PATIENCE) == 3
    assert "Another daemon of reader 'shoe' is alive" in rig.log.read_text()


@pytest.mark.parametrize(
    ("profile", "device", "says"),
    [("nobody", "", "shoe.profile"), ("line", "COM1", "shoe.device")],
)
def test_a_wrong_configuration_ends_with_3_and_one_sentence(
    rig: Rig, profile: str, device: str, says: str
) -> None:
    process = rig.start(profile, device)
    assert process.wait(timeout=PATIENCE) == 3
    assert says in rig.log.read_text()


def test_no_face_no_code_and_no_byte_is_in_the_log(rig: Rig) -> None:
    process = rig.start_settled()
    rig.shoe.send(b"4D\rKS\r8D\rXXYYZZ\r")
    rig.controller.until(lambda: len(rig.controller.readings()) == 4)
    assert rig.controller.readings()[-1].kind is ReadingKind.NO_READ
    process.terminate()
    assert process.wait(timeout=PATIENCE) == 0
    log = rig.log.read_text()
    assert "shoe_started" in log
    assert "reading_told" in log
    for secret in ('"4D', '"KS', '"8D', "XXYYZZ", "NEQN", "S1MN"):
        assert secret not in log


def test_a_card_that_was_drawn_while_the_daemon_stood_still_is_in_doubt(rig: Rig) -> None:
    """Its bytes waited in the line: when they are read is not when it was drawn."""
    process = rig.start_settled()
    process.send_signal(signal.SIGSTOP)
    rig.shoe.send(b"4D\r")
    over = time.monotonic() + 0.8
    rig.controller.until(lambda: time.monotonic() > over)
    process.send_signal(signal.SIGCONT)
    rig.controller.until_story("stale 4D")
    over = time.monotonic() + 0.1
    rig.controller.until(lambda: time.monotonic() > over)
    rig.shoe.send(b"KS\r")
    rig.controller.until_story("stale 4D", "card KS")
