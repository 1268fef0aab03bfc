"""Cards in a picture: four corners each. Which card it is, is not asked here.

A card is paper: paler and greyer than the cloth. The first look is therefore the
darkest of the three colours with one threshold, on a picture of 640 points; it
finds nearly all cards on felt in a few milliseconds. Tables as pale as paper
need the slower looks, which run only if `thorough`: other thresholds, edges of
each colour, straight lines.
"""

import math
from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from drivers.camera.geometry import Floats, Quad, contains, quad, sides
from drivers.camera.outline import Line, Place, distinct, line_through, long_lines, quads_of

Image = NDArray[np.uint8]

LOOK: Final = 640
"""Points of the long side of the picture that is searched."""
SMALLEST: Final = 0.0035
"""A card covers at least this part of the picture."""
LOOSE: Final = 0.42
"""Part of a side that must be seen when nothing but straight edges is known."""
TOGETHER: Final = 45
"""Points between edges that are taken for one card's."""
MOST_LINES: Final = 14
CERTAIN: Final = 0.85
"""Support of an outline inside which no other is looked for."""
LARGEST: Final = 0.97


def locate(image: Image, thorough: bool = False) -> list[Place]:
    """Every card-shaped place, the best supported first; none twice."""
    scale = min(1.0, LOOK / max(image.shape[:2]))
    small = image
    if scale < 1:
        # Averaging over areas costs more than all the rest of a quick look.
        how = cv2.INTER_AREA if thorough or not 0.3 < scale < 0.5 else cv2.INTER_LINEAR
        small = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=how), np.uint8)
    places: list[Place] = []
    for mask in _masks(small, thorough):
        places += _places_in(mask)
    if thorough:
        places += _places_of_lines(small)
    inside = [place for place in places if not _is_picture(place.corners, small)]
    return [Place(quad(p.corners / scale), p.support) for p in _without_doubles(inside)]


def _is_picture(corners: Quad, small: Image) -> bool:
    """Whether two sides run along the picture's own edge: that is a table, not a card."""
    far = np.array([small.shape[1] - 1, small.shape[0] - 1], np.float32)
    at_edge = (corners < 3) | (corners > far - 3)
    along = np.asarray(at_edge & np.roll(at_edge, -1, axis=0), np.bool_)
    return int(along.any(axis=1).sum()) >= 2


