"""The newest frame, in memory shared by two processes: one writes, one reads, nobody waits.

Three places in turn: while the reader copies the newest, the writer fills the
next two before it comes to that one again. A place carries the number of its
frame; if it is another one after the copy, the copy is thrown away and the newer
frame taken. The memory has no name and is gone with its last user.
"""

import mmap
import os
import struct
from typing import Final

from drivers.camera.frame import MOST_PIXELS, Coding, Packet

PLACES: Final = 3
ROOM: Final = MOST_PIXELS * 3
"""Bytes of one place. Memory that no frame needs is never really there."""

_LATEST: Final = struct.Struct("<Q")
_PLACE: Final = struct.Struct("<QQIIIQ")
_PAGE: Final = 4096
_STEP: Final = _PAGE + -(-ROOM // _PAGE) * _PAGE
_SIZE: Final = _PAGE + PLACES * _STEP


def make_memory() -> int:
    """A descriptor of fresh memory, to be handed to the other process too."""
    descriptor = os.memfd_create("mazziere-frames", os.MFD_CLOEXEC)
    os.ftruncate(descriptor, _SIZE)
    return descriptor


class Taken:
    """One frame out of the mailbox: its number, when it was made, and its bytes."""

    __slots__ = ("number", "packet", "stamp")

    def __init__(self, number: int, stamp: int, packet: Packet) -> None:
        self.number = number
        self.stamp = stamp
        self.packet = packet


class Mailbox:
    """Either end of the memory behind `descriptor`."""

    def __init__(self, descriptor: int) -> None:
        self._memory = mmap.mmap(descriptor, _SIZE)
        self._view = memoryview(self._memory)
        self._written = 0

    def put(self, packet: Packet, stamp: int) -> None:
        """Writer's end: this is now the newest frame."""
        size = len(packet.data)
        if size > ROOM:
            raise ValueError(f"a frame of {size} bytes is larger than any camera's")
        self._written += 1
        at = self._place(self._written)
        head = (stamp, int(packet.coding), packet.width, packet.height, size)
        _PLACE.pack_into(self._view, at, 0, *head)  # 0: being written
        self._view[at + _PAGE : at + _PAGE + size] = packet.data
        _PLACE.pack_into(self._view, at, self._written, *head)
        _LATEST.pack_into(self._view, 0, self._written)

    def newest(self, after: int = 0) -> Taken | None:
        """Reader's end: the newest frame, if its number is above `after`."""
        for _ in range(PLACES):
            (number,) = _LATEST.unpack_from(self._view, 0)
            if number <= after:
                return None
            taken = self._copy(number)
            if taken is not None:
                return taken
        return None  # the writer is faster than we can copy: the next look will do

    def close(self) -> None:
        self._view.release()
        self._memory.close()

    def _copy(self, number: int) -> Taken | None:
        at = self._place(number)
        there, stamp, coding, width, height, size = _PLACE.unpack_from(self._view, at)
        if there != number or size > ROOM:
            return None
        data = bytes(self._view[at + _PAGE : at + _PAGE + size])
        if _PLACE.unpack_from(self._view, at)[0] != number:
            return None
        return Taken(number, stamp, Packet(data, Coding(coding), width, height, stamp))

    @staticmethod
    def _place(number: int) -> int:
        return _PAGE + (number % PLACES) * _STEP
