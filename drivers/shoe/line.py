"""Line mode: a scanner that sends its code as text and nothing else.

The text ends with CR, LF or CRLF, or lies between STX and ETX; it may carry a
prefix and a suffix, must match a pattern, and may end in a check letter. Exactly
the configured envelope is accepted: anything else that looks like text is a
no-read, because a card may be behind it, and is never ignored.

Line mode has no checksum of its own. One flipped bit can make another valid
code unless the printed codes carry the check letter (`check_letter = true`).
Nothing here does I/O or knows what time it is.
"""

import re
from typing import Final, Literal

import msgspec

from controller.contract.readings import ReadingKind
from drivers.shoe.codec import Codec, Rejected, Report

CR: Final = 0x0D
LF: Final = 0x0A
STX: Final = 0x02
ETX: Final = 0x03

_BREAK: Final = re.compile(rb"[\r\n]")
_MARK: Final = re.compile(rb"[\x02\x03]")
_PRINTABLE: Final = re.compile(rb"[!-~]")


def _may_hide_a_card(raw: bytes) -> bool:
    """A lone unprintable byte is a glitch of the line; anything more may have been a code."""
    return len(raw) > 1 or _PRINTABLE.search(raw) is not None


class LineOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the scanner is set up. `any` takes CR, LF and CRLF alike."""

    ending: Literal["any", "cr", "lf", "crlf", "stx_etx"] = "any"
    prefix: str = ""
    suffix: str = ""
    pattern: str = "[!-~]{2,16}"
    """What the text between prefix and suffix must be, whole."""
    check_letter: bool = False
    noread: tuple[str, ...] = ("NOREAD", "NR", "?", "")
    max_length: int = 64


def check_letter(text: str) -> str:
    """A letter that any flipped bit and any two swapped neighbours change."""
    total = sum((place % 12 + 1) * ord(letter) for place, letter in enumerate(text))
    return chr(ord("A") + total % 26)


def terminated(text: str, options: LineOptions | None = None) -> bytes:
    """A code as the scanner sends it under these options (`any` sends CR)."""
    options = options or LineOptions()
    check = check_letter(text) if options.check_letter else ""
    body = f"{options.prefix}{text}{check}{options.suffix}".encode("ascii")
    if options.ending == "stx_etx":
        return b"\x02" + body + b"\x03"
    return body + {"any": b"\r", "cr": b"\r", "lf": b"\n", "crlf": b"\r\n"}[options.ending]


class Line(Codec):
    """The host's side of the line."""

    def __init__(self, options: LineOptions | None = None) -> None:
        super().__init__()
        self._options = options or LineOptions()
        self._pattern = re.compile(self._options.pattern)
        self._noread = frozenset(text.upper() for text in self._options.noread)
        self._overflowed = False
        self._after_cr = False

    def quiet(self) -> None:
        if self._buffer:
            self._reject(len(self._buffer), "line never finished")
        self._settle_damage()
        self._after_cr = False

    def _settle_damage(self) -> None:
        self._overflowed = False
        if _may_hide_a_card(self._damage.raw):
            self._tell_damage()
        self._damage.clear()

    def _step(self) -> bool:
        if self._options.ending == "stx_etx":
            return self._step_framed()
        if self._after_cr and self._buffer[0] == LF:
            return self._drop_second_half()
        self._after_cr = False
        end = _BREAK.search(self._buffer)
        if end is None:
            return self._bounded()
        if self._buffer[end.start()] == CR and self._options.ending == "crlf":
            return self._step_crlf(end.start())
        self._after_cr = self._buffer[end.start()] == CR
        fits = {"cr": b"\r", "lf": b"\n"}.get(self._options.ending, end[0]) == end[0]
        self._finish(end.start(), 1, well_ended=fits and self._options.ending != "crlf")
        return True

    def _drop_second_half(self) -> bool:
        self._after_cr = False
        if self._options.ending == "any":
            self._take(1)
        else:
            raw, at = self._take(1)
            self._events.append(Rejected(why="LF after CR: set ending = crlf", raw=raw, at=at))
        return True

    def _step_crlf(self, length: int) -> bool:
        if len(self._buffer) == length + 1:
            return False
        paired = self._buffer[length + 1] == LF
        self._finish(length, 2 if paired else 1, well_ended=paired)
        return True

    def _step_framed(self) -> bool:
        mark = _MARK.search(self._buffer, 1)
        if self._buffer[0] != STX:
            lone = 1 if self._buffer[0] == ETX else 0
            self._reject(lone or (mark.start() if mark else len(self._buffer)), "text without STX")
            if lone:
                self._settle_damage()
            return True
        if mark is None:
            return self._bounded()
        if self._buffer[mark.start()] == STX:
            self._reject(mark.start(), "text without ETX")
            self._settle_damage()
            return True
        self._settle_damage()
        self._finish(mark.start(), 1, well_ended=True)
        return True

    def _bounded(self) -> bool:
        if len(self._buffer) <= self._options.max_length:
            return False
        self._overflowed = True
        self._reject(len(self._buffer), "line too long")
        return True

    def _finish(self, length: int, ending: int, *, well_ended: bool) -> None:
        """A line of `length` bytes and its ending are here: say what it is."""
        if self._overflowed or length > self._options.max_length:
            self._reject(length + ending, "line too long", framed=True)
            self._settle_damage()
            return
        raw, at = self._take(length + ending)
        body = raw[1:length] if self._options.ending == "stx_etx" else raw[:length]
        kind, code = self._judge(body.decode("latin-1"), well_ended)
        if code:
            self._events.append(Report(kind=kind, code=code, raw=raw, at=at))
            return
        self._events.append(Rejected(why="unexpected text", raw=raw, at=at, framed=True))
        if _may_hide_a_card(body):
            unread = Report(kind=kind, code="unexpected_text", raw=raw, at=at, checked=False)
            self._events.append(unread)

    def _judge(self, text: str, well_ended: bool) -> tuple[ReadingKind, str]:
        options = self._options
        inner = text.removeprefix(options.prefix).removesuffix(options.suffix)
        if text.upper() in self._noread or inner.upper() in self._noread:
            return ReadingKind.NO_READ, "no_read"
        whole = len(inner) == len(text) - len(options.prefix) - len(options.suffix)
        if options.check_letter:
            whole = whole and inner[-1:] == check_letter(inner[:-1])
            inner = inner[:-1]
        plain = inner.isascii() and inner.isprintable()
        if well_ended and whole and inner and plain and self._pattern.fullmatch(inner):
            return ReadingKind.CARD, inner
        return ReadingKind.NO_READ, ""
