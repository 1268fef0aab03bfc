"""Where a camera's pictures come from, as one address. Pure: nothing is opened here.

| address                     | what it is                                              |
|-----------------------------|---------------------------------------------------------|
| /dev/v4l/by-id/…            | a camera, by a path that survives a new numbering       |
| file:///picture.png         | one picture, looked at again and again                  |
| folder:///pictures?fps=5    | its pictures in the order of their names, then the last |
| video:///film.mp4           | a film at its own pace, once                            |
| socket://127.0.0.1:port     | pictures from a TCP server (`frame_wire`)               |
| unix:///run/mazziere/camera | the same from a socket in the file system               |
"""

import re
from enum import StrEnum
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec

FASTEST: Final = 120.0


class Kind(StrEnum):
    """Which sort of source an address names."""

    DEVICE = "device"
    FILE = "file"
    FOLDER = "folder"
    VIDEO = "video"
    SOCKET = "socket"
    UNIX = "unix"


class Address(msgspec.Struct, frozen=True):
    """A checked address. `fps` is 0 where the address gives none."""

    kind: Kind
    path: str = ""
    host: str = ""
    port: int = 0
    fps: float = 0.0


def parse_address(text: str) -> Address:
    """`ValueError` with one sentence if it is none of the forms above."""
    if text.startswith("/"):
        return Address(Kind.DEVICE, path=text)
    scheme, found, _ = text.partition("://")
    if not found or scheme not in set(Kind) - {Kind.DEVICE}:
        raise ValueError(
            f"{text!r} is no picture source: give a path such as /dev/v4l/by-id/…, "
            "file:///…, folder:///…, video:///…, socket://host:port or unix:///…"
        )
    if scheme == Kind.SOCKET:
        return _socket(text)
    return _with_path(Kind(scheme), text)


def _socket(text: str) -> Address:
    named = re.fullmatch(r"socket://(\[[0-9a-fA-F:]+\]|[^:/\[\]]+):(\d{1,5})", text)
    if not named or not 0 < int(named[2]) <= 65535:
        raise ValueError(f"{text!r} is no picture source: it must be socket://host:port")
    return Address(Kind.SOCKET, host=named[1].strip("[]"), port=int(named[2]))


def _with_path(kind: Kind, text: str) -> Address:
    parts = urlsplit(text)
    path = unquote(parts.path)
    if parts.netloc or not path.startswith("/"):
        raise ValueError(f"{text!r} needs an absolute path, so three strokes: {kind}:///…")
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    fps = options.pop("fps", "0")
    if options or (fps != "0" and kind is not Kind.FOLDER):
        raise ValueError(f"{text!r}: only folder:///… takes an option, ?fps=")
    return Address(kind, path=path, fps=_fps(text, fps))


def _fps(text: str, fps: str) -> float:
    if not re.fullmatch(r"\d+(\.\d+)?", fps) or float(fps) > FASTEST:
        raise ValueError(f"{text!r}: fps must be a number of at most {FASTEST:g}")
    return float(fps)
