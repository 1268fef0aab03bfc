"""Four corners of a card: their order, size, overlap. Plain numpy, no pictures."""

import math
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float32]
Quad: TypeAlias = Floats
"""Four corners, 4x2, clockwise on the screen (y grows downwards)."""

SHARPEST: Final = 0.57
"""Sine of the sharpest and of the bluntest corner that a tilted card shows."""
FLATTEST: Final = 0.26
"""Width to height of the flattest."""


def quad(points: object) -> Quad:
    """Any 4x2 as a clockwise float quad that begins at the corner nearest the top left."""
    corners = np.asarray(points, np.float32).reshape(4, 2)
    if signed_area(corners) < 0:
        corners = corners[::-1]
    first = int(corners.sum(axis=1).argmin())
    return np.ascontiguousarray(corners[[first, (first + 1) % 4, (first + 2) % 4, (first + 3) % 4]])


def signed_area(corners: Floats) -> float:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners.tolist()
    return float(0.5 * ((cx - ax) * (dy - by) - (dx - bx) * (cy - ay)))


def sides(corners: Quad) -> Floats:
    """Lengths of the sides 0-1, 1-2, 2-3, 3-0."""
    across = corners[[1, 2, 3, 0]] - corners
    return np.asarray(np.sqrt((across * across).sum(axis=1)), np.float32)


def is_card_shaped(corners: Quad) -> bool:
    """Convex, no sharp corner, opposite sides alike, as tall or long as a tilted card can be."""
    points: list[tuple[float, float]] = corners.tolist()
    edges = [
        (b[0] - a[0], b[1] - a[1]) for a, b in zip(points, points[1:] + points[:1], strict=True)
    ]
    lengths = [math.hypot(*edge) for edge in edges]
    if min(lengths) < 1:
        return False
    for i in range(4):
        (ax, ay), (bx, by) = edges[i - 1], edges[i]
        # The sine of the corner; one that turns the other way is negative.
        if (ax * by - ay * bx) / (lengths[i - 1] * lengths[i]) < SHARPEST:
            return False
    a, b, c, d = lengths
    if min(a, c) < 0.6 * max(a, c) or min(b, d) < 0.6 * max(b, d):
        return False
    return FLATTEST < (a + c) / (b + d) < 1 / FLATTEST


def centre(corners: Quad) -> tuple[float, float]:
    """Where the diagonals cross: the middle of a card, however it is tilted."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners.tolist()
    across = (cx - ax) * (dy - by) - (cy - ay) * (dx - bx)
    if abs(across) < 1e-9:
        return float(ax + cx) / 2, float(ay + cy) / 2
    t = ((bx - ax) * (dy - by) - (by - ay) * (dx - bx)) / across
    return float(ax + t * (cx - ax)), float(ay + t * (cy - ay))


def grown(corners: Quad, factor: float) -> Quad:
    middle = corners.mean(axis=0)
    return np.asarray(middle + (corners - middle) * factor, np.float32)


def contains(corners: Quad, x: float, y: float) -> bool:
    """Whether the point lies in the convex, clockwise polygon."""
    points = corners.tolist()
    ring = zip(points, points[1:] + points[:1], strict=True)
    return all((bx - ax) * (y - ay) >= (by - ay) * (x - ax) for (ax, ay), (bx, by) in ring)
