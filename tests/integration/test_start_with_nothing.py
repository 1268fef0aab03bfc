"""Each daemon started as systemd does, with no device, no peer and nobody listening.

Absence is a state: the daemon reports itself ready, says what is missing, feeds
its watchdog and stays, until it is told to stop.
"""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

MAZZIERE = Path(sys.executable).with_name("mazziere")
READY_WITHIN = 5.0
"""Seconds; imports on a busy machine included."""
WATCHDOG_US = 2_000_000

CONFIG = """
[table]
id = "t1"
environment = "test"
[bus]
directory = "{0}"
[journal]
directory = "{0}/journal"
low_disk_mib = 1
[shoe]
device = "{0}/no-such-device"
spool = "{0}/spool"
[camera]
device = "{0}/no-such-camera"
deck = "{0}/deck.profile"
table = "{0}/table.json"
spool = "{0}/spool"
stills = "{0}/stills"
[display]
port = {1}
"""


@pytest.fixture
def notify(tmp_path: Path) -> Iterator[socket.socket]:
    """systemd's end of NOTIFY_SOCKET."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
        end.bind(str(tmp_path / "notify"))
        yield end


@pytest.fixture
def config(tmp_path: Path) -> Path:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    path = tmp_path / "table.toml"
    path.write_text(CONFIG.format(tmp_path, port))
    return path


def start(command: str, config: Path) -> subprocess.Popen[str]:
    environ = {
        **os.environ,
        "NOTIFY_SOCKET": str(config.with_name("notify")),
        "WATCHDOG_USEC": str(WATCHDOG_US),
    }
    return subprocess.Popen(
        [MAZZIERE, command, "--config", config], env=environ, stderr=subprocess.PIPE, text=True
    )


def hear(notify: socket.socket, wanted: str, within: float) -> list[str]:
    """Everything said up to the wanted sentence."""
    deadline = time.monotonic() + within
    said: list[str] = []
    while wanted not in said:
        notify.settimeout(max(deadline - time.monotonic(), 0.001))
        try:
            said.append(notify.recv(4096).decode())
        except TimeoutError:
            pytest.fail(f"{wanted} was not said within {within} s; heard {said}")
    return said


@pytest.mark.parametrize("command", ["controller", "shoe", "camera", "display"])
def test_a_daemon_with_nothing_around_it_is_ready_stays_and_leaves_when_told(
    command: str, config: Path, notify: socket.socket
) -> None:
    process = start(command, config)
    try:
        hear(notify, "READY=1", READY_WITHIN)
        for _ in range(3):
            hear(notify, "WATCHDOG=1", 2 * WATCHDOG_US / 1e6)
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        hear(notify, "STOPPING=1", 5)
        _, log = process.communicate(timeout=10)
    finally:
        process.kill()
    assert process.returncode == 0, log
    assert "Traceback" not in log


@pytest.mark.parametrize(
    ("command", "missing"), [("shoe", "no-such-device"), ("camera", "no-such-camera")]
)
def test_a_reader_without_its_device_says_so_to_systemd(
    command: str, missing: str, config: Path, notify: socket.socket
) -> None:
    process = start(command, config)
    try:
        said: list[str] = []
        while not any(missing in sentence for sentence in said):
            said += hear(notify, "WATCHDOG=1", READY_WITHIN)
        assert process.poll() is None
    finally:
        process.kill()
        process.communicate()
