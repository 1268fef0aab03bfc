"""The camera's loop on real pictures, and `mazziere camera` as a process."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np
import pytest
import zmq

from controller.contract.readings import (
    Ack,
    FromReader,
    Hello,
    ReaderStatus,
    Reading,
    ReadingKind,
    Region,
    Rung,
    ToReader,
)
from controller.contract.stills import digest_of, place_of
from controller.runtime.clock import SystemClock
from controller.runtime.config import Camera
from controller.runtime.daemon import Daemon
from drivers.camera.evidence import Evidence, Keep
from drivers.camera.eye import Eye, Reader
from drivers.camera.frame import Mode, Packet, decode
from drivers.camera.frame_wire import Unpacker
from drivers.camera.grabber import Grabber, Patience
from drivers.camera.loop import CameraLoop, TableNow
from drivers.camera.serving import Serving
from drivers.camera.tracking import Settings
from drivers.reader import Outbox
from drivers.spool import SessionSpool
from simulators.picture_server import PictureServer
from tests.unit.drawn_felt import felt_with, mark, outlines, read_marks, table_profile

MAZZIERE = Path(sys.executable).with_name("mazziere")
PATIENCE = 20.0
SECOND = 1_000_000_000
POSITION, DEALER = (200, 400), (200, 140)


class Wire:
    """The controller's end, which acknowledges what it is sent at once."""

    def __init__(self) -> None:
        self.heard: list[FromReader] = []
        self._answers: list[ToReader] = []

    def send(self, message: FromReader) -> bool:
        self.heard.append(message)
        if isinstance(message, Reading):
            self._answers.append(Ack(session=message.session, n=message.n))
        return True

    def receive(self) -> Iterator[ToReader]:
        answers, self._answers = self._answers, []
        return iter(answers)

    def wait(self, fds: Sequence[int], timeout_ms: int) -> set[int]:
        raise AssertionError("the test turns the loop itself")

    def close(self) -> None:
        return

    def readings(self) -> list[Reading]:
        return [message for message in self.heard if isinstance(message, Reading)]

    def status(self) -> ReaderStatus | None:
        return next((m for m in reversed(self.heard) if isinstance(m, ReaderStatus)), None)

    def rung(self) -> Rung | None:
        status = self.status()
        return status.rung if status else None


