"""Random scenes: cards that lie as at a table, and what is no readable card."""

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from simulators.deck_art import deck as art
from simulators.deck_art import strangers
from simulators.felt_picture import CARD_MM, CLOTHS, Light, Lying, Shot, View

Image = NDArray[np.uint8]
WHOLE = ("plain", "tilted", "light", "shadow", "glare", "smeared", "finger", "cloth", "worn")
NEGATIVE = ("empty", "back", "hand", "half", "overlap", "slip", "french", "regional", "washed")
_SPOTS = [(x, y) for y in (-75, 75) for x in (-165, -55, 55, 165)]


def shot_of(kind: str, faces: list[Image], rng: np.random.Generator) -> Shot:
    """`faces` (at most eight) on the felt, one to a spot, under what `kind` names."""
    shot = Shot(_spread(faces, rng), _view(rng, kind), _light(rng, kind), CLOTHS[0])
    match kind:
        case "cloth":
            return replace(
                shot,
                pattern=float(rng.uniform(0.1, 0.5)),
                cloth=CLOTHS[int(rng.integers(len(CLOTHS)))],
            )
        case "finger":
            return replace(
                shot, fingers=tuple(_finger(card, rng, 0.02, 0.16) for card in shot.cards)
            )
        case "hand":
            return replace(shot, fingers=tuple(f for c in shot.cards for f in _hand(c, rng)))
        case "half":
            # A box over one row's lower halves.
            return replace(shot, box=(-230, -75 + float(rng.uniform(-15, 12)), 230, 10))
        case "overlap":
            return replace(shot, cards=tuple(_pushed(shot.cards, rng)))
        case _:
            return shot


def worn(face: Image, rng: np.random.Generator) -> Image:
    """Rubbed, stained and yellowed."""
    height, width = face.shape[:2]
    rub = cv2.resize(
        rng.uniform(0, 1, (10, 6)).astype(np.float32),
        (width, height),
        interpolation=cv2.INTER_CUBIC,
    )
    strength = np.clip(rub - 0.35, 0, 1)[..., None] * float(rng.uniform(0.2, 0.8))
    paper = np.array([215, 228, 232], np.float32)
    aged = face.astype(np.float32) * np.array([0.86, 0.94, 0.97], np.float32)
    aged += (paper - aged) * strength
    for _ in range(int(rng.integers(5, 40))):
        at = (int(rng.integers(width)), int(rng.integers(height)))
        cv2.circle(aged, at, int(rng.integers(1, 4)), (90, 110, 120), -1)
    return np.clip(aged, 0, 255).astype(np.uint8)


def washed(face: Image, rng: np.random.Generator) -> Image:
    """A part of the print is rubbed off to nearly nothing: a pip, if there are pips."""
    height, width = face.shape[:2]
    x = width * float(rng.choice([0.3, 0.5, 0.7]))
    y = height * float(rng.choice([0.2, 0.34, 0.5, 0.66, 0.8]))
    yy, xx = np.mgrid[0:height, 0:width].astype(np.float32)
    far = ((xx - x) / (0.17 * width)) ** 2 + ((yy - y) / (0.11 * height)) ** 2
    bare = np.clip(1.6 - far, 0, 1)[..., None] * float(rng.uniform(0.6, 0.97))
    paper = np.median(face[6:16].reshape(-1, 3), axis=0).astype(np.float32)
    return np.clip(face + (paper - face) * bare, 0, 255).astype(np.uint8)


def stand_ins(kind: str, rng: np.random.Generator) -> list[Image]:
    """Faces for the kinds that do not show the deck's own."""
    match kind:
        case "empty":
            return []
        case "back":
            return [art.back(art.HOUSE) for _ in range(4)]
        case "slip":
            return [_slip(rng) for _ in range(6)]
        case "french":
            return [strangers.french(str(rng.choice(strangers.FRENCH))) for _ in range(8)]
        case "regional":
            return [strangers.regional(str(rng.choice(strangers.REGIONAL))) for _ in range(8)]
        case _:
            raise ValueError(kind)


