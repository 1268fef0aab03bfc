"""What a camera reads with: the deck's profile and the table's, put together once at the start.

A profile that is not there yet is a state, for its calibration needs this very
daemon's pictures; one that is malformed is refused.
"""

from collections.abc import Sequence
from pathlib import Path

from drivers.camera.calibrated import load_profile
from drivers.camera.eye import Reader
from drivers.camera.found import Found, Locate, Quad, Recognise, Verdict
from drivers.camera.frame import Image
from drivers.camera.table_profile import TableProfile


def load_reader(deck: Path, table: Path) -> Reader:
    profile = load_profile(table, TableProfile) if table.exists() else None
    if not deck.exists():
        return Reader(table=profile)
    return Reader(_recogniser(deck), _locator(), profile)


def _recogniser(deck: Path) -> Recognise:
    from drivers.camera.profile_file import (  # type: ignore[import-untyped]
        load_profile as load_deck,
    )
    from drivers.camera.recognise import recognise  # type: ignore[import-untyped]

    profile = load_deck(deck)

    def read(image: Image) -> Sequence[Found]:
        return [
            Found(one.corners, Verdict(str(one.verdict)), one.confidence, one.card)
            for one in recognise(image, profile)
        ]

    return read


def _locator() -> Locate:
    from drivers.camera.locate import locate  # type: ignore[import-untyped]

    def places(image: Image) -> Sequence[Quad]:
        return [place.corners for place in locate(image)]

    return places
