"""A device on a pseudo-terminal behind a stable name: what stands in for the shoe's cable.

Unplugging closes the pty; plugging in again makes a new one and re-points the
name, as udev does. One slave descriptor stays open, or the pty would hang up
whenever the driver closes it.
"""

import os
import pty
import select
import tty
from pathlib import Path


class PtyShoe:
    """The device's side of the line; nothing is plugged in at first."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._master = self._slave = -1

    def plug(self) -> None:
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.path.unlink(missing_ok=True)
        self.path.symlink_to(os.ttyname(self._slave))

    def unplug(self) -> None:
        if self._master >= 0:
            # As udev does; a dangling name would soon lead to somebody else's new pty.
            self.path.unlink(missing_ok=True)
            os.close(self._slave)
            os.close(self._master)
        self._master = self._slave = -1

    def send(self, data: bytes) -> None:
        os.write(self._master, data)

    def heard(self) -> bytes:
        """What the driver has written until now."""
        try:
            return os.read(self._master, 4096)
        except BlockingIOError:
            return b""

    def hears(self, length: int, patience: float) -> bytes:
        """The next `length` bytes, or fewer after a silence of `patience` seconds."""
        data = b""
        while len(data) < length and select.select([self._master], [], [], patience)[0]:
            data += self.heard()
        return data
