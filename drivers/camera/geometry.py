"""Four corners of a card: their order, size, overlap. Plain numpy, no pictures."""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float32]
Quad: TypeAlias = Floats
"""Four corners, 4x2, clockwise on the screen (y grows downwards)."""

MIN_ANGLE: Final = 35.0
MAX_ANGLE: Final = 145.0


def quad(points: object) -> Quad:
    """Any 4x2 as a clockwise float quad that begins at the corner nearest the top left."""
    corners = np.asarray(points, np.float32).reshape(4, 2)
    if signed_area(corners) < 0:
        corners = corners[::-1]
    return np.ascontiguousarray(np.roll(corners, -int(corners.sum(axis=1).argmin()), axis=0))


def signed_area(corners: Floats) -> float:
    x, y = corners[:, 0], corners[:, 1]
    return float(0.5 * (np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))))


def sides(corners: Quad) -> Floats:
    """Lengths of the sides 0-1, 1-2, 2-3, 3-0."""
    return np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).astype(np.float32)


def angles(corners: Quad) -> Floats:
    """The four inner angles in degrees."""
    ahead = np.roll(corners, -1, axis=0) - corners
    behind = np.roll(corners, 1, axis=0) - corners
    cosine = (ahead * behind).sum(axis=1) / np.maximum(
        np.linalg.norm(ahead, axis=1) * np.linalg.norm(behind, axis=1), 1e-6
    )
    return np.degrees(np.arccos(np.clip(cosine, -1, 1))).astype(np.float32)


def is_card_shaped(corners: Quad) -> bool:
    """Convex, no sharp corner, opposite sides alike, as tall or long as a tilted card can be."""
    if signed_area(corners) <= 0 or not np.isfinite(corners).all():
        return False
    inner = angles(corners)
    if inner.min() < MIN_ANGLE or inner.max() > MAX_ANGLE or abs(inner.sum() - 360) > 1:
        return False
    a, b, c, d = sides(corners)
    if min(a, c) < 0.6 * max(a, c) or min(b, d) < 0.6 * max(b, d):
        return False
    aspect = (a + c) / (b + d)
    return bool(0.26 < min(aspect, 1 / aspect))


def grown(corners: Quad, factor: float) -> Quad:
    middle = corners.mean(axis=0)
    return np.asarray(middle + (corners - middle) * factor, np.float32)


def contains(corners: Quad, x: float, y: float) -> bool:
    """Whether the point lies in the convex, clockwise polygon."""
    ahead = np.roll(corners, -1, axis=0) - corners
    to = np.array([x, y], np.float32) - corners
    return bool((ahead[:, 0] * to[:, 1] - ahead[:, 1] * to[:, 0] >= 0).all())


def homography(source: Quad, target: Quad) -> NDArray[np.float64]:
    """The 3x3 matrix that takes four points to four others."""
    rows = []
    for (x, y), (u, v) in zip(source.tolist(), target.tolist(), strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y])
    solved = np.linalg.solve(np.array(rows), target.astype(np.float64).reshape(8))
    return np.append(solved, 1.0).reshape(3, 3)
