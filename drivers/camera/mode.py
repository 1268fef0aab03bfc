"""Whether a camera granted what it was asked for, and keeps it. Pure."""

from typing import Final

from controller.runtime.clock import NANOSECONDS
from drivers.camera.frame import Frame, Mode

SLOW: Final = 0.6
"""Of the pace asked for; a camera below it misses what happens between two pictures."""
PACE_NS: Final = 3 * NANOSECONDS


class Pace:
    """How many frames a second the source really makes, of one opening after another."""

    def __init__(self, asked: float) -> None:
        self._asked = asked
        self._from: tuple[int, int] | None = None
        self.is_slow = False

    def begin(self) -> None:
        self._from, self.is_slow = None, False

    def note(self, frame: Frame) -> None:
        """Frames are numbered by the grabber, so it does not matter which of them we see."""
        if self._from is None:
            self._from = (frame.index, frame.stamp)
        passed = frame.stamp - self._from[1]
        if passed >= PACE_NS:
            pace = (frame.index - self._from[0]) * NANOSECONDS / passed
            self.is_slow = pace < SLOW * self._asked
            self._from = (frame.index, frame.stamp)


def mode_problem(asked: Mode, granted: Mode) -> str:
    """One sentence if the camera works in another mode than wanted, "" if it does not."""
    if granted.width and (granted.width, granted.height) != (asked.width, asked.height):
        return (
            f"the camera gives {granted.width}x{granted.height} instead of "
            f"{asked.width}x{asked.height}: set camera.width and camera.height to what it can"
        )
    if granted.fourcc and granted.width and granted.fourcc != asked.fourcc:
        return f"the camera gives {granted.fourcc} instead of {asked.fourcc}: pictures come slowly"
    if granted.width and 0 < granted.fps < SLOW * asked.fps:
        return f"the camera gives {granted.fps:g} pictures a second instead of {asked.fps:g}"
    return ""