def _slip(rng: np.random.Generator) -> Image:
    slip = np.full((500, 300, 3), int(rng.integers(215, 252)), np.uint8)
    for line in range(int(rng.integers(0, 7))):
        text = "".join(rng.choice(list("abcdefg 0123456789"), 12))
        cv2.putText(slip, text, (30, 70 + 60 * line), cv2.FONT_HERSHEY_SIMPLEX, 1, (70, 40, 40), 2)
    return slip


def _spread(faces: list[Image], rng: np.random.Generator) -> tuple[Lying, ...]:
    spots = rng.permutation(len(_SPOTS))[: len(faces)]
    cards = []
    for face, spot in zip(faces, spots, strict=True):
        x, y = np.array(_SPOTS[int(spot)]) + rng.uniform(-6, 6, 2)
        cards.append(Lying(face, float(x), float(y), float(rng.uniform(0, 360))))
    return tuple(cards)


def _view(rng: np.random.Generator, kind: str) -> View:
    tilt = float(rng.uniform(30, 52) if kind == "tilted" else rng.uniform(0, 25))
    return View(1280, 720, tilt, float(rng.uniform(-8, 8)), float(rng.uniform(560, 680)), 1.2)


def _light(rng: np.random.Generator, kind: str) -> Light:
    light = Light(
        noise=float(rng.uniform(1, 4)),
        jpeg=int(rng.integers(70, 97)),
        defocus=float(rng.uniform(0, 0.6)),
    )
    change: dict[str, Any] = {}
    match kind:
        case "light":
            tone = [
                (0.62, 0.82, 1.0),
                (1.0, 1.0, 0.7),
                (0.35, 0.35, 0.35),
                (1.0, 0.9, 0.62),
                (0.5, 0.62, 0.7),
            ]
            slope = (float(rng.uniform(-0.3, 0.3)), float(rng.uniform(-0.3, 0.3)))
            change = {
                "gain": tone[int(rng.integers(5))],
                "slope": slope,
                "noise": 6.0,
                "jpeg": int(rng.integers(40, 80)),
            }
        case "shadow":
            change = {"shadow": float(rng.uniform(0.45, 0.8))}
        case "glare":
            change = {"glare": float(rng.uniform(0.3, 1.0))}
        case "smeared":
            change = {
                "motion": (float(rng.uniform(2, 9)), float(rng.uniform(0, 180))),
                "defocus": float(rng.uniform(0, 1.6)),
            }
    return replace(light, **change)


def _finger(
    card: Lying, rng: np.random.Generator, least: float, most: float
) -> tuple[float, float, float, float]:
    """A fingertip that comes in over an edge and covers about that part of the card."""
    wide = float(rng.uniform(12, 17))
    deep = float(rng.uniform(least, most)) * CARD_MM[0] * CARD_MM[1] / wide
    side = float(rng.choice([0, 90, 180, 270]))
    half = CARD_MM[0] / 2 if side in (0, 180) else CARD_MM[1] / 2
    along = float(rng.uniform(-0.6, 0.6)) * (CARD_MM[1] if side in (0, 180) else CARD_MM[0]) / 2
    out = np.radians(side + card.turn)
    across = out + np.pi / 2
    reach = half - deep + wide / 2
    x = card.x + reach * np.cos(out) + along * np.cos(across)
    y = card.y + reach * np.sin(out) + along * np.sin(across)
    return float(x), float(y), float(np.degrees(out)), wide


def _hand(card: Lying, rng: np.random.Generator) -> list[tuple[float, float, float, float]]:
    return [_finger(card, rng, 0.15, 0.5) for _ in range(3)]


def _pushed(cards: tuple[Lying, ...], rng: np.random.Generator) -> list[Lying]:
    """Each second card lies partly on the one before."""
    out: list[Lying] = []
    for i, card in enumerate(cards):
        if i % 2 and out:
            below = out[-1]
            shift = rng.uniform(12, 40, 2) * rng.choice([-1, 1], 2)
            card = replace(card, x=below.x + float(shift[0]), y=below.y + float(shift[1]))
        out.append(card)
    return out
