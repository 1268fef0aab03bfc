"""The bytes of a journal on disk: a segment's header and its records. Pure.

Segment = header, records, zeros. Header (56 bytes, little endian): magic,
version, index of the first record, digest of the record before it, CRC-32 of
all that. Record: u32 length of the body, u32 CRC-32 over the length and the
body, body = digest of the record before + payload. A digest is the SHA-256 of a
whole record, so each one vouches for everything before it; the record before
the first has 32 zero bytes. A length of zero ends the written part.

To change a layout, raise VERSION and teach `decode_header` both.
"""

import struct
from collections.abc import Iterator
from hashlib import sha256
from typing import Final, NamedTuple
from zlib import crc32

import msgspec

MAGIC: Final = b"MAZZIERE"
VERSION: Final = 1
DIGEST: Final = 32
GENESIS: Final = bytes(DIGEST)
PAYLOAD_LIMIT: Final = 1 << 20

_HEADER: Final = struct.Struct("<8sIQ32sI")
_PREFIX: Final = struct.Struct("<II")
_LENGTH: Final = struct.Struct("<I")
HEADER_BYTES: Final = _HEADER.size
PREFIX_BYTES: Final = _PREFIX.size
RECORD_LIMIT: Final = PREFIX_BYTES + DIGEST + PAYLOAD_LIMIT


class Header(NamedTuple):
    """What a segment says of itself: its first record's index and the digest before it."""

    first: int
    before: bytes


class Stored(msgspec.Struct, frozen=True, gc=False):
    """One whole record and where it lies."""

    index: int
    segment: str
    offset: int
    payload: bytes
    digest: bytes


def encode_header(header: Header) -> bytes:
    unsealed = _HEADER.pack(MAGIC, VERSION, header.first, header.before, 0)[: -_LENGTH.size]
    return unsealed + _LENGTH.pack(crc32(unsealed))


def decode_header(data: bytes) -> Header | str:
    """The header at the start of `data`, or what is wrong with it."""
    if len(data) < HEADER_BYTES:
        return "its header is cut short"
    magic, version, first, before, checksum = _HEADER.unpack_from(data)
    if magic != MAGIC:
        return "it does not begin as a journal segment"
    if version != VERSION:
        return f"its format version {version} is not known to this program, which writes {VERSION}"
    if checksum != crc32(data[: HEADER_BYTES - _LENGTH.size]):
        return "its header's checksum does not match"
    return Header(first, before)


def header_may_be_torn(data: bytes) -> bool:
    """Whether the header's write may have been cut short; another version's never is."""
    if len(data) < HEADER_BYTES:
        return True
    magic, version, _, _, checksum = _HEADER.unpack_from(data)
    if magic == MAGIC and version not in (0, VERSION):
        return False
    return bool(checksum != crc32(data[: HEADER_BYTES - _LENGTH.size]))


def encode_record(before: bytes, payload: bytes) -> bytes:
    length = _LENGTH.pack(DIGEST + len(payload))
    checksum = crc32(payload, crc32(before, crc32(length)))
    return b"".join((length, _LENGTH.pack(checksum), before, payload))


def digest_of(record: bytes | memoryview) -> bytes:
    return sha256(record).digest()


class SegmentWalk:
    """Goes over the records in one segment's bytes, and then says where and why it stopped.

    `last`, `end`, `index` and `head` always speak of the last whole record: its
    offset, the offset after it, the index of the next one, its digest. Before
    the first record they speak of the header. `fault` is None when the rest is
    unwritten, else what is wrong at `end`.
    """

    def __init__(self, segment: str, data: bytes, header: Header) -> None:
        self.segment = segment
        self.data = data
        self.last = 0
        self.end = HEADER_BYTES
        self.index = header.first
        self.head = header.before
        self.fault: str | None = None

    def __iter__(self) -> Iterator[Stored]:
        view = memoryview(self.data)
        size = len(view)
        while self.end + PREFIX_BYTES <= size:
            start = self.end
            length, checksum = _PREFIX.unpack_from(view, start)
            stop = start + PREFIX_BYTES + length
            if stop > size or not _is_whole(view, start, stop, checksum):
                break
            if not self.data.startswith(self.head, start + PREFIX_BYTES):
                self.fault = "it does not continue the record before it"
                return
            payload = bytes(view[start + PREFIX_BYTES + DIGEST : stop])
            digest = sha256(view[start:stop]).digest()
            index = self.index
            self.last, self.end, self.index, self.head = start, stop, index + 1, digest
            yield Stored(index, self.segment, start, payload, digest)
        self.fault = self._why_it_stops()

    def again(self, data: bytes) -> "SegmentWalk":
        """A walk that goes on from here over newer bytes of the same segment."""
        walk = SegmentWalk(self.segment, data, Header(self.index, self.head))
        walk.last, walk.end = self.last, self.end
        return walk

    def _why_it_stops(self) -> str | None:
        rest = self.data[self.end :]
        if rest == bytes(len(rest)):
            return None
        if len(rest) < PREFIX_BYTES:
            return "it is cut short"
        length, _ = _PREFIX.unpack_from(rest)
        if length == 0:
            return "zeros stand where it should begin, and bytes follow"
        if not DIGEST <= length <= DIGEST + PAYLOAD_LIMIT:
            return f"its length {length} cannot be"
        if PREFIX_BYTES + length > len(rest):
            return "it runs past the end of the segment"
        return "its checksum does not match"


def holds_a_record(data: bytes, start: int) -> bool:
    """Whether a whole record lies at or anywhere after `start`, or more than one write left.

    One append writes one record, so bytes beyond the largest possible record
    mean that more was written once. A payload cannot imitate a record: it is
    JSON, which has no NUL byte, and every length has one.
    """
    written = len(data.rstrip(b"\0"))
    if written - start > RECORD_LIMIT:
        return True
    view = memoryview(data)
    for at in range(start, min(written, len(data) - PREFIX_BYTES)):
        length, checksum = _PREFIX.unpack_from(view, at)
        stop = at + PREFIX_BYTES + length
        if stop <= len(data) and _is_whole(view, at, stop, checksum):
            return True
    return False


def _is_whole(view: memoryview, start: int, stop: int, checksum: int) -> bool:
    body = start + PREFIX_BYTES
    if not DIGEST <= stop - body <= DIGEST + PAYLOAD_LIMIT:
        return False
    return crc32(view[body:stop], crc32(view[start : start + _LENGTH.size])) == checksum
