"""Whether the calibration is still right: lens moved, light changed, dirt, or another camera.

Compares the empty felt now with the empty felt of the table profile. Pure. It is
looked at when the felt is empty and at each new deck; its sentences go to the
dealer's screen as the camera's state.
"""

from typing import Final

import cv2
import msgspec
import numpy as np
from msgspec.structs import replace

from drivers.camera.look import WIDTH, Grey, Look, structure, unlike_cells

MOVED: Final = 0.008
"""Of the picture's width: more than this and cards lie in wrong regions."""
OTHER_VIEW: Final = 0.15
"""Match of the two views below which they are not the same table at all."""
PLAIN: Final = 0.15
"""Structure of a felt without marks: whether such a view has shifted cannot be seen in it."""
DARKER: Final = 0.6
BRIGHTER: Final = 1.6
TINT: Final = 0.08
DIRT: Final = 1
DIRTIEST: Final = 0.15
"""Of the cells; more than this is no dirt."""


class Drift(msgspec.Struct, frozen=True):
    """What has changed since the calibration."""

    moved: float
    """How far the view has shifted, as a part of the picture's width."""
    match: float
    """How surely the two views are of one table, 0 to 1."""
    light: float
    """How much brighter it is now, as a factor."""
    tint: float
    """How far the colours have shifted against each other."""
    dirt: int
    """Cells in which something lies that was not there."""

    def without_dirt(self) -> "Drift":
        """For a picture in which cards may lie."""
        return replace(self, dirt=0)

    @property
    def usable(self) -> bool:
        """Whether regions can still be told."""
        return self.match >= OTHER_VIEW and self.moved <= MOVED

    def sentences(self) -> list[str]:
        """What the dealer is told; nothing if all is well."""
        if self.match < OTHER_VIEW:
            return ["this is not the table of the profile: is it the right camera? calibrate"]
        said = []
        if self.moved > MOVED:
            said.append("the camera was moved: put it back or calibrate the table again")
        if not DARKER <= self.light <= BRIGHTER:
            what = "darker" if self.light < 1 else "brighter"
            said.append(f"the light is {what} than at the calibration: set it right")
        elif self.tint > TINT:
            said.append("the colour of the light has changed since the calibration")
        if self.dirt:
            said.append("something lies on the felt or on the lens: clear or clean it")
        return said


def drift(now: Look, empty: Look) -> Drift:
    """Of a picture in which no card lies."""
    here, there = now.copy(), empty.copy()
    moved, match = _shift(here, there)
    return Drift(
        moved=moved,
        match=match,
        light=now.light / max(empty.light, 1.0),
        tint=_tint(now, empty),
        dirt=_dirt(here, there),
    )


def _shift(here: Grey, there: Grey) -> tuple[float, float]:
    if structure(there) < PLAIN:
        return 0.0, 1.0
    (dx, dy), match = cv2.phaseCorrelate(_edges(there), _edges(here))
    return float(np.hypot(dx, dy)) / WIDTH, float(np.clip(match, 0.0, 1.0))


def _edges(grey: Grey) -> "np.ndarray[tuple[int, ...], np.dtype[np.float64]]":
    """Edges alone, fading out at the border: the light and its slope do not shift them."""
    calm = cv2.GaussianBlur(grey, (0, 0), 1.2)
    across, down = cv2.Sobel(calm, cv2.CV_32F, 1, 0), cv2.Sobel(calm, cv2.CV_32F, 0, 1)
    strength = np.sqrt(across * across + down * down)
    window = np.outer(np.hanning(grey.shape[0]), np.hanning(grey.shape[1]))
    return np.asarray((strength - strength.mean()) * window, np.float64)


def _tint(now: Look, empty: Look) -> float:
    here = np.array(now.colour) / max(sum(now.colour), 1.0)
    there = np.array(empty.colour) / max(sum(empty.colour), 1.0)
    return float(np.abs(here - there).max())


def _dirt(here: Grey, there: Grey) -> int:
    unlike = unlike_cells(here, there)
    return int(unlike.sum()) if unlike.mean() <= DIRTIEST else 0
