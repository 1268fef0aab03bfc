"""Four corners from an outline: straight stretches, fitted lines, where they meet.

An outline is a set of points; which picture or threshold it comes from is
`locate`'s business. A covered or round corner does not matter, because corners
are where fitted sides meet; half a side may be hidden by a finger.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Final

import cv2
import numpy as np

from drivers.camera.geometry import Floats, Quad, is_card_shaped, quad, sides, signed_area

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
    points: Floats, lines: list[Floats], shape: tuple[int, ...], most: int, whole: float = WHOLE
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


def long_lines(points: Floats) -> list[Floats]:
    """The outline's straight stretches, longest first, as [x, y, dx, dy]."""
    perimeter = cv2.arcLength(cv2.convexHull(points), True)
    ring = cv2.approxPolyDP(points, max(1.5, 0.004 * perimeter), True).reshape(-1, 2)
    ends = np.roll(ring, -1, axis=0)
    lengths = np.linalg.norm(ends - ring, axis=1)
    order = [i for i in np.argsort(-lengths)[:10] if lengths[i] > 0.05 * perimeter]
    return distinct([_fitted(points, ring[i], ends[i]) for i in order])[:MOST_LINES]


def distinct(lines: list[Floats]) -> list[Floats]:
    kept: list[Floats] = []
    for line in lines:
        if not any(_same_line(line, other) for other in kept):
            kept.append(line)
    return kept


def _fitted(points: Floats, start: Floats, end: Floats) -> Floats:
    length = max(float(np.linalg.norm(end - start)), 1e-6)
    along = (end - start) / length
    to = points - start
    at, off = to @ along, np.abs(to[:, 0] * along[1] - to[:, 1] * along[0])
    near = points[(off < 4) & (at > 0.12 * length) & (at < 0.88 * length)]
    if len(near) < 8:
        return np.array([*start, *along], np.float32)
    return line_through(near)


def line_through(points: Floats) -> Floats:
    """Least squares across the line, twice: the second time without what lies off it."""
    line = np.zeros(4, np.float32)
    for _ in range(2):
        middle = points.mean(axis=0)
        to = points - middle
        xx, yy, xy = (to[:, 0] ** 2).sum(), (to[:, 1] ** 2).sum(), (to[:, 0] * to[:, 1]).sum()
        turned = 0.5 * np.arctan2(2 * xy, xx - yy)
        dx, dy = float(np.cos(turned)), float(np.sin(turned))
        line = np.array([*middle, dx, dy], np.float32)
        off = np.abs(to[:, 0] * dy - to[:, 1] * dx)
        points = points[off <= max(1.0, 2 * float(np.median(off)))]
    return line


def _same_line(a: Floats, b: Floats) -> bool:
    turned = abs(float(a[2] * b[3] - a[3] * b[2]))
    apart = abs(float((b[0] - a[0]) * a[3] - (b[1] - a[1]) * a[2]))
    return turned < 0.1 and apart < 5


def _meet(four: tuple[Floats, ...], shape: tuple[int, ...]) -> Quad | None:
    """Corners of four lines of which two and two run alike."""
    first, *others = four
    mate = int(np.argmin([abs(float(first[2] * o[3] - first[3] * o[2])) for o in others]))
    second = others.pop(mate)
    corners = []
    for a, b in ((first, others[0]), (first, others[1]), (second, others[1]), (second, others[0])):
        crossing = _crossing(a, b)
        if crossing is None:
            return None
        corners.append(crossing)
    found = np.array(corners, np.float32)
    height, width = shape[:2]
    if found.min() < -4 or found[:, 0].max() > width + 4 or found[:, 1].max() > height + 4:
        return None
    return quad(found)


def _crossing(a: Floats, b: Floats) -> tuple[float, float] | None:
    turned = float(a[2] * b[3] - a[3] * b[2])
    if abs(turned) < 0.3:
        return None
    t = float((b[0] - a[0]) * b[3] - (b[1] - a[1]) * b[2]) / turned
    return float(a[0]) + t * float(a[2]), float(a[1]) + t * float(a[3])


def _seen(points: Floats, corners: Quad) -> Floats:
    """For each side the part of its length along which the outline runs on it."""
    seen = []
    for start, end, length in zip(corners, np.roll(corners, -1, axis=0), sides(corners), strict=True):
        length = max(float(length), 1e-6)
        along = (end - start) / length
        to = points - start
        off = np.abs(to[:, 0] * along[1] - to[:, 1] * along[0])
        cells = max(int(length / 3), 1)
        hit = np.floor((to @ along)[off < NEAR] / length * cells).astype(int)
        seen.append(len(np.unique(hit[(hit >= 0) & (hit < cells)])) / cells)
    return np.array(seen, np.float32)
