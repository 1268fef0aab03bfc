"""From what single pictures show to readings: several that agree make one, and a card stays one.

Pure: it is given the time of each picture and what was found in it. A card is
told when it lies still and enough pictures in a row agree on it; it keeps its
`sight` number while it lies or moves under the camera's eye, through flicker
and hands over it. What lay there when the picture began (or began again) is told
as stale, for nobody knows when it came. Nothing is told of the burn region but
that a card lies there.
What is not here: single pictures (`found`), numbers and stills (`daemon`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import msgspec

from controller.contract.cards import Card
from controller.contract.readings import ReadingKind, Region
from drivers.camera.found import Verdict, distance, middle, short_side
from drivers.camera.track import NEAR, Seen, Told, Track, overlap, pairs

DOUBT: Final = 2
"""Further pictures that must agree for each time that they did not."""
MOST_DOUBT: Final = 3
FOREIGN_TIMES: Final = 2
"""A stranger needs this many times the agreement: it stops the table by itself."""
MEMORY: Final = 60_000_000_000
"""How long a card that went is known again where it lay."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The times in nanoseconds."""

    agree: int
    """Pictures in a row that must say the same."""
    unsure: int
    """After lying still unread for so long a card is told as not read."""
    gone: int
    """A card not seen for so long is gone."""
    settle: int
    """What appears within so long after the picture began lay there before."""


