"""Photographs of real decks, where they are: enrol one, read others, none wrongly.

They are not part of the repository: `pytest --cards DIR` names their folder if
it is not ../shared/cards beside it.
"""

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.deck import enrol
from controller.contract.cards import DECK
from drivers.camera.found import Verdict
from drivers.camera.profile import DeckProfile
from drivers.camera.recognise import recognise


@pytest.fixture(scope="module")
def cards(request: pytest.FixtureRequest) -> Path:
    folder = Path(request.config.getoption("--cards"))
    if not folder.is_dir():
        pytest.skip(f"photographs of real decks are not in {folder}")
    return folder


def photograph(cards: Path, deck: str, card: str) -> NDArray[np.uint8]:
    return np.asarray(cv2.imread(str(cards / deck / f"{card}.jpg")), np.uint8)


@pytest.fixture(scope="module")
def modiano(cards: Path) -> DeckProfile:
    enrolment = enrol({c: photograph(cards, "deck-c", c) for c in DECK}, "deck-c")
    assert enrolment.report.accepted, enrolment.report.faults
    return enrolment.profile


@pytest.mark.parametrize(
    ("deck", "least"),
    [("deck-c", 13), ("deck-a", 12), ("deck-e", 12), ("deck-d", 0), ("deck-b", 0)],
)
def test_every_third_photograph_is_read_rightly_or_not_at_all(
    modiano: DeckProfile, cards: Path, deck: str, least: int
) -> None:
    right = 0
    for card in DECK[::3]:
        judged = recognise(photograph(cards, deck, card), modiano, thorough=True)
        found = [one.card for one in judged if one.verdict is Verdict.CARD]
        assert found in ([card], []), card
        right += bool(found)
    assert right >= least
