"""The port on real pseudo-terminals and sockets, with a clock that stands still."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
import serial

from controller.contract.readings import Rung
from drivers.link import open_link
from drivers.shoe import angel_eye, line, ssi
from drivers.shoe.assembler import Draft, Timing
from drivers.shoe.port import Port
from drivers.shoe.profile_file import load_profile
from tests.unit.pty_shoe import PtyShoe

MS = 1_000_000
TIMING = Timing(
    settle=300 * MS,
    quiet=300 * MS,
    repeat_window=150 * MS,
    retry_first=200 * MS,
    retry_most=5_000 * MS,
)


@pytest.fixture
def shoe(tmp_path: Path) -> Iterator[PtyShoe]:
    device = PtyShoe(tmp_path / "shoe")
    device.plug()
    yield device
    device.unplug()


class Clock:
    """Stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = 0

    def mono(self) -> int:
        return self.now

    def utc(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def port(shoe: PtyShoe, clock: Clock) -> Iterator[Port]:
    subject = make_port(str(shoe.path), clock)
    yield subject
    subject.close()


def make_port(device: str, clock: Clock, profile: str = "line") -> Port:
    loaded = load_profile(profile)
    return Port(partial(open_link, device, loaded.baud), loaded, TIMING, clock)


def turn(port: Port) -> list[str]:
    """One turn with everything ready, as kinds and cards."""
    told = named(port.turn(set(port.fds())))
    port.answer()
    return told


def named(drafts: list[Draft]) -> list[str]:
    return [f"{draft.kind} {draft.card or draft.code}".strip() for draft in drafts]


def fds() -> int:
    return len(os.listdir("/proc/self/fd"))


def test_bytes_that_waited_when_the_port_was_opened_are_stale_and_not_lost(
    shoe: PtyShoe, port: Port, clock: Clock
) -> None:
    shoe.send(b"4D\rKS\r")
    assert turn(port) == ["stale 4D", "stale KS"]
    clock.now += 301 * MS
    shoe.send(b"AC\r")
    assert turn(port) == ["card AC"]


def test_an_unplug_is_an_absence_and_the_next_opening_is_told(
    shoe: PtyShoe, port: Port, clock: Clock
) -> None:
    assert turn(port) == []
    clock.now += 301 * MS
    shoe.send(b"4D\rK")
    assert turn(port) == ["card 4D"]
    shoe.unplug()
    assert turn(port) == ["no_read damaged"]
    assert port.ladder.rung is Rung.ABSENT
    assert "plug the reader in" in port.ladder.detail
    assert port.fds() == []
    shoe.plug()
    clock.now = port.wake_at() or 0
    assert turn(port) == ["reopened"]
    assert port.ladder.rung is Rung.OPENED


def test_a_card_while_the_line_was_away_is_not_seen_and_the_absence_is_told(
    shoe: PtyShoe, port: Port, clock: Clock
) -> None:
    turn(port)
    shoe.unplug()
    turn(port)
    shoe.plug()
    shoe.send(b"4D\r")
    clock.now += 10_000 * MS
    assert turn(port) == ["reopened", "stale 4D"]


def test_a_first_opening_that_had_to_wait_is_told_as_reopened(tmp_path: Path, clock: Clock) -> None:
    port = make_port(str(tmp_path / "shoe"), clock)
    assert turn(port) == []
    assert port.ladder.rung is Rung.ABSENT
    device = PtyShoe(tmp_path / "shoe")
    device.plug()
    clock.now += 200 * MS
    assert turn(port) == ["reopened"]
    port.close()
    device.unplug()


def test_opening_is_tried_ever_more_rarely_and_never_in_between(
    tmp_path: Path, clock: Clock
) -> None:
    port = make_port(str(tmp_path / "shoe"), clock)
    delays = []
    for _ in range(8):
        port.turn(set())
        wake = port.wake_at()
        assert wake is not None
        delays.append((wake - clock.now) // MS)
        clock.now = wake - 1
        port.turn(set())
        assert port.wake_at() == wake
        clock.now = wake
    assert delays == [200, 400, 800, 1600, 3200, 5000, 5000, 5000]


def test_a_line_that_flaps_is_not_opened_faster_and_faster(
    shoe: PtyShoe, port: Port, clock: Clock
) -> None:
    delays = []
    for _ in range(4):
        clock.now = max(clock.now, port.wake_at() or 0)
        turn(port)
        shoe.unplug()
        turn(port)
        delays.append(((port.wake_at() or 0) - clock.now) // MS)
        shoe.plug()
    assert delays == [200, 400, 800, 1600]


def test_a_hundred_unplugs_leak_no_descriptor(shoe: PtyShoe, port: Port, clock: Clock) -> None:
    turn(port)
    shoe.unplug()
    turn(port)
    before = fds()
    for _ in range(100):
        shoe.plug()
        clock.now = max(clock.now, port.wake_at() or 0)
        assert turn(port) == ["reopened"]
        shoe.unplug()
        turn(port)
    assert fds() == before


def test_a_port_that_another_process_has_is_refused_with_its_pid(
    shoe: PtyShoe, clock: Clock
) -> None:
    hold = (
        "import sys, serial; port = serial.Serial(sys.argv[1], exclusive=True);"
        "print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", hold, shoe.path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        port = make_port(str(shoe.path), clock)
        assert turn(port) == []
        assert port.ladder.rung is Rung.REFUSED
        assert "another process has" in port.ladder.detail
        assert f"(pid {holder.pid})" in port.ladder.detail
        holder.communicate("", timeout=10)
    clock.now += 200 * MS
    assert turn(port) == ["reopened"]
    port.close()


def test_our_own_opening_keeps_a_second_one_out(shoe: PtyShoe, port: Port) -> None:
    turn(port)
    with pytest.raises(serial.SerialException, match="exclusively lock"):
        serial.Serial(str(shoe.path), exclusive=True)


def test_an_order_of_the_codec_reaches_the_device(shoe: PtyShoe, clock: Clock) -> None:
    port = make_port(str(shoe.path), clock, "ssi")
    turn(port)
    clock.now += 301 * MS
    shoe.send(ssi.decode_data("4D"))
    assert named(port.turn(set(port.fds()))) == ["card 4D"]
    assert shoe.heard() == b""  # not before the reading is kept
    port.answer()
    assert shoe.heard() == ssi.ACKNOWLEDGE
    assert not port.order("lock")
    port.close()


def test_a_shoe_that_can_is_given_its_order_and_none_when_it_is_away(
    shoe: PtyShoe, clock: Clock
) -> None:
    port = make_port(str(shoe.path), clock, "angel-eye")
    assert not port.order("lock")
    turn(port)
    assert port.order("lock")
    assert shoe.heard() == bytes.fromhex("024F504C4B303203") + b"1B"
    shoe.unplug()
    turn(port)
    assert not port.order("lock")


def test_silence_is_believed_only_after_the_line_was_read_once_more(
    shoe: PtyShoe, port: Port, clock: Clock
) -> None:
    turn(port)
    clock.now += 301 * MS
    shoe.send(b"4")
    assert turn(port) == []
    clock.now += 400 * MS
    shoe.send(b"D\r")
    assert named(port.turn(set())) == ["card 4D"]


@pytest.mark.parametrize("profile", ["angel-eye", "ssi", "line"])
def test_a_slow_device_that_pauses_before_every_byte_is_one_card(
    shoe: PtyShoe, clock: Clock, profile: str
) -> None:
    frames = {
        "angel-eye": angel_eye.report("1", "D", angel_eye.card_data("diamond-4")),
        "ssi": ssi.decode_data("4D"),
        "line": line.terminated("4D"),
    }
    port = make_port(str(shoe.path), clock, profile)
    turn(port)
    clock.now += 301 * MS
    told = []
    for byte in frames[profile]:
        shoe.send(bytes([byte]))
        told += turn(port)
        clock.now += 250 * MS
        told += named(port.turn(set()))
    assert told == ["card 4D"]
    port.close()


@pytest.mark.parametrize("stolen", range(1, 8))
def test_a_rogue_reader_that_steals_bytes_makes_a_no_read_and_never_a_card(
    shoe: PtyShoe, clock: Clock, stolen: int
) -> None:
    port = make_port(str(shoe.path), clock, "angel-eye")
    turn(port)
    clock.now += 301 * MS
    report = angel_eye.report("1", "D", angel_eye.card_data("diamond-4"))
    shoe.send((report[:stolen] + report[stolen + 1 :]) * 3)
    assert turn(port) == []
    clock.now = port.wake_at() or 0
    assert turn(port) == ["no_read damaged"]
    port.close()


@pytest.fixture
def server() -> Iterator[socket.socket]:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        yield listening


def test_a_serial_server_is_a_line_too_and_its_end_is_a_loss(
    server: socket.socket, clock: Clock
) -> None:
    host, number = server.getsockname()
    port = make_port(f"socket://{host}:{number}", clock)
    assert turn(port) == []
    device, _ = server.accept()
    with device:
        clock.now += 301 * MS
        device.sendall(b"4D\r")
        assert until_told(port) == ["card 4D"]
    while port.fds():
        turn(port)
    assert port.ladder.rung is Rung.REFUSED
    clock.now += 400 * MS
    assert turn(port) == ["reopened"]
    port.close()


def until_told(port: Port) -> list[str]:
    """The loopback is quick, not instant."""
    for _ in range(10_000):
        told = turn(port)
        if told:
            return told
    return []


def test_a_serial_server_that_is_not_there_is_refused(server: socket.socket, clock: Clock) -> None:
    host, number = server.getsockname()
    server.close()
    port = make_port(f"socket://{host}:{number}", clock)
    assert turn(port) == []
    assert port.ladder.rung is Rung.REFUSED
    assert "Connection refused" in port.ladder.detail
