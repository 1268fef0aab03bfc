"""A hostile corpus: what is no usable picture costs one sentence, and no memory."""

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from drivers.camera.picture_file import PictureError, read_picture

GREY = np.random.default_rng(1).integers(0, 256, (200, 160)).astype(np.uint8)
COLOUR = np.dstack([GREY, GREY.T.reshape(200, 160), GREY])


def coded(ending: str, image: np.ndarray) -> bytes:  # type: ignore[type-arg]
    return cv2.imencode(ending, image)[1].tobytes()


def png_of(width: int, height: int) -> bytes:
    """A PNG whose head promises a picture of that size, and holds next to nothing."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(b""))
        + chunk(b"IEND", b"")
    )


def wrong_crc(data: bytes) -> bytes:
    return data[:60] + bytes(8) + data[68:]


HOSTILE = {
    "empty": (b"", "not a picture"),
    "text": (b"forty cards", "not a picture"),
    "gif": (b"GIF89a" + bytes(40), "not a picture"),
    "heic": (b"\x00\x00\x00\x18ftypheic" + bytes(40), "HEIC"),
    "only the start of a jpeg": (coded(".jpg", COLOUR)[:20], "cut off"),
    "half a jpeg": (coded(".jpg", COLOUR)[:-900], "cut off"),
    "half a png": (coded(".png", COLOUR)[:-900], "cut off"),
    "half a webp": (coded(".webp", COLOUR)[:-100], "cut off"),
    "half a bmp": (coded(".bmp", COLOUR)[:-100], "cut off"),
    "one point": (coded(".png", COLOUR[:1, :1]), "too small"),
    "a line": (coded(".jpg", COLOUR[:1]), "too small"),
    "20,000 points wide": (png_of(20_000, 20_000), "too large"),
    "more points than fit": (png_of(16_000, 16_000), "too large"),
    "no rows at all": (png_of(200, 200), "damaged"),
    "a broken checksum": (wrong_crc(coded(".png", COLOUR)), "damaged"),
    "a jpeg that walks out of itself": (b"\xff\xd8\xff\xe0\xff\xff", "cut off"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_in_one_sentence_that_names_it(name: str, tmp_path: Path) -> None:
    data, said = HOSTILE[name]
    path = tmp_path / "picture.jpg"
    path.write_bytes(data)
    with pytest.raises(PictureError) as refused:
        read_picture(path)
    assert said in str(refused.value)
    assert str(refused.value).startswith(str(path))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("grey", coded(".png", GREY)),
        ("grey jpeg", coded(".jpg", GREY)),
        ("16 bit", coded(".png", COLOUR.astype(np.uint16) * 257)),
        ("alpha", coded(".png", np.dstack([COLOUR, GREY]))),
        ("webp", coded(".webp", COLOUR)),
        ("bmp", coded(".bmp", COLOUR)),
        ("jpeg with something after its end", coded(".jpg", COLOUR) + b"a video of the phone"),
    ],
)
def test_every_depth_and_number_of_colours_becomes_a_plain_colour_picture(
    name: str, data: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "picture"
    path.write_bytes(data)
    image, factor = read_picture(path)
    assert image.dtype == np.uint8
    assert image.shape == (200, 160, 3)
    assert factor == 1


def test_a_large_phone_picture_is_unpacked_smaller_and_says_by_how_much(tmp_path: Path) -> None:
    path = tmp_path / "large.jpg"
    path.write_bytes(coded(".jpg", np.zeros((3000, 6000, 3), np.uint8)))
    image, factor = read_picture(path)
    assert (image.shape[1], factor) == (3000, 2)


def test_what_is_not_there_or_a_folder_is_a_sentence(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.jpg"):
        with pytest.raises(PictureError, match="cannot be read"):
            read_picture(path)
