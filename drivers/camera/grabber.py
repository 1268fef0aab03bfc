"""The camera over time: start a grabber, take its newest frame, end it when it blocks, start again.

A read from a camera may block for ever inside a driver, where no thread can be
stopped; a process can. So each opening is one child process, and an absent or
dead camera is a state with a sentence, never a reason to stop. Nothing here
blocks. What a frame shows is not looked at here.
"""

import os
import subprocess
import sys
from contextlib import suppress
from typing import Final

import msgspec

from controller.contract.readings import Rung
from controller.runtime.clock import Clock
from drivers.camera.address import Kind, parse_address
from drivers.camera.frame import Frame, Mode, Opened, Undecodable, checksum, decode
from drivers.camera.grab import Lost, Open, Word
from drivers.camera.mailbox import Mailbox, Taken, make_memory
from drivers.camera.source import Why

STEADY: Final = 5
"""An opening that lived this many first back-offs starts over with the shortest one."""
_QUIET: Final = {"OPENCV_LOG_LEVEL": "SILENT", "OPENCV_FFMPEG_LOGLEVEL": "-8"}
_MOST_WORDS: Final = 1 << 16
_RUNGS: Final = {Why.GONE: Rung.ABSENT, Why.REFUSED: Rung.REFUSED, Why.BROKEN: Rung.ABSENT}
_WORD: Final = msgspec.json.Decoder(Word)


class Patience(msgspec.Struct, frozen=True, kw_only=True):
    """The times of a camera, in nanoseconds."""

    opening: int
    """An opening that takes longer is given up."""
    reading: int
    """A read that takes longer is blocked."""
    retry_first: int
    retry_most: int


