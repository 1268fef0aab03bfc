"""Zebra/Symbol SSI: packets with a checksum, acknowledged by the host.

    length op source status data… checksum(2)

`length` counts all but the checksum; the checksum is the two's complement of
the 16-bit sum. Nothing marks a packet's start, so a packet that fails is
dropped only up to the next byte that could begin one. Each good packet is
acknowledged; a damaged one is answered by NAK "resend", and what the scanner
then repeats has the retransmit bit. Such a repeat of the last accepted code is
not counted again, unless we asked for it: then the damaged packet may have been
another card, and two equal readings are for the inventory to judge.
Orders are not offered: public sources disagree which op enables the scanner.
Nothing here does I/O or knows what time it is.
"""

import re
from typing import Final

from controller.contract.readings import ReadingKind
from drivers.shoe.codec import Codec, Notice, Repeat, Report

ACK: Final = 0xD0
NAK: Final = 0xD1
DECODE_DATA: Final = 0xF3
EVENT: Final = 0xF6
REVISION: Final = 0xA4
PARAMETERS: Final = 0xC6

SCANNER: Final = 0x00
HOST: Final = 0x04
RESEND: Final = 0x01
CODE_128: Final = 0x03

RETRANSMIT: Final = 0x01
MORE: Final = 0x02

NOREAD: Final = ("NOREAD", "NR", "?", "")
NOTICES: Final = {
    ACK: "acknowledged",
    NAK: "refused",
    EVENT: "scanner event",
    REVISION: "revision",
    PARAMETERS: "parameters",
}
LEAST_DAMAGE: Final = 4
"""Shorter noise is a glitch on the line; anything longer may have been a packet."""

_HEADER: Final = re.compile(
    rb"[\x04-\xff](?:[\xf3\xf6\xd0\xd1\xa4\xc6](?:\x00(?:[\x00-\x0f]|\Z)|\Z)|\Z)"
)


def checksum(packet: bytes | bytearray) -> bytes:
    return (-sum(packet) & 0xFFFF).to_bytes(2, "big")


def packet(op: int, source: int, status: int = 0, data: bytes = b"") -> bytes:
    body = bytes([4 + len(data), op, source, status]) + data
    return body + checksum(body)


def decode_data(text: str, retransmit: bool = False, symbology: int = CODE_128) -> bytes:
    """A scanned code as the scanner sends it."""
    status = RETRANSMIT if retransmit else 0
    return packet(DECODE_DATA, SCANNER, status, bytes([symbology]) + text.encode("ascii"))


ACKNOWLEDGE: Final = packet(ACK, HOST)
ASK_RESEND: Final = packet(NAK, HOST, 0, bytes([RESEND]))


class Ssi(Codec):
    """The host's side of the line; `noread` are the texts that mean "could not read"."""

    def __init__(self, noread: tuple[str, ...] = NOREAD) -> None:
        super().__init__()
        self._noread = frozenset(text.upper() for text in noread)
        self._last: bytes | None = None
        self._asked = False  # a resend was asked for and has not come

    def quiet(self) -> None:
        while self._buffer:
            # The length of a damaged packet may reach over a good one: look again behind it.
            self._reject(self._next_start(), "packet never finished")
            while self._buffer and self._step():
                pass
        if self._damage.length < LEAST_DAMAGE:
            self._damage.clear()
        elif self._asked:
            self._asked = False
            self._tell_damage()
        else:
            self._ask_resend()

    def _step(self) -> bool:
        if not _HEADER.match(self._buffer):
            self._reject(self._next_start(), "noise between packets")
            return True
        length = self._buffer[0]
        if len(self._buffer) < length + 2:
            return False
        if self._buffer[length : length + 2] != checksum(self._buffer[:length]):
            self._reject(self._next_start(), "wrong checksum", framed=True)
            self._ask_resend()
            return True
        raw, at = self._take(length + 2)
        self._accept(raw, at)
        return True

    def _next_start(self) -> int:
        start = _HEADER.search(self._buffer, 1)
        return start.start() if start else len(self._buffer)

    def _ask_resend(self) -> None:
        if not self._asked:
            self._asked = True
            self._outgoing += ASK_RESEND

    def _accept(self, raw: bytes, at: int) -> None:
        op, status, data = raw[1], raw[3], raw[4:-2]
        if op not in (ACK, NAK):
            self._outgoing += ACKNOWLEDGE
        if op != DECODE_DATA:
            self._events.append(Notice(what=NOTICES[op], raw=raw, at=at))
            return
        if not status & RETRANSMIT and self._damage.length >= LEAST_DAMAGE:
            self._tell_damage()  # this is the next code, not the repeat of the damaged one
        if status & RETRANSMIT and data == self._last and not self._asked:
            self._events.append(Repeat(raw=raw, at=at))
        else:
            self._events.append(self._reading(status, data, raw, at))
        self._last, self._asked = data, False
        self._damage.clear()

    def _reading(self, status: int, data: bytes, raw: bytes, at: int) -> Report:
        text = data[1:].decode("ascii", "replace")
        if status & MORE or not data or not text.isprintable() or "\ufffd" in text:
            return Report(kind=ReadingKind.NO_READ, code="unreadable_text", raw=raw, at=at)
        if text.upper() in self._noread:
            return Report(kind=ReadingKind.NO_READ, code="no_read", raw=raw, at=at)
        return Report(kind=ReadingKind.CARD, code=text, raw=raw, at=at)
