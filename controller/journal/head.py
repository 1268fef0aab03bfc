"""The note of the last append: which record was the last that others may have heard of.

It is written after each append and never synced, so it costs next to nothing
and survives the process, not the power. When it names a record that the journal
no longer has, that record was durable and may have been published: a loss, not
just a write cut short. An unreadable note says nothing.
"""

import os
import struct
from contextlib import suppress
from pathlib import Path
from typing import Final
from zlib import crc32

from controller.journal.directory import open_file
from controller.journal.format import DIGEST

_NOTE: Final = struct.Struct(f"<Q{DIGEST}s")
_CHECKED: Final = struct.Struct("<I")
FILE: Final = "head"


class HeadNote:
    """The writer's hold on the note."""

    def __init__(self, directory: Path) -> None:
        self._file = open_file(directory / FILE)

    def write(self, index: int, digest: bytes) -> None:
        note = _NOTE.pack(index, digest)
        # The record itself is already durable; a disk that fails says so at the next append.
        with suppress(OSError):
            os.pwrite(self._file, note + _CHECKED.pack(crc32(note)), 0)

    def close(self) -> None:
        os.close(self._file)


def noted_index(directory: Path) -> int | None:
    """The index of the last record that was appended, if the note can be read."""
    note = directory / FILE
    if not note.is_file():
        return None
    data = note.read_bytes()
    if len(data) != _NOTE.size + _CHECKED.size:
        return None
    noted, checksum = data[: _NOTE.size], data[_NOTE.size :]
    if checksum != _CHECKED.pack(crc32(noted)):
        return None
    index, _ = _NOTE.unpack(noted)
    return int(index)
