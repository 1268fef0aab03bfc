"""The lens profile: how this lens bends straight lines, made by `mazziere calibrate lens`.

It is used when the table is calibrated: regions are then kept as the lens shows
them, so that nothing has to be straightened while cards are read.
"""

from typing import Final, Literal

import cv2
import msgspec
import numpy as np

from drivers.camera.calibrated import Made
from drivers.camera.found import Quad

MOST_ERROR: Final = 1.5
"""Points; a worse calibration is none."""


class LensProfile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One camera's lens at one picture size."""

    format: Literal["mazziere-lens"] = "mazziere-lens"
    version: Literal[1] = 1
    made: Made
    width: int
    height: int
    matrix: tuple[float, ...]
    """The 3 x 3 camera matrix, row by row."""
    bend: tuple[float, ...]
    """The distortion in OpenCV's order k1 k2 p1 p2 k3."""
    error: float
    """What is left between the board and the model, in points (root of the mean square)."""
    pictures: int

    def __post_init__(self) -> None:
        if len(self.matrix) != 9 or len(self.bend) != 5 or self.width <= 0 or self.height <= 0:
            raise ValueError("matrix, bend or size is not that of a lens")
        if not 0 <= self.error <= MOST_ERROR:
            raise ValueError(f"error is {self.error:g} points; at most {MOST_ERROR:g} is usable")

    def straight(self, points: Quad) -> Quad:
        """These points where a lens without bend would show them."""
        matrix = np.array(self.matrix).reshape(3, 3)
        bend = np.array(self.bend)
        flat = cv2.undistortPoints(
            np.asarray(points, np.float64).reshape(-1, 1, 2), matrix, bend, P=matrix
        )
        return np.asarray(flat.reshape(-1, 2), np.float32)

    def bent(self, points: Quad) -> Quad:
        """The way back: where this lens shows points of a straight picture."""
        matrix = np.array(self.matrix).reshape(3, 3)
        rays = cv2.undistortPoints(
            np.asarray(points, np.float64).reshape(-1, 1, 2), matrix, np.zeros(5)
        )
        ahead = np.concatenate([rays.reshape(-1, 2), np.ones((len(points), 1))], axis=1)
        shown, _ = cv2.projectPoints(
            ahead.reshape(-1, 1, 3), np.zeros(3), np.zeros(3), matrix, np.array(self.bend)
        )
        return np.asarray(shown.reshape(-1, 2), np.float32)
