"""The one card of an enrolment picture: where it lies, and what is wrong with the picture.

A picture for enrolment shows one whole card on any table, taken from above; or
it is a scan that is the face itself. Which way up does not matter: a card is
read both ways.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from drivers.camera.geometry import Floats, Quad, quad, sides, signed_area
from drivers.camera.locate import locate
from drivers.camera.recognise import rim_of_paper
from drivers.camera.rectify import flat, ink

Image = NDArray[np.uint8]

ASPECT: Final = (0.48, 0.76)
SMALLEST: Final = 0.03
SAME_ASPECT: Final = 0.09
BARE_RIM: Final = 0.8
"""Part of the rim that is bare paper on any face."""
SCAN_RIM: Final = 0.035
"""A scan is usually cut inside the card's edge by about this."""


@dataclass(frozen=True, eq=False)
class EnrolledFace:
    """A picture, and the upright corners of the card in it."""

    image: Image
    corners: Quad

    def shape(self) -> tuple[float, float]:
        """Width to height, and the part of the picture that it covers."""
        a, b, c, d = sides(self.corners)
        whole = self.image.shape[0] * self.image.shape[1]
        return float((a + c) / (b + d)), signed_area(self.corners) / whole

    def ink(self) -> Floats:
        return ink(flat(self.image, self.corners))


def candidates(image: Image, thorough: bool = False, rim: float = BARE_RIM) -> list[EnrolledFace]:
    """The card-like places of the picture, the likeliest first; last the whole of it, if a scan."""
    valued = []
    for place in locate(image, thorough):
        corners = _upright(place.corners)
        value = _card_like(image, corners, rim) * place.support
        if value > 0:
            valued.append((value, corners))
    valued.sort(key=lambda pair: -pair[0])
    found = [EnrolledFace(image, corners) for _, corners in valued]
    scan = _as_scan(image, rim)
    return found if scan is None else [*found, scan]


def faces_in(images: Sequence[Image]) -> list[EnrolledFace | None]:
    """The card of each picture, by a quick look, and a thorough one where that finds no like."""
    groups = [candidates(image) for image in images]
    usual = _usual(groups)
    for i, image in enumerate(images):
        if usual is None or not any(_alike(face, usual) for face in groups[i]):
            groups[i] = [*groups[i], *candidates(image, thorough=True)]
    usual = _usual(groups)
    return [None if usual is None or not group else _fitting(group, usual) for group in groups]


def back_in(image: Image, usual: EnrolledFace) -> EnrolledFace | None:
    """The back, which may be printed to its very rim: what has the shape of the faces."""
    group = candidates(image, thorough=True, rim=0.0)
    same = [face for face in group if abs(face.shape()[0] / usual.shape()[0] - 1) < SAME_ASPECT]
    return max(same or group, key=lambda face: face.shape()[1], default=None)


def _usual(groups: Sequence[Sequence[EnrolledFace]]) -> EnrolledFace | None:
    """The place that most pictures have the like of.

    All pictures show cards of one deck, taken the same way, so a place of
    another shape is a shadow, a table's edge or a part of the print.
    """
    return max(
        (face for group in groups for face in group[:4]),
        key=lambda face: sum(any(_alike(face, other) for other in group) for group in groups),
        default=None,
    )


def _fitting(group: Sequence[EnrolledFace], usual: EnrolledFace) -> EnrolledFace:
    return next((face for face in group if _alike(face, usual)), group[0])


def _alike(a: EnrolledFace, b: EnrolledFace) -> bool:
    (aspect_a, part_a), (aspect_b, part_b) = a.shape(), b.shape()
    return abs(aspect_a / aspect_b - 1) < SAME_ASPECT and 0.6 < part_a / part_b < 1.7


def _upright(corners: Quad) -> Quad:
    lengths = sides(corners)
    return (
        corners
        if lengths[0] + lengths[2] < lengths[1] + lengths[3]
        else np.roll(corners, 1, axis=0)
    )


def _card_like(image: Image, corners: Quad, least_rim: float) -> float:
    """0 for what cannot be a card seen from above; else the larger the better."""
    aspect, part = EnrolledFace(image, corners).shape()
    if not ASPECT[0] < aspect < ASPECT[1] or part < SMALLEST:
        return 0.0
    printed = ink(flat(image, corners))
    rim, bare = rim_of_paper(printed), float(np.clip(printed, 0, 1).mean())
    return 0.0 if rim < least_rim or bare < 0.01 else (1 + rim) * float(np.sqrt(part))


def _as_scan(image: Image, least_rim: float) -> EnrolledFace | None:
    height, width = image.shape[:2]
    x, y = SCAN_RIM * width, SCAN_RIM * height
    corners = quad([[-x, -y], [width + x, -y], [width + x, height + y], [-x, height + y]])
    if not ASPECT[0] < width / height < ASPECT[1]:
        return None
    bare = rim_of_paper(ink(flat(image, corners)))
    return EnrolledFace(image, corners) if bare >= least_rim else None
