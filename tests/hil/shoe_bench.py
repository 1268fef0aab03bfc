"""A bench for one card reader: the real shoe daemon, and the controller's end of its bus.

Who passes the cards is either a simulated shoe or a person with a real one.
"""

import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

import msgspec

from controller.contract.readings import (
    OPEN_RUNGS,
    Ack,
    FromReader,
    Hello,
    ReaderStatus,
    Reading,
    ReadingKind,
    Welcome,
)
from controller.runtime.bus import Bus, drain, send
from controller.runtime.clock import SystemClock
from simulators.devices import Device
from simulators.shoe import Shoe

MAZZIERE = Path(sys.executable).with_name("mazziere")
SETTLED = 0.1
"""Seconds after opening from which the bench's configuration trusts a report."""

_TOML = """\
[table]
id = "bench"
environment = "test"
[bus]
directory = "{bus}"
[shoe]
device = "{device}"
profile = "{profile}"
spool = "{spool}"
settle_ms = 50
retry_first = 0.05
retry_most = 0.2
"""


class Hands(Protocol):
    """Whoever passes cards through the reader."""

    def pass_cards(self, number: int) -> Sequence[str] | None:
        """Begin to pass so many cards; returns which, if that is known."""

    def serve(self) -> None:
        """Called while the bench waits."""


class SimulatedHands:
    """Passes chosen cards through a simulated shoe, as fast as the line takes them."""

    def __init__(self, link: Path, device: Device) -> None:
        self.shoe = Shoe(link, device, SystemClock())

    def pass_cards(self, number: int) -> Sequence[str]:
        cards = ("7D", "KC", "AS", "QB", "2D", "JC")[:number]
        for card in cards:
            self.shoe.say(self.shoe.device.card(card))
        return cards

    def serve(self) -> None:
        self.shoe.serve()


class Person:
    """Reads what to do at the terminal (`-s`), and draws."""

    def pass_cards(self, number: int) -> None:
        print(f"\n>>> Draw {number} different cards now, about one a second.", flush=True)

    def serve(self) -> None:
        return


class Bench:
    """Runs `mazziere shoe` on `device` and takes its readings as a controller does."""

    def __init__(self, place: Path, bus_directory: Path, device: str, profile: str) -> None:
        toml = place / "table.toml"
        toml.write_text(
            _TOML.format(bus=bus_directory, device=device, profile=profile, spool=place / "spool")
        )
        (place / "spool").mkdir(exist_ok=True)
        self._bus = Bus()
        self._socket = self._bus.router(f"ipc://{bus_directory}/readers")
        self._decode = msgspec.json.Decoder(FromReader).decode
        self._log = (place / "shoe.log").open("ab")
        self._daemon = subprocess.Popen(
            [str(MAZZIERE), "shoe", "--config", str(toml)], stderr=self._log
        )
        self.readings: list[Reading] = []
        self.status: ReaderStatus | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._daemon.terminate()
        self._daemon.wait(5)
        self._log.close()
        self._bus.close()

    @property
    def cards(self) -> list[Reading]:
        return [reading for reading in self.readings if reading.kind is ReadingKind.CARD]

    @property
    def is_open(self) -> bool:
        return self.status is not None and self.status.rung in OPEN_RUNGS

    def until(self, holds: Callable[[], bool], hands: Hands, seconds: float) -> bool:
        """Serve hands and daemon until the condition holds; false if it never does."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            hands.serve()
            select.select([self._socket.fileno()], [], [], 0.01)
            for name, said in self._heard():
                self._answer(name, said)
            if holds():
                return True
        return False

    def _heard(self) -> Iterator[tuple[bytes, FromReader]]:
        for frames in drain(self._socket):
            yield frames[0], self._decode(frames[-1])

    def _answer(self, name: bytes, said: FromReader) -> None:
        reply: Welcome | Ack = Welcome(epoch="bench")
        if isinstance(said, Reading):
            if said.n not in {reading.n for reading in self.readings}:
                self.readings.append(said)
            reply = Ack(session=said.session, n=said.n)
        elif isinstance(said, ReaderStatus):
            self.status = said
        else:
            assert isinstance(said, Hello)
        send(self._socket, name, msgspec.json.encode(reply))
