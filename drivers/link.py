"""The wire: one open byte stream to a device, named by a path or by `socket://host:port`.

The one file that imports pyserial, which opens the port and sets its speed;
bytes are then read from the descriptor itself, which is the fastest way and
lets the caller poll it with its other sockets. A port is opened for ourselves
alone, and bytes that wait in it are kept (pyserial would discard them).

Whatever goes wrong, of whatever type, becomes one `LinkLost` that says what is
the matter: the device is gone, somebody else has it, we may not, or it broke.
What is not here: opening again (`shoe.port`), and what the bytes mean.
"""

import errno
import fcntl
import os
import re
import socket
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from pathlib import Path
from typing import Final

import serial

MOST_BYTES: Final = 4096
MOST_UNSENT: Final = 4096
CONNECT_SECONDS: Final = 1.0
KEEPALIVE_SECONDS: Final = 5
_SOCKET_URL: Final = re.compile(r"socket://(\[[0-9a-fA-F:]+\]|[^:/\[\]]+):(\d{1,5})")

_GONE: Final = frozenset({errno.ENOENT, errno.ENODEV, errno.ENXIO})
_TAKEN: Final = frozenset({errno.EAGAIN, errno.EBUSY})
_DENIED: Final = frozenset({errno.EACCES, errno.EPERM})


class Reason(StrEnum):
    """Why there is no line."""

    GONE = "gone"
    """No such device: unplugged, or never there."""
    TAKEN = "taken"
    """Another process has it open for itself."""
    DENIED = "denied"
    """We have no permission."""
    BROKEN = "broken"
    """It is there and does not work."""


class LinkLost(Exception):  # noqa: N818 - the field's word for it
    """The line cannot be opened or is no longer there; `str` is a sentence for the technician."""

    def __init__(self, reason: Reason, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class Link:
    """An open line. Any method may raise `LinkLost`; then close it and open a new one."""

    def __init__(self, device: str, fd: int, close: Callable[[], None]) -> None:
        self._device = device
        self._fd = fd
        self._close = close
        self._unsent = bytearray()

    def fileno(self) -> int:
        return self._fd

    def read(self) -> bytes:
        """What is there now; nothing is b"", an end is `LinkLost`."""
        # Not through the choke point, which costs as much as the read: here every card passes.
        try:
            data = os.read(self._fd, MOST_BYTES)
        except BlockingIOError:
            return b""
        except Exception as error:
            raise _diagnose(self._device, "read", error) from error
        if not data:
            raise _diagnose(self._device, "read", OSError(errno.EIO, "end of the line"))
        return data

    def write(self, data: bytes) -> None:
        """Send what the device takes now and keep the rest for the next call."""
        self._unsent += data[: MOST_UNSENT - len(self._unsent)]
        if not self._unsent:
            return
        with _choke_point(self._device, "write"), suppress(BlockingIOError):
            sent = os.write(self._fd, self._unsent)
            del self._unsent[:sent]

    def close(self) -> None:
        """Never fails and never waits for output that nobody takes."""
        with suppress(Exception):
            termios.tcflush(self._fd, termios.TCOFLUSH)
        with suppress(Exception):
            self._close()


def check_device(device: str) -> None:
    """ValueError with one sentence if `device` is no path and no URL that we can open."""
    if not device.startswith("/") and not _SOCKET_URL.fullmatch(device):
        raise ValueError(
            f"{device!r} is neither an absolute path such as /dev/serial/by-id/… "
            "nor socket://host:port"
        )


def open_link(device: str, baud: int) -> Link:
    with _choke_point(device, "open"):
        address = _SOCKET_URL.fullmatch(device)
        if address:
            return _open_socket(device, address[1].strip("[]"), int(address[2]))
        return _open_port(device, baud)


class _Port(serial.Serial):
    """pyserial's port, but for one thing: bytes that were waiting are not thrown away."""

    def _reset_input_buffer(self) -> None:
        return


def _open_port(device: str, baud: int) -> Link:
    port = _Port(device, baudrate=baud, timeout=0, exclusive=True)
    fd = port.fileno()
    try:
        _end_reads_only_at_the_end(fd)
        if not os.path.realpath(device).startswith("/dev/pts/"):
            # A pty's other end keeps it open, so this mark would outlive us there.
            fcntl.ioctl(fd, termios.TIOCEXCL)
    except BaseException:
        port.close()
        raise
    with suppress(Exception):
        port.set_low_latency_mode(True)  # a pty and some adapters cannot
    return Link(device, fd, port.close)


def _end_reads_only_at_the_end(fd: int) -> None:
    """With VMIN 0 an empty line and a hung-up line both read as nothing; with 1 they differ."""
    attributes = termios.tcgetattr(fd)
    attributes[6][termios.VMIN] = 1
    termios.tcsetattr(fd, termios.TCSANOW, attributes)
    os.set_blocking(fd, False)


def _open_socket(device: str, host: str, port: int) -> Link:
    connection = socket.create_connection((host, port), timeout=CONNECT_SECONDS)
    connection.setblocking(False)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    # A serial server that lost its power says nothing: only keep-alive finds it out.
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, KEEPALIVE_SECONDS)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 1)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, KEEPALIVE_SECONDS)
    return Link(device, connection.fileno(), connection.close)


