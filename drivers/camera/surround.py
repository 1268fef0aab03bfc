"""What lies just outside a card's four sides: the same table, or something on the card.

A hand, another card or the box can hide half of a card so that what is left is
card-shaped, and half a six of coins looks like a two. Then one side borders on
skin, on paper or on the dark, while the others border on the table.
"""

from typing import Final

import cv2
import numpy as np

from drivers.camera.geometry import Floats, Quad, grown
from drivers.camera.rectify import Image, paper

_SIZE: Final = (42, 70)
_GROWN: Final = 1.2
_STRIP: Final = 2
_ALIKE: Final = 0.14
"""By what share of the paper's light two sides may differ and be the same table."""


def is_covered(image: Image, corners: Quad, face: Image) -> bool:
    """Whether a side borders on something that lies on the card, unlike most of the others."""
    light = paper(face).mean(axis=(0, 1))
    strips = _strips(image, corners) / light
    kinds = [_kind(strip) for strip in strips]
    for strip, kind in zip(strips, kinds, strict=True):
        # A table of wood is like skin on every side, and a pale one like paper.
        if kind is None or kinds.count(kind) > 2:
            continue
        others = strips[[other != kind for other in kinds]]
        if (np.abs(others - strip).max(axis=1) > _ALIKE).sum() >= 2:
            return True
    return False


def _strips(image: Image, corners: Quad) -> Floats:
    """The middle colour of a strip beside each side, as blue, green, red."""
    width, height = _SIZE
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(grown(corners, _GROWN), target)
    around = cv2.warpPerspective(
        image, matrix, _SIZE, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
    )
    x, y = width // 4, height // 4
    sides = (
        around[:_STRIP, x:-x],
        around[y:-y, -_STRIP:],
        around[-_STRIP:, x:-x],
        around[y:-y, :_STRIP],
    )
    return np.stack([np.median(side.reshape(-1, 3), axis=0) for side in sides]).astype(np.float32)


def _kind(strip: Floats) -> str | None:
    """What can lie on a card, by its colour."""
    blue, green, red = strip.tolist()
    if min(blue, green, red) > 0.8:
        return "paper"
    if red > 0.28 and red > 1.12 * green and green > 1.02 * blue and red < 3.2 * blue:
        return "skin"
    return "dark" if max(blue, green, red) < 0.18 else None
