"""Whether a frame was just made or has waited in a queue. Pure.

A camera's driver keeps about four frames. Who reads late gets the oldest, which
may show the card before. Where the driver says when a frame was made that is
its stamp, and its age speaks for itself. Elsewhere the *waiting* tells: a read
that had to wait a normal while found the queue empty, so its frame is new; after
any pause in reading, frames that are there at once are not believed.
"""

from typing import Final

QUEUE: Final = 4
"""Frames that a driver may keep."""
PLAUSIBLE: Final = 60_000_000_000
"""A driver's time farther back than this is another clock."""
LONGEST_WAIT: Final = 500_000_000
"""A read that took longer was perhaps no wait of the camera's but a sleep of ours."""


class Freshness:
    """One opening of one source; `interval` is the time between its frames in ns."""

    def __init__(self, interval: int) -> None:
        self._interval = interval
        self._longest = max(3 * interval, LONGEST_WAIT)
        self._returned: int | None = None
        self._empty_at = 0
        """When the queue was last known to be empty: what comes at once is no older."""
        self._suspects = 0

    def stamp(self, asked: int, got: int, made: int) -> int | None:
        """When the frame of a read from `asked` to `got` was made; None: perhaps long ago."""
        if 0 < made <= got and got - made < PLAUSIBLE:
            return made
        waited = got - asked
        if self._was_away(asked, waited):
            self._suspects, self._empty_at = QUEUE + 1, got
        elif waited >= self._interval * 2 // 5:
            self._suspects, self._empty_at = 0, got
        self._returned = got
        if self._suspects:
            self._suspects -= 1
            return None
        return self._empty_at

    def _was_away(self, asked: int, waited: int) -> bool:
        if self._returned is None or waited > self._longest:
            return True
        return asked - self._returned > self._interval * 3 // 2
