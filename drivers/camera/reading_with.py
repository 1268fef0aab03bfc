"""What a camera reads with: the deck's profile and the table's, put together once at the start.

A profile that is not there yet is a state, for its calibration needs this very
daemon's pictures; one that is malformed is refused.
"""

from collections.abc import Sequence
from pathlib import Path

from drivers.camera.calibrated import load_profile
from drivers.camera.eye import Reader
from drivers.camera.found import Found, Quad, Recognise
from drivers.camera.frame import Image
from drivers.camera.locate import locate
from drivers.camera.profile_file import load_profile as load_deck
from drivers.camera.recognise import recognise
from drivers.camera.table_profile import TableProfile


def load_reader(deck: Path, table: Path) -> Reader:
    profile = load_profile(table, TableProfile) if table.exists() else None
    if not deck.exists():
        return Reader(table=profile)
    return Reader(_recogniser(deck), _places, profile)


def _recogniser(deck: Path) -> Recognise:
    profile = load_deck(deck)

    def read(image: Image) -> Sequence[Found]:
        return recognise(image, profile)

    return read


def _places(image: Image) -> Sequence[Quad]:
    return [place.corners for place in locate(image)]
