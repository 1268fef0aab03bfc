"""What every shoe codec promises: bytes in, events out, no I/O and no clock.

Feed `receive_data` with whatever a read returned, call `next_event` until it
says None ("I need more bytes"), send what `data_to_send` gives. The owner of the
clock calls `quiet` when the line has been silent for the inter-byte limit: an
unfinished frame is then dropped, and a damaged report that nothing repaired
becomes a no-read, because a card may have passed.

Every event knows `at`, the offset in the stream of its first byte, so that the
owner of the clock can tell when that byte came.
What is not here: any wire format (one module each), any card (`profile`).
"""

from abc import ABC, abstractmethod
from collections import deque
from typing import Final

import msgspec

from controller.contract.readings import ReadingKind

DAMAGED: Final = "damaged"
"""Code of a no-read that was made of a report damaged beyond repair."""

MAX_RAW: Final = 512
"""Most bytes of garbage that are kept as evidence; the rest is counted, not kept."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The device reported something that must never be lost.

    `code` is the reader's own word for the card or fault. `checked` is false for
    a no-read made of bytes that passed no check: such a report proves nothing
    about the line.
    """

    kind: ReadingKind
    raw: bytes
    at: int
    code: str = ""
    missing: int = 0
    device_seq: str = ""
    checked: bool = True


class Repeat(msgspec.Struct, frozen=True, kw_only=True):
    """One more copy of a report that was already told."""

    raw: bytes
    at: int


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """A valid frame that says nothing about a card: standby, lock changed, a scanner's event."""

    what: str
    raw: bytes
    at: int


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What the device said to an order; `why` is empty when it obeyed."""

    order: str
    why: str
    raw: bytes
    at: int


class Rejected(msgspec.Struct, frozen=True, kw_only=True):
    """Bytes thrown away. `framed` says that they looked like a frame and failed its check."""

    why: str
    raw: bytes
    at: int
    framed: bool = False


Event = Report | Repeat | Notice | Answer | Rejected


class Damage:
    """The rejected bytes that no good report has explained yet: a card may hide in them."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self.raw = b""
        self.at = 0
        self.length = 0

    def add(self, raw: bytes, at: int) -> None:
        if not self.length:
            self.at = at
        self.length += len(raw)
        self.raw += raw[: MAX_RAW - len(self.raw)]

    def __bool__(self) -> bool:
        return self.length > 0


class Codec(ABC):
    """One protocol's two directions. A subclass adds the wire's rules and keeps the promise."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._offset = 0
        self._events: deque[Event] = deque()
        self._outgoing = bytearray()
        self._damage = Damage()

    def receive_data(self, data: bytes) -> None:
        self._buffer += data

    def next_event(self) -> Event | None:
        while not self._events:
            if not self._buffer or not self._step():
                return None
        return self._events.popleft()

    def data_to_send(self) -> bytes:
        outgoing = bytes(self._outgoing)
        self._outgoing.clear()
        return outgoing

    @property
    def pending(self) -> bool:
        """Whether `quiet` has something to decide when the line stays silent."""
        return bool(self._buffer or self._damage)

    @abstractmethod
    def quiet(self) -> None:
        """The line has been silent for the inter-byte limit (call after `next_event` gave None)."""

    def order(self, order: str) -> bool:
        """Queue a command for the device; False if the protocol has none for it."""
        del order
        return False

    @abstractmethod
    def _step(self) -> bool:
        """Consume a frame or some garbage and say True, or consume nothing and say False."""

    def _take(self, length: int) -> tuple[bytes, int]:
        raw, at = bytes(self._buffer[:length]), self._offset
        del self._buffer[:length]
        self._offset += length
        return raw, at

    def _reject(self, length: int, why: str, *, framed: bool = False) -> None:
        raw, at = self._take(length)
        self._damage.add(raw, at)
        self._events.append(Rejected(why=why, raw=raw[:MAX_RAW], at=at, framed=framed))

    def _tell_damage(self) -> None:
        raw, at = self._damage.raw, self._damage.at
        self._damage.clear()
        self._events.append(
            Report(kind=ReadingKind.NO_READ, code=DAMAGED, raw=raw, at=at, checked=False)
        )
