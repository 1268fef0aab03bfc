"""The forty faces and the back, put together from pips, courts and aces."""

from collections.abc import Mapping
from functools import cache
from typing import Final

import cv2
import numpy as np

from controller.contract.cards import Card
from simulators.deck_art import aces, courts
from simulators.deck_art.pen import BLACK, HEIGHT, WIDTH, Image, Pen, blank
from simulators.deck_art.pips import SIGN, Inks

FACE_WIDTH: Final = 300
FACE_HEIGHT: Final = 500
HOUSE: Final = Inks()
"""The printer of the product's own deck."""
SISTER: Final = Inks(
    red=(52, 46, 200),
    green=(74, 112, 34),
    blue=(164, 96, 48),
    yellow=(70, 200, 238),
    paper=(226, 240, 246),
)
"""Another printing of the same deck: other inks, yellowed paper."""
RIVAL: Final = Inks(
    red=(60, 30, 196),
    green=(48, 92, 20),
    blue=(196, 120, 20),
    yellow=(30, 190, 240),
    rays=8,
    pip_size=0.9,
    raised=1.2,
)
"""Another maker: pips smaller, higher and of another drawing."""

_COLUMN: Final = (18.0, 42.0)
_ROWS: Final[Mapping[str, tuple[tuple[float, float], ...]]] = {
    "2": ((30, 27), (30, 73)),
    "4": tuple((x, y) for y in (24, 76) for x in _COLUMN),
    "5": (*((x, y) for y in (20, 80) for x in _COLUMN), (30, 50)),
    "6": tuple((x, y) for y in (20, 50, 80) for x in _COLUMN),
    "7": (*((x, y) for y in (17, 50, 83) for x in _COLUMN), (30, 33.5)),
}
_COINS_THREE: Final = ((20, 20), (41, 50), (20, 80))
_TALL: Final[Mapping[str, tuple[tuple[float, float, float], ...]]] = {
    "2": ((22, 50, 0), (38, 50, 0)),
    "3": ((20, 48, -20), (30, 44, 0), (40, 48, 20)),
    "4": ((20, 28, -28), (40, 28, 28), (20, 72, 208), (40, 72, 152)),
    "5": ((18, 27, 0), (42, 27, 0), (18, 73, 180), (42, 73, 180), (30, 50, 90)),
    "6": ((14, 28, 0), (30, 28, 0), (46, 28, 0), (14, 73, 180), (30, 73, 180), (46, 73, 180)),
    "7": (
        (14, 25, 0),
        (30, 25, 0),
        (46, 25, 0),
        (14, 76, 180),
        (30, 76, 180),
        (46, 76, 180),
        (30, 50, 90),
    ),
}
_ROUND_SIZE: Final[Mapping[str, float]] = {
    "2": 2.9,
    "3": 1.9,
    "4": 1.75,
    "5": 1.65,
    "6": 1.6,
    "7": 1.35,
}
_TALL_SIZE: Final[Mapping[str, float]] = {
    "2": 6.6,
    "3": 6.2,
    "4": 3.7,
    "5": 3.5,
    "6": 3.6,
    "7": 3.1,
}
_THIN: Final[Mapping[str, tuple[float, float]]] = {"S": (0.66, 0.6), "B": (1.0, 0.72)}
"""How narrow a tall sign is: among many, and in the twos and threes."""


@cache
def face(card: Card, inks: Inks = HOUSE) -> Image:
    """The printed side, square-cornered, FACE_WIDTH x FACE_HEIGHT; not to be written on."""
    pen = blank(inks.paper)
    rank, suit = card[0], card[1]
    if rank == "A":
        {"D": aces.eagle, "C": aces.great_cup, "S": aces.sword_in_scarf, "B": aces.knotty_club}[
            suit
        ](pen, inks)
    elif rank in "JQK":
        {"J": courts.page, "Q": courts.horseman, "K": courts.king}[rank](pen, suit, inks)
    else:
        _numbered(pen.at(0, -inks.raised), rank, suit, inks)
    return _finished(pen)


def _numbered(pen: Pen, rank: str, suit: str, inks: Inks) -> None:
    if suit in "DC":
        for x, y in _COINS_THREE if rank == "3" else _ROWS[rank]:
            size = _ROUND_SIZE[rank] * (
                1.55 if suit == "D" and rank == "5" and (x, y) == (30, 50) else 1
            )
            SIGN[suit](pen.at(x, y, size * inks.pip_size), inks, 0)
    else:
        thin = _THIN[suit][rank in "23"]
        for x, y, turn in _TALL[rank]:
            size = _TALL_SIZE[rank] * inks.pip_size * (1 if rank != "5" or turn != 90 else 0.8)
            SIGN[suit](_narrowed(pen.at(x, y, size, turn), thin), inks, 0)
    _adorned(pen, rank + suit, inks)


def _narrowed(pen: Pen, factor: float) -> Pen:
    return Pen(pen.canvas, pen.matrix @ np.diag([factor, 1, 1]), pen.line)


def _adorned(pen: Pen, card: Card, inks: Inks) -> None:
    match card:
        case "3B":
            aces.mask(pen, inks)
        case "4D":
            aces.arms(pen, inks)
        case "5S":
            aces.peasants(pen, inks)
        case "2S":
            aces.ribbon(pen, inks, 52, 14)
        case "3S":
            aces.ribbon(pen, inks, 56, 12)
        case "4S":
            aces.ribbon(pen, inks, 50, 10)


@cache
def back(inks: Inks = HOUSE) -> Image:
    """The same either way up: a lattice in a frame."""
    pen = blank(inks.paper)
    pen.polygon([(5, 5), (WIDTH - 5, 5), (WIDTH - 5, HEIGHT - 5), (5, HEIGHT - 5)], inks.blue)
    for i in range(-20, 16):
        pen.stroke([(6 * i, 5), (6 * i + 90, 95)], inks.paper, 0.8)
        pen.stroke([(6 * i, 95), (6 * i + 90, 5)], inks.paper, 0.8)
    for strip in ((0, 0, 5, HEIGHT), (WIDTH - 5, 0, WIDTH, HEIGHT)):
        x0, y0, x1, y1 = strip
        pen.polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], inks.paper, None)
    pen.polygon([(5, 5), (WIDTH - 5, 5), (WIDTH - 5, HEIGHT - 5), (5, HEIGHT - 5)], None, BLACK)
    return _finished(pen)


def _finished(pen: Pen) -> Image:
    small = cv2.resize(pen.canvas, (FACE_WIDTH, FACE_HEIGHT), interpolation=cv2.INTER_AREA)
    drawn = np.asarray(small, np.uint8)
    drawn.setflags(write=False)
    return drawn
