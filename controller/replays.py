"""Facts that were published before: from memory while they are recent, else from the journal.

A replay serves the projection of its audience and never a view: what holds now
is in the snapshot.
"""

from collections import deque
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from controller.contract.audience import Audience, for_audience
from controller.contract.inputs import Record
from controller.contract.wire import FactMessage
from controller.journal.directory import present_segments
from controller.journal.entries import entries
from controller.journal.errors import JournalError

PAGE: Final = 500
"""Facts in one reply, far below the largest message."""
_RECENT: Final = 4_096


class Replays:
    """Remembers recent records; reads older ones from the journal, a page at a time."""

    def __init__(self, directory: Path, table: str, environment: str) -> None:
        self._directory = directory
        self._table = table
        self._environment = environment
        self._recent: deque[FactMessage] = deque(maxlen=_RECENT)
        self._older: tuple[int, Iterator[FactMessage]] | None = None
        """Where the last page from the journal ended, and how to go on from there."""

    def remember(self, record: Record) -> None:
        """Facts that have just become durable."""
        self._recent.extend(self._messages(record))

    def page(self, first: int, last: int, audience: Audience) -> tuple[FactMessage, ...]:
        """At most `PAGE` facts from `first` to `last`, as `audience` may see them."""
        found = self._from_memory(first) or self._from_journal(first, last)
        return tuple(replace(told, fact=for_audience(told.fact, audience)) for told in found)

    def _from_memory(self, first: int) -> list[FactMessage]:
        if not self._recent or first < self._recent[0].seq:
            return []
        start = first - self._recent[0].seq
        return list(islice(self._recent, start, start + PAGE))

    def _from_journal(self, first: int, last: int) -> list[FactMessage]:
        if first > last:
            return []
        if self._older is None or self._older[0] != first:
            self._older = (first, self._walk(first))
        page = list(islice(self._older[1], PAGE))
        self._older = (page[-1].seq + 1, self._older[1]) if page else None
        return page

    def _walk(self, first: int) -> Iterator[FactMessage]:
        for entry in entries(self._directory, start=self._segment_before(first)):
            if entry.record.seq >= first:
                yield from (told for told in self._messages(entry.record) if told.seq >= first)

    def _segment_before(self, first: int) -> int:
        """The first record of the last segment that begins before fact `first`."""
        found = present_segments(self._directory)
        low, high = 0, len(found) - 1
        while low < high:
            middle = (low + high + 1) // 2
            if self._seq_at(found[middle].first) < first:
                low = middle
            else:
                high = middle - 1
        return found[low].first

    def _seq_at(self, index: int) -> int:
        entry = next(entries(self._directory, start=index), None)
        if entry is None:
            raise JournalError(f"journal {self._directory}: record {index} has gone; verify it")
        return entry.record.seq

    def _messages(self, record: Record) -> Iterator[FactMessage]:
        first = record.seq - len(record.facts) + 1
        for seq, fact in enumerate(record.facts, first):
            yield FactMessage(
                table=self._table,
                environment=self._environment,
                epoch=record.epoch,
                seq=seq,
                now=record.mono,
                utc=record.utc,
                at=record.mono,
                fact=fact,
                replayed=True,
            )
