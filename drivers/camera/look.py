"""How a picture looks as a whole: light, sharpness, and a small grey copy to compare with.

Measured of the empty felt at calibration and of every picture since. What is
concluded from it is `health` (can a card be read now?) and `drift` (is the
calibration still right?).
"""

from typing import Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from drivers.camera.frame import Image

WIDTH: Final = 320
HEIGHT: Final = 180
CELL: Final = 20
"""Cells of 20 x 20 points of the small copy: 16 x 9 of them."""

UNLIKE: Final = 0.22
"""Mean difference, as a part of the light, at which a place shows something else."""

Grey = NDArray[np.float32]


class Look(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The measures of one picture. `grey` is HEIGHT x WIDTH bytes."""

    grey: bytes
    colour: tuple[float, float, float]
    """Mean blue, green, red."""
    sharpness: float

    def __post_init__(self) -> None:
        if len(self.grey) != WIDTH * HEIGHT:
            raise ValueError(f"look.grey has {len(self.grey)} bytes instead of {WIDTH * HEIGHT}")

    def copy(self) -> Grey:
        return np.frombuffer(self.grey, np.uint8).reshape(HEIGHT, WIDTH).astype(np.float32)

    @property
    def light(self) -> float:
        return sum(self.colour) / 3


def look_at(image: Image) -> Look:
    small = cv2.resize(image, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
    blue, green, red, _ = cv2.mean(small)
    return Look(grey.tobytes(), (blue, green, red), sharpness(image))


def glance(image: Image) -> Grey:
    """The small grey copy alone: cheap enough for every picture."""
    every = max(1, min(image.shape[0] // (2 * HEIGHT), image.shape[1] // (2 * WIDTH)))
    fewer = np.ascontiguousarray(image[::every, ::every])
    small = cv2.resize(fewer, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)


def structure(grey: Grey) -> float:
    """How much there is to see, whatever the light: edges of the size of a line on the felt."""
    calm = cv2.GaussianBlur(grey, (0, 0), 1.2)
    across, down = cv2.Sobel(calm, cv2.CV_32F, 1, 0), cv2.Sobel(calm, cv2.CV_32F, 0, 1)
    return float(cv2.magnitude(across, down).std()) / max(float(grey.mean()), 1.0)


def sharpness(image: Image) -> float:
    """Strength of the finest edges in the middle half of the picture, as a part of its light."""
    height, width = image.shape[:2]
    part = image[height // 4 : 3 * height // 4, width // 4 : 3 * width // 4]
    grey = cv2.cvtColor(np.ascontiguousarray(part), cv2.COLOR_BGR2GRAY)
    return float(cv2.Laplacian(grey, cv2.CV_32F).std()) / max(float(grey.mean()), 1.0)


def unlike_cells(now: Grey, before: Grey) -> NDArray[np.bool_]:
    """Which cells of two copies show something else, whatever the light: 9 x 16."""
    rows, columns = HEIGHT // CELL, WIDTH // CELL
    differs = np.zeros((rows, columns), np.bool_)
    gain = _gain(now, before)
    apart = np.abs(now - before * gain) / max(gain * float(before.mean()), 8.0)
    means = apart.reshape(rows, CELL, columns, CELL).mean(axis=(1, 3))
    differs[means > UNLIKE] = True
    return differs


def is_unlike_within(now: Grey, before: Grey, corners: NDArray[np.float32]) -> bool:
    """Whether two copies show something else inside these corners (in points of the copies)."""
    inside = np.zeros((HEIGHT, WIDTH), np.uint8)
    cv2.fillConvexPoly(inside, np.rint(corners).astype(np.int32), 1)
    shown, empty = now[inside > 0], before[inside > 0]
    if not shown.size:
        return False
    gain = _gain(now, before)
    apart = float(np.abs(shown - empty * gain).mean())
    return apart > UNLIKE * max(gain * float(before.mean()), 8.0)


def _gain(now: Grey, before: Grey) -> float:
    """How much brighter it is now; of some points, for a median of all costs a millisecond."""
    return float(np.median(now[::4, ::3]) / max(float(np.median(before[::4, ::3])), 1.0))
