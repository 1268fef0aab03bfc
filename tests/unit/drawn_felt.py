"""Pictures of a felt with marked cards, and a recogniser that reads the marks.

The cards carry an ArUco mark in place of a face: what is tested is everything
around the recogniser. Mark n is the n-th card of the deck, 40 is a foreign card,
41 a back, 42 cannot be read.
"""

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np

from controller.contract.cards import DECK
from controller.contract.readings import Region
from drivers.camera.calibrated import Made
from drivers.camera.found import Found, Quad, Verdict
from drivers.camera.frame import Image
from drivers.camera.look import look_at
from drivers.camera.table_profile import Place, TableProfile

WIDTH, HEIGHT = 960, 540
FOREIGN, BACK, UNREAD = 40, 41, 42
CARD = (70, 110)
"""Width and height of a card in points."""
PLACES = {
    Region.POSITION: ((80.0, 300.0), (480.0, 300.0), (480.0, 520.0), (80.0, 520.0)),
    Region.DEALER: ((80.0, 30.0), (480.0, 30.0), (480.0, 250.0), (80.0, 250.0)),
    Region.BURN: ((620.0, 30.0), (760.0, 30.0), (760.0, 250.0), (620.0, 250.0)),
    Region.DISCARD: ((780.0, 30.0), (930.0, 30.0), (930.0, 250.0), (780.0, 250.0)),
}
_DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)

Card = tuple[int, int, int]
"""Mark and middle of a card."""


def mark(card: str) -> int:
    return DECK.index(card)


@cache
def _felt() -> Image:
    grain = np.random.default_rng(7).integers(-9, 10, (HEIGHT, WIDTH, 1))
    felt = np.full((HEIGHT, WIDTH, 3), (70, 110, 40), np.int16) + grain
    felt = np.clip(felt, 0, 255).astype(np.uint8)
    for corners in PLACES.values():
        cv2.polylines(felt, [np.array(corners, np.int32)], True, (200, 220, 220), 3)
    cv2.rectangle(felt, (600, 330), (900, 500), (30, 30, 60), -1)  # the shoe
    cv2.putText(felt, "MAZZIERE", (500, 290), 0, 1.2, (180, 200, 200), 3)
    return felt


def felt_with(*cards: Card, noise: int = 0) -> Image:
    """The felt with these cards; `noise` is a seed, 0 for none."""
    picture = _felt().copy()
    for number, x, y in cards:
        width, height = CARD
        left, top = x - width // 2, y - height // 2
        picture[top : top + height, left : left + width] = 245
        size = 48
        face = cv2.aruco.generateImageMarker(_DICTIONARY, number, size)
        picture[y - size // 2 : y + size // 2, x - size // 2 : x + size // 2] = face[..., None]
    if noise:
        grain = np.random.default_rng(noise).integers(-3, 4, picture.shape)
        picture = np.clip(picture.astype(np.int16) + grain, 0, 255).astype(np.uint8)
    return picture


def read_marks(image: Image) -> Sequence[Found]:
    """Keeps the recogniser's promise for the cards of `felt_with`."""
    corners, ids, _ = cv2.aruco.ArucoDetector(_DICTIONARY).detectMarkers(image)
    if ids is None:
        return []
    return [
        _found(int(number), np.asarray(quad, np.float32).reshape(4, 2))
        for number, quad in zip(ids.flat, corners, strict=True)
    ]


def _found(number: int, marked: Quad) -> Found:
    corners = _card_around(*marked.mean(axis=0).tolist())
    others = {FOREIGN: Verdict.FOREIGN, BACK: Verdict.BACK, UNREAD: Verdict.UNSURE}
    if number in others:
        return Found(corners, others[number], 0.0)
    return Found(corners, Verdict.CARD, 0.9, DECK[number])


def _card_around(x: float, y: float) -> Quad:
    ways = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
    return np.asarray(ways * np.array(CARD) / 2 + np.array([x, y]), np.float32)


def outlines(image: Image) -> Sequence[Quad]:
    """Where cards lie: what is as white as paper."""
    white = np.asarray((image.min(axis=2) > 225).astype(np.uint8))
    contours, _ = cv2.findContours(white, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    quads = []
    for contour in contours:
        left, top, width, height = cv2.boundingRect(contour)
        if width > CARD[0] // 2 and height > CARD[1] // 2:
            quads.append(_card_around(left + width / 2, top + height / 2))
    return quads


def table_profile() -> TableProfile:
    """The table over which `felt_with` looks."""
    return TableProfile(
        made=Made(number=1, utc=0, who="test", device="test"),
        width=WIDTH,
        height=HEIGHT,
        felt_to_picture=(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
        places=tuple(Place(region, corners) for region, corners in PLACES.items()),
        empty=look_at(felt_with()),
    )
