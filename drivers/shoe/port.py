"""The shoe's port over time: open, read, lose, open again, without ever giving up.

It turns a device that comes and goes into a stream of drafts: each opening has
its own assembler, and an opening after an absence is itself told (`reopened`),
because cards may have passed unseen. An absent device is a state.
What is not here: the wire (`drivers.link`), the poll loop and the bus (`daemon`).
"""

from collections.abc import Callable
from typing import Final

from controller.contract.readings import ReadingKind, Rung
from controller.runtime.clock import Clock
from drivers.link import Link, LinkLost, Reason
from drivers.shoe.assembler import Assembler, Draft, Timing
from drivers.shoe.ladder import Ladder
from drivers.shoe.profile import Profile

STEADY: Final = 5
"""A line that lived this many first back-offs starts over with the shortest one."""
MOST_WAITING_READS: Final = 16
"""A device that babbles without end must not hold the loop."""


class Port:
    """One device; call `turn` whenever the poll wakes, no later than `wake_at`."""

    def __init__(
        self, open_link: Callable[[], Link], profile: Profile, timing: Timing, clock: Clock
    ) -> None:
        self.ladder = Ladder()
        self._open_link = open_link
        self._profile = profile
        self._timing = timing
        self._clock = clock
        self._link: Link | None = None
        self._assembler: Assembler | None = None
        self._missed = False  # the line was away since the session began
        self._delay = timing.retry_first
        self._retry_at = clock.mono()
        self._opened_at = 0
        self._quiet_at: int | None = None

    def fds(self) -> list[int]:
        return [] if self._link is None else [self._link.fileno()]

    def wake_at(self) -> int | None:
        return self._retry_at if self._link is None else self._quiet_at

    def turn(self, ready: set[int]) -> list[Draft]:
        """Do what is to be done now: open, read, or end a silence."""
        now = self._clock.mono()
        if self._link is None:
            return self._try_open() if now >= self._retry_at else []
        is_quiet = self._quiet_at is not None and now >= self._quiet_at
        try:
            # Before a silence is believed the line is read once more: it is we who may be late.
            if is_quiet or self._link.fileno() in ready:
                return self._read(self._link, is_quiet=is_quiet)
        except LinkLost as lost:
            return self._lose(lost)
        return []

    def doubt(self, until: int) -> None:
        """We were away: nobody knows when what came up to now was drawn."""
        if self._assembler is not None:
            self._assembler.doubt(until)

    def order(self, order: str) -> bool:
        """Give the device an order; False if it is away or its protocol has none such."""
        if self._link is None or self._assembler is None:
            return False
        if not self._assembler.codec.order(order):
            return False
        self.answer()
        return True

    def answer(self) -> None:
        """Send what the codec wants said. Call it when the drafts of the turn are kept.

        An acknowledged code is one that the scanner forgets. A line that ends
        during the write is found by the next read.
        """
        if self._link is None or self._assembler is None:
            return
        try:
            self._link.write(self._assembler.codec.data_to_send())
        except LinkLost:
            return

    def close(self) -> None:
        if self._link is not None:
            self._link.close()
            self._link = None

    def _try_open(self) -> list[Draft]:
        try:
            self._link = self._open_link()
        except LinkLost as lost:
            self._away(lost)
            return []
        self._opened_at = self._clock.mono()
        self.ladder.opened()
        self._assembler = Assembler(self._profile, self._timing, self.ladder, self._opened_at)
        told = [Draft(kind=ReadingKind.REOPENED, stamp=self._opened_at)] if self._missed else []
        try:
            return told + self._read_waiting(self._link, self._assembler)
        except LinkLost as lost:
            return told + self._lose(lost)

    def _read_waiting(self, link: Link, assembler: Assembler) -> list[Draft]:
        """What was there before us came, as far as anyone can tell, when we opened: stale."""
        drafts: list[Draft] = []
        for _ in range(MOST_WAITING_READS):
            data = link.read()
            if not data:
                break
            drafts += assembler.receive(data, self._opened_at)
            self._quiet_at = self._opened_at + self._timing.quiet
        return drafts

    def _read(self, link: Link, *, is_quiet: bool) -> list[Draft]:
        assert self._assembler is not None  # noqa: S101 - it lives as long as the link
        data, now = link.read(), self._clock.mono()
        drafts: list[Draft] = []
        if data:
            drafts = self._assembler.receive(data, now)
            self._quiet_at = now + self._timing.quiet
        elif is_quiet:
            drafts = self._assembler.quiet()
            still = self._assembler.codec.pending
            self._quiet_at = now + self._timing.quiet if still else None
        return drafts

    def _lose(self, lost: LinkLost) -> list[Draft]:
        drafts = self._assembler.ended() if self._assembler else []
        lived = self._clock.mono() - self._opened_at
        if lived >= STEADY * self._timing.retry_first:
            self._delay = self._timing.retry_first
        self.close()
        self._assembler, self._quiet_at = None, None
        self._away(lost)
        return drafts

    def _away(self, lost: LinkLost) -> None:
        self._missed = True
        rung = Rung.ABSENT if lost.reason is Reason.GONE else Rung.REFUSED
        self.ladder.lost(rung, str(lost))
        self._retry_at = self._clock.mono() + self._delay
        self._delay = min(2 * self._delay, self._timing.retry_most)
