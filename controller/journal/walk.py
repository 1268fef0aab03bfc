"""Reading a journal without writing it: no lock, also while a writer runs.

`read` goes over the records in order and checks every byte of each: checksum,
chain, and that segments join without a hole. A record that a running writer has
only half written looks torn for a moment, so a fault in the last segment is
looked at again before it is believed.

Not here: cutting a torn tail (`recovery`), what payloads mean (`show`, `ledger`).
"""

import time
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from controller.journal.directory import Segment, check_header, present_segments, read_segment
from controller.journal.errors import JournalDamaged, JournalTorn
from controller.journal.format import GENESIS, Header, SegmentWalk, Stored, holds_a_record

_LOOKS: Final = 5
_BETWEEN_LOOKS: Final = 0.002


def read(directory: Path, *, start: int = 0) -> Iterator[Stored]:
    """Every record from index `start` on, up to the unwritten end."""
    found = present_segments(directory)
    begin = segment_of(found, start)
    before = Header(0, GENESIS) if begin == 0 else None
    for segment in found[begin:]:
        walk = _open_walk(segment, before)
        for stored in walk:
            if stored.index >= start:
                yield stored
        if segment is found[-1]:
            yield from _finish(segment, walk, start)
        elif walk.fault:
            raise JournalDamaged(segment.path.name, walk.end, walk.index, walk.fault)
        before = Header(walk.index, walk.head)


def segment_of(found: list[Segment], index: int) -> int:
    """Which of the segments holds, or would hold, record `index`."""
    return max(0, bisect_right([segment.first for segment in found], index) - 1)


def _open_walk(segment: Segment, before: Header | None) -> SegmentWalk:
    """A walk over `segment`, which must go on exactly where the one before ended."""
    data = read_segment(segment)
    header = check_header(segment, data)
    if before is not None and header != before:
        what = _why_apart(header, before)
        raise JournalDamaged(segment.path.name, 0, before.first, what)
    return SegmentWalk(segment.path.name, data, header)


def _why_apart(header: Header, before: Header) -> str:
    if header.first != before.first:
        return f"it begins at record {header.first}, but the segment before ends at {before.first}"
    return "it does not continue the last record of the segment before"


def _finish(segment: Segment, walk: SegmentWalk, start: int) -> Iterator[Stored]:
    """Look again at a fault at the very end: it may be a write that was under way.

    It is believed when it has not moved for some looks.
    """
    looks = 0
    while walk.fault and looks < _LOOKS:
        time.sleep(_BETWEEN_LOOKS)
        stood = walk.end
        walk = walk.again(read_segment(segment))
        for stored in walk:
            if stored.index >= start:
                yield stored
        looks = looks + 1 if walk.end == stood else 0
    if walk.fault:
        kind = JournalDamaged if holds_a_record(walk.data, walk.end) else JournalTorn
        raise kind(segment.path.name, walk.end, walk.index, walk.fault)
