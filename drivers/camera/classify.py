"""Which of the forty a flat face most resembles: one matrix, learned at enrolment.

The matrix is a regularised linear discriminant over a small blurred picture of
the ink, solved in closed form from augmented pictures of the enrolled deck (see
`calibration.training`). It proposes; `verify` decides.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from drivers.camera.geometry import Floats

SMALL = (24, 40)
LENGTH = SMALL[0] * SMALL[1] * 3


def features(ink: Floats) -> Floats:
    """A face's ink as one vector of length 1."""
    small = cv2.GaussianBlur(cv2.resize(ink, SMALL, interpolation=cv2.INTER_AREA), (0, 0), 0.8)
    vector = np.asarray(small, np.float32).reshape(-1)
    return np.asarray(vector / (float(np.linalg.norm(vector)) + 1e-3), np.float32)


@dataclass(frozen=True, slots=True)
class Discriminant:
    """About 1 for the face that it is, about 0 for every other."""

    mean: Floats
    weights: Floats
    """LENGTH x faces."""

    def scores(self, ink: Floats) -> Floats:
        return np.asarray((features(ink) - self.mean) @ self.weights, np.float32)
