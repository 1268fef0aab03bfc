"""The grabber's own process: `python -m drivers.camera.grab`, one opening of one source.

It reads without end, so that no queue builds up before it, and puts each frame
that was just made into the mailbox. It may block in a read for ever: whoever
started it notices and kills it. It says on its pipe, one JSON object a line, that
the source is open or why it is lost; a bare line break means a new frame.
"""

import argparse
import ctypes
import os
import signal
from contextlib import suppress
from typing import Final

import msgspec

from controller.runtime.clock import NANOSECONDS, Clock, SystemClock
from drivers.camera.address import parse_address
from drivers.camera.frame import Mode, Opened
from drivers.camera.freshness import Freshness
from drivers.camera.mailbox import Mailbox
from drivers.camera.source import Source, SourceLost, Why
from drivers.camera.sources import open_source

USUAL_FPS: Final = 30.0
_PR_SET_PDEATHSIG: Final = 1


class Lost(msgspec.Struct, frozen=True, tag="lost"):
    """The last word of a grabber."""

    why: Why
    sentence: str


class Open(msgspec.Struct, frozen=True, tag="open"):
    """The first word of a grabber."""

    opened: Opened


Word = Open | Lost
"""What a line of the pipe says."""


class Grab:
    """From the source into the mailbox."""

    def __init__(self, source: Source, mailbox: Mailbox, clock: Clock) -> None:
        self._source = source
        self._mailbox = mailbox
        self._clock = clock
        fps = source.opened.mode.fps
        self._freshness = Freshness(round(NANOSECONDS / (fps if fps > 1 else USUAL_FPS)))

    def step(self) -> bool:
        """One read; True if there is a new frame."""
        asked = self._clock.mono()
        packet = self._source.read()
        if packet is None:
            return False
        stamp = self._freshness.stamp(asked, self._clock.mono(), packet.made)
        if stamp is None:
            return False
        self._mailbox.put(packet, stamp)
        return True


def run(address: str, asked: Mode, memory: int, pipe: int) -> None:
    mailbox = Mailbox(memory)
    try:
        source = open_source(parse_address(address), asked)
        _say(pipe, Open(source.opened))
        grab = Grab(source, mailbox, SystemClock())
        while True:
            if grab.step():
                _write(pipe, b"\n")
    except SourceLost as lost:
        _say(pipe, Lost(lost.why, str(lost)))
    except BrokenPipeError:
        return
    except Exception as error:
        # Whatever a driver library throws is one more way not to have a picture.
        _say(pipe, Lost(Why.BROKEN, f"{address}: {type(error).__name__}: {error}"[:400]))


def _say(pipe: int, word: Word) -> None:
    _write(pipe, msgspec.json.encode(word) + b"\n")


def _write(pipe: int, line: bytes) -> None:
    """A full pipe is no reason to stop reading: the mailbox has the frame."""
    with suppress(BlockingIOError):
        os.write(pipe, line)


def _die_with(parent: int) -> None:
    """A grabber that outlived its daemon would hold the camera for ever."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        raise SystemExit(0)


def main() -> None:
    """Read the command line that `grabber` wrote."""
    parser = argparse.ArgumentParser(prog="drivers.camera.grab")
    parser.add_argument("address")
    for name in ("width", "height", "memory", "pipe", "parent"):
        parser.add_argument(f"--{name}", type=int, required=True)
    parser.add_argument("--fps", type=float, required=True)
    given = parser.parse_args()
    _die_with(given.parent)
    os.set_blocking(given.pipe, False)
    asked = Mode(given.width, given.height, given.fps, "MJPG")
    run(given.address, asked, given.memory, given.pipe)


if __name__ == "__main__":
    main()
