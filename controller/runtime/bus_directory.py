"""The directory of the bus: there for our sockets, and held by one controller alone.

A bind takes over whatever socket file stands in its way, so a second controller
would silently take the first one's clients; and when it ends, leave them none.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from controller.runtime.config import KeyFault

_KEY: Final = "bus.directory"
_MODE: Final = 0o750


@contextmanager
def held_bus_directory(directory: Path) -> Iterator[None]:
    """Made if need be, and locked until left; `KeyFault` where that cannot be."""
    lock = _opened(directory)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            what = f"{directory} is in use by another controller; stop it, or name another"
            raise KeyFault(_KEY, what) from None
        yield
    finally:
        os.close(lock)


def _opened(directory: Path) -> int:
    try:
        directory.mkdir(mode=_MODE, parents=True, exist_ok=True)
        return os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        what = f"no sockets can be made in {directory}: {error.strerror}; name another directory"
        raise KeyFault(_KEY, what) from error
