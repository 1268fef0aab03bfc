"""Angel Eye II-EX: the electronic shoe's reports and the commands it takes.

    report   ENQ seq command data… ETX BCC BCC      device → host, each sent three times
    order    STX "OP" type(2) data(2) ETX BCC BCC   host → device, answered by ACK or NAK code

BCC is the XOR of the bytes after ENQ through ETX as two upper-case hex digits.
Data bytes have bit 7 set, so no byte inside a report can be ENQ: a report that
breaks the grammar is dropped up to the byte that broke it, and if that byte is
an ENQ the next copy starts there. `seq` runs '1'…'9' and wraps: copies are known
by it, and a jump in it is as many lost reports.

The manual's text and its example disagree on whether the BCC of an order
includes STX; the example's reading is sent first, the other only when the
device answers that the BCC is wrong, and what worked is remembered.
It is a device for baccarat: its positions mean nothing here and are not read.
Nothing here does I/O or knows what time it is.
"""

import re
from typing import Final, NamedTuple

from controller.contract.readings import ReadingKind
from drivers.shoe.codec import Answer, Codec, Notice, Repeat, Report

ENQ: Final = b"\x05"
STX: Final = b"\x02"
ETX: Final = b"\x03"
ACK: Final = 0x06
NAK: Final = 0x15

COPIES: Final = 3
SEQUENCE: Final = "123456789"
SHORTEST: Final = 6
MAX_DATA: Final = 32

SUITS: Final = {1: "diamond", 2: "club", 3: "spade", 4: "heart"}
FAULTS: Final = {
    1: "cannot_read",
    2: "overdraw",
    3: "button_mishandling",
    4: "reverse_run_at_exit",
    5: "reverse_run_midway",
    6: "card_code_error",
    7: "drawing_time_out",
}
NOTICES: Final = {"P": "standby", "G": "result", "L": "lock changed", "M": "preset changed"}
REFUSALS: Final = {
    0x01: "line error",
    0x02: "check characters",
    0x03: "no ETX",
    0x11: "length or format",
    0x12: "address",
    0x13: "command",
    0x14: "type",
    0x21: "busy",
    0x22: "writing",
}
WRONG_BCC: Final = 0x02
ORDERS: Final = {"lock": "LK02", "unlock": "LK01", "clear_error": "EC00"}

_REPORT: Final = re.compile(rb"\x05([1-9])([A-Za-z])([\x80-\xff]{0,32})\x03([0-9A-F]{2})")
_BEGUN: Final = re.compile(
    rb"\x05(?:[1-9](?:[A-Za-z](?:[\x80-\xff]{0,32}(?:\x03(?:[0-9A-F]{1,2})?)?)?)?)?"
)
_START: Final = re.compile(rb"[\x05\x06\x15]")


def check_characters(body: bytes) -> bytes:
    check = 0
    for byte in body:
        check ^= byte
    return b"%02X" % check


def report(seq: str, command: str, data: bytes = b"") -> bytes:
    """One copy of a report as the shoe sends it; the simulator sends three."""
    body = seq.encode("ascii") + command.encode("ascii") + data + ETX
    return ENQ + body + check_characters(body)


def card_data(code: str, place: int = 0x80) -> bytes:
    """The two data bytes of a card report, from a code such as `spade-8`."""
    suit, _, rank = code.partition("-")
    number = next(number for number, name in SUITS.items() if name == suit)
    return bytes([place | 0x80, 0x80 | number << 4 | int(rank)])


def host_command(words: str, *, with_stx: bool = True) -> bytes:
    """An order as the host sends it, in one of the two readings of its check characters."""
    body = b"OP" + words.encode("ascii") + ETX
    return STX + body + check_characters(STX + body if with_stx else body)


def _card_code(byte: int) -> str:
    suit, rank = byte >> 4 & 0x07, byte & 0x0F
    return f"{SUITS.get(suit, f'suit{suit}')}-{rank}"


class _Told(NamedTuple):
    """What identifies a report among its copies."""

    seq: str
    command: str
    data: bytes


