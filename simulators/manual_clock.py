"""A clock that stands still until it is told to move, for tests of deadlines and pauses."""

from typing import Final

from controller.runtime.clock import NANOSECONDS

_START: Final = 1_000 * NANOSECONDS
_START_UTC: Final = 1_790_000_000 * NANOSECONDS


class ManualClock:
    """Keeps the promise of `controller.runtime.clock.Clock`; both times move together."""

    def __init__(self, mono: int = _START, utc: int = _START_UTC) -> None:
        self._mono = mono
        self._utc = utc

    def mono(self) -> int:
        return self._mono

    def utc(self) -> int:
        return self._utc

    def advance(self, seconds: float = 0.0, *, ns: int = 0) -> int:
        """Let time pass, exactly; returns the new monotonic time."""
        step = round(seconds * NANOSECONDS) + ns
        if step < 0:
            raise ValueError("a monotonic clock does not go back")
        self._mono += step
        self._utc += step
        return self._mono

    def set_utc(self, utc: int) -> None:
        """Somebody sets the wall clock: the monotonic one does not care."""
        self._utc = utc
