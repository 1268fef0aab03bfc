"""The lens, guided: the board is shown around, good views are taken by themselves."""

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np

from calibration.board import Board, View
from calibration.guide import Button, Points, Say
from calibration.lens import GRID, LEAST_VIEWS, Lens, NotCalibrated, calibrate_lens, cells_seen
from drivers.camera.frame import Image

STILL: Final = 1.5
"""Points that the board may move between two looks to count as held still."""
APART: Final = 0.06
"""Of the picture's width: how far a view must differ from every one that was taken."""
WANTED: Final = 14
_GREEN: Final = (80, 220, 80)
_GREY: Final = (160, 160, 160)

Save = Callable[[Lens, tuple[int, int]], str]
"""Saves the lens of pictures of this size, and says where."""


class LensGuide:
    """Collects views until there are enough, in all parts of the picture."""

    def __init__(self, board: Board, save: Save) -> None:
        self._board = board
        self._save = save
        self._views: list[View] = []
        self._before: View | None = None
        self._size = (0, 0)
        self._problem = self._saved = ""

    def see(self, image: Image) -> Image:
        self._size = (image.shape[1], image.shape[0])
        view = self._board.find(image)
        if view is not None and self._is_still(view) and self._is_new(view):
            self._views.append(view)
        self._before = view
        return self._drawn(image, view)

    def do(self, what: str, points: Points) -> None:
        del points
        self._problem = ""
        if what == "again":
            self._views.clear()
        elif what == "finish":
            try:
                self._saved = self._save(calibrate_lens(self._views, self._size), self._size)
            except NotCalibrated as why:
                self._problem = str(why)

    def say(self) -> Say:
        if self._saved:
            return Say(self._saved, done=True)
        count = len(self._views)
        buttons: tuple[Button, ...] = (Button("again", "Start again"),)
        if count >= LEAST_VIEWS:
            buttons += (Button("finish", "Finish"),)
        if count >= WANTED:
            return Say(f"{count} views taken: finish", self._problem, buttons)
        sentence = (
            f"{count} of {WANTED} views taken. Show the board still, then elsewhere: near, far, "
            "tilted, in every grey part of the picture"
        )
        return Say(sentence, self._problem, buttons)

    def _is_still(self, view: View) -> bool:
        before = self._before
        if before is None or len(before.picture) != len(view.picture):
            return False
        return float(np.abs(before.picture - view.picture).max()) < STILL

    def _is_new(self, view: View) -> bool:
        least = APART * self._size[0]
        return all(_unlike(view, taken) > least for taken in self._views)

    def _drawn(self, image: Image, view: View | None) -> Image:
        shown = image.copy()
        width, height = self._size[0] // GRID, self._size[1] // GRID
        seen = cells_seen(self._views, self._size)
        for column in range(GRID):
            for row in range(GRID):
                if (column, row) not in seen:
                    corner = (column * width + 8, row * height + 8)
                    end = ((column + 1) * width - 8, (row + 1) * height - 8)
                    cv2.rectangle(shown, corner, end, _GREY, 2)
        for x, y in [] if view is None else view.picture.tolist():
            cv2.circle(shown, (round(x), round(y)), 6, _GREEN, -1)
        return shown


def _unlike(view: View, taken: View) -> float:
    """How far the boards of two views lie apart, by the corners of their outlines."""
    return float(np.abs(_box(view) - _box(taken)).max())


def _box(view: View) -> "np.ndarray[tuple[int, ...], np.dtype[np.float32]]":
    points = cv2.boxPoints(cv2.minAreaRect(view.picture))
    return np.asarray(sorted(points.tolist()), np.float32)
