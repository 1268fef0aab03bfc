"""Time: monotonic for order and deadlines, UTC for records, and how far UTC may be trusted.

Everything that needs the time is given a `Clock`; only `SystemClock` asks the
machine. Whether the wall clock is synchronised is a separate, slower question
(`ClockHealth`): the answer is written beside the times, and never used to order
anything. What is not here: deadlines and windows (`controller.table`).
"""

import ctypes
import time
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Final, Protocol

import msgspec

NANOSECONDS: Final = 1_000_000_000
"""In a second."""

_BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")
_TIMESYNCD_FLAG: Final = Path("/run/systemd/timesync/synchronized")
_TIME_ERROR: Final = 5
"""What adjtimex(2) returns while the kernel's clock is not disciplined by anyone."""
_TIMEX_ROOM: Final = 512
"""struct timex is 208 bytes on 64-bit Linux; all zeros means "only read"."""


class Clock(Protocol):
    """Where time comes from."""

    def mono(self) -> int:
        """CLOCK_MONOTONIC in nanoseconds: comparable between processes of one boot."""
        ...

    def utc(self) -> int:
        """Nanoseconds since the Unix epoch; may jump."""
        ...


class SystemClock:
    """The machine's own clocks."""

    def mono(self) -> int:
        return time.clock_gettime_ns(time.CLOCK_MONOTONIC)

    def utc(self) -> int:
        return time.time_ns()


class Sync(StrEnum):
    """Whether somebody keeps the wall clock right."""

    SYNCED = "synced"
    UNSYNCED = "unsynced"
    UNKNOWN = "unknown"


class ClockQuality(msgspec.Struct, frozen=True):
    """Whether the wall clock is right, and who says so."""

    sync: Sync
    source: str


def ask_machine() -> ClockQuality:
    """The kernel knows (whoever disciplines it); where it may not be asked, timesyncd's flag."""
    kernel = _adjtimex()
    if kernel is not None:
        return ClockQuality(Sync.UNSYNCED if kernel == _TIME_ERROR else Sync.SYNCED, "adjtimex")
    if _TIMESYNCD_FLAG.exists():
        return ClockQuality(Sync.SYNCED, "systemd-timesyncd")
    return ClockQuality(Sync.UNKNOWN, "nobody to ask")


def _adjtimex() -> int | None:
    """The kernel's clock state, or None where the call is missing or forbidden."""
    try:
        state = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(_TIMEX_ROOM))
    except (OSError, AttributeError):
        return None
    return int(state) if state >= 0 else None


class ClockHealth:
    """The quality of the wall clock, asked again only every few seconds."""

    def __init__(
        self,
        clock: Clock,
        ask: Callable[[], ClockQuality] = ask_machine,
        keep_ns: int = 5 * NANOSECONDS,
    ) -> None:
        self._clock = clock
        self._ask = ask
        self._keep_ns = keep_ns
        self._known = ask()
        self._asked_at = clock.mono()

    def quality(self) -> ClockQuality:
        now = self._clock.mono()
        if now - self._asked_at >= self._keep_ns:
            self._known = self._ask()
            self._asked_at = now
        return self._known


def boot_id() -> str:
    """Which boot this is: monotonic stamps of another boot cannot be compared with ours."""
    return _BOOT_ID.read_text(encoding="ascii").strip()
