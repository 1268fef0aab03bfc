"""One enrolled face as other light, other wear and other hands would show it.

Works on flat faces: corners a little off, smeared, dim, warm, in shadow, under
a highlight or a fingertip. The generator is handed in, so an enrolment is the
same each time.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from drivers.camera.geometry import Floats, Quad, sides
from drivers.camera.rectify import HEIGHT, WIDTH, flat

Image = NDArray[np.uint8]

_Y, _X = np.mgrid[-1 : 1 : HEIGHT * 1j, -1 : 1 : WIDTH * 1j].astype(np.float32)
_SKIN: Final = np.array([110, 140, 200], np.float32)


def varied(image: Image, corners: Quad, rng: np.random.Generator, hard: float = 1.0) -> Image:
    """The face at `corners`, once more but different; `hard` 0 is as it is."""
    loose = rng.normal(0, 0.012 * hard * float(sides(corners).mean()), (4, 2)).astype(np.float32)
    face = flat(image, corners + loose).astype(np.float32)
    face = _smeared(face, rng, hard)
    face = _lit(face, rng, hard)
    if rng.random() < 0.3 * hard:
        face = _touched(face, rng)
    face += rng.normal(0, rng.uniform(1, 1 + 8 * hard), face.shape).astype(np.float32)
    return np.clip(face, 0, 255).astype(np.uint8)


def _smeared(face: Floats, rng: np.random.Generator, hard: float) -> Floats:
    if rng.random() < 0.5 * hard:
        reach, angle = rng.uniform(0.5, 4), rng.uniform(0, np.pi)
        dx, dy = reach * np.cos(angle), reach * np.sin(angle)
        kernel = np.zeros((11, 11), np.float32)
        cv2.line(kernel, (round(5 - dx), round(5 - dy)), (round(5 + dx), round(5 + dy)), 1)
        face = np.asarray(cv2.filter2D(face, -1, kernel / kernel.sum()), np.float32)
    if rng.random() < 0.4 * hard:
        face = np.asarray(cv2.GaussianBlur(face, (0, 0), rng.uniform(0.5, 2.2)), np.float32)
    return face


def _lit(face: Floats, rng: np.random.Generator, hard: float) -> Floats:
    gain = (1 + hard * (rng.uniform(0.35, 1.1) - 1)) * rng.uniform(1 - 0.25 * hard, 1.05, 3)
    slope = rng.uniform(-0.25, 0.25, 2) * hard
    face = face * (1 + slope[0] * _X + slope[1] * _Y)[..., None] * gain
    if rng.random() < 0.3 * hard:
        x, y = rng.uniform(-1, 1, 2)
        far = ((_X - x) ** 2 + (1.67 * (_Y - y)) ** 2) / rng.uniform(0.15, 0.5) ** 2
        face = face + (rng.uniform(40, 200) * np.exp(-far))[..., None]
    if rng.random() < 0.3 * hard:
        angle = rng.uniform(0, 2 * np.pi)
        dark = np.cos(angle) * _X + np.sin(angle) * _Y > rng.uniform(-0.7, 0.7)
        face = np.where(dark[..., None], face * rng.uniform(0.45, 0.9), face)
    return np.asarray(face, np.float32)


def _touched(face: Floats, rng: np.random.Generator) -> Floats:
    along = rng.uniform(-0.8, 0.8)
    x, y = [(-1.0, along), (1.0, along), (along, -1.0), (along, 1.0)][int(rng.integers(4))]
    under = ((_X - x) / rng.uniform(0.2, 0.5)) ** 2 + ((_Y - y) / rng.uniform(0.1, 0.35)) ** 2 < 1
    face[under] = _SKIN * rng.uniform(0.4, 1.1)
    return face
