"""Finding the end of a journal after a crash, and cutting a torn tail back to it.

Blocks of one write may reach the disk in any order, so a record whose write was
cut short may be any mix of old zeros and new bytes. What tells a torn tail from
damage is what follows: an append begins only when the one before it is durable,
so a torn record is the last, and nothing whole can lie after it. Anything else
is damage and is never touched.

A flipped byte in the very last record looks the same as a torn one. It is cut
too, but its bytes are kept, the cut is reported, and `published` says when the
record had been durable once. A cut is reported at every opening until a record
stands in its place, so that a second crash cannot silence the first.

More than one durable record missing is no torn tail: a record is durable before
it is noted, and the one after it begins later. Such a journal is not opened.
"""

import os
from pathlib import Path

import msgspec

from controller.journal.directory import (
    Segment,
    check_header,
    fill_with_zeros,
    keep_bytes,
    present_segments,
    read_header,
    read_segment,
    segments,
    sync_directory,
    write_whole,
)
from controller.journal.errors import JournalDamaged, RecordsMissing
from controller.journal.format import HEADER_BYTES, SegmentWalk, header_may_be_torn, holds_a_record
from controller.journal.head import noted_index


class TornTail(msgspec.Struct, frozen=True):
    """What was cut from the end: `size` bytes at `offset` of `segment`, kept in `kept`.

    `index` is the record that is gone. `published`: it had been durable, so
    others may have heard of it. `kept` is None if no byte was left.
    """

    segment: str
    offset: int
    index: int
    size: int
    kept: Path | None
    published: bool

    def __str__(self) -> str:
        place = f"at byte {self.offset} of {self.segment}, record {self.index}"
        words = f"{self.size} bytes cut {place}" if self.size else f"the journal ends {place}"
        if self.published:
            words += f"; record {self.index} had been written and may have been published"
        return words + (f"; the bytes are kept in {self.kept.name}" if self.kept else "")


class End(msgspec.Struct, frozen=True):
    """Where the next record goes."""

    segment: Segment
    offset: int
    index: int
    head: bytes


def recover(directory: Path) -> End | None:
    """The end of the journal, its torn tail cut; None if there is no journal here yet."""
    (directory / "next.tmp").unlink(missing_ok=True)
    if not segments(directory):
        _refuse_if_emptied(directory)
        return None
    *older, last = present_segments(directory)
    for segment in older:
        read_header(segment)
    data = read_segment(last)
    if _never_began(last, data):
        return _set_aside(directory, older, last, data)
    walk = SegmentWalk(last.path.name, data, check_header(last, data))
    _go_to_end(walk)
    if walk.fault and holds_a_record(data, walk.end):
        raise JournalDamaged(last.path.name, walk.end, walk.index, walk.fault)
    _refuse_if_short(directory, walk.index)
    if walk.fault:
        _cut(directory, last, walk)
    _rewrite_end(last, walk)
    return End(last, walk.end, walk.index, walk.head)


def _refuse_if_short(directory: Path, count: int) -> None:
    noted = noted_index(directory)
    if noted is not None and noted > count:
        why = f"records {count} to {noted} had been written and may have been published"
        raise RecordsMissing(count, why)


def _refuse_if_emptied(directory: Path) -> None:
    """No segment is left: they were taken away, unless we ourselves set the only one aside."""
    noted = noted_index(directory)
    if noted is not None and (noted or _kept_at(directory, 0) is None):
        raise RecordsMissing(0, f"records up to {noted} had been written to it")


def _never_began(segment: Segment, data: bytes) -> bool:
    """Whether not even the first record is there, and no trace that it ever was followed.

    A segment is durable before it is named, so this takes a disk that lied.
    The very first segment begins without a record: only its header counts.
    """
    if header_may_be_torn(data):
        return not holds_a_record(data, 0)
    walk = SegmentWalk(segment.path.name, data, check_header(segment, data))
    if segment.first == 0 or next(iter(walk), None):
        return False
    return not holds_a_record(data, HEADER_BYTES)


def _set_aside(directory: Path, older: list[Segment], last: Segment, data: bytes) -> End | None:
    written = data.rstrip(b"\0")
    if not older:
        _refuse_if_short(directory, 0)
        keep_bytes(directory, _kept_name(0, last.first, 0), written)
        last.path.unlink()
        sync_directory(directory)
        return None
    before = older[-1]
    content = read_segment(before)
    walk = SegmentWalk(before.path.name, content, check_header(before, content))
    _go_to_end(walk)
    if walk.fault or walk.index != last.first:
        what = walk.fault or f"records up to {last.first} are missing"
        raise JournalDamaged(before.path.name, walk.end, walk.index, what)
    _refuse_if_short(directory, walk.index)
    keep_bytes(directory, _kept_name(walk.index, last.first, 0), written)
    last.path.unlink()
    sync_directory(directory)
    return End(before, walk.end, walk.index, walk.head)


def _go_to_end(walk: SegmentWalk) -> None:
    for _ in walk:
        pass


def _cut(directory: Path, segment: Segment, walk: SegmentWalk) -> None:
    torn = walk.data[walk.end :].rstrip(b"\0")
    keep_bytes(directory, _kept_name(walk.index, segment.first, walk.end), torn)
    descriptor = os.open(segment.path, os.O_RDWR)
    try:
        fill_with_zeros(descriptor, walk.end, walk.end + len(torn))
        os.fdatasync(descriptor)
    finally:
        os.close(descriptor)


def _rewrite_end(segment: Segment, walk: SegmentWalk) -> None:
    """Write the last record once more and sync.

    A process that died between write and sync, or a sync that failed, leaves a
    record that can be read and is not on the disk.
    """
    descriptor = os.open(segment.path, os.O_RDWR)
    try:
        write_whole(descriptor, walk.data[walk.last : walk.end], walk.last)
        os.fdatasync(descriptor)
    finally:
        os.close(descriptor)
    sync_directory(segment.path.parent)


def torn_tail(directory: Path, end: End) -> TornTail | None:
    """What is missing at this end: bytes that were kept from here, or a record that was noted."""
    noted = noted_index(directory)
    published = noted is not None and noted >= end.index
    kept = _kept_at(directory, end.index)
    if kept is None:
        name = end.segment.path.name
        return TornTail(name, end.offset, end.index, 0, None, True) if published else None
    _, _, first, offset, *_ = kept.name.split("-")
    size = kept.stat().st_size
    return TornTail(f"{first}.seg", int(offset), end.index, size, kept, published)


def _kept_name(index: int, first: int, offset: int) -> str:
    return f"torn-{index:016d}-{first:016d}-{offset}"


def _kept_at(directory: Path, index: int) -> Path | None:
    """The newest bytes that were cut where record `index` should stand."""
    found = sorted(directory.glob(f"torn-{index:016d}-*"), key=lambda path: path.stat().st_mtime_ns)
    return found[-1] if found else None
