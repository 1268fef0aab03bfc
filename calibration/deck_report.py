"""Whether an enrolled deck can be read: the report on which a profile is accepted.

The profile reads augmented pictures of its own forty faces. One wrong answer,
two faces that are one, or a face that is read too seldom, and it is refused,
with what to photograph again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from calibration.augment import varied
from calibration.enrolled import EnrolledFace
from controller.contract.cards import DECK, Card
from drivers.camera.found import Verdict
from drivers.camera.geometry import sides
from drivers.camera.profile import DeckProfile
from drivers.camera.recognise import judge_face
from drivers.camera.rectify import flat, ink

SEED: Final = 7
TRIALS: Final = 6
HARD: Final = 0.4
READ_LEAST: Final = 0.3
"""A face that is read in less than this part of its trials must be photographed again."""
SAME_FACE: Final = 0.93
SHORTEST: Final = 90
DIM: Final = 70
BLOWN: Final = 0.5


@dataclass(frozen=True)
class Report:
    """What an enrolment is judged by."""

    confusion: dict[Card, dict[str, int]]
    """Card shown → what was read (a card or `unsure`) → how often."""
    nearest: tuple[Card, Card]
    likeness: float
    """Correlation of the two nearest faces: 1 is the same face."""
    faults: tuple[str, ...]
    """Why the profile is not accepted; one sentence each."""
    advice: tuple[str, ...]
    """What would make it better."""

    @property
    def accepted(self) -> bool:
        return not self.faults

    @property
    def read(self) -> float:
        tried = sum(sum(row.values()) for row in self.confusion.values())
        return sum(row.get(card, 0) for card, row in self.confusion.items()) / max(tried, 1)

    @property
    def wrong(self) -> int:
        return sum(
            n
            for card, row in self.confusion.items()
            for said, n in row.items()
            if said not in (card, "unsure")
        )


def examined(profile: DeckProfile, faces: Sequence[EnrolledFace]) -> Report:
    rng = np.random.default_rng(SEED)
    confusion = {card: _trials(profile, face, rng) for card, face in zip(DECK, faces, strict=True)}
    nearest, likeness = _nearest(profile)
    faults = list(_faults(confusion))
    if likeness > SAME_FACE:
        faults.append(
            f"The pictures of {nearest[0]} and {nearest[1]} show the same face: "
            "photograph both again"
        )
    return Report(confusion, nearest, likeness, tuple(faults), tuple(_advice(faces)))


def _trials(profile: DeckProfile, face: EnrolledFace, rng: np.random.Generator) -> dict[str, int]:
    said: dict[str, int] = {}
    for _ in range(TRIALS):
        found = judge_face(ink(varied(face.image, face.corners, rng, HARD)), profile)
        word = str(found.card) if found.verdict is Verdict.CARD else "unsure"
        said[word] = said.get(word, 0) + 1
    return said


def _faults(confusion: dict[Card, dict[str, int]]) -> list[str]:
    faults = []
    for card, row in confusion.items():
        others = sorted(word for word in row if word not in (card, "unsure"))
        if others:
            faults.append(
                f"{card} is read as {', '.join(others)}: photograph these cards again in even light"
            )
        elif row.get(card, 0) < READ_LEAST * sum(row.values()):
            faults.append(
                f"{card} is read too seldom: photograph it again, sharp, whole and without glare"
            )
    return faults


def _nearest(profile: DeckProfile) -> tuple[tuple[Card, Card], float]:
    faces = profile.references.levels[1].faces[: len(DECK)].reshape(len(DECK), -1)
    # A face and the same one turned round are one face.
    turned = profile.references.levels[1].faces[: len(DECK), ::-1, ::-1].reshape(len(DECK), -1)
    centred, other = (a - a.mean(axis=1, keepdims=True) for a in (faces, turned))
    length = np.linalg.norm(centred, axis=1)
    like = np.maximum(centred @ centred.T, centred @ other.T) / np.maximum(
        length[:, None] * length, 1e-6
    )
    like[np.diag_indices(len(DECK))] = -1
    a, b = np.unravel_index(int(like.argmax()), like.shape)
    return (DECK[a], DECK[b]), float(like.max())


def _advice(faces: Sequence[EnrolledFace]) -> list[str]:
    """One sentence for each thing that could be better, naming the cards."""
    lists: dict[str, list[Card]] = {}
    for card, face in zip(DECK, faces, strict=True):
        for sentence in _shortcomings(face):
            lists.setdefault(sentence, []).append(card)
    return [
        f"{', '.join(cards) if len(cards) < 9 else f'{len(cards)} cards'}: {s}"
        for s, cards in lists.items()
    ]


def _shortcomings(face: EnrolledFace) -> Iterator[str]:
    flattened = flat(face.image, face.corners)
    if float(sides(face.corners).min()) < SHORTEST:
        yield "small in the picture, come nearer"
    if float(np.percentile(flattened.max(axis=2), 90)) < DIM:
        yield "dark, use more light"
    if float((flattened.min(axis=2) >= 254).mean()) > BLOWN:
        yield "overexposed, use less light or turn the lamp aside"
    if float(cv2.Laplacian(flattened, cv2.CV_32F).std()) < 6:
        yield "blurred, hold the camera still and let it focus"
