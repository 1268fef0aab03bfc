"""The places of the bus: a directory for our sockets, held by one controller alone.

A bind takes over whatever socket file stands in its way, so a second controller
would silently take the first one's clients; and when it ends, leave them none.
"""

import errno
import fcntl
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from controller.runtime.config import SOCKETS, Bus, KeyFault

_KEY: Final = "bus.directory"
_MODE: Final = 0o750


@contextmanager
def held_bus(bus: Bus) -> Iterator[None]:
    """The directory is made if need be, and locked until left; `KeyFault` where that cannot be."""
    directory = Path(bus.directory)
    lock = _opened(directory)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            what = f"{directory} is in use by another controller; stop it, or name another"
            raise KeyFault(_KEY, what) from None
        _check_unserved(bus)
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


def _check_unserved(bus: Bus) -> None:
    """The sockets may be elsewhere, too, where another controller's directory is not ours."""
    for name in SOCKETS:
        scheme, _, path = bus.url(name).partition("://")
        if scheme != "ipc" or not Path(path).is_socket():
            continue
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK) as caller:
            if caller.connect_ex(path) != errno.ECONNREFUSED:
                what = f"another program serves {path}; stop it, or give another address"
                raise KeyFault(f"bus.{name}", what)
