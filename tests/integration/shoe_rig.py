"""A real shoe daemon between a pty and the controller's end of the bus.

The controller here is a ROUTER that says what a test tells it to say.
"""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
import zmq

from controller.contract.readings import (
    Ack,
    FromReader,
    ReaderStatus,
    Reading,
    Rung,
    ToReader,
    Welcome,
)
from tests.unit.pty_shoe import PtyShoe

MAZZIERE = Path(sys.executable).with_name("mazziere")
PATIENCE = 20.0
"""Seconds that a busy machine may take for anything."""

CONFIG = """
[table]
id = "t1"
environment = "test"
[bus]
directory = "{directory}"
[shoe]
device = "{device}"
profile = "{profile}"
spool = "{directory}/spool"
settle_ms = 50
quiet_ms = 100
retry_first = 0.05
retry_most = 0.2
[log]
level = "debug"
"""


class Controller:
    """The controller's end of the readers' socket, in the hand of the test."""

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], url: str) -> None:
        self._context = context
        self._url = url
        self._decode = msgspec.json.Decoder(FromReader).decode
        self.epoch = "e1"
        self.acks = True
        self.heard: list[FromReader] = []
        self.status: ReaderStatus | None = None
        self._reader = b""
        self.start()

    def start(self) -> None:
        self._socket = self._context.socket(zmq.ROUTER)
        self._socket.setsockopt(zmq.LINGER, 0)
        self._socket.setsockopt(zmq.ROUTER_HANDOVER, 1)
        self._socket.bind(self._url)

    def stop(self) -> None:
        self._socket.close()

    def say(self, message: ToReader) -> None:
        self._socket.send_multipart([self._reader, msgspec.json.encode(message)])

    def until(self, condition: Callable[[], bool]) -> None:
        """Serve the reader until the condition holds."""
        deadline = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > deadline:
                pytest.fail(f"not in {PATIENCE} s; heard {self.story()}, status {self.status}")
            if self._socket.poll(50):
                self._serve()

    def _serve(self) -> None:
        self._reader, raw = self._socket.recv_multipart()
        message = self._decode(raw)
        if isinstance(message, ReaderStatus):
            self.status = message
        else:
            self.heard.append(message)
        if isinstance(message, Reading):
            if self.acks:
                self.say(Ack(session=message.session, n=message.n))
        else:
            self.say(Welcome(epoch=self.epoch))

    def readings(self) -> list[Reading]:
        """Each reading once, in the order in which they first came."""
        seen = {(m.session, m.n): m for m in self.heard if isinstance(m, Reading)}
        return list(seen.values())

    def story(self) -> list[str]:
        return [f"{m.kind} {m.card or m.code}".strip() for m in self.readings()]

    def until_story(self, *story: str) -> None:
        self.until(lambda: self.story() == list(story))

    def until_rung(self, rung: Rung) -> None:
        self.until(lambda: self.status is not None and self.status.rung is rung)


class Rig:
    """A daemon that can be started and killed, and what stands on both sides of it."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.shoe = PtyShoe(directory / "shoe")
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self.controller = Controller(self._context, f"ipc://{directory}/readers")
        self._processes: list[subprocess.Popen[bytes]] = []
        self.log = directory / "log"

    def start(self, profile: str = "line", device: str = "") -> subprocess.Popen[bytes]:
        config = self.directory / "table.toml"
        named = device or str(self.shoe.path)
        config.write_text(CONFIG.format(directory=self.directory, device=named, profile=profile))
        with self.log.open("ab") as log:
            process = subprocess.Popen([MAZZIERE, "shoe", "--config", config], stderr=log)
        self._processes.append(process)
        return process

    def start_settled(self, profile: str = "line") -> subprocess.Popen[bytes]:
        """Started, open, and past the time in which reports are stale."""
        self.shoe.plug()
        process = self.start(profile)
        self.controller.until_rung(Rung.OPENED)
        self.settle()
        return process

    def settle(self) -> None:
        """Serve the bus until 50 ms settling time have surely passed."""
        over = time.monotonic() + 0.1
        self.controller.until(lambda: time.monotonic() > over)

    def end(self) -> None:
        for process in self._processes:
            process.kill()
            process.wait()
        self.shoe.unplug()
        self.controller.stop()
        self._context.destroy(linger=0)
