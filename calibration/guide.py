"""What a guided calibration promises the page: what to say, what to draw, which buttons there are.

The page (`live`) knows nothing of lenses or tables: it shows the picture that a
`Guide` drew on, its sentence and its buttons, and hands presses and clicked
points back. So each calibration is a small file, and a new one needs no page.
"""

from typing import Protocol

import msgspec

from drivers.camera.frame import Image

Points = tuple[tuple[float, float], ...]


class Button(msgspec.Struct, frozen=True):
    """What can be done now. `points`: how many must be clicked in the picture for it."""

    do: str
    label: str
    points: int = 0


class Say(msgspec.Struct, frozen=True):
    """One sentence to do next, what went wrong if anything did, and the buttons."""

    sentence: str
    problem: str = ""
    buttons: tuple[Button, ...] = ()
    done: bool = False


class Guide(Protocol):
    """One calibration that is under way."""

    def see(self, image: Image) -> Image:
        """The newest picture; returns it with what was found drawn in."""
        ...

    def do(self, what: str, points: Points) -> None:
        """A button was pressed; the picture is the one seen last."""
        ...

    def say(self) -> Say: ...