@contextmanager
def _choke_point(device: str, doing: str) -> Iterator[None]:
    """Serial ports fail with a dozen exception types; from here on there is one."""
    try:
        yield
    except Exception as error:
        raise _diagnose(device, doing, error) from error


def _diagnose(device: str, doing: str, error: Exception) -> LinkLost:
    number = _errno(error)
    is_path = device.startswith("/")
    if number in _GONE or (is_path and not os.path.exists(device)):
        return LinkLost(
            Reason.GONE, f"there is no {device}: plug the reader in, or correct shoe.device"
        )
    if number in _DENIED:
        return LinkLost(
            Reason.DENIED, f"no permission to open {device}: add this user to the group dialout"
        )
    if number in _TAKEN and is_path:
        return LinkLost(Reason.TAKEN, f"another process has {device}{_holder(device)}: end it")
    if doing == "open":
        what = os.strerror(number) if number and number > 0 else str(error) or type(error).__name__
        return LinkLost(Reason.BROKEN, f"{device} cannot be opened ({what})")
    other = _holder(device) if is_path else ""
    return LinkLost(
        Reason.BROKEN,
        f"{device} hung up during {doing}"
        + (f", or another process took it{other}: end that one" if other else ""),
    )


def _errno(error: BaseException) -> int | None:
    number = getattr(error, "errno", None)
    if isinstance(number, int):
        return number
    if isinstance(error, termios.error) and error.args and isinstance(error.args[0], int):
        return error.args[0]
    return _errno(error.__context__) if error.__context__ else None


def _holder(device: str) -> str:
    """` (pid N)` of the process that has locked it, else has it open, where we may look."""
    with suppress(OSError, ValueError):
        pid = _locker(os.stat(device)) or _opener(os.path.realpath(device))
        return f" (pid {pid})" if pid else ""
    return ""


def _locker(device: os.stat_result) -> str:
    major, minor = os.major(device.st_dev), os.minor(device.st_dev)
    place = f"{major:02x}:{minor:02x}:{device.st_ino}"
    for line in Path("/proc/locks").read_text(encoding="ascii").splitlines():
        fields = line.split()
        if "FLOCK" in fields and place in fields and fields[4] != str(os.getpid()):
            return fields[4]
    return ""


def _opener(target: str) -> str:
    for entry in Path("/proc").glob("[0-9]*/fd/*"):
        pid = entry.parts[2]
        with suppress(OSError):
            if pid != str(os.getpid()) and os.readlink(entry) == target:
                return pid
    return ""
