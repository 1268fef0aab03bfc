"""Where on the table a card lies: position, dealer, burn, discard.

Pure: bytes in, `Regions` out. They are polygons in the points of one camera
picture, drawn once at calibration; a picture of another size is scaled to it.
The controller knows where the next card belongs; this only says where one is.
"""

from typing import Annotated, Final, TypeAlias

import msgspec

from drivers.camera.geometry import Quad, centre

VERSION: Final = 1
NAMES: Final = ("position", "dealer", "burn", "discard")

Point: TypeAlias = tuple[float, float]
Polygon: TypeAlias = Annotated[tuple[Point, ...], msgspec.Meta(min_length=3, max_length=64)]


class RegionsError(Exception):
    """The bytes are not a table's regions; the sentence says why."""


class Regions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The regions of one table under one camera."""

    version: int = VERSION
    width: Annotated[int, msgspec.Meta(ge=64, le=16384)]
    height: Annotated[int, msgspec.Meta(ge=64, le=16384)]
    regions: dict[str, Polygon]

    def of(self, corners: Quad, width: int, height: int) -> str | None:
        """The region of the card's middle, in a picture of that size; None beside all."""
        x, y = centre(corners)
        x, y = x * self.width / width, y * self.height / height
        return next((name for name, ring in self.regions.items() if _inside(ring, x, y)), None)


def decoded(data: bytes) -> Regions:
    try:
        regions = msgspec.json.decode(data, type=Regions)
    except msgspec.DecodeError as error:
        raise RegionsError(str(error)) from error
    if regions.version != VERSION:
        raise RegionsError(f"it is of version {regions.version}, this program reads {VERSION}")
    strange = [name for name in regions.regions if name not in NAMES]
    if strange or not regions.regions:
        raise RegionsError(f"its regions must be some of {', '.join(NAMES)}")
    for name, ring in regions.regions.items():
        if any(not (0 <= x <= regions.width and 0 <= y <= regions.height) for x, y in ring):
            raise RegionsError(f"the region {name!r} leaves the picture")
    return regions


def encoded(regions: Regions) -> bytes:
    return msgspec.json.format(msgspec.json.encode(regions), indent=2)


def _inside(ring: tuple[Point, ...], x: float, y: float) -> bool:
    """Even-odd: how often a ray to the right crosses the ring."""
    crossed = False
    for (ax, ay), (bx, by) in zip(ring, (*ring[1:], ring[0]), strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            crossed = not crossed
    return crossed
