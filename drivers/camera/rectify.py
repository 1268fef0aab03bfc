"""A card seen at any angle as a flat face of one size, and its ink without the light.

`flat` undoes the perspective; `ink` divides by the paper's own colour, so that
warm, dim, cyan or sloping light on the card is gone: 0 is paper, 1 is black.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from drivers.camera.geometry import Floats, Quad, sides

Image = NDArray[np.uint8]

WIDTH: Final = 72
HEIGHT: Final = 120
TARGET: Final = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)
BRIGHTEST: Final = -0.35
"""Ink below paper: what shines. Kept, so that glare can be told from paper."""


def flat(image: Image, corners: Quad) -> Image:
    """The card upright, corner 0 at the top left. Shrinks by areas, so that nothing flickers."""
    lengths = sides(corners)
    finer = int(np.clip(round(max(lengths[0], lengths[2]) / WIDTH), 1, 4))
    # Pixel centres: a corner at x lies between the points x-1 and x.
    matrix = cv2.getPerspectiveTransform(np.asarray(corners, np.float32), TARGET * finer - 0.5)
    size = (WIDTH * finer, HEIGHT * finer)
    warped = cv2.warpPerspective(
        image, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    if finer > 1:
        warped = cv2.resize(warped, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    return np.asarray(warped, np.uint8)


def turns(corners: Quad) -> list[Quad]:
    """The ways up that a card can lie: the tall ones, unless it looks nearly square."""
    a, b, c, d = sides(corners)
    aspect = (a + c) / (b + d)
    ways = [0, 2] if aspect < 0.8 else [1, 3] if aspect > 1.25 else [0, 1, 2, 3]
    return [np.roll(corners, way, axis=0) for way in ways]


def _terms() -> Floats:
    y, x = np.mgrid[-1 : 1 : HEIGHT * 1j, -1 : 1 : WIDTH * 1j]
    return np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=-1).astype(np.float32)


_TERMS: Final = _terms()
_STEP: Final = 3
_COARSE: Final = np.ascontiguousarray(_TERMS[1::_STEP, 1::_STEP].reshape(-1, 6))


def paper(face: Image) -> Floats:
    """The colour that blank paper has at each point of this face: a smooth slope fitted to it."""
    points = face[1::_STEP, 1::_STEP].reshape(-1, 3).astype(np.float32)
    darkest = points.min(axis=1)
    bright = darkest >= np.percentile(darkest, 60)
    fit = np.zeros((6, 3), np.float32)
    for tolerance in (0.14, 0.09):
        chosen = _COARSE[bright]
        square = chosen.T @ chosen + np.diag([0.01, 1, 1, 3, 3, 3]).astype(np.float32) * 0.02 * len(
            chosen
        )
        fit = np.linalg.solve(square, chosen.T @ points[bright]).astype(np.float32)
        ratio = points / np.maximum(_COARSE @ fit, 8)
        bright = (np.abs(ratio - 1) < tolerance).all(axis=1)
        if bright.sum() < 60:
            break
    return np.asarray(np.maximum(_TERMS @ fit, 8), np.float32)


def ink(face: Image) -> Floats:
    """How much of each colour the print takes away: HEIGHT x WIDTH x 3, 0 is bare paper."""
    printed = 1 - face.astype(np.float32) / paper(face)
    return np.asarray(np.clip(printed, BRIGHTEST, 1), np.float32)
