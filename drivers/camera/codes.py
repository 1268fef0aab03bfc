"""Printed corner codes (QR, DataMatrix, Code 128), read by zxing-cpp on the flattened card.

A code never names a card alone: `recognise` holds it against the picture.
"""

from typing import Final

import cv2
import numpy as np
import zxingcpp

from drivers.camera.geometry import Quad, grown
from drivers.camera.locate import Image

_SIZE: Final = (540, 900)
_FORMATS: Final = zxingcpp.barcode_formats_from_str("QRCode,DataMatrix,Code128")


def printed_code(image: Image, corners: Quad) -> str | None:
    """The one text that all codes on the card say; None if there is none to read."""
    width, height = _SIZE
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(grown(corners, 1.04), target)
    card = cv2.cvtColor(cv2.warpPerspective(image, matrix, _SIZE), cv2.COLOR_BGR2GRAY)
    texts = {code.text for code in zxingcpp.read_barcodes(card, formats=_FORMATS)}
    if len(texts) > 1:
        return " / ".join(sorted(texts))
    return next(iter(texts), None)
