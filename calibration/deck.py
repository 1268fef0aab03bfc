"""Enrolling a deck: forty pictures in, a profile out, or the reasons why not.

`enrol` is pure but for its seed: pictures by card code → `Enrolment`, which
holds the profile and its report. `deck_report` judges it, `deck_command` reads
the folder and saves what was accepted.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.deck_report import Report, examined
from calibration.enrolled import EnrolledFace, back_in, faces_in
from calibration.training import train
from controller.contract.cards import DECK, Card
from drivers.camera.profile import BACK, VERSION, About, DeckProfile, Made, as_ink

Image = NDArray[np.uint8]


class EnrolmentError(Exception):
    """The pictures cannot be enrolled; one sentence for each that is wrong."""

    def __init__(self, sentences: list[str]) -> None:
        super().__init__("; ".join(sentences))
        self.sentences = sentences


@dataclass(frozen=True, eq=False)
class Enrolment:
    """A profile, and whether it may be used."""

    profile: DeckProfile
    report: Report


def enrol(
    pictures: Mapping[str, Image],
    name: str,
    history: tuple[Made, ...] = (),
    printed_codes: dict[str, Card] | None = None,
) -> Enrolment:
    """`pictures` by card code, and by `back` if the back is to be known too."""
    missing = [card for card in DECK if card not in pictures]
    if missing:
        raise EnrolmentError(
            [f"no picture of {', '.join(missing)}: one of each of the forty cards is needed"]
        )
    labels = [*DECK, *([BACK] if BACK in pictures else [])]
    faces = _faces(pictures, labels)
    discriminant = train(faces[: len(DECK)])
    about = About(
        version=VERSION,
        name=name,
        faces=tuple(labels),
        history=history,
        printed_codes=printed_codes or {},
        accepted=True,
    )
    profile = DeckProfile(about, np.stack([as_ink(face.ink()) for face in faces]), discriminant)
    return Enrolment(profile, examined(profile, faces[: len(DECK)]))


def _faces(pictures: Mapping[str, Image], labels: list[str]) -> list[EnrolledFace]:
    found = faces_in([pictures[card] for card in DECK])
    usual = found[0]
    if BACK in labels and usual is not None:
        found.append(back_in(pictures[BACK], usual))
    empty = [label for label, face in zip(labels, found, strict=False) if face is None]
    if empty:
        raise EnrolmentError(
            [
                f"no card found in the picture of {', '.join(empty)}: lay it whole and alone on a "
                "plain, darker table and take it from straight above"
            ]
        )
    return [face for face in found if face is not None]
