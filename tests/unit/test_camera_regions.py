"""Regions of the table: where a card lies, and what is no such file."""

import numpy as np
import pytest

from drivers.camera.geometry import quad
from drivers.camera.regions import Regions, RegionsError, decoded, encoded

TABLE = Regions(
    width=1000,
    height=500,
    regions={
        "position": ((0, 0), (400, 0), (400, 500), (0, 500)),
        "dealer": ((400, 0), (800, 0), (400, 500)),
    },
)


@pytest.mark.parametrize(
    ("x", "y", "name"),
    [(100, 100, "position"), (399, 499, "position"), (500, 100, "dealer"), (790, 400, None)],
)
def test_a_card_lies_where_its_middle_lies(x: float, y: float, name: str | None) -> None:
    card = quad(np.array([[-5, -8], [5, -8], [5, 8], [-5, 8]]) + np.array([x, y]))
    assert TABLE.of(card, 1000, 500) == name
    assert TABLE.of(card * 2, 2000, 1000) == name, "a picture of twice the size"


def test_regions_are_the_same_after_they_were_kept() -> None:
    assert decoded(encoded(TABLE)) == TABLE


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b'{"version":2,"width":100,"height":100,"regions":{"burn":[[0,0],[1,0],[1,1]]}}',
        b'{"width":100,"height":100,"regions":{}}',
        b'{"width":100,"height":100,"regions":{"lap":[[0,0],[1,0],[1,1]]}}',
        b'{"width":100,"height":100,"regions":{"burn":[[0,0],[1,0]]}}',
        b'{"width":100,"height":100,"regions":{"burn":[[0,0],[101,0],[1,1]]}}',
    ],
)
def test_malformed_regions_are_refused(data: bytes) -> None:
    with pytest.raises(RegionsError):
        decoded(data)
