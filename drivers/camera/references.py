"""The enrolled faces, made ready to be compared: at several blurs, with slack, and to be aligned.

Everything here is worked out from the profile's faces once, when it is loaded.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from drivers.camera.geometry import Floats
from drivers.camera.rectify import HEIGHT, WIDTH

SIZE: Final = (WIDTH // 2, HEIGHT // 2)
"""Faces are compared at half size: what is left of two prints of one card is their noise."""
BLURS: Final = (0.0, 1.2, 2.2, 3.5)
CAP: Final = 0.25
"""Differences count up to this: black on white is no more than red on white."""
RIVALS: Final = 12
_UNIT: Final = 30.0
_TO_POINTS: Final = np.array(
    [[_UNIT, 0, SIZE[0] / 2 - 0.5], [0, _UNIT, SIZE[1] / 2 - 0.5], [0, 0, 1]]
)
_FROM_POINTS: Final = np.linalg.inv(_TO_POINTS)
_RIM: Final = 2
_STEPS: Final = 7
_COARSE_STEPS: Final = 3
_STIFF: Final = (*[1e-3] * 6, 0.3, 0.3)
"""Against moving at all, and much more against tilting: the four corners are nearly right."""
_WARP: Final = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP


def halved(ink: Floats) -> Floats:
    return np.asarray(cv2.resize(ink, SIZE, interpolation=cv2.INTER_AREA), np.float32)


def spread(faces: Floats) -> Floats:
    """Each point the most ink of its neighbours: slack for prints that are shifted a little."""
    return np.asarray(cv2.dilate(faces, np.ones((3, 3), np.uint8)), np.float32)


@dataclass(frozen=True, slots=True)
class Level:
    """All faces at one blur: as they are, spread, and how much print each two do not share."""

    faces: Floats
    spread: Floats
    apart: Floats


class References:
    """The forty faces (and the back, if it was enrolled) in the forms that `verify` needs."""

    def __init__(self, inks: Floats) -> None:
        self.levels = [_level(inks, blur) for blur in BLURS]
        self.rivals = np.argsort(self.levels[1].apart, axis=1)[:, 1 : RIVALS + 1]
        """For each face those most like it, nearest first."""
        self._aligners = [_Aligner(face) for face in self.levels[0].faces]

    def aligned(self, half: Floats, face: int) -> tuple[Floats, float]:
        """The seen face laid on reference `face`, and by how many points its corners moved."""
        return self._aligners[face].align(half)


def _apart(faces: Floats) -> Floats:
    flat = faces.reshape(len(faces), -1)
    return np.stack([np.minimum((flat - face) ** 2, CAP).sum(axis=1) for face in flat])


def _level(inks: Floats, blur: float) -> Level:
    faces = [halved(cv2.GaussianBlur(ink, (0, 0), blur) if blur else ink) for ink in inks]
    clipped = np.clip(np.stack(faces), 0, 1)
    return Level(clipped, np.stack([spread(face) for face in clipped]), _apart(clipped))


class _Aligner:
    """Inverse-compositional alignment with eight parameters, gain and offset of one reference."""

    def __init__(self, face: Floats) -> None:
        self._target = _grey(face)
        x_slope = cv2.Sobel(self._target, cv2.CV_32F, 1, 0, scale=1 / 8)
        y_slope = cv2.Sobel(self._target, cv2.CV_32F, 0, 1, scale=1 / 8)
        y, x = np.mgrid[0 : SIZE[1], 0 : SIZE[0]].astype(np.float32)
        x, y = (x - _TO_POINTS[0, 2]) / _UNIT, (y - _TO_POINTS[1, 2]) / _UNIT
        a, b = x_slope * _UNIT, y_slope * _UNIT
        tilt = a * x + b * y
        steepest = [a, b, a * x, a * y, b * x, b * y, -tilt * x, -tilt * y]
        slopes = np.stack([*steepest, self._target, np.ones_like(a)], axis=-1)
        slopes[:_RIM] = slopes[-_RIM:] = 0
        slopes[:, :_RIM] = slopes[:, -_RIM:] = 0
        self._slopes = np.ascontiguousarray(slopes.reshape(-1, 10).T)
        square = self._slopes @ self._slopes.T
        square[np.diag_indices(8)] += np.array(_STIFF) * np.trace(square[:8, :8]) / 8
        self._inverse = np.linalg.inv(square)

    def align(self, half: Floats) -> tuple[Floats, float]:
        grey = _grey(half)
        moved = np.eye(3)
        for step_number in range(_STEPS):
            error = _warped(grey, moved) - self._target
            if step_number < _COARSE_STEPS:
                error = np.clip(error, -0.25, 0.25)
            else:
                # By now what still differs much is not the card: a finger, a shadow's edge.
                error = np.where(np.abs(error) > 0.3, 0, error)
            step = self._inverse @ (self._slopes @ error.reshape(-1))
            change = np.array(
                [
                    [1 + step[2], step[3], step[0]],
                    [step[4], 1 + step[5], step[1]],
                    [step[6], step[7], 1],
                ]
            )
            moved = moved @ np.linalg.inv(change)
            if step_number >= _COARSE_STEPS and np.abs(step[:8]).max() < 0.002:
                break
        return _warped(half, moved), _travel(moved)


def _grey(face: Floats) -> Floats:
    return np.asarray(cv2.GaussianBlur(face.mean(axis=2), (0, 0), 0.9), np.float32)


def _warped(face: Floats, moved: NDArray[np.float64]) -> Floats:
    matrix = _TO_POINTS @ moved @ _FROM_POINTS
    return np.asarray(
        cv2.warpPerspective(face, matrix, SIZE, flags=_WARP, borderMode=cv2.BORDER_REPLICATE),
        np.float32,
    )


def _travel(moved: NDArray[np.float64]) -> float:
    corners = np.array([[-0.6, -1, 1], [0.6, -1, 1], [0.6, 1, 1], [-0.6, 1, 1]]).T
    there = moved @ corners
    if (there[2] < 0.2).any():
        return float("inf")
    return float(np.abs(there[:2] / there[2] - corners[:2]).max() * _UNIT)
