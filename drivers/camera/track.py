"""One card that is being watched from picture to picture, and when two pictures show the same one.

Pure. What is told of it, and when, is `tracking`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from controller.contract.cards import Card
from controller.contract.readings import ReadingKind, Region
from drivers.camera.found import Found, Quad, distance, middle, short_side

NEAR: Final = 0.5
"""Of a card's width: two places nearer than this are one place."""
SAME: Final = 0.2
"""Of a card's width: another face nearer than this may be a misreading, farther it is a card."""
COVERED: Final = 0.3
"""Of a card's width: an unread card nearer than this is the known one under a hand, farther it
may be another one that was laid over it."""
STILL: Final = 0.08
"""Of a card's width: what moves less between two pictures lies still."""
RIM: Final = 0.1
"""Of a card's width: two cards side by side may seem to overlap by so much."""


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A found card and the region in which it lies; None: this table has no regions."""

    found: Found
    region: Region | None


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """A reading without number and still. `stamp`: the first picture in which it lay there."""

    kind: ReadingKind
    stamp: int
    sight: int
    region: Region | None
    corners: Quad
    card: Card | None = None
    confidence: float = 0.0


@dataclass(slots=True)
class Track:
    """One card that is being watched."""

    seen: Seen
    since: int
    last: int
    old: bool
    sight: int = 0
    run: int = 0
    """Pictures in a row that said the same while it lay still."""
    lay: int = 0
    """Pictures in which it lay still, whatever they said."""
    doubts: int = 0
    weakest: float = 1.0
    lies_since: int = 0
    told: Told | None = None

    def take(self, seen: Seen, stamp: int) -> None:
        before, now = self.seen.found, seen.found
        width = short_side(now.corners)
        moved = distance(middle(before.corners), middle(now.corners)) > STILL * width
        same = (before.verdict, before.card) == (now.verdict, now.card)
        if moved:
            self.lay, self.lies_since = 0, stamp
        if moved or not same:
            self.doubts += bool(not same and before.card and now.card)
            self.run, self.weakest = 0, 1.0
        self.run += 1
        self.lay += 1
        self.weakest = min(self.weakest, now.confidence)
        self.seen, self.last = seen, stamp


def pairs(tracks: Iterable[Track], seen: Sequence[Seen]) -> Iterable[tuple[float, Track, Seen]]:
    """Every track and found card that may be one, and how unlike they are."""
    for track in tracks:
        for one in seen:
            unlike = _unlike(track, one.found)
            if unlike is not None:
                yield unlike, track, one


def _unlike(track: Track, found: Found) -> float | None:
    before = track.seen.found
    apart = distance(middle(before.corners), middle(found.corners)) / short_side(found.corners)
    known = track.told.card if track.told else before.card
    if known is not None and found.card == known:
        return min(apart, 10.0)  # the deck has one of each: wherever it is now, it is the same
    other = known is not None and found.card is not None
    near = SAME if other else NEAR if known is None else COVERED
    if apart >= near:
        return None
    return apart + (10.0 if other else 1.0)


def overlap(a: Quad, b: Quad) -> bool:
    """Whether the upright boxes around two cards share more than their rims."""
    rim = RIM * min(short_side(a), short_side(b))
    low = np.maximum(a.min(axis=0), b.min(axis=0))
    high = np.minimum(a.max(axis=0), b.max(axis=0))
    return bool((high - low > rim).all())
