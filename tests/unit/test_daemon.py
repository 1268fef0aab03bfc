"""How a daemon stops, and what systemd hears of it: a unix datagram socket plays systemd."""

import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.runtime.clock import NANOSECONDS, ClockHealth, ClockQuality, Sync, SystemClock
from controller.runtime.daemon import Daemon, Notifier, Watchdog

A_DAEMON = """
import os, select
from controller.runtime.clock import SystemClock
from controller.runtime.daemon import Daemon

with Daemon(os.environ, SystemClock(), parts=("loop",)) as daemon:
    daemon.notifier.ready()
    while not daemon.stopping:
        select.select([daemon.stop_fd()], [], [])
print("left by its own door")
"""


class HandClock:
    """Time that moves only when told."""

    def __init__(self) -> None:
        self.now = 0

    def mono(self) -> int:
        return self.now

    def utc(self) -> int:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += round(seconds * NANOSECONDS)


class Systemd:
    """The other end of NOTIFY_SOCKET."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(address.replace("@", "\0", 1))

    def heard(self) -> list[str]:
        said = []
        while select.select([self._socket], [], [], 0)[0]:
            said.append(self._socket.recv(4096).decode())
        return said

    def wait_for(self, sentence: str) -> None:
        self._socket.settimeout(10)
        while self._socket.recv(4096).decode() != sentence:
            pass

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[Systemd]:
    end = Systemd(str(tmp_path / "notify"))
    yield end
    end.close()


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def watchdog(systemd: Systemd, clock: HandClock) -> Iterator[Watchdog]:
    notifier = Notifier(systemd.address)
    yield Watchdog(notifier, clock, 10 * NANOSECONDS, ("serial", "bus"))
    notifier.close()


def test_each_sentence_is_one_datagram_as_sd_notify_writes_it(systemd: Systemd) -> None:
    notifier = Notifier(systemd.address)
    notifier.ready()
    notifier.status("no shoe\nattached")
    notifier.extend(2.5)
    notifier.ping()
    notifier.stopping()
    notifier.close()
    assert systemd.heard() == [
        "READY=1",
        "STATUS=no shoe attached",
        "EXTEND_TIMEOUT_USEC=2500000",
        "WATCHDOG=1",
        "STOPPING=1",
    ]


def test_an_abstract_socket_is_reached_too() -> None:
    systemd = Systemd(f"@mazziere-test-{os.getpid()}")
    notifier = Notifier(systemd.address)
    assert notifier.ready()
    assert systemd.heard() == ["READY=1"]
    notifier.close()
    systemd.close()


def test_without_systemd_nothing_is_said_and_nothing_breaks(tmp_path: Path) -> None:
    assert not Notifier(None).ready()
    assert not Notifier(str(tmp_path / "gone")).ready()


def test_a_systemd_that_does_not_listen_cannot_block_the_loop(systemd: Systemd) -> None:
    notifier = Notifier(systemd.address)
    answers = {notifier.status("x" * 1000) for _ in range(2000)}
    assert answers == {True, False}
    notifier.close()


def test_the_watchdog_is_fed_only_when_every_part_has_moved(
    watchdog: Watchdog, clock: HandClock, systemd: Systemd
) -> None:
    for _ in range(10):
        clock.advance(1)
        watchdog.progress("serial")
    assert systemd.heard() == []
    watchdog.progress("bus")
    assert systemd.heard() == ["WATCHDOG=1"]


def test_the_watchdog_is_fed_at_half_the_interval_and_not_at_each_turn(
    watchdog: Watchdog, clock: HandClock, systemd: Systemd
) -> None:
    pings = []
    for tenth in range(1, 201):
        clock.advance(0.1)
        watchdog.progress("serial")
        watchdog.progress("bus")
        pings += [tenth / 10 for _ in systemd.heard()]
    assert pings == [5.0, 10.0, 15.0, 20.0]


def test_progress_from_before_a_ping_does_not_count_for_the_next(
    watchdog: Watchdog, clock: HandClock, systemd: Systemd
) -> None:
    clock.advance(5)
    watchdog.progress("serial")
    watchdog.progress("bus")
    clock.advance(5)
    watchdog.progress("bus")
    assert systemd.heard() == ["WATCHDOG=1"]


def test_a_ping_that_could_not_be_sent_is_tried_again(tmp_path: Path, clock: HandClock) -> None:
    address = str(tmp_path / "late")
    notifier = Notifier(address)
    watchdog = Watchdog(notifier, clock, 10 * NANOSECONDS, ("loop",))
    clock.advance(5)
    watchdog.progress("loop")
    systemd = Systemd(address)
    watchdog.progress("loop")
    assert systemd.heard() == ["WATCHDOG=1"]
    notifier.close()
    systemd.close()


def test_a_part_that_nobody_watches_is_a_mistake_and_not_a_silence(watchdog: Watchdog) -> None:
    with pytest.raises(ValueError, match="'seral' is not one of the watched parts"):
        watchdog.progress("seral")


@pytest.mark.parametrize(
    ("environ", "fed"),
    [
        ({"WATCHDOG_USEC": "2000000"}, True),
        ({"WATCHDOG_USEC": "2000000", "WATCHDOG_PID": str(os.getpid())}, True),
        ({"WATCHDOG_USEC": "2000000", "WATCHDOG_PID": "1"}, False),
        ({"WATCHDOG_USEC": "0"}, False),
        ({"WATCHDOG_USEC": "soon"}, False),
        ({}, False),
    ],
)
def test_the_watchdog_is_set_by_systemd_for_this_process_alone(
    systemd: Systemd, clock: HandClock, environ: dict[str, str], fed: bool
) -> None:
    with Daemon({"NOTIFY_SOCKET": systemd.address, **environ}, clock, ("loop",)) as daemon:
        clock.advance(1)
        daemon.watchdog.progress("loop")
        assert systemd.heard() == (["WATCHDOG=1"] if fed else [])


@pytest.mark.parametrize("name", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_signal_raises_the_flag_and_wakes_the_poll_for_good(
    name: signal.Signals, clock: HandClock
) -> None:
    with Daemon({}, clock, ()) as daemon:
        assert not daemon.stopping
        assert select.select([daemon.stop_fd()], [], [], 0)[0] == []
        signal.raise_signal(name)
        assert daemon.stopping
        for _ in range(2):
            assert select.select([daemon.stop_fd()], [], [], 0)[0] == [daemon.stop_fd()]


def test_after_a_daemon_the_signals_are_as_they_were(clock: HandClock) -> None:
    before = [signal.getsignal(name) for name in (signal.SIGTERM, signal.SIGINT)]
    with Daemon({}, clock, ()):
        pass
    assert [signal.getsignal(name) for name in (signal.SIGTERM, signal.SIGINT)] == before
    assert signal.set_wakeup_fd(-1) == -1


@pytest.mark.parametrize("name", [signal.SIGTERM, signal.SIGINT])
def test_a_real_process_asleep_in_its_poll_leaves_at_once_and_says_so(
    name: signal.Signals, systemd: Systemd
) -> None:
    environ = {**os.environ, "NOTIFY_SOCKET": systemd.address}
    process = subprocess.Popen(
        [sys.executable, "-c", A_DAEMON], env=environ, stdout=subprocess.PIPE, text=True
    )
    systemd.wait_for("READY=1")
    process.send_signal(name)
    out, _ = process.communicate(timeout=10)
    assert (out, process.returncode) == ("left by its own door\n", 0)
    assert systemd.heard() == ["STOPPING=1"]


def test_the_quality_of_the_clock_is_asked_again_after_a_while_and_not_before(
    clock: HandClock,
) -> None:
    answers = [ClockQuality(Sync.UNSYNCED, "x"), ClockQuality(Sync.SYNCED, "x")]
    health = ClockHealth(clock, ask=lambda: answers.pop(0), keep_ns=5)
    clock.now = 4
    assert health.quality().sync is Sync.UNSYNCED
    clock.now = 5
    assert health.quality().sync is Sync.SYNCED
    clock.now = 9
    assert health.quality().sync is Sync.SYNCED


def test_this_machine_answers_about_its_clocks() -> None:
    clock = SystemClock()
    assert clock.mono() <= clock.mono()
    assert ClockHealth(clock).quality().source
