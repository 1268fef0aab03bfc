"""Drawing in a card's own units: shapes filled and outlined, moved, turned and mirrored.

A card is 60 wide and 100 tall. A `Pen` holds where its own origin lies on the
card, so that a pip or a figure is drawn around (0, 0) and put anywhere.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Colour: TypeAlias = tuple[int, int, int]
Points: TypeAlias = Iterable[tuple[float, float]]

WIDTH: Final = 60
HEIGHT: Final = 100
SCALE: Final = 12
"""Points of the drawing for one unit; the finished face is shrunk from it."""
_BITS: Final = 4

BLACK: Final[Colour] = (34, 28, 28)


@dataclass(frozen=True)
class Pen:
    """A canvas, and the place, turn and size at which it is drawn on."""

    canvas: Image
    matrix: NDArray[np.float64]
    line: float = 0.45

    def at(
        self, x: float, y: float, size: float = 1.0, turn: float = 0.0, mirror: bool = False
    ) -> "Pen":
        """A pen whose origin is (x, y) of this one; `turn` in degrees, clockwise."""
        c, s = np.cos(np.radians(turn)) * size, np.sin(np.radians(turn)) * size
        flip = -1.0 if mirror else 1.0
        return replace(
            self, matrix=self.matrix @ np.array([[c * flip, -s, x], [s * flip, c, y], [0, 0, 1]])
        )

    def polygon(self, points: Points, fill: Colour | None, line: Colour | None = BLACK) -> None:
        placed = self._placed(points)
        if fill is not None:
            cv2.fillPoly(self.canvas, [placed], fill, cv2.LINE_AA, _BITS)
        if line is not None:
            cv2.polylines(self.canvas, [placed], True, line, self._thickness(), cv2.LINE_AA, _BITS)

    def blob(self, points: Points, fill: Colour | None, line: Colour | None = BLACK) -> None:
        """A closed smooth shape through the points."""
        self.polygon(_smooth(points, closed=True), fill, line)

    def stroke(self, points: Points, colour: Colour = BLACK, width: float = 0.45) -> None:
        placed = self._placed(_smooth(points, closed=False))
        cv2.polylines(
            self.canvas, [placed], False, colour, self._thickness(width), cv2.LINE_AA, _BITS
        )

    def band(self, points: Points, fill: Colour, width: float) -> None:
        """A smooth stripe with a black edge on both sides."""
        path = list(points)
        self.stroke(path, BLACK, width + 2 * self.line)
        self.stroke(path, fill, width)

    def disc(
        self, x: float, y: float, radius: float, fill: Colour | None, line: Colour | None = BLACK
    ) -> None:
        self.oval(x, y, radius, radius, fill, line)

    def oval(
        self,
        x: float,
        y: float,
        rx: float,
        ry: float,
        fill: Colour | None,
        line: Colour | None = BLACK,
    ) -> None:
        turns = np.linspace(0, 2 * np.pi, 40, endpoint=False)
        self.polygon(
            [(x + rx * float(np.cos(t)), y + ry * float(np.sin(t))) for t in turns], fill, line
        )

    def _placed(self, points: Points) -> NDArray[np.int32]:
        listed = np.array(list(points), np.float64)
        on_card = listed @ self.matrix[:2, :2].T + self.matrix[:2, 2]
        return np.round(on_card * SCALE * (1 << _BITS)).astype(np.int32)

    def _thickness(self, width: float | None = None) -> int:
        size = float(np.sqrt(abs(np.linalg.det(self.matrix[:2, :2]))))
        drawn = self.line if width is None else width * size
        return max(1, round(drawn * SCALE))


def blank(paper: Colour) -> Pen:
    canvas = np.empty((HEIGHT * SCALE, WIDTH * SCALE, 3), np.uint8)
    canvas[:] = paper
    return Pen(canvas, np.eye(3))


def _smooth(points: Points, closed: bool) -> list[tuple[float, float]]:
    """Catmull-Rom through the points, eight steps between two."""
    p = np.array(list(points), np.float64)
    if len(p) < 3:
        return [(float(x), float(y)) for x, y in p]
    ring = np.concatenate([p[-1:], p, p[:2]]) if closed else np.concatenate([p[:1], p, p[-1:]])
    t = np.linspace(0, 1, 8, endpoint=False)[:, None]
    out = []
    for a, b, c, d in zip(ring, ring[1:], ring[2:], ring[3:], strict=False):
        out.append(
            0.5
            * (
                2 * b
                + (c - a) * t
                + (2 * a - 5 * b + 4 * c - d) * t**2
                + (3 * b - a - 3 * c + d) * t**3
            )
        )
    curve = np.concatenate([*out, p[:1] if closed else p[-1:]])
    return [(float(x), float(y)) for x, y in curve]
