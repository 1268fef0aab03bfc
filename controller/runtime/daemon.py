"""The life of a daemon: how it stops, and what it tells systemd.

`Daemon` turns SIGTERM and SIGINT into a flag and a readable descriptor, so that
a poll loop wakes at once and leaves by its own door. `Notifier` speaks
sd_notify(3). `Watchdog` pings only while every named part makes progress: a loop
that turns without doing its work is let die.
What is not here: the loops themselves, and what counts as progress. An absent
device is a state: trying to open it *is* progress.
"""

import os
import signal
import socket
from collections.abc import Iterable, Mapping
from types import FrameType, TracebackType
from typing import Final, Self

from controller.runtime.clock import Clock

STOP_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)
_NS_PER_US: Final = 1000


class Notifier:
    """One datagram per sentence to systemd; silent when systemd did not start us."""

    def __init__(self, address: str | None) -> None:
        self._address = address.replace("@", "\0", 1) if address else None
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
        self._socket.setblocking(False)

    def ready(self) -> bool:
        """Say it after recovery and bind; a missing device is told by `status`, not waited for."""
        return self._send("READY=1")

    def status(self, text: str) -> bool:
        """One line for `systemctl status`. Never a card."""
        return self._send("STATUS=" + text.replace("\n", " "))

    def ping(self) -> bool:
        return self._send("WATCHDOG=1")

    def stopping(self) -> bool:
        return self._send("STOPPING=1")

    def extend(self, seconds: float) -> bool:
        """Ask for `seconds` more from now on, while a long start or stop makes progress."""
        return self._send(f"EXTEND_TIMEOUT_USEC={round(seconds * 1_000_000)}")

    def close(self) -> None:
        self._socket.close()

    def _send(self, sentence: str) -> bool:
        """False if it was not sent: systemd being away or slow must not stop a table."""
        if self._address is None:
            return False
        try:
            self._socket.sendto(sentence.encode(), self._address)
        except OSError:
            return False
        return True


class Watchdog:
    """Pings systemd twice per interval, if every part has moved since the last ping."""

    def __init__(
        self, notifier: Notifier, clock: Clock, interval_ns: int | None, parts: Iterable[str]
    ) -> None:
        self._notifier = notifier
        self._clock = clock
        self._half_ns = interval_ns // 2 if interval_ns else None
        self._parts = frozenset(parts)
        self._still = set(self._parts)
        self._pinged_at = clock.mono()

    def progress(self, part: str) -> None:
        """`part` has done a piece of its work (or proved that there was none to do)."""
        if part not in self._parts:
            raise ValueError(f"{part!r} is not one of the watched parts {sorted(self._parts)}")
        self._still.discard(part)
        if self._half_ns is None or self._still:
            return
        now = self._clock.mono()
        if now - self._pinged_at >= self._half_ns and self._notifier.ping():
            self._pinged_at = now
            self._still = set(self._parts)


class Daemon:
    """A process that runs until it is told to stop. Use as a context manager, in the main thread.

    `environ` is `os.environ` as `main` found it; `parts` are the names that
    `watchdog.progress` expects. Poll `stop_fd()` along with the sockets and
    leave the loop once `stopping` is true.
    """

    def __init__(self, environ: Mapping[str, str], clock: Clock, parts: Iterable[str]) -> None:
        self.notifier = Notifier(environ.get("NOTIFY_SOCKET"))
        self.watchdog = Watchdog(self.notifier, clock, _watchdog_ns(environ), parts)
        self._stopping = False
        self._wake_read, self._wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)

    @property
    def stopping(self) -> bool:
        return self._stopping

    def stop_fd(self) -> int:
        """Readable from the first stop signal on; never read it, so that it stays so."""
        return self._wake_read

    def __enter__(self) -> Self:
        # The wake-up descriptor is written by the C handler itself, so a signal
        # that lands between the look at `stopping` and the poll still ends the poll.
        self._wake_before = signal.set_wakeup_fd(self._wake_write, warn_on_full_buffer=False)
        self._handlers_before = {name: signal.signal(name, self._stop) for name in STOP_SIGNALS}
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.notifier.stopping()
        for name, handler in self._handlers_before.items():
            signal.signal(name, handler)
        signal.set_wakeup_fd(self._wake_before)
        self.notifier.close()
        os.close(self._wake_read)
        os.close(self._wake_write)

    def _stop(self, _signal: int, _frame: FrameType | None) -> None:
        self._stopping = True


def _watchdog_ns(environ: Mapping[str, str]) -> int | None:
    """The interval that systemd set for this very process, if any."""
    if environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    microseconds = environ.get("WATCHDOG_USEC", "")
    return int(microseconds) * _NS_PER_US if microseconds.isdigit() else None
