"""A card reader on a pseudo-terminal: the other end of the shoe daemon's line.

The slave side is raw from the start and one descriptor of it stays open here:
a cooked or half-closed pty would eat, echo or refuse bytes that a serial line
carries. Unplugging closes the master, as a pulled cable does; plugging in makes
a new pty and points the link at it. Reports that nobody reads are lost, as on
a real line.
What is not here: the protocols (`simulators.devices`), and when a card comes.
"""

import contextlib
import errno
import os
import tty
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from controller.runtime.clock import NANOSECONDS, Clock
from simulators.devices import Device
from simulators.faults import Piece

_TRIES: Final = 3
"""How often a scanner repeats a report before it gives it up."""


class Shoe:
    """Speaks for `device` at `link`. Call `serve` often: it sends what is due and listens."""

    def __init__(self, link: Path, device: Device, clock: Clock, patience: float = 0.5) -> None:
        self.device = device
        self._link = link
        self._clock = clock
        self._patience = round(patience * NANOSECONDS)
        self._master = self._slave = -1
        self._outbox: deque[tuple[int, bytes]] = deque()
        self._tries = 0
        self._again_at = 0
        self.plug()

    @property
    def plugged(self) -> bool:
        return self._master != -1

    def plug(self) -> None:
        """A new pty, and the link points at it from one moment to the next."""
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        fresh = self._link.with_name(self._link.name + ".new")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(os.ttyname(self._slave))
        fresh.replace(self._link)

    def unplug(self) -> None:
        """The cable is out: what was not yet on the wire is gone."""
        self._outbox.clear()
        self._link.unlink(missing_ok=True)
        for descriptor in (self._master, self._slave):
            with contextlib.suppress(OSError):
                os.close(descriptor)
        self._master = self._slave = -1

    def say(self, copies: Sequence[bytes]) -> None:
        """Report at once."""
        self.say_pieces([Piece(0, b"".join(copies))] if copies else [])

    def say_pieces(self, pieces: Sequence[Piece]) -> None:
        """Report piece by piece; what was said before goes out first."""
        at = max(self._clock.mono(), self._outbox[-1][0] if self._outbox else 0)
        for pause, data in pieces:
            at += round(pause * NANOSECONDS)
            self._outbox.append((at, data))
        if pieces:
            self._tries, self._again_at = _TRIES, at + self._patience
        self.serve()

    def serve(self) -> None:
        """Send what is due, hear the host, repeat what it has not acknowledged."""
        if not self.plugged:
            return
        now = self._clock.mono()
        while self._outbox and self._outbox[0][0] <= now:
            self._write(self._outbox.popleft()[1])
        if heard := self._read():
            self._write(self.device.hear(heard))
        if self._tries and now >= self._again_at and self.device.awaits:
            self._tries -= 1
            self._again_at = now + self._patience
            self._write(self.device.again())

    def due_in(self) -> float | None:
        """Seconds until there is something to send; None if nothing waits."""
        if not self._outbox:
            return None
        return max(0.0, (self._outbox[0][0] - self._clock.mono()) / NANOSECONDS)

    def close(self) -> None:
        if self.plugged:
            self.unplug()

    def _write(self, data: bytes) -> None:
        if not data:
            return
        try:
            os.write(self._master, data)
        except BlockingIOError:
            return  # nobody has read for long: a real line would have lost it, too

    def _read(self) -> bytes:
        try:
            return os.read(self._master, 4096)
        except BlockingIOError:
            return b""
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            return b""