class AngelEye(Codec):
    """The host's side of the line."""

    def __init__(self) -> None:
        super().__init__()
        self._last: _Told | None = None
        self._last_card = b""
        self._spare = 0  # bytes of further copies that may still come damaged without a loss
        self._rested = False  # the line was silent since the last report
        self._told_damaged = 0  # no-reads told since the last good report
        self._awaiting: str | None = None
        self._with_stx = True
        self._tried_other = False

    def order(self, order: str) -> bool:
        if order not in ORDERS:
            return False
        self._awaiting, self._tried_other = order, False
        self._outgoing += host_command(ORDERS[order], with_stx=self._with_stx)
        return True

    def quiet(self) -> None:
        if self._buffer:
            self._reject(len(self._buffer), "report never finished")
        hides_a_card = ENQ in self._damage.raw or self._damage.length >= SHORTEST - 1
        if hides_a_card and self._damage.length > self._spare:
            self._tell_damage()
            self._told_damaged += 1
        self._damage.clear()
        self._spare, self._rested = 0, True

    def _step(self) -> bool:
        lead = self._buffer[0]
        if lead == ENQ[0]:
            return self._read_report()
        if lead in (ACK, NAK):
            return self._read_answer(lead)
        start = _START.search(self._buffer)
        self._reject(start.start() if start else len(self._buffer), "noise between reports")
        return True

    def _read_report(self) -> bool:
        whole = _REPORT.match(self._buffer)
        if whole is None:
            begun = _BEGUN.match(self._buffer)
            good = begun.end() if begun else 1
            if good == len(self._buffer):
                return False
            self._reject(good, "report breaks off")
            return True
        if whole[4] != check_characters(whole[0][1:-2]):
            self._reject(len(whole[0]), "wrong check characters", framed=True)
            return True
        told = _Told(whole[1].decode(), whole[2].decode(), bytes(whole[3]))
        raw, at = self._take(len(whole[0]))
        self._accept(told, raw, at)
        return True

    def _accept(self, told: _Told, raw: bytes, at: int) -> None:
        if self._is_copy(told):
            self._spare = max(0, self._spare - len(raw) - self._damage.length)
            self._events.append(Repeat(raw=raw, at=at))
        else:
            self._spare = (COPIES - 1) * len(raw) + 2
            self._tell_gap(told, raw, at)
            self._tell(told, raw, at)
            self._last = told
        self._damage.clear()
        self._rested = False
        self._told_damaged = 0

    def _is_copy(self, told: _Told) -> bool:
        # A shoe that boots twice sends the same start report twice; only the pause tells.
        if told.command == "R" and self._last == told._replace(command="D"):
            return True
        return told == self._last and not (told.command == "S" and self._rested)

    def _tell(self, told: _Told, raw: bytes, at: int) -> None:
        # The device itself calls R a retransmission: of the last card it is no second card.
        if told.command == "R" and told.data == self._last_card:
            self._events.append(Repeat(raw=raw, at=at))
        else:
            self._events.append(_meaning(told, raw, at))
        if told.command in "DR":
            self._last_card = told.data

    def _tell_gap(self, told: _Told, raw: bytes, at: int) -> None:
        if self._last is None and self._damage.length > (COPIES - 1) * len(raw) + 2:
            self._tell_damage()  # more than copies of this report, and no sequence to tell by
        if self._last is None or told.command == "S":
            return
        lost = (SEQUENCE.index(told.seq) - SEQUENCE.index(self._last.seq) - 1) % len(SEQUENCE)
        missing = lost - self._told_damaged
        if missing <= 0:
            return
        if self._damage:
            raw, at = self._damage.raw, self._damage.at
        self._events.append(
            Report(kind=ReadingKind.GAP, missing=missing, raw=raw, at=at, device_seq=told.seq)
        )

    def _read_answer(self, lead: int) -> bool:
        length = 1 if lead == ACK else 2
        if len(self._buffer) < length:
            return False
        refusal = None if lead == ACK else self._buffer[1]
        if self._awaiting is None or (refusal is not None and refusal not in REFUSALS):
            self._reject(1, "answer to nothing")
            return True
        raw, at = self._take(length)
        if refusal == WRONG_BCC and not self._tried_other:
            self._try_other_reading(raw, at)
            return True
        why = "" if refusal is None else f"refused: {REFUSALS[refusal]}"
        self._events.append(Answer(order=self._awaiting, why=why, raw=raw, at=at))
        self._awaiting = None
        return True

    def _try_other_reading(self, raw: bytes, at: int) -> None:
        self._tried_other = True
        self._with_stx = not self._with_stx
        self._outgoing += host_command(ORDERS[self._awaiting or ""], with_stx=self._with_stx)
        self._events.append(Notice(what="order sent again in the other reading", raw=raw, at=at))


def _meaning(told: _Told, raw: bytes, at: int) -> Report | Notice:
    if told.command in NOTICES:
        return Notice(what=NOTICES[told.command], raw=raw, at=at)
    kind, code = _kind_and_code(told.command, told.data)
    return Report(kind=kind, code=code, raw=raw, at=at, device_seq=told.seq)


def _kind_and_code(command: str, data: bytes) -> tuple[ReadingKind, str]:
    plain = {
        "S": ReadingKind.RESTARTED,
        "C": ReadingKind.CUT_CARD,
        "e": ReadingKind.FAULT_CLEARED,
    }
    if command in plain:
        return plain[command], ""
    if command in "DRd" and len(data) == 2:
        kind = ReadingKind.OUT_OF_GAME if command == "d" else ReadingKind.CARD
        return kind, _card_code(data[1])
    if command == "E" and len(data) == 1:
        fault = FAULTS.get(data[0] & 0x3F, f"error_{data[0] & 0x3F}")
        # Without bit 6 the device goes on, yet something at the exit went wrong.
        return (ReadingKind.FAULT if data[0] & 0x40 else ReadingKind.NO_READ), fault
    # Whole and checked, yet not in the manual: a card may be behind it.
    return ReadingKind.NO_READ, f"unlisted_{command}"