class Grabber:
    """One address; call `turn` whenever the poll wakes, no later than `wake_at`."""

    def __init__(self, address: str, asked: Mode, patience: Patience, clock: Clock) -> None:
        self._address = address
        self._parsed = parse_address(address)
        self._asked = asked
        self._patience = patience
        self._clock = clock
        self._child: subprocess.Popen[bytes] | None = None
        self._mailbox: Mailbox | None = None
        self._pipe = -1
        self._words = b""
        self._dying: subprocess.Popen[bytes] | None = None
        self._place = ""
        self._delay = patience.retry_first
        self._retry_at: int = clock.mono()
        self._started_at = self._moved_at = 0
        self._taken = 0
        self.opened: Opened | None = None
        """What the source said of itself; None while it is not open."""
        self.rung = Rung.ABSENT
        self.detail = "not opened yet"
        self.openings = 0
        """How often the source has been opened."""
        self.undecodable = 0

    def fds(self) -> list[int]:
        return [self._pipe] if self._child else []

    def wake_at(self) -> int:
        """When `turn` has something to do, whatever happens meanwhile."""
        if self._child is None:
            return self._retry_at
        patience = self._patience.reading if self.opened else self._patience.opening
        return self._moved_at + patience

    def turn(self) -> Frame | None:
        """Do what is to be done now; the newest frame, if there is one that was not taken yet."""
        if self._child is None:
            if self._clock.mono() >= self._retry_at:
                self._start()
            return None
        self._hear()
        frame = self._take()
        self._look_after_child()
        return frame

    def restart(self, sentence: str) -> None:
        """The pictures are wrong in a way that another opening may cure."""
        self._end(Rung.FAULT, sentence)

    def close(self) -> None:
        if self._child is not None:
            self._end(Rung.ABSENT, "closed")
        if self._dying is not None:
            with suppress(subprocess.TimeoutExpired):
                self._dying.wait(1.0)

    # --- begin

    def _start(self) -> None:
        if self._dying is not None and self._dying.poll() is None:
            self._wait_again(Rung.REFUSED, f"{self._address} does not let go: unplug the camera")
            return
        self._dying = None
        self._place = self._real_place()
        if not self._place:
            self._wait_again(Rung.ABSENT, f"there is nothing at {self._address}: is it plugged in?")
            return
        self._spawn()
        self._started_at = self._moved_at = self._clock.mono()
        self._taken, self._words = 0, b""

    def _real_place(self) -> str:
        """Where the path leads to now, "" if nowhere; a socket is always worth a try."""
        if self._parsed.kind in (Kind.SOCKET, Kind.UNIX):
            return self._address
        real = os.path.realpath(self._parsed.path)
        return real if os.path.exists(real) else ""

    def _spawn(self) -> None:
        memory = make_memory()
        self._pipe, theirs = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._mailbox = Mailbox(memory)
        asked = self._asked
        try:
            self._child = subprocess.Popen(
                [
                    sys.executable, "-P", "-m", "drivers.camera.grab", self._address,
                    f"--width={asked.width}", f"--height={asked.height}", f"--fps={asked.fps}",
                    f"--memory={memory}", f"--pipe={theirs}", f"--parent={os.getpid()}",
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=(memory, theirs),
                env={**os.environ, **_QUIET},
                start_new_session=True,  # Ctrl-C is for us; we end it
            )  # fmt: skip
        finally:
            os.close(memory)
            os.close(theirs)

    # --- while it runs

    def _hear(self) -> None:
        try:
            self._words += os.read(self._pipe, _MOST_WORDS)
        except BlockingIOError:
            return
        *lines, self._words = self._words.split(b"\n")
        for line in filter(None, lines):
            word = _WORD.decode(line)
            if isinstance(word, Open):
                self._open(word.opened)
            else:
                self._lose(word)
                return

    def _open(self, opened: Opened) -> None:
        self.opened = opened
        self.openings += 1
        self._moved_at = self._clock.mono()
        self.rung, self.detail = Rung.OPENED, "the camera is open and has shown nothing yet"

    def _take(self) -> Frame | None:
        taken = self._mailbox.newest(self._taken) if self._mailbox and self.opened else None
        if taken is None:
            return None
        self._taken = taken.number
        self._moved_at = self._clock.mono()
        try:
            frame = _frame(taken)
        except Undecodable as problem:
            self.undecodable += 1
            self.rung, self.detail = Rung.BYTES, f"what comes is no usable picture: {problem}"
            return None
        self.rung, self.detail = Rung.FRAMES, ""
        return frame

    def _look_after_child(self) -> None:
        if self._child is None:
            return
        if self._child.poll() is not None:
            self._end(Rung.ABSENT, f"the grabber of {self._address} ended unexpectedly")
        elif self._real_place() != self._place:
            self._end(Rung.ABSENT, f"{self._address} is gone or another one: was it unplugged?")
        elif self._clock.mono() >= self.wake_at():
            what = "delivers no picture" if self.opened else "does not answer"
            self._end(Rung.REFUSED, f"{self._address} {what}: check its cable, plug it in again")

    # --- end

    def _lose(self, lost: Lost) -> None:
        self._end(_RUNGS[lost.why], lost.sentence)

    def _end(self, rung: Rung, sentence: str) -> None:
        lived = self._clock.mono() - self._started_at
        if self.opened and lived >= STEADY * self._patience.retry_first:
            self._delay = self._patience.retry_first
        if self._child is not None:
            self._child.kill()
            self._dying = self._child if self._child.poll() is None else None
            self._child = None
            os.close(self._pipe)
        if self._mailbox is not None:
            self._mailbox.close()
            self._mailbox = None
        self.opened = None
        self._wait_again(rung, sentence)

    def _wait_again(self, rung: Rung, sentence: str) -> None:
        self.rung, self.detail = rung, sentence
        self._retry_at = self._clock.mono() + self._delay
        self._delay = min(2 * self._delay, self._patience.retry_most)


def _frame(taken: Taken) -> Frame:
    packet = taken.packet
    image = decode(packet.data, packet.coding, packet.width, packet.height)
    return Frame(taken.number, taken.stamp, image, checksum(packet.data))
