"""Where on the felt a card lies: the table profile, made by `mazziere calibrate table`.

Regions are polygons in points of the picture as the lens shows it, of the size that
they were calibrated at; a picture of another size but the same shape is scaled. A
card belongs to the region in which its middle lies, the first named if there are two.
"""

from typing import Final, Literal

import cv2
import msgspec
import numpy as np

from controller.contract.readings import Region
from drivers.camera.calibrated import Made
from drivers.camera.found import Point
from drivers.camera.frame import Image
from drivers.camera.look import Look

SHAPE: Final = 0.02
"""Two pictures whose sides differ in ratio by less have the same shape."""
_HIDDEN: Final = (96, 96, 96)


class Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One region: its name and its corners in order."""

    region: Region
    corners: tuple[Point, ...]

    def __post_init__(self) -> None:
        if len(self.corners) < 3:
            raise ValueError(f"region {self.region}: {len(self.corners)} corners enclose nothing")
        if self.region is Region.ELSEWHERE:
            raise ValueError("elsewhere is what lies in no region; it has no corners")


class TableProfile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One camera over one table."""

    format: Literal["mazziere-table"] = "mazziere-table"
    version: Literal[1] = 1
    made: Made
    width: int
    height: int
    felt_to_picture: tuple[float, ...]
    """The 3 x 3 matrix, row by row, from millimetres on the felt to points of the picture."""
    places: tuple[Place, ...]
    empty: Look | None = None
    """The felt with nothing on it."""

    def __post_init__(self) -> None:
        if self.width <= 0 or self.height <= 0 or len(self.felt_to_picture) != 9:
            raise ValueError("width, height or felt_to_picture is not that of a picture")
        named = [place.region for place in self.places]
        for region in (Region.POSITION, Region.DEALER):
            if region not in named:
                raise ValueError(f"there is no region {region}: cards dealt there would be lost")


class Felt:
    """The profile's regions in a picture of the given size."""

    def __init__(self, profile: TableProfile, width: int, height: int) -> None:
        if abs(width / height - profile.width / profile.height) > SHAPE * width / height:
            raise ValueError(
                f"the camera gives {width}x{height}, the table was calibrated at "
                f"{profile.width}x{profile.height}"
            )
        scale = width / profile.width
        self._places = [
            (place.region, np.asarray(place.corners, np.float32) * scale)
            for place in profile.places
        ]
        self._burns = [
            np.rint(corners).astype(np.int32)
            for region, corners in self._places
            if region is Region.BURN
        ]

    def region(self, point: Point) -> Region:
        for region, corners in self._places:
            if cv2.pointPolygonTest(corners, point, False) >= 0:
                return region
        return Region.ELSEWHERE

    def without_burns(self, image: Image) -> Image:
        """The picture with the burn region painted over: what is not there, nobody can read."""
        if not self._burns:
            return image
        covered = image.copy()
        cv2.fillPoly(covered, self._burns, _HIDDEN)
        return np.asarray(covered, np.uint8)

    def burns_alone(self, image: Image) -> list[tuple[Image, Point]]:
        """Each burn region cut out, and where it was cut: to be searched for paper, not read."""
        cuts = []
        for corners in self._burns:
            left, top, width, height = cv2.boundingRect(corners)
            left, top = max(left, 0), max(top, 0)
            cut = image[top : top + height, left : left + width]
            if cut.size:
                cuts.append((np.ascontiguousarray(cut), (float(left), float(top))))
        return cuts
