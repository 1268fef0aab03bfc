"""A picture file as a BGR picture, or one sentence why it is none.

The head of the file is read first, so that a picture too large to hold is
refused before it is unpacked, and one that was cut off is not read half grey.
JPEG, PNG, WebP and BMP are known by their bytes, whatever the file is called.
"""

import struct
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

LARGEST_FILE: Final = 64 << 20
LONGEST: Final = 16_384
"""Points of a side; the largest phone cameras stay below it."""
MOST_POINTS: Final = 220_000_000
MOST_UNPACKED: Final = 64_000_000
"""Points of what cannot be unpacked at a fraction of its size, as JPEG can."""
SHORTEST: Final = 48
WORKING: Final = 4096
"""A JPEG with a longer side is unpacked at a half, a quarter or an eighth."""


class PictureError(Exception):
    """Not a picture that can be read; the sentence names the file."""


def read_picture(path: Path) -> tuple[Image, float]:
    """The picture, and the factor from its points to those of the file."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise PictureError(
                f"{path} has more than {LARGEST_FILE >> 20} MiB: send the camera's own JPEG"
            )
        data = path.read_bytes()
    except OSError as error:
        raise PictureError(f"{path} cannot be read: {error.strerror}") from error
    kind, width, height = _head(path, data)
    flags, factor = _size(path, kind, width, height)
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error as error:
        raise PictureError(f"{path} is a damaged {kind}: take or send it again") from error
    if image is None or image.ndim != 3:
        raise PictureError(f"{path} is a damaged {kind}: take or send it again")
    return np.asarray(image, np.uint8), factor


def _size(path: Path, kind: str, width: int, height: int) -> tuple[int, float]:
    """How to unpack it, and by what the points of the result are to be multiplied."""
    measure = f"{path} is {width} x {height} points"
    if min(width, height) < SHORTEST:
        raise PictureError(f"{measure}: too small to show a card")
    most = MOST_POINTS if kind == "JPEG" else MOST_UNPACKED
    if max(width, height) > LONGEST or width * height > most:
        raise PictureError(f"{measure}: too large; scale it down to {WORKING} points or less")
    if kind != "JPEG" or max(width, height) <= WORKING:
        return cv2.IMREAD_COLOR, 1.0
    for factor, flag in ((2, cv2.IMREAD_REDUCED_COLOR_2), (4, cv2.IMREAD_REDUCED_COLOR_4)):
        if max(width, height) / factor <= WORKING:
            return flag, float(factor)
    return cv2.IMREAD_REDUCED_COLOR_8, 8.0


def _head(path: Path, data: bytes) -> tuple[str, int, int]:
    """Kind, width and height from the file's own head; refuses what is cut off."""
    try:
        if data[:2] == b"\xff\xd8":
            return ("JPEG", *_jpeg(data))
        if data[:8] == b"\x89PNG\r\n\x1a\n":
            return ("PNG", *_png(data))
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return ("WebP", *_webp(data))
        if data[:2] == b"BM":
            return ("BMP", *_bmp(data))
    except (struct.error, IndexError, ValueError) as error:
        raise PictureError(f"{path} is cut off or damaged: take or send it again") from error
    if data[4:8] == b"ftyp":
        raise PictureError(
            f"{path} is a HEIC or AVIF picture: set the phone to JPEG, or export it as JPEG"
        )
    raise PictureError(f"{path} is not a picture: JPEG, PNG, WebP and BMP are read")


def _jpeg(data: bytes) -> tuple[int, int]:
    """Walks the segments to the frame's head, and looks for the end after the last scan's start."""
    at, size = 2, (0, 0)
    while True:
        marker, length = data[at + 1], struct.unpack_from(">H", data, at + 2)[0]
        if data[at] != 0xFF:
            raise ValueError("no marker where one must be")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", data, at + 5)
            size = (width, height)
        at += 2 + length
        if marker == 0xDA:
            break
    data.index(b"\xff\xd9", at)
    return size


def _png(data: bytes) -> tuple[int, int]:
    width, height = struct.unpack_from(">II", data, 16)
    at = 8
    while data[at + 4 : at + 8] != b"IEND":
        at += 12 + int(struct.unpack_from(">I", data, at)[0])
    return width, height


def _webp(data: bytes) -> tuple[int, int]:
    if len(data) < 8 + struct.unpack_from("<I", data, 4)[0]:
        raise ValueError("shorter than it says")
    match data[12:16]:
        case b"VP8X":
            return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(
                data[27:30], "little"
            )
        case b"VP8L":
            bits = int(struct.unpack_from("<I", data, 21)[0])
            return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
        case _:
            width, height = struct.unpack_from("<HH", data, 26)
            return width & 0x3FFF, height & 0x3FFF


def _bmp(data: bytes) -> tuple[int, int]:
    width, height = struct.unpack_from("<ii", data, 18)
    if len(data) < struct.unpack_from("<I", data, 2)[0]:
        raise ValueError("shorter than it says")
    return abs(width), abs(height)
