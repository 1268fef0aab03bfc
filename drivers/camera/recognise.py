"""A picture and a profile in, the cards on the felt out. Pure: no file, no clock, no memory.

`Unsure` is always a right answer here; a wrong card never is. A card is only
named if the discriminant proposes it, if `verify` finds nothing against it and
if no other place in the picture claims the same paper.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from controller.contract.cards import DECK
from drivers.camera.codes import printed_code
from drivers.camera.found import Found, Verdict, Why
from drivers.camera.geometry import Floats, Quad, contains
from drivers.camera.locate import Image, locate
from drivers.camera.outline import Place
from drivers.camera.profile import DeckProfile
from drivers.camera.rectify import TARGET, flat, ink, turns
from drivers.camera.references import halved
from drivers.camera.surround import is_covered
from drivers.camera.verify import Evidence, examine

PAPER_RIM: Final = 0.55
"""Part of the rim that must be bare paper: Neapolitan cards have no frame."""
PROPOSED: Final = 0.5
AHEAD: Final = 0.3
ALIKE: Final = 0.93
EXTRA: Final = 0.28
MISSING: Final = 0.20
RATHER: Final = 0.70
SEEN: Final = 0.85
COVERED: Final = 0.25
TRAVEL: Final = 5.5
BARE: Final = 0.012
"""Mean ink under which nothing is printed."""
OUTLINED: Final = 0.8
"""Support of a place that is taken for a card although its rim is printed."""


def recognise(image: Image, profile: DeckProfile, thorough: bool = False) -> list[Found]:
    """Every card found in a BGR picture. `thorough` also looks where a quick look reads none."""
    found = _judged_places(image, locate(image), profile)
    if not thorough:
        return found
    read = [one for one in found if one.verdict is Verdict.CARD]
    places = locate(image, thorough=True)
    elsewhere = [p for p in places if not any(_one_paper(p.corners, one.corners) for one in read)]
    harder = _judged_places(image, elsewhere, profile)
    more = [one for one in harder if one.verdict is Verdict.CARD]
    # Of what a hard look does not read, most is no card; one is shown if there is nothing else.
    return _distinct([*found, *more]) or harder[:1]


def _judged_places(image: Image, places: list[Place], profile: DeckProfile) -> list[Found]:
    judged = (judge(image, place, profile) for place in places)
    return _distinct([one for one in judged if one is not None])


def judge(image: Image, place: Place, profile: DeckProfile) -> Found | None:
    """What lies at one place; None if it is no card at all."""
    ways = _ways(image, place, profile)
    if not ways:
        return _framed(image, place, profile)
    doubts = []
    # A seven one way up is nearly a six the other way up: the second way is heard too.
    for way in sorted(ways, key=lambda way: -way.score)[:2]:
        found = replace(judge_face(way.printed, profile), corners=way.corners)
        if found.verdict is Verdict.CARD:
            if is_covered(image, way.corners, way.face):
                return Found(way.corners, Verdict.UNSURE, 0.0, why=Why.COVERED)
            return _with_code(image, found, profile)
        doubts.append(found)
    return doubts[0]


@dataclass(frozen=True, slots=True, eq=False)
class _Way:
    """One way up that a card may lie."""

    score: float
    corners: Quad
    printed: Floats
    face: Image


def _ways(image: Image, place: Place, profile: DeckProfile) -> list[_Way]:
    ways = []
    for corners in _half_turns(place.corners):
        face = flat(image, corners)
        printed = ink(face)
        if rim_of_paper(printed) < PAPER_RIM:
            continue
        for upright, turned in ((printed, 0), (np.ascontiguousarray(printed[::-1, ::-1]), 2)):
            score = float(profile.discriminant.scores(upright).max())
            ways.append(_Way(score, np.roll(corners, -turned, axis=0), upright, face))
    return ways


def _framed(image: Image, place: Place, profile: DeckProfile) -> Found | None:
    """What is printed up to its rim: a back, or a card of another region."""
    if place.support < OUTLINED:
        return None
    corners = _half_turns(place.corners)[0]
    printed = ink(flat(image, corners))
    if _is_back(halved(printed), 0.0, profile):
        return Found(corners, Verdict.BACK, 0.9)
    edge = np.concatenate([printed[1:3].reshape(-1, 3), printed[-3:-1].reshape(-1, 3)])
    bare = float((np.abs(edge).max(axis=1) < 0.18).mean())
    return Found(corners, Verdict.FOREIGN, 0.5) if bare > PAPER_RIM else None


def _half_turns(corners: Quad) -> list[Quad]:
    ways = turns(corners)
    return ways[:1] if len(ways) == 2 else ways[:2]


def rim_of_paper(printed: Floats) -> float:
    """The part of a ring inside the edge that is bare: Neapolitan cards have no frame."""
    light = np.abs(printed).max(axis=2) < 0.18
    ring = np.concatenate(
        [
            light[4:8, 4:-4].ravel(),
            light[-8:-4, 4:-4].ravel(),
            light[8:-8, 4:7].ravel(),
            light[8:-8, -7:-4].ravel(),
        ]
    )
    return float(ring.mean())


def judge_face(printed: Floats, profile: DeckProfile) -> Found:
    """What a flat face that stands upright shows; its corners are those of the flat picture."""
    if float(np.clip(printed, 0, 1).mean()) < BARE:
        return Found(TARGET, Verdict.UNSURE, 0.0, why=Why.BLANK)
    scores = profile.discriminant.scores(printed)
    second, first = np.argsort(scores)[-2:]
    half = halved(printed)
    evidence = examine(half, int(first), profile.references)
    why = _against(evidence, float(scores[first]), float(scores[first] - scores[second]))
    if why is None:
        return Found(TARGET, Verdict.CARD, _confidence(evidence), DECK[first])
    return _not_read(half, evidence, why, profile)


def _against(evidence: Evidence, score: float, ahead: float) -> Why | None:
    """The first objection to the proposal."""
    objections = (
        (not evidence.travel <= TRAVEL, Why.SHAPE),
        (score < PROPOSED, Why.UNLIKE),
        (evidence.seen < SEEN or evidence.covered > COVERED, Why.HIDDEN),
        (evidence.missing > MISSING, Why.MISSING),
        (evidence.extra > EXTRA, Why.EXTRA),
        (evidence.alike < ALIKE, Why.UNLIKE),
        (evidence.rather < RATHER or ahead < AHEAD, Why.CLOSE),
    )
    return next((why for holds, why in objections if holds), None)


def _confidence(evidence: Evidence) -> float:
    """Half at the limits of acceptance, 1 at a perfect print: for people, not for deciding."""
    room = (
        (evidence.alike - ALIKE) / (1 - ALIKE),
        (evidence.rather - RATHER) / (1 - RATHER),
        1 - evidence.extra / EXTRA,
        1 - evidence.missing / MISSING,
    )
    return round(0.5 + 0.5 * float(np.clip(min(room), 0, 1)), 3)


def _not_read(half: Floats, evidence: Evidence, why: Why, profile: DeckProfile) -> Found:
    """Unsure, unless it is plainly a back or plainly of another deck."""
    if _is_back(half, evidence.alike, profile):
        return Found(TARGET, Verdict.BACK, 0.9)
    # Lying open, sharp, and full of ink that the nearest face does not have.
    open_, other = evidence.covered < 0.15, evidence.alike < 0.65 and evidence.extra > 0.6
    if open_ and other and _sharp(half):
        return Found(TARGET, Verdict.FOREIGN, round(float(np.clip(1 - evidence.alike, 0, 1)), 3))
    return Found(TARGET, Verdict.UNSURE, round(float(np.clip(evidence.alike, 0, 0.49)), 3), why=why)


def _is_back(half: Floats, alike: float, profile: DeckProfile) -> bool:
    """The enrolled back, or print all over that is the same either way up."""
    back = profile.back
    if back is not None:
        ways = (examine(way, back, profile.references) for way in (half, _turned(half)))
        if max(way.alike for way in ways) > 0.75:
            return True
    inner = np.clip(half.mean(axis=2), 0, 1)[8:-8, 5:-5]
    if alike > 0.55 or float((inner > 0.1).mean()) < 0.7:
        return False
    either_way = float(np.corrcoef(inner.ravel(), inner[::-1, ::-1].ravel())[0, 1])
    return either_way > 0.4 or float(inner.std()) < 0.06


def _turned(half: Floats) -> Floats:
    return np.ascontiguousarray(half[::-1, ::-1])


def _sharp(half: Floats) -> bool:
    """Whether there is fine print to see at all: a smear of any deck looks foreign."""
    grey = half.mean(axis=2)
    fine = np.abs(np.diff(grey, axis=1)).mean() + np.abs(np.diff(grey, axis=0)).mean()
    return float(fine) > 0.25 * float(np.clip(grey, 0, 1).mean())


def _with_code(image: Image, found: Found, profile: DeckProfile) -> Found:
    if not profile.about.printed_codes:
        return found
    text = printed_code(image, found.corners)
    if text is None or profile.about.printed_codes.get(text) == found.card:
        return found
    return replace(found, verdict=Verdict.UNSURE, card=None, confidence=0.0, why=Why.CODE)


def _distinct(found: list[Found]) -> list[Found]:
    """One answer for one piece of paper: a card read beats what was not, two read are unsure."""
    rank = {Verdict.CARD: 0, Verdict.BACK: 1, Verdict.FOREIGN: 2, Verdict.UNSURE: 3}
    kept: list[Found] = []
    for one in sorted(found, key=lambda f: (rank[f.verdict], -f.confidence)):
        clash = next(
            (i for i, other in enumerate(kept) if _one_paper(one.corners, other.corners)), None
        )
        if clash is None:
            kept.append(one)
        elif one.verdict is Verdict.CARD and one.card != kept[clash].card:
            kept[clash] = Found(kept[clash].corners, Verdict.UNSURE, 0.0, why=Why.TWO)
    return kept


def _one_paper(a: Quad, b: Quad) -> bool:
    (ax, ay), (bx, by) = a.mean(axis=0).tolist(), b.mean(axis=0).tolist()
    return contains(b, ax, ay) or contains(a, bx, by)
