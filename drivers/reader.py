"""What every card reader promises the controller: numbered readings, kept until they are durable.

`Outbox` is that promise, shared by all readers: number a reading, spool it, send
it, keep it, send it again in order until it is acknowledged, over a crash of
either side. What a reading says, and how it was made, is its driver's business.

The order on the wire is always the same: what older sessions left, then Hello
(until the controller of this epoch has answered), then this session's readings.
A send that finds no controller stops the sending, so that nothing overtakes.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Protocol

from msgspec.structs import replace

from controller.contract.readings import (
    Ack,
    FromReader,
    Hello,
    ReaderStatus,
    Reading,
    ToReader,
    Welcome,
)
from controller.runtime.clock import Clock

RESEND_NS: Final = 500_000_000
RESEND_MOST_NS: Final = 5_000_000_000
WINDOW: Final = 500
"""Readings sent at once; the rest follows when these are acknowledged."""


def new_session(clock: Clock, token: str) -> str:
    """A name that sorts by age in the spool and is never used again."""
    return f"{clock.utc():020d}-{token}"


class ReaderBus(Protocol):
    """The reader's end of the bus; nothing here blocks but `wait`."""

    def send(self, message: FromReader) -> bool: ...

    def receive(self) -> Iterator[ToReader]: ...

    def wait(self, fds: Sequence[int], timeout_ms: int) -> set[int]: ...

    def close(self) -> None: ...


class Spool(Protocol):
    """Where readings outlive the process."""

    def leftovers(self) -> Iterable[Reading]:
        """What older sessions left, oldest first."""
        ...

    def append(self, reading: Reading) -> None:
        """Keep it; never fails, a disk that refuses is told elsewhere."""
        ...

    def forget(self, session: str, n: int) -> None:
        """Everything of `session` up to `n` is durable."""
        ...


class Outbox:
    """The readings of this session and what is left of older ones, until acknowledged."""

    def __init__(
        self, reader: str, session: str, boot: str, bus: ReaderBus, spool: Spool, clock: Clock
    ) -> None:
        self._hello = Hello(reader=reader, session=session, boot=boot)
        self._bus = bus
        self._spool = spool
        self._clock = clock
        self._older = list(spool.leftovers())
        self._kept: list[Reading] = []
        self._n = 0
        self._epoch: str | None = None
        self._greeted = False  # the controller of this epoch has been sent our Hello
        self._behind = False  # something was not sent: nothing newer may overtake it
        self._window_end = ("", 0)  # the last reading that was sent while behind
        self._interval = RESEND_NS
        self._due = 0

    @property
    def unacknowledged(self) -> int:
        return len(self._older) + len(self._kept)

    @property
    def next_n(self) -> int:
        return self._n + 1

    def open(self) -> None:
        """Call once at the start: what is left of older sessions, then Hello."""
        self._send_all()

    def post(self, reading: Reading) -> None:
        """Spool and send a reading that has the number `next_n`."""
        if reading.n != self._n + 1:
            raise ValueError(f"reading {reading.n} does not follow {self._n}")
        self._n = reading.n
        self._spool.append(reading)
        if not self.unacknowledged:
            self._plan_resend()
        self._kept.append(reading)
        if not self._behind:
            self._behind = len(self._kept) > WINDOW or not self._bus.send(reading)

    def report(self, status: ReaderStatus) -> None:
        """Send a status; it may be lost."""
        self._bus.send(status)

    def hear(self, message: Ack | Welcome) -> None:
        if isinstance(message, Welcome):
            self._welcome(message.epoch)
        else:
            self._acknowledge(message)

    def resend_at(self) -> int | None:
        """When `tick` has something to do (monotonic ns)."""
        return self._due if self.unacknowledged or self._behind else None

    def tick(self) -> None:
        """Send again what should have been acknowledged by now, ever more rarely."""
        due = self.resend_at()
        if due is None or self._clock.mono() < due:
            return
        self._interval = min(2 * self._interval, RESEND_MOST_NS)
        self._send_all()

    def _welcome(self, epoch: str) -> None:
        news = epoch != self._epoch
        if news:
            self._epoch, self._greeted = epoch, False
        if news or self._behind:
            self._interval = RESEND_NS
            self._send_all()

    def _acknowledge(self, ack: Ack) -> None:
        before = self.unacknowledged
        window_done = self._behind and (ack.session, ack.n) == self._window_end
        if ack.session == self._hello.session:
            self._kept = [reading for reading in self._kept if reading.n > ack.n]
        else:
            self._older = [
                reading
                for reading in self._older
                if reading.session != ack.session or reading.n > ack.n
            ]
        self._spool.forget(ack.session, ack.n)
        if self.unacknowledged < before:
            self._interval = RESEND_NS
            self._plan_resend()
        if window_done:
            self._send_all()

    def _plan_resend(self) -> None:
        self._due = self._clock.mono() + self._interval

    def _send_all(self) -> None:
        self._plan_resend()
        older = self._older[:WINDOW]
        through = len(older) == len(self._older)
        kept = self._kept[:WINDOW] if through else []  # nothing overtakes an older session
        for reading in [*older, *kept][-1:]:
            self._window_end = (reading.session, reading.n)
        sent = self._send_each(older) and through and self._greet() and self._send_each(kept)
        self._behind = not sent or len(kept) < len(self._kept)

    def _send_each(self, readings: list[Reading]) -> bool:
        return all(self._bus.send(reading) for reading in readings)

    def _greet(self) -> bool:
        first = self._kept[0].n if self._kept else self.next_n
        self._greeted = self._greeted or self._bus.send(replace(self._hello, first=first))
        return self._greeted
