"""Pictures of cards on felt, as the camera over the table would take them.

A `Shot` says what lies where and how it is lit and taken; `taken` makes the
picture, `corners` says where a card's corners are in it, which a bench needs
and no camera knows. Everything random comes from the generator handed in.
"""

from dataclasses import dataclass, field
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Image: TypeAlias = NDArray[np.uint8]
Floats: TypeAlias = NDArray[np.float32]

CARD_MM: Final = (50.0, 83.0)
ROUND_MM: Final = 4.0
GREEN: Final = (52, 98, 30)
CLOTHS: Final = (GREEN, (120, 60, 30), (40, 30, 120), (60, 60, 60), (90, 40, 90))
SKIN: Final = (130, 160, 215)


@dataclass(frozen=True)
class Lying:
    """One card on the felt: its picture, its middle in millimetres, its turn in degrees."""

    face: Image
    x: float = 0.0
    y: float = 0.0
    turn: float = 0.0


@dataclass(frozen=True)
class View:
    """Where the camera hangs: straight above is tilt 0."""

    width: int = 1920
    height: int = 1080
    tilt: float = 0.0
    heading: float = 0.0
    distance_mm: float = 900.0
    focal: float = 1.2
    """Of the picture's width."""

    def matrix(self) -> NDArray[np.float64]:
        """Millimetres on the felt to points of the picture."""
        t, h = np.radians(self.tilt), np.radians(self.heading)
        turn = np.array([[np.cos(h), -np.sin(h), 0], [np.sin(h), np.cos(h), 0], [0, 0, 1]])
        lean = np.array([[1, 0, 0], [0, np.cos(t), -np.sin(t)], [0, np.sin(t), np.cos(t)]])
        pose = lean @ turn
        plane = np.column_stack([pose[:, 0], pose[:, 1], [0, 0, self.distance_mm]])
        f = self.focal * self.width
        lens = np.array([[f, 0, self.width / 2], [0, f, self.height / 2], [0, 0, 1]])
        return np.asarray(lens @ plane, np.float64)


@dataclass(frozen=True)
class Light:
    """What light, lens and wire do to the picture."""

    gain: tuple[float, float, float] = (1.0, 1.0, 1.0)
    slope: tuple[float, float] = (0.0, 0.0)
    shadow: float = 1.0
    """What is left of the light in a shadow that cuts the picture in two; 1 is no shadow."""
    glare: float = 0.0
    """Strength of one highlight on a card, 0..1."""
    defocus: float = 0.0
    motion: tuple[float, float] = (0.0, 0.0)
    """Length in points, direction in degrees."""
    noise: float = 2.0
    jpeg: int = 92


@dataclass(frozen=True)
class Shot:
    """A whole scene."""

    cards: tuple[Lying, ...] = ()
    view: View = field(default_factory=View)
    light: Light = field(default_factory=Light)
    cloth: tuple[int, int, int] = GREEN
    pattern: float = 0.0
    """Contrast of stripes and squares printed on the cloth, 0..1."""
    fingers: tuple[tuple[float, float, float, float], ...] = ()
    """Each a fingertip: x, y, the direction it comes from in degrees, its width."""
    box: tuple[float, float, float, float] | None = None
    """A dark box over the felt, left, top, right, bottom: a card half out of the shoe."""


def corners(card: Lying, view: View) -> Floats:
    """The card's four corners in the picture, its own top left first."""
    w, h = CARD_MM[0] / 2, CARD_MM[1] / 2
    return _seen(_turned(np.array([[-w, -h], [w, -h], [w, h], [-w, h]]), card), view)


def taken(shot: Shot, rng: np.random.Generator) -> Image:
    picture = _felt(shot, rng)
    for card in shot.cards:
        _cast(picture, card, shot.view)
        _lay(picture, card, shot.view)
    _glare(picture, shot, rng)
    for finger in shot.fingers:
        _touch(picture, finger, shot.view, rng)
    if shot.box is not None:
        left, top, right, bottom = shot.box
        edge = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
        cv2.fillConvexPoly(
            picture, _seen(edge, shot.view).astype(np.int32), (38, 34, 32), cv2.LINE_AA
        )
    return _developed(picture, shot.light, rng)


