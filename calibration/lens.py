"""From pictures of the board to a lens profile, or to a sentence why there is none. Pure."""

from collections.abc import Sequence
from typing import Final

import cv2
import msgspec
import numpy as np

from calibration.board import View
from drivers.camera.lens import MOST_ERROR

LEAST_VIEWS: Final = 8
GRID: Final = 4
LEAST_CELLS: Final = 12
"""Of the 4 x 4 cells of the picture in which the board must have been seen."""
OUTLIER: Final = 2.5
"""Times the median error: such a picture was shaken and is left out."""


class NotCalibrated(ValueError):  # noqa: N818 - what the result is
    """The pictures do not make a profile; `str` says what to do."""


class Lens(msgspec.Struct, frozen=True):
    """What was found out about the lens."""

    matrix: tuple[float, ...]
    bend: tuple[float, ...]
    error: float
    pictures: int


def cells_seen(views: Sequence[View], size: tuple[int, int]) -> set[tuple[int, int]]:
    """In which cells of the picture (column, row) a corner of the board was seen."""
    width, height = size
    cells: set[tuple[int, int]] = set()
    for view in views:
        for x, y in view.picture.tolist():
            column, row = int(x * GRID / width), int(y * GRID / height)
            cells.add((min(max(column, 0), GRID - 1), min(max(row, 0), GRID - 1)))
    return cells


def calibrate_lens(views: Sequence[View], size: tuple[int, int]) -> Lens:
    """`NotCalibrated` with one sentence if the pictures are too few, too alike or unsharp."""
    if len(views) < LEAST_VIEWS:
        raise NotCalibrated(
            f"the board was found in {len(views)} pictures; take at least {LEAST_VIEWS}, "
            "the board flat, sharp and well lit"
        )
    seen = len(cells_seen(views, size))
    if seen < LEAST_CELLS:
        raise NotCalibrated(
            f"the board was seen in {seen} of {GRID * GRID} parts of the picture; "
            "show it in the corners and at the edges too, and tilted"
        )
    return _fitted(views, size)


def _fitted(views: Sequence[View], size: tuple[int, int]) -> Lens:
    errors = _errors(*_solve(views, size), views)
    good = [
        view
        for view, error in zip(views, errors, strict=True)
        if error <= OUTLIER * float(np.median(errors))
    ]
    matrix, bend, turns, shifts = _solve(good, size)
    error = float(np.sqrt(np.mean(np.square(_errors(matrix, bend, turns, shifts, good)))))
    if not error <= MOST_ERROR:
        raise NotCalibrated(
            f"the pictures contradict each other by {error:.1f} points (at most {MOST_ERROR:g}): "
            "is the board flat, and was it held still?"
        )
    flat = [float(value) for value in matrix.ravel()]
    return Lens(tuple(flat), tuple(float(value) for value in bend.ravel()[:5]), error, len(good))


_Matrix = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
_Solved = tuple[_Matrix, _Matrix, Sequence[_Matrix], Sequence[_Matrix]]


def _solve(views: Sequence[View], size: tuple[int, int]) -> _Solved:
    boards = [_on_plane(view) for view in views]
    pictures = [view.picture.reshape(-1, 1, 2) for view in views]
    _, matrix, bend, turns, shifts = cv2.calibrateCamera(
        boards, pictures, size, np.eye(3), np.zeros(5)
    )
    return (
        np.asarray(matrix, np.float64),
        np.asarray(bend, np.float64),
        [np.asarray(turn, np.float64) for turn in turns],
        [np.asarray(shift, np.float64) for shift in shifts],
    )


def _on_plane(view: View) -> "np.ndarray[tuple[int, ...], np.dtype[np.float32]]":
    flat = np.concatenate([view.board, np.zeros((len(view.board), 1), np.float32)], axis=1)
    return np.asarray(flat, np.float32).reshape(-1, 1, 3)


def _errors(
    matrix: _Matrix,
    bend: _Matrix,
    turns: Sequence[_Matrix],
    shifts: Sequence[_Matrix],
    views: Sequence[View],
) -> list[float]:
    """For each picture, how far its corners lie from where the model has them."""
    errors = []
    for view, turn, shift in zip(views, turns, shifts, strict=True):
        shown, _ = cv2.projectPoints(_on_plane(view), turn, shift, matrix, bend)
        apart = np.asarray(shown).reshape(-1, 2) - view.picture
        errors.append(float(np.sqrt(np.mean(np.square(apart).sum(axis=1)))))
    return errors
