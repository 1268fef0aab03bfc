"""`Journal`: the one writer. A record is durable when `append` returns, and not before.

Not here: the bytes (`format`), the files (`directory`), opening after a crash
(`recovery`), reading without writing (`walk`).

An append is one `pwrite` into blocks that were filled with zeros beforehand and
one `fdatasync`. After a write that failed nobody knows what is on the disk, so
the first failure latches: the journal takes nothing more until it is opened
again, and opening writes its last record once more before it trusts it.
A journal whose files were taken away or replaced is one that failed: what was
written to them would be found by nobody.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Self

from controller.journal.directory import (
    Segment,
    check_header,
    create_segment,
    fill_with_zeros,
    make_directory,
    open_file,
    read_segment,
    segment_path,
    take_lock,
    why_not_ours,
    write_whole,
)
from controller.journal.errors import Failure, JournalFailed, PayloadTooLarge
from controller.journal.format import (
    GENESIS,
    HEADER_BYTES,
    PAYLOAD_LIMIT,
    Header,
    SegmentWalk,
    Stored,
    digest_of,
    encode_header,
    encode_record,
)
from controller.journal.head import HeadNote
from controller.journal.recovery import End, recover, torn_tail

SEGMENT_BYTES = 8 << 20


class Journal:
    """One directory's writer, locked against every other for as long as it lives.

    `head` is the digest of the last record (32 zero bytes before the first),
    `count` the number of records, `torn` what opening had to cut.
    """

    def __init__(self, directory: Path, lock: int, end: End, segment_bytes: int) -> None:
        self.directory = directory
        self.head = end.head
        self.count = end.index
        self.torn = torn_tail(directory, end)
        self._lock = lock
        self._segment_bytes = segment_bytes
        self._segment = end.segment
        self._offset = end.offset
        self._last = end.offset
        """Where the record begins that was written last, if one was."""
        self._file = os.open(end.segment.path, os.O_RDWR)
        size = os.fstat(self._file).st_size
        fill_with_zeros(self._file, size, segment_bytes)
        os.fsync(self._file)
        self._note = HeadNote(directory)
        self._probe = open_file(directory / "probe")
        self._failure: JournalFailed | None = None

    @classmethod
    def open(cls, directory: Path, *, segment_bytes: int = SEGMENT_BYTES) -> Self:
        """Lock, recover, and stand at the end, ready to append."""
        try:
            make_directory(directory)
            lock = take_lock(directory)
        except OSError as error:
            raise JournalFailed.of(error, directory) from error
        try:
            end = recover(directory) or _begin(directory, segment_bytes)
            return cls(directory, lock, end, segment_bytes)
        except OSError as error:
            os.close(lock)
            raise JournalFailed.of(error, directory) from error
        except BaseException:
            os.close(lock)
            raise

    def append(self, payload: bytes) -> bytes:
        """Make `payload` durable as the next record; the new head."""
        record = self._encode(payload)
        try:
            written = os.pwrite(self._file, record, self._offset)
            if written != len(record):
                raise self._fail_short(written, len(record))
            os.fdatasync(self._file)
        except OSError as error:
            raise self._fail(error, self._segment.path) from error
        self._last, self._offset = self._offset, self._offset + len(record)
        return self._advance(record)

    def must_roll(self) -> bool:
        """Whether the segment is nearly full: roll soon, at a quiet moment.

        Appending beyond the end works, but growing a file is slow.
        """
        return self._segment_bytes - self._offset < self._segment_bytes // 8

    def roll(self, first_payload: bytes) -> bytes:
        """Begin a new segment with `first_payload` as its first record; the new head."""
        record = self._encode(first_payload)
        content = encode_header(Header(self.count, self.head)) + record
        following = Segment(self.count, segment_path(self.directory, self.count))
        try:
            file = create_segment(self.directory, self.count, content, self._segment_bytes)
            os.close(self._file)
        except OSError as error:
            raise self._fail(error, following.path) from error
        self._file, self._segment = file, following
        self._last, self._offset = HEADER_BYTES, len(content)
        return self._advance(record)

    def tail(self) -> Iterator[Stored]:
        """The records of the last segment, from its first on."""
        data = read_segment(self._segment)
        header = check_header(self._segment, data)
        return iter(SegmentWalk(self._segment.path.name, data, header))

    def free_bytes(self) -> int:
        """What the disk still has for us."""
        try:
            disk = os.fstatvfs(self._lock)
        except OSError as error:
            raise self._fail(error, self.directory) from error
        return disk.f_bavail * disk.f_frsize

    def probe(self) -> None:
        """Prove that the journal is still there and the disk takes a write, without a record."""
        self._check_ours()
        try:
            self._check_last()
            write_whole(self._probe, self.head, 0)
            os.fdatasync(self._probe)
        except OSError as error:
            raise self._fail(error, self.directory / "probe") from error

    def close(self) -> None:
        self._note.close()
        for descriptor in (self._file, self._probe, self._lock):
            os.close(descriptor)

    def _encode(self, payload: bytes) -> bytes:
        self._check_ours()
        if len(payload) > PAYLOAD_LIMIT:
            raise PayloadTooLarge(len(payload), PAYLOAD_LIMIT)
        return encode_record(self.head, payload)

    def _advance(self, record: bytes) -> bytes:
        self.head = digest_of(record)
        self._note.write(self.count, self.head)
        self.count += 1
        return self.head

    def _check_ours(self) -> None:
        """Refuses after a failure, and where our files are not those that others would find."""
        if self._failure:
            raise self._failure.with_traceback(None)
        least = max(self._segment_bytes, self._offset)
        held = (self._segment.path, self._file, least), (self.directory, self._lock, 0)
        for path, descriptor, size in held:
            try:
                why = why_not_ours(path, descriptor, size)
            except OSError as error:
                raise self._fail(error, path) from error
            if why:
                raise self._fail_gone(path, why)

    def _check_last(self) -> None:
        """Whether the last record that we wrote is still what the file holds."""
        size = self._offset - self._last
        if size and digest_of(os.pread(self._file, size, self._last)) != self.head:
            raise self._fail_gone(self._segment.path, "its last record is not as it was written")

    def _fail(self, error: OSError, place: Path) -> JournalFailed:
        self._failure = JournalFailed.of(error, place)
        return self._failure

    def _fail_gone(self, place: Path, why: str) -> JournalFailed:
        self._failure = JournalFailed(Failure.GONE, place, why)
        return self._failure

    def _fail_short(self, written: int, wanted: int) -> JournalFailed:
        detail = f"only {written} of {wanted} bytes were written"
        self._failure = JournalFailed(Failure.FULL, self._segment.path, detail)
        return self._failure


def _begin(directory: Path, segment_bytes: int) -> End:
    header = encode_header(Header(0, GENESIS))
    descriptor = create_segment(directory, 0, header, segment_bytes)
    os.close(descriptor)
    return End(Segment(0, segment_path(directory, 0)), HEADER_BYTES, 0, GENESIS)
