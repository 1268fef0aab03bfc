"""The printed board as a camera with a bent lens sees it."""

import cv2
import numpy as np

from calibration.board import COLUMNS, ROWS, SQUARE_MM, Board
from drivers.camera.frame import Image

SIZE = (1280, 720)
MATRIX = np.array([[1000.0, 0, 640], [0, 1000.0, 360], [0, 0, 1]])
STRAIGHT = np.zeros(5)
BENT = np.array([-0.18, 0.04, 0.0, 0.0, 0.0])
BOARD_MM = (COLUMNS * SQUARE_MM, ROWS * SQUARE_MM)


def seen_board(
    turn: tuple[float, float, float],
    at: tuple[float, float, float],
    bend: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]" = BENT,
) -> Image:
    """`turn` in degrees about x, y, z; `at` where its middle is, in mm before the camera."""
    matrix = felt_matrix(turn, at)
    drawn = Board().drawn()
    height, width = drawn.shape[:2]
    to_mm = np.diag([BOARD_MM[0] / width, BOARD_MM[1] / height, 1.0])
    picture = cv2.warpPerspective(
        cv2.cvtColor(drawn, cv2.COLOR_GRAY2BGR), matrix @ to_mm, SIZE,
        flags=cv2.INTER_AREA, borderValue=(60, 100, 40),
    )  # fmt: skip
    return bent(np.asarray(picture, np.uint8), bend)


def felt_matrix(
    turn: tuple[float, float, float], at: tuple[float, float, float]
) -> "np.ndarray[tuple[int, ...], np.dtype[np.float64]]":
    """From millimetres on the board to points of a picture without bend."""
    rotation = np.eye(3)
    for axis, angle in enumerate(turn):
        vector = np.zeros(3)
        vector[axis] = np.radians(angle)
        rotation = rotation @ cv2.Rodrigues(vector)[0]
    middle = np.array([BOARD_MM[0] / 2, BOARD_MM[1] / 2, 0])
    shift = np.array(at) - rotation @ middle
    return np.asarray(MATRIX @ np.column_stack([rotation[:, 0], rotation[:, 1], shift]))


def bent(picture: Image, bend: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]" = BENT) -> Image:
    """What a lens with this bend makes of a straight picture."""
    width, height = SIZE
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    points = np.stack([x, y], axis=-1).reshape(-1, 1, 2).astype(np.float64)
    source = cv2.undistortPoints(points, MATRIX, bend, P=MATRIX).reshape(height, width, 2)
    source = source.astype(np.float32)
    shown = cv2.remap(picture, source[..., 0], source[..., 1], cv2.INTER_LINEAR)
    return np.asarray(shown, np.uint8)


POSES = [
    ((0, 0, 0), (-170, -70, 560)),
    ((0, 0, 0), (170, -70, 560)),
    ((0, 0, 0), (-170, 70, 560)),
    ((0, 0, 0), (170, 70, 560)),
    ((25, 0, 0), (0, 0, 600)),
    ((-25, 0, 5), (60, 20, 600)),
    ((0, 28, 0), (-60, 0, 620)),
    ((0, -28, -8), (40, -20, 620)),
    ((15, 15, 20), (0, 0, 520)),
    ((-15, 20, -20), (0, 0, 520)),
]
