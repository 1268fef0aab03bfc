"""The files of one journal: what they are called, who may read them, how one is made.

`0000000000000000.seg`  a segment, named by the index of its first record
`lock`                  says which process holds the directory's lock; holds nothing itself
`head`                  index and digest of the last append, a note never synced
`probe`                 rewritten to see whether the disk still takes a write
`torn-…`                bytes that were cut from the end after a crash
`next.tmp`              a segment being made; without meaning after a crash

All are 0600 in a 0700 directory, for they hold hidden cards. A segment appears
under its name only when header and first record are on the disk, so a crash
never leaves half a segment behind.
"""

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from controller.journal.errors import JournalBusy, JournalDamaged, JournalMissing
from controller.journal.format import HEADER_BYTES, Header, decode_header

_ZEROS: Final = bytes(1 << 20)
_SUFFIX: Final = ".seg"
_DIGITS: Final = 16
_FILE_MODE: Final = 0o600
_DIRECTORY_MODE: Final = 0o700


class Segment(NamedTuple):
    """A segment file and the index of its first record, as its name says."""

    first: int
    path: Path


def make_directory(directory: Path) -> None:
    if directory.is_dir():
        return
    directory.mkdir(mode=_DIRECTORY_MODE, parents=True)
    sync_directory(directory.parent)


def segments(directory: Path) -> list[Segment]:
    """Every segment of the journal, oldest first; empty where nothing was written yet."""
    names = sorted(directory.glob(f"{'[0-9]' * _DIGITS}{_SUFFIX}"))
    return [Segment(int(path.stem), path) for path in names]


def present_segments(directory: Path) -> list[Segment]:
    """As `segments`, but refuses a directory that holds no journal, or not from its beginning."""
    found = segments(directory)
    if not found:
        raise JournalMissing(directory)
    if found[0].first != 0:
        what = "the segments before it are missing"
        raise JournalDamaged(found[0].path.name, 0, found[0].first, what)
    return found


def segment_path(directory: Path, first: int) -> Path:
    return directory / f"{first:0{_DIGITS}d}{_SUFFIX}"


def read_segment(segment: Segment) -> bytes:
    _check_file(segment)
    return segment.path.read_bytes()


def read_header(segment: Segment) -> Header:
    _check_file(segment)
    with segment.path.open("rb") as file:
        return check_header(segment, file.read(HEADER_BYTES))


def _check_file(segment: Segment) -> None:
    """Before it is opened: a pipe would never open, a device never end."""
    if not segment.path.is_file():
        what = "it is no file (a directory, a device, or a link to nothing)"
        raise JournalDamaged(segment.path.name, 0, segment.first, what)


def check_header(segment: Segment, data: bytes) -> Header:
    header = decode_header(data)
    if isinstance(header, Header) and header.first != segment.first:
        header = f"it says that it begins at record {header.first}, its name says otherwise"
    if isinstance(header, str):
        raise JournalDamaged(segment.path.name, 0, segment.first, header)
    return header


def open_file(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT, _FILE_MODE)


def take_lock(directory: Path) -> int:
    """The descriptor that holds the lock; closing it, or dying, lets go.

    The directory itself is locked: a file in it could be removed and made anew.
    """
    lock = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    note = directory / "lock"
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        holder = note.read_bytes()[:32] if note.is_file() else b""
        raise JournalBusy(directory, holder.decode("ascii", "replace").strip()) from None
    with suppress(OSError):
        note.unlink(missing_ok=True)
        descriptor = open_file(note)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        os.close(descriptor)
    return lock


def why_not_ours(path: Path, descriptor: int, least: int) -> str:
    """Why what stands at `path` is not what is open here, or not whole any more; else nothing."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return "it has gone"
    if not os.path.samestat(found, os.fstat(descriptor)):
        return "something else stands in its place"
    if found.st_size < least:
        return f"it was cut to {found.st_size} bytes"
    return ""


def create_segment(directory: Path, first: int, content: bytes, size: int) -> int:
    """A new segment that begins with `content`, durable under its name; its open descriptor."""
    making = directory / "next.tmp"
    making.unlink(missing_ok=True)
    descriptor = open_file(making)
    try:
        fill_with_zeros(descriptor, 0, max(size, len(content)))
        write_whole(descriptor, content, 0)
        os.fsync(descriptor)
        making.rename(segment_path(directory, first))
        sync_directory(directory)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def fill_with_zeros(descriptor: int, start: int, stop: int) -> None:
    """Real zeros: a commit into blocks that are merely reserved costs a filesystem journal commit.

    They are reserved first, so that a full disk says so here and not at an append.
    """
    if stop <= start:
        return
    os.posix_fallocate(descriptor, start, stop - start)
    for at in range(start, stop, len(_ZEROS)):
        write_whole(descriptor, _ZEROS[: stop - at], at)


def write_whole(descriptor: int, data: bytes, at: int) -> None:
    """For preparations, which may take several writes; an append may not."""
    done = 0
    while done < len(data):
        done += os.pwrite(descriptor, memoryview(data)[done:], at + done)


def keep_bytes(directory: Path, name: str, data: bytes) -> Path:
    """Put `data` aside, durably, under `name`; another's bytes are never overwritten."""
    path = directory / name
    attempt = 1
    while path.exists() and path.read_bytes() != data:
        attempt += 1
        path = directory / f"{name}-{attempt}"
    descriptor = open_file(path)
    try:
        write_whole(descriptor, data, 0)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    sync_directory(directory)
    return path


def sync_directory(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