@dataclass(slots=True)
class Tracker:
    """All cards under one camera, over one session."""

    settings: Settings
    _tracks: list[Track] = field(default_factory=list)
    _left: list[tuple[Told, int]] = field(default_factory=list)
    _sights: int = 0
    _began: int | None = None
    """Stamp of the first picture since there was none; None while there is none."""

    def blind(self) -> None:
        """There is no picture, or none to be believed: what happens now is not seen."""
        self._began = None

    @property
    def empty(self) -> bool:
        """Nothing lies on the felt, as far as is known."""
        return not self._tracks

    def see(self, stamp: int, seen: Sequence[Seen]) -> list[Told]:
        """One picture, made at `stamp`; what it adds to what is known."""
        if self._began is None:
            self._begin(stamp)
        told: list[Told] = []
        new, missing = self._match(stamp, seen)
        for track in self._tracks:
            if track.last == stamp:
                told += self._judge(track, stamp)
        for track in missing:
            told += self._miss(track, stamp)
        self._tracks += [self._track(one, stamp) for one in new]
        return told

    def _begin(self, stamp: int) -> None:
        self._began = stamp
        for track in self._tracks:
            # It was not away: we did not look.
            track.last = stamp - 1
            track.run = track.lay = 0
            track.lies_since = stamp

    def _track(self, seen: Seen, stamp: int) -> Track:
        began = stamp if self._began is None else self._began
        old = stamp - began < self.settings.settle
        confidence = seen.found.confidence
        return Track(seen, stamp, stamp, old, run=1, lay=1, weakest=confidence, lies_since=stamp)

    # --- which card is which

    def _match(self, stamp: int, seen: Sequence[Seen]) -> tuple[list[Seen], list[Track]]:
        """Give each found card to its track; what is left over on both sides."""
        free, waiting = list(self._tracks), list(seen)
        for _, track, one in sorted(pairs(free, waiting), key=lambda pair: pair[0]):
            if any(track is other for other in free) and any(one is other for other in waiting):
                track.take(one, stamp)
                free = [other for other in free if other is not track]
                waiting = [other for other in waiting if other is not one]
        return waiting, free

    # --- what is told

    def _judge(self, track: Track, stamp: int) -> list[Told]:
        if self._is_replaced(track):
            return [*self._end(track, stamp), *self._renew(track, stamp)]
        told = self._verdict(track, stamp)
        if told is None or not _is_news(told, track.told):
            return []
        track.told = told
        return [told]

    def _needed(self, track: Track) -> int:
        return self.settings.agree + DOUBT * min(track.doubts, MOST_DOUBT)

    def _is_replaced(self, track: Track) -> bool:
        """Another face lies surely where one was told: a card was put in its place."""
        face = track.told.card if track.told else None
        found = track.seen.found
        return (
            face is not None
            and found.verdict is Verdict.CARD
            and found.card != face
            and track.run >= self._needed(track) + self.settings.agree
        )

    def _renew(self, track: Track, stamp: int) -> list[Told]:
        track.told, track.sight, track.old = None, 0, False
        track.since = stamp
        return self._judge(track, stamp)

    def _verdict(self, track: Track, stamp: int) -> Told | None:
        """What may be told of this card now, if anything."""
        found, region = track.seen.found, track.seen.region
        agreed = track.run >= self._needed(track)
        if region is Region.BURN:
            return self._tell(track, ReadingKind.COVERED) if track.lay >= self._agree else None
        rests = stamp - track.lies_since >= self.settings.unsure
        known = track.told.card if track.told else None
        if known is not None and found.card != known:
            return None  # what hides it, or is read in its place for a moment, is no news
        if found.verdict is Verdict.CARD and agreed and (rests or region is not Region.ELSEWHERE):
            kind = ReadingKind.STALE if track.old else ReadingKind.CARD
            return self._tell(track, kind, found.card)
        if found.verdict is Verdict.FOREIGN and track.run >= FOREIGN_TIMES * self._needed(track):
            return self._tell(track, ReadingKind.FOREIGN)
        if found.verdict is Verdict.BACK and agreed and region is not Region.DISCARD:
            return self._tell(track, ReadingKind.COVERED)
        return self._unread(track) if rests and _matters(region) else None

    @property
    def _agree(self) -> int:
        return self.settings.agree

    def _unread(self, track: Track) -> Told | None:
        if track.told is not None:
            return None
        return self._tell(track, ReadingKind.STALE if track.old else ReadingKind.NO_READ)

    def _tell(self, track: Track, kind: ReadingKind, card: Card | None = None) -> Told:
        if not track.sight:
            track.sight = self._sight_of(track, card)
        return Told(
            kind=kind,
            stamp=track.since,
            sight=track.sight,
            region=track.seen.region,
            corners=track.seen.found.corners,
            card=card,
            confidence=track.weakest if card else 0.0,
        )

    def _sight_of(self, track: Track, card: Card | None) -> int:
        """The number it had when it lay here before, or a new one."""
        corners = track.seen.found.corners
        for before, at in self._left:
            apart = distance(middle(before.corners), middle(corners))
            here = apart < NEAR * short_side(corners) and track.last - at < MEMORY
            if card is not None and before.card == card and here:
                self._left = [left for left in self._left if left[0] is not before]
                return before.sight
        self._sights += 1
        return self._sights

    # --- what is gone

    def _miss(self, track: Track, stamp: int) -> list[Told]:
        if stamp - track.last <= self.settings.gone or self._is_hidden(track, stamp):
            return []
        self._tracks = [other for other in self._tracks if other is not track]
        if track.told is not None:
            return self._end(track, stamp)
        lay_unread = track.lay >= FOREIGN_TIMES * self._needed(track)
        if lay_unread and _matters(track.seen.region):
            told = self._unread(track)
            return [told] if told else []
        return []

    def _is_hidden(self, track: Track, stamp: int) -> bool:
        """A card that is seen now lies over its place: it is covered and not gone."""
        own = track.seen.found.corners
        return track.told is not None and any(
            overlap(own, other.seen.found.corners)
            for other in self._tracks
            if other is not track and other.last == stamp
        )

    def _end(self, track: Track, stamp: int) -> list[Told]:
        told = track.told
        if told is None:
            return []
        self._left = [(left, at) for left, at in self._left if stamp - at < MEMORY]
        self._left.append((told, stamp))
        return [Told(ReadingKind.GONE, stamp, told.sight, told.region, told.corners, told.card)]


def _is_news(told: Told, before: Told | None) -> bool:
    if before is None:
        return True
    if told.card is not None:
        return (told.card, told.region) != (before.card, before.region)
    return before.card is None and told.kind is not before.kind


def _matters(region: Region | None) -> bool:
    """Where a card that cannot be read is one that was dealt, and no hand and no heap."""
    return region in (None, Region.POSITION, Region.DEALER)
