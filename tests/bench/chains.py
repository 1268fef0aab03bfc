"""The chains that are timed, seen from their two ends: a pty to write on, a state to receive.

`Floor` is a chain of `floors`. The real one is in `real_table`. Each is started
the same way, in the same scheduling class, and is asked for one event at a time.
"""

import random
import socket
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, Final

import zmq

from controller.contract.wire import FACT_TOPIC
from tests.bench.floors import MESSAGE_BYTES
from tests.bench.line import Line, any_card
from tests.bench.scheduling import Scheduling

PATIENCE: Final = 10.0
"""Seconds until a chain that says nothing is taken for broken."""


class Chain(ABC):
    """Two processes between a pty and a subscriber."""

    name: str
    what: str

    def __init__(self, place: Path, scheduling: Scheduling) -> None:
        place.mkdir(parents=True, exist_ok=True)
        self._place = place
        self._scheduling = scheduling
        self._processes: list[subprocess.Popen[bytes]] = []
        self.line = Line()

    @abstractmethod
    def prepare(self) -> None:
        """Bring it to where a card may come. Not timed."""

    @abstractmethod
    def event(self) -> int:
        """One card; nanoseconds until its state was here."""

    @property
    def pids(self) -> list[int]:
        return [process.pid for process in self._processes]

    def start(self, *arguments: str) -> None:
        log = (self._place / f"{len(self._processes)}.log").open("wb")
        with log:
            process = subprocess.Popen(
                arguments, stdout=log, stderr=log, preexec_fn=self._scheduling.child
            )
        self._processes.append(process)

    def close(self) -> None:
        for process in reversed(self._processes):
            process.terminate()
        for process in self._processes:
            process.wait(PATIENCE)
        self.line.close()


class Floor(Chain):
    """A chain without logic, one of `floors.KINDS`."""

    def __init__(
        self, kind: str, what: str, place: Path, bus: Path, scheduling: Scheduling
    ) -> None:
        super().__init__(place, scheduling)
        self.name, self.what = kind, what
        self._choice = random.Random(1)
        self._bus = bus
        inward, outward = str(bus / f"{kind}-in"), str(bus / f"{kind}-out")
        program = (sys.executable, "-m", "tests.bench.floors", kind)
        self._listen(outward)
        self.start(*program, "writer", inward, outward, str(place / "journal"))
        self.start(*program, "reader", self.line.path, inward)
        self._ready()

    def _listen(self, outward: str) -> None:
        (self._place / "journal").mkdir(mode=0o700, exist_ok=True)
        if self.name == "bare":
            listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            listener.bind(outward)
            listener.listen()
            self._listener = listener
        else:
            self._state: Any = subscriber(outward)

    def _ready(self) -> None:
        """Until the first event comes through; what was written before is drained."""
        if self.name == "bare":
            self._listener.settimeout(PATIENCE)
            self._state, _ = self._listener.accept()
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            self.line.first_copy(any_card(self._choice))
            if self._waits(200):
                while self._waits(200):
                    self._receive()
                return
        raise RuntimeError(f"the floor {self.name!r} says nothing; see {self._place}")

    def _waits(self, ms: int) -> bool:
        if self.name != "bare":
            return bool(self._state.poll(ms))
        poller = zmq.Poller()
        poller.register(self._state, zmq.POLLIN)
        return bool(poller.poll(ms))

    def _receive(self) -> None:
        if self.name == "bare":
            self._state.recv(MESSAGE_BYTES)
        else:
            self._state.recv_multipart()

    def prepare(self) -> None:
        """A floor is always ready."""

    def event(self) -> int:
        began = self.line.first_copy(any_card(self._choice))
        self._receive()
        took = time.monotonic_ns() - began
        self.line.other_copies()
        return took


def subscriber(path: str) -> "zmq.Socket[bytes]":
    socket_: zmq.Socket[bytes] = zmq.Context.instance().socket(zmq.SUB)
    socket_.setsockopt(zmq.LINGER, 0)
    socket_.setsockopt(zmq.RCVTIMEO, int(PATIENCE * 1_000))
    socket_.subscribe(FACT_TOPIC)
    socket_.connect(f"ipc://{path}")
    return socket_
