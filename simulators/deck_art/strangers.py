"""Cards that are not Neapolitan: French suits with indices, and a deck of another region.

They are what a reader of Neapolitan cards must refuse.
"""

from functools import cache
from typing import Final

import cv2
import numpy as np

from simulators.deck_art.deck import FACE_HEIGHT, FACE_WIDTH, RIVAL, _finished
from simulators.deck_art.pen import BLACK, Image, Pen, blank
from simulators.deck_art.pips import Inks, cup, sword

FRENCH: Final = tuple(rank + suit for suit in "hdcs" for rank in "A23456789JQK")
REGIONAL: Final = tuple(f"{n}{suit}" for suit in "dcsb" for n in range(1, 8))
"""As in the north: framed, other signs, other layouts."""


@cache
def french(card: str) -> Image:
    pen = blank((250, 252, 253))
    rank, suit = card[0], card[1]
    colour = (40, 36, 200) if suit in "hd" else BLACK
    count = int(rank) if rank.isdigit() else 1 if rank == "A" else 2
    rows = (count + 1) // 2
    for i in range(count):
        x = 30 if count == 1 or (i == count - 1 and count % 2) else (19, 41)[i % 2]
        _sign(
            pen.at(
                x, 50 if rows == 1 else 20 + 60 * (i // 2) / (rows - 1), 1.3 if count > 1 else 3
            ),
            suit,
            colour,
        )
    if rank in "JQK":
        pen.polygon([(12, 12), (48, 12), (48, 88), (12, 88)], None)
        pen.blob([(16, 40), (44, 30), (42, 70), (20, 74)], (48, 206, 250))
        pen.disc(30, 26, 8, (170, 196, 240))
    finished = _finished(pen).copy()
    for turned in (finished, finished[::-1, ::-1]):
        cv2.putText(
            turned_view := np.ascontiguousarray(turned),
            rank,
            (14, 62),
            cv2.FONT_HERSHEY_DUPLEX,
            1.9,
            colour,
            4,
        )
        turned[:] = turned_view
    return finished


@cache
def regional(card: str) -> Image:
    inks = Inks(
        red=(60, 60, 190), green=(90, 130, 60), blue=(150, 110, 60), yellow=(90, 190, 230), rays=6
    )
    pen = blank(inks.paper)
    count, suit = int(card[0]), card[1]
    pen.polygon([(4, 4), (56, 4), (56, 96), (4, 96)], None, inks.blue)
    pen.polygon([(5.5, 5.5), (54.5, 5.5), (54.5, 94.5), (5.5, 94.5)], None, inks.blue)
    for i in range(count):
        angle = 2 * np.pi * i / count
        x, y = (30, 50) if count == 1 else (30 + 14 * np.cos(angle), 50 + 28 * np.sin(angle))
        at = pen.at(float(x), float(y), 1.5 if count > 1 else 4, 0)
        if suit == "d":
            at.disc(0, 0, 5, inks.yellow)
            at.disc(0, 0, 3, inks.red)
            at.polygon([(-2, 0), (0, -2), (2, 0), (0, 2)], inks.green)
        elif suit == "c":
            cup(at.at(0, 0, 1, 180), inks)
        elif suit == "s":
            sword(at.at(0, 0, 1.2, 45), RIVAL)
        else:
            at.polygon([(-1, -5), (1, -5), (2, 5), (-2, 5)], inks.brown)
    return _finished(pen)


def _sign(pen: Pen, suit: str, colour: tuple[int, int, int]) -> None:
    if suit == "d":
        pen.polygon([(0, -5), (3.6, 0), (0, 5), (-3.6, 0)], colour, None)
    elif suit == "h":
        pen.blob(
            [(0, -2.5), (2.2, -4.5), (4.4, -2), (0, 5), (-4.4, -2), (-2.2, -4.5)], colour, None
        )
    elif suit == "s":
        pen.blob([(0, -5), (4.4, 1.5), (2, 3.2), (0, 1.5), (-2, 3.2), (-4.4, 1.5)], colour, None)
        pen.polygon([(-0.6, 1), (0.6, 1), (1.4, 5), (-1.4, 5)], colour, None)
    else:
        for x, y in ((0, -2.6), (-2.6, 1), (2.6, 1)):
            pen.disc(x, y, 2.4, colour, None)
        pen.polygon([(-0.6, 0), (0.6, 0), (1.4, 5), (-1.4, 5)], colour, None)


SHAPE: Final = (FACE_HEIGHT, FACE_WIDTH)
