"""From a picture of the board on the felt to regions in the picture. Pure.

Regions are given in millimetres on the felt, from the board's top left corner
(x along its long side, y down), or in points of the picture. They are kept in
points as the lens shows them; a straight edge of the felt that the lens bends is
followed by several corners.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Final, Literal

import cv2
import msgspec
import numpy as np

from calibration.board import View
from calibration.lens import NotCalibrated
from controller.contract.readings import Region
from drivers.camera.found import Point, Quad
from drivers.camera.lens import LensProfile
from drivers.camera.table_profile import Place

MOST_ERROR: Final = 3.0
"""Points between the board and where it should be."""
CARD_MM: Final = 50.0
LEAST_CARD: Final = 100.0
"""Points across a card below which reading suffers."""
STEPS: Final = 8
"""Pieces into which an edge is cut where a lens bends it."""
_MASK: Final = 4


class Regions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the regions lie, as a person measured or clicked them."""

    regions: dict[Region, tuple[Point, ...]]
    unit: Literal["mm", "px"] = "mm"


class Table(msgspec.Struct, frozen=True):
    """What was found out about the table."""

    felt_to_picture: tuple[float, ...]
    places: tuple[Place, ...]
    error: float
    card: float
    """How many points a card at the position is wide."""

    @property
    def advice(self) -> str:
        if self.card >= LEAST_CARD:
            return ""
        return (
            f"a card is {self.card:.0f} points wide; {LEAST_CARD:.0f} are needed to read well: "
            "bring the camera nearer or choose a finer mode"
        )


def calibrate_table(
    view: View, size: tuple[int, int], regions: Regions, lens: LensProfile | None
) -> Table:
    """`NotCalibrated` with one sentence if board or regions cannot be right."""
    if lens is not None and (lens.width, lens.height) != size:
        raise NotCalibrated(
            f"the lens was calibrated at {lens.width}x{lens.height}, this picture is "
            f"{size[0]}x{size[1]}: calibrate the lens in the same camera mode"
        )
    straight = view.picture if lens is None else lens.straight(view.picture)
    matrix, error = _felt_to_picture(view, straight)
    places = tuple(
        Place(region, _in_picture(corners, regions.unit, matrix, lens))
        for region, corners in regions.regions.items()
    )
    _check(places, size)
    flat = tuple(float(value) for value in matrix.ravel())
    return Table(flat, places, error, _card_width(places, matrix))


_Matrix = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def _felt_to_picture(view: View, straight: Quad) -> tuple[_Matrix, float]:
    found, _ = cv2.findHomography(view.board, straight, cv2.LMEDS)
    if found is None:
        raise NotCalibrated("the board's corners lie on one line: lay it flat in full view")
    matrix = np.asarray(found, np.float64)
    apart = _shown(view.board, matrix) - straight
    error = float(np.sqrt(np.mean(np.square(apart).sum(axis=1))))
    if not error <= MOST_ERROR:
        raise NotCalibrated(
            f"the board lies {error:.1f} points off a plane (at most {MOST_ERROR:g}): "
            "lay it flat; does this lens need calibrate lens first?"
        )
    return matrix, error


def _shown(points: Quad, matrix: _Matrix) -> Quad:
    shown = cv2.perspectiveTransform(np.asarray(points, np.float64).reshape(-1, 1, 2), matrix)
    return np.asarray(shown, np.float32).reshape(-1, 2)


def _in_picture(
    corners: Sequence[Point], unit: str, matrix: _Matrix, lens: LensProfile | None
) -> tuple[Point, ...]:
    points = np.asarray(corners, np.float32).reshape(-1, 2)
    if unit == "mm":
        points = _shown(_along_edges(points) if lens else points, matrix)
        points = lens.bent(points) if lens else points
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in points)


def _along_edges(corners: Quad) -> Quad:
    ends = np.roll(corners, -1, axis=0)
    steps = np.arange(STEPS, dtype=np.float32)[:, None] / STEPS
    pieces = [start + steps * (end - start) for start, end in zip(corners, ends, strict=True)]
    return np.concatenate(pieces).astype(np.float32)


def _check(places: Sequence[Place], size: tuple[int, int]) -> None:
    """Every region that must be there is, lies in the picture, and shares no place with another."""
    width, height = size
    for needed in (Region.POSITION, Region.DEALER):
        if needed not in [place.region for place in places]:
            raise NotCalibrated(f"there is no region {needed}: cards dealt there would be lost")
    masks = {}
    for place in places:
        points = np.asarray(place.corners, np.float32)
        if points.min() < -1 or points[:, 0].max() > width or points[:, 1].max() > height:
            raise NotCalibrated(
                f"the region {place.region} lies partly outside the picture: "
                "move the camera or correct the region"
            )
        mask = np.zeros((height // _MASK + 1, width // _MASK + 1), np.uint8)
        cv2.fillPoly(mask, [np.rint(points / _MASK).astype(np.int32)], 1)
        masks[place.region] = mask
    for one, other in combinations(masks, 2):
        shared = int((masks[one] & masks[other]).sum())
        if shared > 0.02 * min(int(masks[one].sum()), int(masks[other].sum())):
            raise NotCalibrated(f"the regions {one} and {other} overlap: correct one of them")


def _card_width(places: Sequence[Place], matrix: _Matrix) -> float:
    """Of a card in the middle of the position, measured on the felt and seen in the picture."""
    position = next(place for place in places if place.region is Region.POSITION)
    middle = np.asarray(position.corners, np.float32).mean(axis=0, keepdims=True)
    here = _shown(middle, np.asarray(np.linalg.inv(matrix), np.float64))
    across = _shown(here + np.array([[CARD_MM, 0]], np.float32), matrix)
    down = _shown(here + np.array([[0, CARD_MM]], np.float32), matrix)
    return float(min(np.linalg.norm(across - middle), np.linalg.norm(down - middle)))
