"""Faults by name: what each does to the bytes of a report, and when the next one is due.

Wire faults are modelled in the bytes, never by the tty (a pty accepts any baud
rate and parity). The other names are acts of people and machines, which the
dealer and the table carry out when `Faults` hands them their name.
"""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

_PAUSE: Final = 0.01
"""Seconds between the parts of a broken-up report; less than any inter-byte limit."""
NONE: Final = "none"

WIRE: Final = {
    "triple": "the report is sent three times over",
    "bad_check": "the check characters of a copy are wrong",
    "lost_terminator": "a copy loses its end",
    "fragment": "the report comes in two pieces",
    "double": "the same report comes again a little later",
    "garbage": "noise comes before the report",
}
CARDS: Final = {
    "glue": "two cards come so fast that their reports are one",
    "gap": "a report is lost altogether",
    "no_read": "the card cannot be read",
    "foreign": "a card of another deck is in the shoe",
    "jam": "the card does not come out",
}
EVENTS: Final = {
    "unplug": "the reader's cable is pulled, and plugged in again",
    "wrong_order": "the dealer draws a card that nobody asked for",
    "silent_server": "the game server does not answer a window",
}
KILLS: Final = {
    "kill_shoe": "the shoe daemon is killed",
    "kill_controller": "the controller is killed",
    "kill_display": "the dealer's screen is killed",
}
NAMES: Final = {**WIRE, **CARDS, **EVENTS, **KILLS}
ALL: Final = (*WIRE, *CARDS, *EVENTS)
"""What `all` means: every fault but the kills, which must be named."""


class Piece(NamedTuple):
    """Bytes to send after a pause in seconds."""

    pause: float
    data: bytes


def chosen(text: str) -> tuple[str, ...]:
    """The names in a comma list, in the order of the tables; a stranger is a ValueError."""
    wanted = {name.strip().replace("-", "_") for name in text.split(",") if name.strip()}
    if wanted == {NONE}:
        return ()
    if "all" in wanted:
        wanted = wanted - {"all"} | set(ALL)
    if strangers := sorted(wanted - set(NAMES)):
        raise ValueError(
            f"there is no fault {strangers[0]!r}; the faults are: none all {' '.join(NAMES)}"
        )
    return tuple(name for name in NAMES if name in wanted)


def spoil(name: str, copies: Sequence[bytes], rng: random.Random) -> list[Piece]:
    """The copies of a report as they arrive under the wire fault `name`."""
    whole = b"".join(copies)
    first, others = copies[0], b"".join(copies[1:])
    match name:
        case "triple":
            return [Piece(0, whole * 3)]
        case "bad_check":
            return [Piece(0, _flip_last(first) + others)]
        case "lost_terminator":
            return [Piece(0, _cut_end(first) + others)]
        case "fragment":
            cut = rng.randrange(1, len(whole))
            return [Piece(0, whole[:cut]), Piece(_PAUSE, whole[cut:])]
        case "double":
            return [Piece(0, whole), Piece(_PAUSE, whole)]
        case "garbage":
            noise = bytes(rng.choice(b"\x00\x80\xc0\xf8\xfe\xff") for _ in range(rng.randint(1, 3)))
            return [Piece(0, noise + whole)]
        case _:
            return [Piece(0, whole)]


def _flip_last(report: bytes) -> bytes:
    """One bit of the last byte that is checked or read is wrong."""
    place = -2 if report[-1:] in (b"\r", b"\n") else -1
    spoiled = bytearray(report)
    spoiled[place] ^= 0x80
    return bytes(spoiled)


def _cut_end(report: bytes) -> bytes:
    """Without terminator: ETX and check characters, or the last byte."""
    etx = report.rfind(b"\x03")
    return report[:etx] if etx > len(report) // 2 else report[:-1]


class Faults:
    """Hands out the chosen faults one by one, each as often as the others.

    `for_card` is asked at every card drawn and says which fault meets it; what is
    not about a card is kept for `event`, at a moment of its own.
    """

    def __init__(
        self, names: Sequence[str], rng: random.Random, tell: Callable[[str], None]
    ) -> None:
        self._tell = tell
        self._names = tuple(names)
        self._rng = rng
        self._bag: list[str] = []
        self._cards_left = self._pause()
        self._event = ""
        self._moments_left = 0
        self.injected: Counter[str] = Counter()

    def for_card(self) -> str:
        """The fault that meets the card drawn now; empty for nearly all cards."""
        if not self._names or self._event:
            return ""
        self._cards_left -= 1
        if self._cards_left > 0:
            return ""
        self._cards_left = self._pause()
        name = self._next()
        if name in WIRE or name in CARDS:
            return self._inject(name)
        self._event, self._moments_left = name, self._rng.randint(0, 5)
        return ""

    def event(self) -> str:
        """Asked at each change of the screen: what happens now, if anything."""
        if not self._event:
            return ""
        self._moments_left -= 1
        if self._moments_left >= 0:
            return ""
        name, self._event = self._event, ""
        return self._inject(name)

    def _inject(self, name: str) -> str:
        self.injected[name] += 1
        self._tell(name)
        return name

    def _next(self) -> str:
        if not self._bag:
            self._bag = list(self._names)
            self._rng.shuffle(self._bag)
        return self._bag.pop()

    def _pause(self) -> int:
        return self._rng.randint(4, 12)
