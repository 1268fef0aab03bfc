"""Addresses, the wire of picture servers, decoding, and the mailbox between two processes."""

import os
import struct
import zlib

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.camera.address import Address, Kind, parse_address
from drivers.camera.frame import Coding, Packet, Undecodable, decode
from drivers.camera.frame_wire import MOST_BYTES, Unpacker, WireBroken, packed
from drivers.camera.mailbox import PLACES, Mailbox, make_memory

PICTURE = np.random.default_rng(1).integers(0, 255, (96, 128, 3)).astype(np.uint8)


def encoded(picture: "np.ndarray[tuple[int, ...], np.dtype[np.generic]]", kind: str) -> bytes:
    return cv2.imencode(kind, picture)[1].tobytes()


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("/dev/v4l/by-id/x-video-index0", Address(Kind.DEVICE, "/dev/v4l/by-id/x-video-index0")),
        ("file:///a/b%20c.png", Address(Kind.FILE, "/a/b c.png")),
        ("folder:///a?fps=5", Address(Kind.FOLDER, "/a", fps=5.0)),
        ("folder:///a", Address(Kind.FOLDER, "/a")),
        ("video:///a.mp4", Address(Kind.VIDEO, "/a.mp4")),
        ("socket://127.0.0.1:5000", Address(Kind.SOCKET, host="127.0.0.1", port=5000)),
        ("socket://[::1]:5000", Address(Kind.SOCKET, host="::1", port=5000)),
        ("unix:///run/mazziere/camera", Address(Kind.UNIX, "/run/mazziere/camera")),
    ],
)
def test_an_address_names_its_source(text: str, address: Address) -> None:
    assert parse_address(text) == address


@pytest.mark.parametrize(
    "text",
    [
        *("", "0", "video0", "device:///dev/video0", "http://x/y", "file://a.png"),
        *("file:///a?fps=5", "folder:///a?fps=x", "folder:///a?fps=1000", "folder:///a?loop=1"),
        *("socket://x", "socket://x:0", "socket://x:70000"),
    ],
)
def test_what_is_no_address_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"must be|needs|no picture source|takes") as caught:
        parse_address(text)
    assert "\n" not in str(caught.value)


@given(pictures=st.lists(st.binary(min_size=1, max_size=40), max_size=6), cut=st.integers(1, 9))
def test_pictures_come_whole_over_the_wire_however_it_is_cut(
    pictures: list[bytes], cut: int
) -> None:
    stream = b"".join(packed(picture, n + 1) for n, picture in enumerate(pictures))
    unpacker = Unpacker()
    got = []
    for at in range(0, len(stream), cut):
        unpacker.receive_data(stream[at : at + cut])
        while (packet := unpacker.next_packet()) is not None:
            got.append((packet.data, packet.made))
    assert got == [(picture, n + 1) for n, picture in enumerate(pictures)]


@pytest.mark.parametrize("length", [0, MOST_BYTES + 1, 0x48545450])
def test_a_stream_of_something_else_is_broken_off(length: int) -> None:
    unpacker = Unpacker()
    unpacker.receive_data(struct.pack(">IQ", length, 0))
    with pytest.raises(WireBroken):
        unpacker.next_packet()


@pytest.mark.parametrize("kind", [".png", ".jpg"])
def test_a_grey_a_deep_and_a_transparent_picture_become_three_colours(kind: str) -> None:
    grey, clear = PICTURE[..., 0], np.dstack([PICTURE, PICTURE[..., :1]])
    deep = PICTURE.astype(np.uint16) * 256
    for picture in [PICTURE, grey] + ([deep, clear] if kind == ".png" else []):
        image = decode(encoded(picture, kind), Coding.ENCODED)
        assert (image.shape, image.dtype) == ((96, 128, 3), np.uint8)


def huge_png(width: int, height: int) -> bytes:
    """Says of itself that it is huge, and holds nothing."""
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head))
    return b"\x89PNG\r\n\x1a\n" + chunk


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "neither"),
        (b"not a picture at all", "neither"),
        (b"GIF89a" + bytes(40), "neither"),
        (b"\xff\xd8\xff", "cut off"),
        (encoded(PICTURE, ".jpg")[:40], "cut off"),
        (huge_png(20_000, 20_000), "too large"),
        (huge_png(0, 5), "too small"),
        (huge_png(200, 200), "damaged"),
        (encoded(PICTURE[:1, :1], ".png"), "too small"),
        (encoded(PICTURE, ".png")[:60], "damaged"),
    ],
)
def test_a_hostile_picture_is_told_and_never_decoded(data: bytes, says: str) -> None:
    with pytest.raises(Undecodable, match=says):
        decode(data, Coding.ENCODED)


def test_bare_points_must_be_as_many_as_the_size_says() -> None:
    image = decode(PICTURE.tobytes(), Coding.BGR, 128, 96)
    assert (image == PICTURE).all()
    with pytest.raises(Undecodable, match="128x97"):
        decode(PICTURE.tobytes(), Coding.BGR, 128, 97)


@pytest.fixture
def ends() -> tuple[Mailbox, Mailbox]:
    memory = make_memory()
    both = Mailbox(memory), Mailbox(memory)
    os.close(memory)
    return both


def test_the_mailbox_gives_the_newest_frame_and_each_only_once(
    ends: tuple[Mailbox, Mailbox],
) -> None:
    writer, reader = ends
    assert reader.newest() is None
    for n in range(1, 8):
        writer.put(Packet(b"frame %d" % n, Coding.BGR, n, n), stamp=n)
    taken = reader.newest()
    assert taken is not None
    assert (taken.number, taken.stamp, taken.packet.data) == (7, 7, b"frame 7")
    assert (taken.packet.coding, taken.packet.width) == (Coding.BGR, 7)
    assert reader.newest(taken.number) is None


def test_a_frame_that_is_overwritten_while_it_is_copied_is_thrown_away(
    ends: tuple[Mailbox, Mailbox], monkeypatch: pytest.MonkeyPatch
) -> None:
    writer, reader = ends
    for n in range(1, 5):
        writer.put(Packet(b"%d" % n), stamp=n)
    copy = reader._copy

    def late(number: int) -> object:
        if number == 4:  # the writer laps us
            for n in range(5, 5 + PLACES):
                writer.put(Packet(b"%d" % n), stamp=n)
        return copy(number)

    monkeypatch.setattr(reader, "_copy", late)
    taken = reader.newest()
    assert taken is not None
    assert (taken.number, taken.packet.data) == (7, b"7")
