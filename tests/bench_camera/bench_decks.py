"""The decks of the bench: drawn ones always, real ones where their photographs are."""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.deck import EnrolmentError
from calibration.enrolled import EnrolledFace, faces_in
from controller.contract.cards import DECK, Card
from drivers.camera.geometry import Floats
from simulators.deck_art import deck as art
from simulators.deck_art.pips import Inks

Image = NDArray[np.uint8]
REAL_MAKERS = {
    "deck-a": "modiano",
    "deck-c": "modiano",
    "deck-e": "modiano",
    "deck-d": "dal negro",
    "scan-d": "dal negro",
}
"""deck-b lies on brushed metal, where not all its cards are found: it is only read."""


@dataclass(frozen=True, eq=False)
class BenchDeck:
    """Forty flat faces, and the pictures to enrol from."""

    name: str
    maker: str
    faces: dict[Card, Image]
    pictures: dict[str, Image]

    @property
    def kind(self) -> str:
        return "real" if self.name in REAL_MAKERS else "drawn"


def drawn(name: str, maker: str, inks: Inks) -> BenchDeck:
    """Its enrolment pictures are its faces lying on a plain dark table."""
    faces = {card: art.face(card, inks) for card in DECK}
    return BenchDeck(name, maker, faces, {card: on_table(face) for card, face in faces.items()})


def on_table(face: Image) -> Image:
    framed = cv2.copyMakeBorder(face, 150, 150, 120, 120, cv2.BORDER_CONSTANT, value=(60, 50, 45))
    return np.asarray(framed, np.uint8)


def real(folder: Path) -> BenchDeck | None:
    pictures = {card: cv2.imread(str(folder / f"{card}.jpg")) for card in DECK}
    if any(picture is None for picture in pictures.values()):
        return None
    found = faces_in([np.asarray(pictures[card], np.uint8) for card in DECK])
    if None in found:
        raise EnrolmentError([f"{folder.name}: cards not found"])
    faces = {card: cut(face) for card, face in zip(DECK, found, strict=True) if face is not None}
    return BenchDeck(
        folder.name,
        REAL_MAKERS[folder.name],
        faces,
        {c: np.asarray(p, np.uint8) for c, p in pictures.items()},
    )


def cut(face: EnrolledFace) -> Image:
    """The flat face, a hair inside its edge so that nothing of its table comes along."""
    width, height = art.FACE_WIDTH, art.FACE_HEIGHT
    target: Floats = np.array(
        [[-2, -2], [width + 2, -2], [width + 2, height + 2], [-2, height + 2]], np.float32
    )
    matrix = cv2.getPerspectiveTransform(face.corners, target)
    flat = cv2.warpPerspective(
        face.image, matrix, (width, height), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
    )
    bright = float(np.percentile(flat, 92))
    return np.asarray(np.clip(flat.astype(np.float32) * 248 / bright, 0, 255), np.uint8)


def all_decks(cards: Path | None) -> list[BenchDeck]:
    decks = [
        drawn("house", "ours", art.HOUSE),
        drawn("sister", "ours", art.SISTER),
        drawn("rival", "other", art.RIVAL),
    ]
    if cards is not None and cards.is_dir():
        found = (real(cards / name) for name in REAL_MAKERS)
        decks += [deck for deck in found if deck is not None]
    return decks
