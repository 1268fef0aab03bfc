"""The discriminant of an enrolled deck, solved in closed form: seconds, no epochs.

Ridge regression from the features of augmented faces to which card they are,
in its dual form because there are about as many pictures as features. The seed
is fixed: the same forty pictures give the same profile.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from calibration.augment import varied
from calibration.enrolled import EnrolledFace
from drivers.camera.classify import Discriminant, features
from drivers.camera.geometry import Floats
from drivers.camera.rectify import ink

SEED: Final = 20_07
VARIANTS: Final = 40
RIDGE: Final = 0.02


def train(faces: Sequence[EnrolledFace], variants: int = VARIANTS) -> Discriminant:
    rng = np.random.default_rng(SEED)
    rows, labels = [], []
    for label, face in enumerate(faces):
        for _ in range(variants):
            rows.append(features(ink(varied(face.image, face.corners, rng))))
            labels.append(label)
    return _solved(np.stack(rows), np.array(labels), len(faces))


def _solved(
    rows: Floats, labels: np.ndarray[tuple[int], np.dtype[np.int64]], count: int
) -> Discriminant:
    mean = rows.mean(axis=0)
    centred = rows - mean
    targets = np.full((len(rows), count), -1 / (count - 1), np.float32)
    targets[np.arange(len(rows)), labels] = 1
    square = centred @ centred.T
    square[np.diag_indices(len(rows))] += RIDGE * np.trace(square) / len(rows)
    weights = centred.T @ np.linalg.solve(square, targets)
    return Discriminant(mean.astype(np.float32), weights.astype(np.float32))
