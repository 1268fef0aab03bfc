"""The wire of `socket://` and `unix://` sources: pictures one after another on a stream.

Each picture is a head of 12 bytes, big-endian, then its data:

    4 bytes  length of the data, 1 .. 8,388,608
    8 bytes  CLOCK_MONOTONIC in ns when it was made, 0 if the sender cannot say
    length   one whole JPEG or PNG picture

The server speaks, the client only listens; a stream that breaks the form is
closed. Bytes in, pictures out: nothing here does I/O.
"""

import struct
from typing import Final

from drivers.camera.frame import Packet

HEAD: Final = struct.Struct(">IQ")
MOST_BYTES: Final = 8 << 20


class WireBroken(ValueError):  # noqa: N818 - a state of the stream
    """What came is not this protocol."""


def packed(picture: bytes, made: int = 0) -> bytes:
    """One picture as it goes over the wire."""
    if not 0 < len(picture) <= MOST_BYTES:
        raise ValueError(f"a picture of {len(picture)} bytes cannot be sent")
    return HEAD.pack(len(picture), made) + picture


class Unpacker:
    """The receiving end."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def receive_data(self, data: bytes) -> None:
        self._buffer += data

    def next_packet(self) -> Packet | None:
        """The next whole picture, or None: more bytes are needed."""
        if len(self._buffer) < HEAD.size:
            return None
        length, made = HEAD.unpack_from(self._buffer)
        if not 0 < length <= MOST_BYTES:
            raise WireBroken(f"a picture of {length} bytes was announced: not our protocol")
        end = HEAD.size + length
        if len(self._buffer) < end:
            return None
        data = bytes(self._buffer[HEAD.size : end])
        del self._buffer[:end]
        return Packet(data, made=made)
