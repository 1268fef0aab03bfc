"""What every picture source promises: `read` waits for the next picture and delivers it.

A source lives in the grabber's process, where it may block. What it cannot do it
says by `SourceLost`; then it is closed and a new one opened. Which address makes
which source is `capture` (cameras, films) and `sources` (files, sockets).
"""

from enum import StrEnum
from typing import Protocol

from drivers.camera.frame import Opened, Packet


class Why(StrEnum):
    """Why there is no picture."""

    GONE = "gone"
    """No such device or file: unplugged, or never there."""
    REFUSED = "refused"
    """It is there and cannot be opened: taken, forbidden, or no camera at all."""
    BROKEN = "broken"
    """It was open and delivers no more."""


class SourceLost(Exception):  # noqa: N818 - the field's word for it
    """There are no pictures from here; `str` is a sentence for the technician."""

    def __init__(self, why: Why, sentence: str) -> None:
        super().__init__(sentence)
        self.why = why


class Source(Protocol):
    """One opening of one address."""

    opened: Opened

    def read(self) -> Packet | None:
        """The next picture; None if there was none for a while. May block, may raise."""
        ...

    def close(self) -> None: ...
