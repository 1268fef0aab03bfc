"""The drawn deck enrolled once a process, and pictures of it, for the camera's tests."""

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.enrolled import back_in, faces_in
from calibration.training import train
from controller.contract.cards import DECK, Card
from drivers.camera.profile import BACK, VERSION, About, DeckProfile, as_ink
from simulators.deck_art import deck as art
from simulators.felt_picture import Light, Lying, Shot, View, taken

Image = NDArray[np.uint8]
SPOTS = [(x, y) for y in (-75, 75) for x in (-165, -55, 55, 165)]
VIEW = View(1280, 720, tilt=12.0, distance_mm=600.0)


def on_table(face: Image) -> Image:
    """A picture as it is taken for enrolment."""
    framed = cv2.copyMakeBorder(face, 150, 150, 120, 120, cv2.BORDER_CONSTANT, value=(60, 50, 45))
    return np.asarray(framed, np.uint8)


def enrolment_pictures() -> dict[str, Image]:
    return {card: on_table(art.face(card)) for card in DECK}


@cache
def profile(with_back: bool = True) -> DeckProfile:
    """Fewer variants than a real enrolment: quicker, and no less careful."""
    found = faces_in(list(enrolment_pictures().values()))
    faces = [face for face in found if face is not None]
    back = back_in(on_table(art.back()), faces[0]) if with_back else None
    faces += [] if back is None else [back]
    labels = (*DECK, BACK) if with_back else DECK
    about = About(version=VERSION, name="drawn", faces=labels, history=(), accepted=True)
    inks = np.stack([as_ink(face.ink()) for face in faces])
    return DeckProfile(about, inks, train(faces[: len(DECK)], variants=14))


def laid(faces: list[Image], rng: np.random.Generator) -> tuple[Lying, ...]:
    """One to a spot, each turned anyhow."""
    return tuple(
        Lying(face, x, y, float(rng.uniform(0, 360)))
        for face, (x, y) in zip(faces, SPOTS, strict=False)
    )


def picture(
    faces: list[Image], seed: int, light: Light | None = None, view: View = VIEW
) -> tuple[Image, tuple[Lying, ...]]:
    rng = np.random.default_rng(seed)
    cards = laid(faces, rng)
    return taken(Shot(cards, view, light or Light()), rng), cards


def eights() -> list[list[Card]]:
    """All forty cards, eight to a picture."""
    return [list(DECK[i : i + 8]) for i in range(0, len(DECK), 8)]
