"""A picture and when it was made; what a source delivers, and how that becomes a picture.

A source delivers either an encoded picture (JPEG, PNG: a camera in MJPG mode
gives these, and only the newest is ever decoded) or the bare points of a film.
What is not here: where they come from (`capture`, `sources`).
"""

import struct
import zlib
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, TypeAlias

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

Image: TypeAlias = NDArray[np.uint8]
"""Height x width x 3: blue, green, red."""

MOST_PIXELS: Final = 4096 * 2304
"""Beyond any camera we know; a picture that claims more is refused unread."""
LEAST_SIDE: Final = 64


class Undecodable(ValueError):  # noqa: N818 - what the bytes are
    """These bytes are no picture that can be used; `str` says why."""


class Coding(IntEnum):
    """What the bytes of a packet are."""

    ENCODED = 1
    BGR = 2


class Mode(msgspec.Struct, frozen=True):
    """What a camera is asked for, or what it granted. Zeros: the source does not say."""

    width: int = 0
    height: int = 0
    fps: float = 0.0
    fourcc: str = ""


class Opened(msgspec.Struct, frozen=True):
    """What a source says of itself once it is open.

    `live`: it never shows the very same picture twice, so if it does it is frozen.
    """

    mode: Mode = Mode()
    live: bool = True


class Packet(msgspec.Struct, frozen=True):
    """One picture as a source delivered it; `made` is 0 if the source does not know when."""

    data: bytes
    coding: Coding = Coding.ENCODED
    width: int = 0
    height: int = 0
    made: int = 0


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture. `stamp` is CLOCK_MONOTONIC when it was made, as well as anyone can tell."""

    index: int
    stamp: int
    image: Image
    checksum: int


def checksum(data: bytes) -> int:
    """Equal for equal bytes: two pictures of a live camera never are."""
    return zlib.crc32(data)


def decode(data: bytes, coding: Coding, width: int = 0, height: int = 0) -> Image:
    """The picture in these bytes; `Undecodable` if there is none."""
    points = np.frombuffer(data, np.uint8)
    if coding is Coding.BGR:
        if points.size != width * height * 3:
            raise Undecodable(f"{points.size} bytes are no picture of {width}x{height}")
        return points.reshape(height, width, 3)
    _check_size(*picture_size(bytes(data[:65536])))
    try:
        image = cv2.imdecode(points, cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise Undecodable("the picture's data is damaged") from error
    if image is None:
        raise Undecodable("the picture's data is damaged")
    return np.asarray(image, np.uint8)


def picture_size(head: bytes) -> tuple[int, int]:
    """Width and height as a JPEG or PNG says them at its beginning, before anything is decoded."""
    if head.startswith(b"\x89PNG\r\n\x1a\n") and len(head) >= 24:
        width, height = struct.unpack(">II", head[16:24])
        return width, height
    if head.startswith(b"\xff\xd8"):
        return _jpeg_size(head)
    raise Undecodable("it is neither a JPEG nor a PNG picture")


def _check_size(width: int, height: int) -> None:
    if width * height > MOST_PIXELS:
        raise Undecodable(f"a picture of {width}x{height} points is too large")
    if min(width, height) < LEAST_SIDE:
        raise Undecodable(f"a picture of {width}x{height} points is too small")


def _jpeg_size(head: bytes) -> tuple[int, int]:
    at = 2
    while at + 9 <= len(head) and head[at] == 0xFF:
        marker = head[at + 1]
        if marker == 0xFF:  # filling
            at += 1
            continue
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", head[at + 5 : at + 9])
            return width, height
        at += 2 + struct.unpack(">H", head[at + 2 : at + 4])[0]
    raise Undecodable("the JPEG picture is cut off before its size")
