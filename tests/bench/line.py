"""The shoe's end of a pseudo-terminal: the first copy is timed, its two repeats follow later.

A real Angel Eye sends each report three times; the clock starts at the last
byte of the first, and the others are written once the state has come, so that
they cost what they cost on a table and are outside the figure.
"""

import os
import random
import time
import tty

from controller.contract.cards import DECK
from simulators.devices import AngelEyeShoe


class Line:
    """A pty that stays raw and open while the reader behind it lives."""

    def __init__(self) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self._device = AngelEyeShoe()
        self._copies: list[bytes] = []

    @property
    def path(self) -> str:
        return os.ttyname(self._slave)

    def first_copy(self, card: str) -> int:
        """Write it; the time just before its last byte was on the line."""
        self._copies = self._device.card(card)
        at = time.monotonic_ns()
        os.write(self._master, self._copies[0])
        return at

    def other_copies(self) -> None:
        os.write(self._master, b"".join(self._copies[1:]))

    def close(self) -> None:
        os.close(self._master)
        os.close(self._slave)


def any_card(choice: random.Random) -> str:
    return choice.choice(DECK)