def _masks(small: Image, thorough: bool) -> Iterator[Image]:
    blurred = np.asarray(cv2.GaussianBlur(small, (3, 3), 0), np.uint8)
    paper = cv2.min(cv2.min(blurred[..., 0], blurred[..., 1]), blurred[..., 2])
    level, mask = cv2.threshold(paper, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    yield np.asarray(mask, np.uint8)
    if not thorough:
        return
    for other in (0.7 * level, 0.5 * (level + 255), 0.75 * level + 0.25 * 255):
        yield np.asarray(cv2.threshold(paper, other, 255, cv2.THRESH_BINARY)[1], np.uint8)
    yield from _edge_masks(blurred)


def _edge_masks(blurred: Image) -> Iterator[Image]:
    lab = cv2.cvtColor(blurred, cv2.COLOR_BGR2LAB)
    for channel in cv2.split(lab):
        for low, high in ((12, 36), (30, 90)):
            edges = cv2.dilate(cv2.Canny(channel, low, high), np.ones((3, 3), np.uint8))
            yield np.asarray(cv2.bitwise_not(edges), np.uint8)


def _places_in(mask: Image) -> list[Place]:
    """The outlines of a mask, the large ones first; what lies inside a whole card is its print."""
    whole = mask.shape[0] * mask.shape[1]
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    sized = [(cv2.contourArea(contour), contour) for contour in contours if len(contour) >= 60]
    sized = [pair for pair in sized if SMALLEST * whole < pair[0] < LARGEST * whole]
    places: list[Place] = []
    for _, contour in sorted(sized, key=lambda pair: -pair[0]):
        points = contour.reshape(-1, 2).astype(np.float32)
        x, y = points.mean(axis=0).tolist()
        if not any(place.support > CERTAIN and contains(place.corners, x, y) for place in places):
            places += quads_of(points, long_lines(points), mask.shape, 1)
    return places


def _places_of_lines(small: Image) -> list[Place]:
    """Where straight lines enclose a card, on tables that no threshold parts from paper."""
    calm = cv2.bilateralFilter(cv2.medianBlur(small, 5), 9, 25, 7)
    found = [np.zeros((0, 4), np.float32)]
    for channel in cv2.split(cv2.cvtColor(cv2.GaussianBlur(calm, (5, 5), 0), cv2.COLOR_BGR2LAB)):
        straight = cv2.createLineSegmentDetector(0).detect(channel)[0]
        if straight is not None:
            found.append(np.asarray(straight, np.float32).reshape(-1, 4))
    segments = np.concatenate(found)
    lengths = np.linalg.norm(segments[:, 2:] - segments[:, :2], axis=1)
    longest = np.argsort(-lengths)[: np.count_nonzero(lengths > 14)]
    segments = np.asarray(segments[longest], np.float32)
    if len(segments) < 4:
        return []
    points = np.concatenate([_along(segment) for segment in segments])
    places = quads_of(points, _longest(segments, points), small.shape, 12, LOOSE)
    for group in _groups(segments, points, small):
        around = _around(group)
        places += quads_of(around, long_lines(around), small.shape, 2, LOOSE)
    return places


def _groups(segments: Floats, points: Floats, small: Image) -> Iterator[Floats]:
    """Points of straight edges that lie together: a card's print and what is seen of its sides."""
    near = np.zeros(small.shape[:2], np.uint8)
    for x0, y0, x1, y1 in segments.astype(int).tolist():
        cv2.line(near, (x0, y0), (x1, y1), 255, 1)
    near = np.asarray(cv2.dilate(near, np.ones((TOGETHER, TOGETHER), np.uint8)), np.uint8)
    count, labels = cv2.connectedComponents(near)
    column, row = np.clip(points.astype(int), 0, np.array(small.shape[1::-1]) - 1).T
    label = labels[row, column]
    for one in range(1, count):
        if np.count_nonzero(label == one) > 150:
            yield points[label == one]


def _around(points: Floats) -> Floats:
    """The outline of the points: the sides that are seen in part, drawn through."""
    hull = cv2.convexHull(points).reshape(-1, 2)
    ends = np.concatenate([hull[1:], hull[:1]])
    return np.concatenate([_along(np.concatenate([a, b])) for a, b in zip(hull, ends, strict=True)])


def _longest(segments: Floats, points: Floats) -> list[Line]:
    """The lines along which most of the picture's straight edges run."""
    lines: list[Line] = []
    for x0, y0, x1, y1 in segments[:80].tolist():
        length = math.hypot(x1 - x0, y1 - y0)
        lines.append((x0, y0, (x1 - x0) / length, (y1 - y0) / length))
    runs = []
    for line in distinct(lines):
        to = points - np.array(line[:2], np.float32)
        near = points[np.abs(to[:, 0] * line[3] - to[:, 1] * line[2]) < 2.5]
        runs.append((len(near), line_through(near) if len(near) > 8 else line))
    runs.sort(key=lambda run: -run[0])
    return distinct([line for _, line in runs])[:MOST_LINES]


def _along(segment: Floats) -> Floats:
    start, end = segment[:2], segment[2:]
    steps = np.linspace(0, 1, max(int(np.linalg.norm(end - start)), 2), dtype=np.float32)
    return start + steps[:, None] * (end - start)


def _without_doubles(places: list[Place]) -> list[Place]:
    kept: list[Place] = []
    for place in sorted(places, key=lambda p: -p.support):
        size = float(sides(place.corners).mean())
        if all(_apart(place.corners, other.corners) > 0.06 * size for other in kept):
            kept.append(place)
    return kept


def _apart(corners: Quad, other: Quad) -> float:
    """The farthest that a corner is from its nearest one of the other."""
    return float(np.linalg.norm(corners[:, None] - other[None], axis=2).min(axis=1).max())
