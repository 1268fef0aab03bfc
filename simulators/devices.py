"""The device's side of the three shoe protocols: what it says, and how it answers the host.

A device turns cards into reports (bytes on the wire) and the host's bytes into
replies; it opens nothing and waits for nothing. Frames come from the encoders
beside the codecs; that those are right is held by vectors from the manuals.
What is not here: the line (`simulators.shoe`), damage to it (`simulators.faults`).
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from importlib.resources import files
from itertools import cycle
from typing import Final

from drivers.shoe import angel_eye, line, profile, ssi

NO_READ_TEXT: Final = "NOREAD"
_RANKS: Final = {"A": 1, "J": 11, "Q": 12, "K": 13}
_SUITS: Final = {"D": "diamond", "C": "heart", "S": "spade", "B": "club"}
_HOST_COMMAND: Final = 10
"""Bytes of an Angel Eye order: STX OP type(2) data(2) ETX BCC(2)."""


class Device(ABC):
    """A card reader: every report is the list of its copies, in the order they are sent."""

    passes_again = True
    """Whether a card can be shown to the reader a second time."""
    awaits = False
    """Whether a report is repeated until the host acknowledges it."""

    @abstractmethod
    def card(self, card: str) -> list[bytes]:
        """A card passed, one of the forty or a stranger."""

    @abstractmethod
    def no_read(self) -> list[bytes]:
        """A card passed and could not be read."""

    def jam(self) -> list[bytes]:
        """The card does not come out. A device that has no word for it says nothing."""
        return []

    def cleared(self) -> list[bytes]:
        """Somebody cleared the jam."""
        return []

    def skip(self) -> bool:
        """Lose a report that was no card's; False if nobody could ever notice."""
        return False

    def hear(self, data: bytes) -> bytes:
        """What the host said; returns the reply."""
        del data
        return b""

    def again(self) -> bytes:
        """The report that the host has not acknowledged, as it is repeated."""
        return b""


class AngelEyeShoe(Device):
    """Electronic shoe: three copies of each report, orders answered by ACK or NAK."""

    passes_again = False

    def __init__(self) -> None:
        self._sequence = cycle(angel_eye.SEQUENCE)
        self._heard = bytearray()
        self._locked = False
        self._in_error = False

    def card(self, card: str) -> list[bytes]:
        return self._report("d" if self._locked else "D", angel_eye.card_data(_french(card)))

    def no_read(self) -> list[bytes]:
        return self._report("E", b"\x81")

    def jam(self) -> list[bytes]:
        self._in_error = True
        return self._report("E", b"\xc7")

    def cleared(self) -> list[bytes]:
        if not self._in_error:
            return []
        self._in_error = False
        return self._report("e", b"")

    def skip(self) -> bool:
        next(self._sequence)
        return True

    def hear(self, data: bytes) -> bytes:
        self._heard += data
        reply = b""
        while (start := self._heard.find(angel_eye.STX)) != -1:
            del self._heard[:start]
            if len(self._heard) < _HOST_COMMAND:
                return reply
            order = bytes(self._heard[:_HOST_COMMAND])
            del self._heard[:_HOST_COMMAND]
            reply += self._answer(order)
        self._heard.clear()
        return reply

    def _report(self, command: str, data: bytes) -> list[bytes]:
        return [angel_eye.report(next(self._sequence), command, data)] * angel_eye.COPIES

    def _answer(self, order: bytes) -> bytes:
        words = order[3:7].decode("ascii", "replace")
        if order != angel_eye.host_command(words):
            return bytes([angel_eye.NAK, angel_eye.WRONG_BCC])
        accepted = bytes([angel_eye.ACK])
        if words in ("LK01", "LK02"):
            self._locked = words == "LK02"
            return accepted
        if words == "EC00":
            return accepted + b"".join(self.cleared())
        return bytes([angel_eye.NAK, 0x13])


class SsiScanner(Device):
    """Packeted scanner: a report is repeated, marked so, until the host acknowledges it."""

    awaits = True

    def __init__(self, codes: Mapping[str, str]) -> None:
        self._codes = codes
        self._heard = bytearray()
        self._unacknowledged = ""

    def card(self, card: str) -> list[bytes]:
        return self._say(self._codes.get(card, card))

    def no_read(self) -> list[bytes]:
        return self._say(NO_READ_TEXT)

    def hear(self, data: bytes) -> bytes:
        self._heard += data
        reply = b""
        while self._heard:
            if self._heard.startswith(ssi.ACKNOWLEDGE):
                self._unacknowledged = ""
                del self._heard[: len(ssi.ACKNOWLEDGE)]
            elif self._heard.startswith(ssi.ASK_RESEND):
                reply += self.again()
                del self._heard[: len(ssi.ASK_RESEND)]
            elif _begins(self._heard, ssi.ACKNOWLEDGE) or _begins(self._heard, ssi.ASK_RESEND):
                break
            else:
                del self._heard[0]
        return reply

    def again(self) -> bytes:
        text = self._unacknowledged
        return ssi.decode_data(text, retransmit=True) if text else b""

    def _say(self, text: str) -> list[bytes]:
        self._unacknowledged = text
        return [ssi.decode_data(text)]


class LineScanner(Device):
    """A scanner that sends text and listens to nobody."""

    def __init__(self, codes: Mapping[str, str], options: line.LineOptions) -> None:
        self._codes = codes
        self._options = options

    def card(self, card: str) -> list[bytes]:
        return [line.terminated(self._codes.get(card, card), self._options)]

    def no_read(self) -> list[bytes]:
        return [line.terminated(NO_READ_TEXT, self._options)]


def device(protocol: profile.Protocol) -> Device:
    """The device that fits the bundled profile of this name."""
    if protocol == "angel-eye":
        return AngelEyeShoe()
    text = files("drivers.shoe").joinpath(f"profiles/{protocol}.toml").read_text("utf-8")
    bundled = profile.parse(text)
    if protocol == "ssi":
        return SsiScanner(bundled.codes())
    return LineScanner(bundled.codes(), bundled.line)


def _french(card: str) -> str:
    """`7C` → `heart-7`: what is printed on the card that the electronic shoe reads."""
    return f"{_SUITS[card[1]]}-{_RANKS.get(card[0]) or int(card[0])}"


def _begins(heard: bytearray, whole: bytes) -> bool:
    return whole.startswith(bytes(heard))
