"""The ChArUco board: a chessboard whose squares say which they are, so that a part of it suffices.

It is printed once, its squares are measured, and it is shown to the camera (for
the lens) or laid on the felt (for the table). Pure: pictures in, corners out.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from drivers.camera.found import Quad
from drivers.camera.frame import Image

COLUMNS: Final = 9
ROWS: Final = 6
SQUARE_MM: Final = 30.0
"""As printed on A3 without scaling; measure yours."""
MARKER_PART: Final = 0.74
ENOUGH: Final = 12
"""Corners that one picture must show to be of use; they cannot lie on one line."""
_DOTS_A_MM: Final = 8

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The board in one picture: the same corners there, and in millimetres on the board."""

    picture: Quad
    board: Floats
    """N x 2; x to the right, y down, from the board's top left corner."""


class Board:
    """A board with squares of this size."""

    def __init__(self, square_mm: float = SQUARE_MM) -> None:
        dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
        self._board = cv2.aruco.CharucoBoard(
            (COLUMNS, ROWS), square_mm, square_mm * MARKER_PART, dictionary
        )
        self._detector = cv2.aruco.CharucoDetector(self._board)

    def find(self, image: Image) -> View | None:
        """Where the board lies; None if too little of it is seen."""
        corners, ids, _, _ = self._detector.detectBoard(image)
        if ids is None or len(ids) < ENOUGH:
            return None
        known = np.asarray(self._board.getChessboardCorners(), np.float32)
        board = known[np.asarray(ids).reshape(-1), :2]
        if min(np.ptp(board, axis=0)) <= 0:
            return None
        return View(np.asarray(corners, np.float32).reshape(-1, 2), board)

    def drawn(self) -> Image:
        """To be printed."""
        size = (round(COLUMNS * SQUARE_MM * _DOTS_A_MM), round(ROWS * SQUARE_MM * _DOTS_A_MM))
        return np.asarray(self._board.generateImage(size, marginSize=0), np.uint8)
