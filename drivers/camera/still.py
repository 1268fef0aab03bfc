"""The picture that is kept of a card: its crop with what lies around it, small enough to keep."""

from typing import Final

import cv2
import numpy as np

from controller.contract.stills import MOST_BYTES
from drivers.camera.found import Quad
from drivers.camera.frame import Image

CONTEXT: Final = 0.6
"""Of the card's size, on each side: enough to see where it lies."""
LONGEST: Final = 720
QUALITIES: Final = (88, 75, 60, 45, 30)


def still_of(image: Image, corners: Quad) -> bytes:
    """A JPEG of at most `MOST_BYTES`. Give the picture without its burn region."""
    crop = _crop(image, corners)
    encoded = b""
    while True:
        for quality in QUALITIES:
            encoded = _encoded(crop, quality)
            if len(encoded) <= MOST_BYTES:
                return encoded
        crop = np.asarray(cv2.resize(crop, None, fx=0.7, fy=0.7, interpolation=cv2.INTER_AREA))


def _crop(image: Image, corners: Quad) -> Image:
    height, width = image.shape[:2]
    left, top = corners.min(axis=0)
    right, bottom = corners.max(axis=0)
    room = CONTEXT * max(right - left, bottom - top)
    x0, x1 = int(np.clip(left - room, 0, width - 1)), int(np.clip(right + room, 1, width))
    y0, y1 = int(np.clip(top - room, 0, height - 1)), int(np.clip(bottom + room, 1, height))
    crop = image[y0 : max(y1, y0 + 1), x0 : max(x1, x0 + 1)]
    scale = min(1.0, LONGEST / max(crop.shape[:2]))
    if scale == 1.0:
        return crop
    return np.asarray(cv2.resize(crop, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))


def _encoded(crop: Image, quality: int) -> bytes:
    _, encoded = cv2.imencode(".jpg", crop, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return encoded.tobytes()
