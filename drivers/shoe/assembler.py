"""From the codec's events to readings: when each began, which card it is, whether it is stale.

The codec has no clock and no deck; here both are added. A report whose first
byte came within the settling time after the line was opened is stale: it may be
an old one that waited in an adapter. The same code again within the repeat window
is one card read twice by an eager scanner, since no card can follow so fast;
protocols that number their reports know better and are left alone.
It is given times and asks no clock; numbers, spool and bus are not here.
"""

from collections import deque
from typing import Final

import msgspec

from controller.contract.cards import Card
from controller.contract.readings import ReadingKind
from drivers.shoe.codec import Codec, Event, Repeat, Report
from drivers.shoe.ladder import Ladder
from drivers.shoe.profile import Profile

MOST_CHUNKS: Final = 1024
DOUBT: Final = 20_000_000
"""Bytes that waited while the loop was stalled are read within this (ns) of its first turn."""

_MAY_BE_STALE: Final = frozenset(
    {ReadingKind.CARD, ReadingKind.FOREIGN, ReadingKind.NO_READ, ReadingKind.OUT_OF_GAME}
)
_NAMES_A_CARD: Final = frozenset({ReadingKind.CARD, ReadingKind.OUT_OF_GAME})


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """A reading that has no number yet. `stamp` is the monotonic time of its first byte."""

    kind: ReadingKind
    stamp: int
    card: Card | None = None
    code: str = ""
    missing: int = 0
    raw: bytes = b""
    device_seq: str = ""


class Timing(msgspec.Struct, frozen=True, kw_only=True):
    """The times of a line, in nanoseconds."""

    settle: int
    quiet: int
    repeat_window: int
    retry_first: int
    retry_most: int


class Assembler:
    """One opening of the line: a fresh codec and what time it is for its bytes."""

    def __init__(self, profile: Profile, timing: Timing, ladder: Ladder, opened_at: int) -> None:
        self.codec: Codec = profile.codec()
        self._profile = profile
        self._timing = timing
        self._ladder = ladder
        self._stale_until = opened_at + timing.settle
        self._chunks: deque[tuple[int, int]] = deque(maxlen=MOST_CHUNKS)
        self._received = 0
        self._last_code = ""
        self._last_stamp = 0

    def receive(self, data: bytes, stamp: int) -> list[Draft]:
        self._chunks.append((self._received, stamp))
        self._received += len(data)
        self._ladder.bytes_came()
        self.codec.receive_data(data)
        return self._drain()

    def doubt(self, until: int) -> None:
        """What came up to this time waited we do not know how long: it is stale."""
        self._stale_until = max(self._stale_until, until + DOUBT)

    def quiet(self) -> list[Draft]:
        """The line has been silent for the inter-byte limit."""
        self.codec.quiet()
        return self._drain()

    def ended(self) -> list[Draft]:
        """The line is gone: what is unfinished will not be finished."""
        drafts: list[Draft] = []
        while self.codec.pending:
            drafts += self.quiet()
        return drafts

    def _drain(self) -> list[Draft]:
        drafts = []
        while (event := self.codec.next_event()) is not None:
            draft = self._draft(event)
            if draft is not None:
                drafts.append(draft)
        if not self.codec.pending:
            self._chunks.clear()
        return drafts

    def _draft(self, event: Event) -> Draft | None:
        self._ladder.saw(event)
        if isinstance(event, Repeat):
            self._ladder.repeated()
        if not isinstance(event, Report):
            return None
        stamp = self._stamp(event.at)
        if self._is_eager_repeat(event, stamp):
            self._ladder.repeated()
            return None
        draft = self._named(event, stamp)
        if draft.kind is ReadingKind.CARD:
            self._ladder.read_card()
        if draft.kind in _MAY_BE_STALE and stamp <= self._stale_until:
            return msgspec.structs.replace(draft, kind=ReadingKind.STALE)
        return draft

    def _named(self, report: Report, stamp: int) -> Draft:
        card = self._profile.card(report.code) if report.kind in _NAMES_A_CARD else None
        is_foreign = report.kind is ReadingKind.CARD and card is None
        return Draft(
            kind=ReadingKind.FOREIGN if is_foreign else report.kind,
            stamp=stamp,
            card=card,
            code="" if card else report.code,
            missing=report.missing,
            raw=report.raw,
            device_seq=report.device_seq,
        )

    def _is_eager_repeat(self, report: Report, stamp: int) -> bool:
        code = report.code if report.kind is ReadingKind.CARD and not report.device_seq else ""
        again = (
            code != ""
            and code == self._last_code
            and stamp - self._last_stamp <= self._timing.repeat_window
        )
        self._last_code, self._last_stamp = code, stamp
        return again

    def _stamp(self, at: int) -> int:
        """When the byte at this offset came; the oldest time kept if that was long ago."""
        stamp = self._chunks[0][1]
        for offset, came in self._chunks:
            if offset > at:
                break
            stamp = came
        return stamp