def _turned(points: NDArray[np.float64], card: Lying) -> NDArray[np.float64]:
    c, s = np.cos(np.radians(card.turn)), np.sin(np.radians(card.turn))
    return np.asarray(points @ np.array([[c, s], [-s, c]]) + [card.x, card.y])


def _seen(points: NDArray[np.float64], view: View) -> Floats:
    placed = np.column_stack([points, np.ones(len(points))]) @ view.matrix().T
    return np.asarray(placed[:, :2] / placed[:, 2:], np.float32)


def _felt(shot: Shot, rng: np.random.Generator) -> Floats:
    height, width = shot.view.height, shot.view.width
    coarse = cv2.resize(
        rng.normal(0, 1, (9, 16)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC
    )
    grain = rng.normal(0, 1, (height // 2 + 1, width // 2 + 1)).astype(np.float32)
    fine = cv2.resize(grain, (width, height))
    picture = np.empty((height, width, 3), np.float32)
    picture[:] = np.array(shot.cloth, np.float32)
    picture *= (1 + 0.05 * coarse + 0.05 * fine)[..., None]
    if shot.pattern:
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        step = float(rng.uniform(25, 90))
        squares = np.sign(np.sin(x * 2 * np.pi / step)) * np.sign(
            np.sin((y + 0.3 * x) * 2 * np.pi / step)
        )
        picture += (shot.pattern * 60 * squares)[..., None]
    return picture


def _outline(view: View, card: Lying) -> tuple[Floats, tuple[int, int, int, int]]:
    quad = corners(card, view)
    x0, y0 = np.floor(quad.min(axis=0)).astype(int) - 2
    x1, y1 = np.ceil(quad.max(axis=0)).astype(int) + 3
    return quad, (max(x0, 0), max(y0, 0), min(x1, view.width), min(y1, view.height))


def _lay(picture: Floats, card: Lying, view: View) -> None:
    quad, (x0, y0, x1, y1) = _outline(view, card)
    if x1 <= x0 or y1 <= y0:
        return
    face, mask = _cut(card.face, float(np.linalg.norm(quad[3] - quad[0])))
    height, width = face.shape[:2]
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, quad - np.array([x0, y0], np.float32))
    size = (x1 - x0, y1 - y0)
    laid = cv2.warpPerspective(
        face, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    part = cv2.warpPerspective(mask, matrix, size, flags=cv2.INTER_LINEAR)[..., None]
    under = picture[y0:y1, x0:x1]
    under += (laid - under) * part


def _cut(face: Image, tall: float) -> tuple[Floats, Floats]:
    """The face at about the size at which it is seen, and its round-cornered shape."""
    height = int(np.clip(1.5 * tall, 40, face.shape[0]))
    width = round(height * CARD_MM[0] / CARD_MM[1])
    shrunk = cv2.resize(face, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32)
    radius = round(ROUND_MM / CARD_MM[0] * width)
    mask = np.zeros((height, width), np.uint8)
    cv2.rectangle(mask, (radius, 0), (width - radius - 1, height), 1, -1)
    cv2.rectangle(mask, (0, radius), (width, height - radius - 1), 1, -1)
    for x in (radius, width - radius - 1):
        for y in (radius, height - radius - 1):
            cv2.circle(mask, (x, y), radius, 1, -1)
    return shrunk * np.float32(0.94), mask.astype(np.float32)


def _cast(picture: Floats, card: Lying, view: View) -> None:
    """The small shadow that a card throws on the felt."""
    quad, (x0, y0, x1, y1) = _outline(view, Lying(card.face, card.x + 1.2, card.y + 1.5, card.turn))
    if x1 <= x0 or y1 <= y0:
        return
    mask = np.zeros((y1 - y0, x1 - x0), np.float32)
    cv2.fillConvexPoly(mask, (quad - [x0, y0]).astype(np.int32), 0.45)
    picture[y0:y1, x0:x1] *= 1 - cv2.GaussianBlur(mask, (0, 0), 1.5)[..., None]


def _glare(picture: Floats, shot: Shot, rng: np.random.Generator) -> None:
    if not shot.light.glare or not shot.cards:
        return
    quad = corners(shot.cards[0], shot.view)
    middle = quad.mean(axis=0) + rng.uniform(-0.5, 0.5, 2) * np.ptp(quad, axis=0)
    radius = float(rng.uniform(0.12, 0.4)) * float(np.linalg.norm(quad[2] - quad[0]))
    y, x = np.ogrid[0 : shot.view.height, 0 : shot.view.width]
    far = ((x - middle[0]) ** 2 + (1.6 * (y - middle[1])) ** 2) / radius**2
    picture += (150 * shot.light.glare * np.exp(-far)).astype(np.float32)[..., None]


def _touch(
    picture: Floats, finger: tuple[float, float, float, float], view: View, rng: np.random.Generator
) -> None:
    x, y, direction, wide = finger
    away = np.array([np.cos(np.radians(direction)), np.sin(np.radians(direction))])
    points = _seen(np.array([[x, y], [x, y] + 110 * away]), view)
    scale = float(np.linalg.norm(_seen(np.array([[x, y], [x + wide, y]]), view)[1] - points[0]))
    mask = np.zeros(picture.shape[:2], np.uint8)
    start, end = points.astype(int).tolist()
    cv2.line(mask, start, end, (255,), max(2, int(scale)), cv2.LINE_AA)
    soft = cv2.GaussianBlur(mask, (0, 0), 1.0).astype(np.float32)[..., None] / 255
    tone = np.array(SKIN, np.float32) * float(rng.uniform(0.5, 1.0))
    shade = cv2.GaussianBlur(mask, (0, 0), max(1.0, scale / 4)).astype(np.float32)[..., None] / 255
    picture += (tone * (0.55 + 0.45 * shade) - picture) * soft


def _developed(picture: Floats, light: Light, rng: np.random.Generator) -> Image:
    height, width = picture.shape[:2]
    y, x = (
        np.linspace(-1, 1, height, dtype=np.float32)[:, None],
        np.linspace(-1, 1, width, dtype=np.float32)[None],
    )
    lit = 1 + np.float32(light.slope[0]) * x + np.float32(light.slope[1]) * y
    if light.shadow < 1:
        angle, offset = rng.uniform(0, 2 * np.pi), rng.uniform(-0.15, 0.15)
        edge = (
            np.float32(np.cos(angle)) * x + np.float32(np.sin(angle)) * y - offset
        ) * np.float32(rng.uniform(8, 60))
        lit = lit * (light.shadow + (1 - light.shadow) * np.clip(edge + 0.5, 0, 1))
    picture = picture * lit[..., None] * np.array(light.gain, np.float32)
    if light.defocus > 0:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), light.defocus), np.float32)
    if light.motion[0] >= 1:
        picture = np.asarray(cv2.filter2D(picture, -1, _smear(*light.motion)), np.float32)
    grain = rng.standard_normal(picture.shape, np.float32) * np.float32(light.noise)
    exposed = np.clip(picture + grain, 0, 255).astype(np.uint8)
    coded = cv2.imencode(".jpg", exposed, [cv2.IMWRITE_JPEG_QUALITY, light.jpeg])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def _smear(length: float, direction: float) -> Floats:
    size = int(length) | 1
    kernel = np.zeros((size + 2, size + 2), np.float32)
    middle = (size + 1) / 2
    reach = np.array([np.cos(np.radians(direction)), np.sin(np.radians(direction))]) * length / 2
    ends = [tuple(round(v) for v in (middle + sign * reach)) for sign in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1, 1, cv2.LINE_AA)
    return np.asarray(kernel / kernel.sum(), np.float32)
