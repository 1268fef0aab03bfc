"""`python -m simulators.deck_art DIR`: the drawn deck as pictures to enrol from.

One picture of each card lying on a dark table, named by its code, and the back:
what `mazziere calibrate deck --images DIR` takes.
"""

import sys
from pathlib import Path

import cv2
import numpy as np

from controller.contract.cards import DECK
from simulators.deck_art.deck import back, face
from simulators.deck_art.pen import Image
from simulators.felt_picture import Light, Lying, Shot, View, taken

ABOVE = View(800, 1000, distance_mm=300.0, focal=2.0)
TABLE = (70, 60, 52)


def enrolment_picture(printed: Image, rng: np.random.Generator) -> Image:
    return taken(Shot((Lying(printed),), ABOVE, Light(noise=1.0), TABLE), rng)


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(0)
    for card in DECK:
        cv2.imwrite(str(folder / f"{card}.jpg"), enrolment_picture(face(card), rng))
    cv2.imwrite(str(folder / "back.jpg"), enrolment_picture(back(), rng))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m simulators.deck_art DIR")
    main(Path(sys.argv[1]))