class Rig:
    """The loop with all its parts, before a picture server."""

    def __init__(self, directory: Path, address: str, daemon: Daemon) -> None:
        clock = SystemClock()
        config = Camera(device=address, width=960, height=540, spool=str(directory / "spool"))
        patience = Patience(
            opening=8 * SECOND, reading=SECOND, retry_first=SECOND // 20, retry_most=SECOND // 5
        )
        settings = Settings(agree=3, unsure=SECOND, gone=SECOND // 2, settle=SECOND // 2)
        self.wire = Wire()
        self.table = TableNow()
        self.stills = directory / "stills"
        self.grabber = Grabber(address, Mode(960, 540, 30.0, "MJPG"), patience, clock)
        self.eye = Eye(Reader(read_marks, outlines, table_profile()), settings, 800_000_000)
        self.evidence = Evidence(self.stills, Keep(90, 100))
        self.evidence.open()
        self.serving = Serving(directory / "camera")
        self.serving.open()
        spool = SessionSpool(directory / "spool", "camera", "s1")
        spool.open()
        outbox = Outbox("camera", "s1", "boot", self.wire, spool, clock)
        self._loop = CameraLoop(
            config, "s1", self.grabber, self.eye, self.evidence, self.serving, lambda: self.table,
            outbox, spool, self.wire, daemon, clock,
        )  # fmt: skip

    def until(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > deadline:
                pytest.fail(f"not in {PATIENCE} s: {self.story()} {self.wire.status()}")
            self._loop.turn()
            time.sleep(0.002)

    def story(self) -> list[str]:
        return [
            f"{one.kind} {one.card or '-'} {one.region or ''}".strip()
            for one in self.wire.readings()
        ]

    def until_story(self, *story: str) -> None:
        self.until(lambda: self.story() == list(story))

    def until_rung(self, rung: Rung) -> None:
        self.until(lambda: self.wire.rung() is rung)


@pytest.fixture
def server() -> Iterator[PictureServer]:
    with PictureServer(fps=20) as subject:
        subject.show(felt_with())
        yield subject


@pytest.fixture
def rig(tmp_path: Path, server: PictureServer) -> Iterator[Rig]:
    with Daemon({}, SystemClock(), ("loop", "spool")) as daemon:
        subject = Rig(tmp_path, server.address, daemon)
        yield subject
        subject.grabber.close()
        subject.serving.close()


def settled(rig: Rig) -> None:
    """The empty felt was seen long enough that what comes now is new."""
    rig.until_rung(Rung.VALID)
    over = time.monotonic() + 0.8
    rig.until(lambda: time.monotonic() > over)


def test_a_card_laid_on_the_felt_becomes_one_reading_with_its_still(
    rig: Rig, server: PictureServer
) -> None:
    settled(rig)
    before = time.monotonic_ns()
    server.show(felt_with((mark("4D"), *POSITION)))
    rig.until_story("card 4D position")
    server.show(felt_with((mark("4D"), *POSITION), (mark("KS"), *DEALER)))
    rig.until_story("card 4D position", "card KS dealer")
    rig.until_rung(Rung.READING)
    for n, reading in enumerate(rig.wire.readings(), start=1):
        assert (reading.n, reading.sight, reading.session) == (n, n, "s1")
        assert before < reading.stamp < time.monotonic_ns()
        still = (rig.stills / place_of(reading.still)).read_bytes()
        assert digest_of(still) == reading.still
    server.show(felt_with())
    rig.until(lambda: rig.story()[2:] == ["gone 4D position", "gone KS dealer"])


def test_a_replug_is_told_and_no_card_is_read_twice(
    rig: Rig, server: PictureServer, tmp_path: Path
) -> None:
    settled(rig)
    cards = felt_with((mark("4D"), *POSITION))
    server.show(cards)
    rig.until_story("card 4D position")
    server.__exit__(None, None, None)
    rig.until_rung(Rung.ABSENT)
    with PictureServer(fps=20, port=server.port) as again:
        again.show(cards)
        rig.until_story("card 4D position", "reopened -")
        rig.until(lambda: rig.wire.rung() in (Rung.VALID, Rung.READING))
        again.show(felt_with((mark("4D"), *POSITION), (mark("KS"), *DEALER)))
        rig.until(lambda: len(rig.story()) == 3)
    assert rig.story()[2] in ("card KS dealer", "stale KS dealer")


def test_a_frozen_picture_is_a_fault_within_a_second_and_a_half(
    rig: Rig, server: PictureServer
) -> None:
    settled(rig)
    server.show(felt_with((mark("4D"), *POSITION)), live=False)
    since = time.monotonic()
    rig.until_rung(Rung.FAULT)
    assert time.monotonic() - since < 2.5
    assert "frozen" in str(rig.wire.status())


def test_the_stills_of_a_new_deck_are_protected_from_its_opening_on(
    rig: Rig, server: PictureServer
) -> None:
    rig.table = TableNow("deck 7")
    rig.until_rung(Rung.VALID)
    assert b"deck 7" in (rig.stills / "deck.json").read_bytes()


def test_the_pictures_are_served_to_calibration_while_the_daemon_holds_the_camera(
    rig: Rig, server: PictureServer, tmp_path: Path
) -> None:
    rig.until_rung(Rung.VALID)
    unpacker = Unpacker()
    with socket.socket(socket.AF_UNIX) as end:
        end.connect(str(tmp_path / "camera"))
        end.setblocking(False)

        def got() -> bool:
            try:
                unpacker.receive_data(end.recv(1 << 20))
            except BlockingIOError:
                return False
            return (packet := unpacker.next_packet()) is not None and is_whole(packet) is wanted

        for closed in (False, True):
            # A burn may lie there while the table is in play; calibration wants all of it.
            rig.table, wanted = TableNow(closed=closed), closed
            rig.until(got)


def is_whole(packet: Packet) -> bool:
    """Whether the burn region is to be seen."""
    image = decode(packet.data, packet.coding)
    return bool(np.ptp(image[60:220, 640:740].astype(int), axis=(0, 1)).max() > 5)


CONFIG = """
[table]
id = "t1"
environment = "test"
[bus]
directory = "{0}"
[camera]
device = "{1}"
deck = "{0}/deck.profile"
table = "{0}/table.json"
spool = "{0}/spool"
stills = "{0}/stills"
width = 960
height = 540
retry_first = 0.05
retry_most = 0.2
[log]
level = "debug"
"""


class Process:
    """`mazziere camera` between its pictures and a controller's socket."""

    def __init__(self, directory: Path, device: str) -> None:
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._socket = self._context.socket(zmq.ROUTER)
        self._socket.bind(f"ipc://{directory}/readers")
        self.heard: list[FromReader] = []
        config = directory / "table.toml"
        config.write_text(CONFIG.format(directory, device))
        self.log = directory / "log"
        with self.log.open("ab") as log:
            self.process = subprocess.Popen([MAZZIERE, "camera", "--config", config], stderr=log)

    def until_status(self, rung: Rung, says: str = "") -> None:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if self._socket.poll(50):
                _, raw = self._socket.recv_multipart()
                message = msgspec.json.decode(raw, type=FromReader)
                self.heard.append(message)
                told = (message.rung, message.detail) if isinstance(message, ReaderStatus) else None
                if told and told[0] is rung and says in told[1]:
                    return
        pytest.fail(f"not in {PATIENCE} s: {self.heard[-3:]}\n{self.log.read_text()[-2000:]}")

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self._context.destroy(linger=0)


@pytest.fixture
def process(tmp_path: Path) -> Iterator[Callable[[str], Process]]:
    made: list[Process] = []

    def start(device: str) -> Process:
        made.append(Process(tmp_path, device))
        return made[-1]

    yield start
    for one in made:
        one.end()
        assert "Traceback" not in one.log.read_text()


def test_without_a_camera_it_stays_and_says_so(process: Callable[[str], Process]) -> None:
    daemon = process("/dev/v4l/by-id/none")
    daemon.until_status(Rung.ABSENT, "plugged in")
    assert isinstance(daemon.heard[0], Hello)
    assert daemon.process.poll() is None
    daemon.process.send_signal(signal.SIGTERM)
    assert daemon.process.wait(PATIENCE) == 0


def test_without_a_calibrated_table_it_reads_nothing_and_says_what_to_do(
    process: Callable[[str], Process], server: PictureServer
) -> None:
    server.show(felt_with((mark("4D"), *POSITION)))
    daemon = process(server.address)
    daemon.until_status(Rung.FAULT, "calibrate table")
    assert not [m for m in daemon.heard if isinstance(m, Reading)]


def test_without_an_enrolled_deck_it_says_that(
    process: Callable[[str], Process], server: PictureServer, tmp_path: Path
) -> None:
    (tmp_path / "table.json").write_bytes(msgspec.json.encode(table_profile()))
    daemon = process(server.address)
    daemon.until_status(Rung.FAULT, "calibrate deck")


def test_killed_it_leaves_no_grabber_behind(
    process: Callable[[str], Process], server: PictureServer
) -> None:
    daemon = process(server.address)
    daemon.until_status(Rung.FAULT)
    pid = daemon.process.pid
    (child,) = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    os.kill(pid, signal.SIGKILL)
    daemon.process.wait()
    deadline = time.monotonic() + PATIENCE
    while Path(f"/proc/{child}").exists():
        state = Path(f"/proc/{child}/stat").read_text().split()[2]
        if state == "Z":
            break
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("device", "table", "says"),
    [
        ("video0", None, "camera.device"),
        ("/dev/x", b"{}", "table.json"),
        ("/dev/x", b"", "refused"),
    ],
)
def test_a_wrong_configuration_or_profile_ends_with_3_and_one_sentence(
    process: Callable[[str], Process], tmp_path: Path, device: str, table: bytes | None, says: str
) -> None:
    if table is not None:
        (tmp_path / "table.json").write_bytes(table)
    daemon = process(device)
    assert daemon.process.wait(PATIENCE) == 3
    assert says in daemon.log.read_text()
    assert len(daemon.log.read_text().splitlines()) == 1


def test_kinds_that_mean_a_card_have_a_region(rig: Rig, server: PictureServer) -> None:
    settled(rig)
    server.show(felt_with((40, *POSITION), (41, *DEALER)))
    rig.until(lambda: len(rig.story()) == 2)
    assert {(one.kind, one.region) for one in rig.wire.readings()} == {
        (ReadingKind.FOREIGN, Region.POSITION),
        (ReadingKind.COVERED, Region.DEALER),
    }
