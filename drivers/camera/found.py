"""What the recogniser says of a picture: one `Found` for each card in it.

The recogniser is a function of picture and profile alone (`Recognise`); what a
card means over time is `tracking`, where it lies is `table_profile`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from controller.contract.cards import Card
from drivers.camera.frame import Image

Quad: TypeAlias = NDArray[np.float32]
"""Four corners, 4 x 2, clockwise on the screen (y grows downwards)."""
Point: TypeAlias = tuple[float, float]


class Verdict(StrEnum):
    """What lies at a place."""

    CARD = "card"
    BACK = "back"
    UNSURE = "unsure"
    FOREIGN = "foreign"


class Why(StrEnum):
    """Why a place is unsure, in words for whoever set up the light."""

    UNLIKE = "too unlike every enrolled face"
    CLOSE = "too close to another face"
    EXTRA = "something is on it that the face does not have"
    MISSING = "something of the face is missing"
    HIDDEN = "too much of it is hidden"
    COVERED = "something may lie over one of its sides"
    SHAPE = "it does not lie as a whole card does"
    BLANK = "nothing is printed on it"
    CODE = "its printed code says another card"
    TWO = "two cards are read in one place"


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """One place on the felt: four corners (the card's own top left first), and what lies there."""

    corners: Quad
    verdict: Verdict
    confidence: float
    card: Card | None = None
    """Only of a verdict `card`."""
    why: Why | None = None
    """Only of a verdict `unsure`."""


Recognise: TypeAlias = Callable[[Image], Sequence[Found]]
"""A recogniser that has its profile."""
Locate: TypeAlias = Callable[[Image], Sequence[Quad]]
"""Where cards lie, without a look at what they are."""


def middle(corners: Quad) -> Point:
    return float(corners[:, 0].mean()), float(corners[:, 1].mean())


def short_side(corners: Quad) -> float:
    """The mean of the two shorter opposite sides: how wide the card is in the picture."""
    a, b, c, d = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).tolist()
    return float(min(a + c, b + d) / 2)


def distance(a: Point, b: Point) -> float:
    return float(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5)
