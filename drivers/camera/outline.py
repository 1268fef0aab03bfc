"""Four corners from an outline: straight stretches, fitted lines, where they meet.

An outline is a set of points; which picture or threshold it comes from is
`locate`'s business. A covered or round corner does not matter, because corners
are where fitted sides meet; half a side may be hidden by a finger.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Final, TypeAlias

import cv2
import numpy as np

from drivers.camera.geometry import Floats, Quad, is_card_shaped, quad, sides, signed_area

Line: TypeAlias = tuple[float, float, float, float]
"""A point of the line and its direction: x, y, dx, dy."""

WHOLE: Final = 0.62
"""Three sides must be seen for this part of their length, the fourth for half of it."""
NEAR: Final = 2.2
"""Points that an outline may run beside its side."""
MOST_LINES: Final = 7


@dataclass(frozen=True, slots=True)
class Place:
    """Where a card seems to lie; `support` is the part of its outline that was seen, 0..1."""

    corners: Quad
    support: float


def quads_of(
    points: Floats, lines: list[Line], shape: tuple[int, ...], most: int, whole: float = WHOLE
) -> list[Place]:
    """The best card-shaped quads whose sides are four of the lines and run along the points."""
    places = []
    for four in combinations(lines, 4):
        corners = _meet(four, shape)
        if corners is None or not is_card_shaped(corners):
            continue
        seen = _seen(points, corners)
        if seen.min() >= whole / 2 and np.sort(seen)[1] >= whole:
            places.append(Place(corners, float(seen.mean())))
    # Among outlines that are as well seen, the larger one is the card.
    places.sort(key=lambda place: -place.support * signed_area(place.corners))
    return places[:most]


def long_lines(points: Floats) -> list[Line]:
    """The outline's straight stretches, longest first."""
    perimeter = cv2.arcLength(cv2.convexHull(points), True)
    ring = cv2.approxPolyDP(points, max(1.5, 0.004 * perimeter), True).reshape(-1, 2)
    ends = np.concatenate([ring[1:], ring[:1]])
    lengths = np.linalg.norm(ends - ring, axis=1)
    order = [i for i in np.argsort(-lengths)[:10] if lengths[i] > 0.05 * perimeter]
    return distinct([_fitted(points, ring[i], ends[i]) for i in order])[:MOST_LINES]


def distinct(lines: list[Line]) -> list[Line]:
    kept: list[Line] = []
    for line in lines:
        if not any(_same_line(line, other) for other in kept):
            kept.append(line)
    return kept


def _fitted(points: Floats, start: Floats, end: Floats) -> Line:
    length = max(float(np.linalg.norm(end - start)), 1e-6)
    along = (end - start) / length
    to = points - start
    at, off = to @ along, np.abs(to[:, 0] * along[1] - to[:, 1] * along[0])
    near = points[(off < 4) & (at > 0.12 * length) & (at < 0.88 * length)]
    if len(near) < 8:
        return float(start[0]), float(start[1]), float(along[0]), float(along[1])
    return line_through(near)


def line_through(points: Floats) -> Line:
    """Least squares across the line, twice: the second time without what lies off it."""
    line = (0.0, 0.0, 1.0, 0.0)
    for _ in range(2):
        middle = points.mean(axis=0)
        to = points - middle
        xx, yy, xy = (to[:, 0] ** 2).sum(), (to[:, 1] ** 2).sum(), (to[:, 0] * to[:, 1]).sum()
        turned = 0.5 * np.arctan2(2 * xy, xx - yy)
        dx, dy = float(np.cos(turned)), float(np.sin(turned))
        line = (float(middle[0]), float(middle[1]), dx, dy)
        off = np.abs(to[:, 0] * dy - to[:, 1] * dx)
        points = points[off <= max(1.0, 2 * float(np.median(off)))]
    return line


def _same_line(a: Line, b: Line) -> bool:
    turned = abs(a[2] * b[3] - a[3] * b[2])
    apart = abs((b[0] - a[0]) * a[3] - (b[1] - a[1]) * a[2])
    return turned < 0.1 and apart < 5


def _meet(four: tuple[Line, ...], shape: tuple[int, ...]) -> Quad | None:
    """Corners of four lines of which two and two run alike."""
    first, *others = four
    apart = [abs(first[2] * o[3] - first[3] * o[2]) for o in others]
    second = others.pop(apart.index(min(apart)))
    corners = []
    for a, b in ((first, others[0]), (first, others[1]), (second, others[1]), (second, others[0])):
        turned = a[2] * b[3] - a[3] * b[2]
        if abs(turned) < 0.3:
            return None
        t = ((b[0] - a[0]) * b[3] - (b[1] - a[1]) * b[2]) / turned
        x, y = a[0] + t * a[2], a[1] + t * a[3]
        if not (-4 < x < shape[1] + 4 and -4 < y < shape[0] + 4):
            return None
        corners.append((x, y))
    return quad(corners)


def _seen(points: Floats, corners: Quad) -> Floats:
    """For each side the part of its length along which the outline runs on it."""
    seen = []
    for start, end, length in zip(corners, corners[[1, 2, 3, 0]], sides(corners), strict=True):
        length = max(float(length), 1e-6)
        along = (end - start) / length
        to = points - start
        off = np.abs(to[:, 0] * along[1] - to[:, 1] * along[0])
        cells = max(int(length / 3), 1)
        hit = np.floor((to @ along)[off < NEAR] / length * cells).astype(int)
        seen.append(len(np.unique(hit[(hit >= 0) & (hit < cells)])) / cells)
    return np.array(seen, np.float32)
