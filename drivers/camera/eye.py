"""What the camera makes of its pictures: may this one be read, what lies there, what is to be told.

A frame goes through age, `health`, `drift`, the recogniser and `tracking`, and
comes out as what was noticed, each with its still. It has no clock, no disk
and no bus: frames in, noticed cards out, and a sentence about the picture.
The burn region is painted over before anybody looks.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from controller.contract.cards import Card
from controller.contract.readings import ReadingKind, Region
from drivers.camera.drift import Drift, drift
from drivers.camera.found import Found, Locate, Quad, Recognise, Verdict, middle
from drivers.camera.frame import Frame, Image, Opened
from drivers.camera.health import SENTENCES, Health
from drivers.camera.look import HEIGHT, WIDTH, glance, is_unlike_within, look_at
from drivers.camera.still import still_of
from drivers.camera.table_profile import Felt, TableProfile
from drivers.camera.track import Seen, Told
from drivers.camera.tracking import Settings, Tracker

DRIFT_NS: Final = 10_000_000_000
"""How often the empty felt is compared with the calibration."""
AGAIN_NS: Final = 1_000_000_000
STALE: Final = "the pictures come too late: is the computer overloaded?"
_WITH_STILL: Final = frozenset(
    {ReadingKind.CARD, ReadingKind.STALE, ReadingKind.FOREIGN, ReadingKind.NO_READ}
)


@dataclass(frozen=True, slots=True)
class Noticed:
    """A reading without its number. `still` is a JPEG, empty where there is none."""

    kind: ReadingKind
    stamp: int
    card: Card | None = None
    region: Region | None = None
    confidence: float = 0.0
    sight: int = 0
    still: bytes = b""


@dataclass(frozen=True, slots=True)
class Reader:
    """What an eye reads with; None where the table has none yet."""

    recognise: Recognise | None = None
    locate: Locate | None = None
    table: TableProfile | None = None


class Eye:
    """One camera, over one session."""

    def __init__(self, reader: Reader, settings: Settings, max_age: int) -> None:
        self._reader = reader
        self._max_age = max_age
        self._tracker = Tracker(settings)
        self._health = Health(None, live=False)
        self._felt: Felt | None = None
        empty = reader.table.empty if reader.table else None
        self._empty = empty.copy() if empty else None
        self._fault = ""
        self._was_blind = False
        self._has_seen = False
        self._drift: Drift | None = None
        self._drift_at = 0
        self.has_read = False
        """A card has been read since the source was opened."""
        self.seen: Image | None = None
        """The newest picture as it came."""
        self.shown: Image | None = None
        """The same without its burn region: what anyone may see while the table is in play."""

    @property
    def fault(self) -> str:
        """Why nothing can be read now; "" if it can."""
        if self._fault:
            return self._fault
        if self._health.fault:
            return SENTENCES[self._health.fault]
        if self._drift is not None and not self._drift.usable:
            return "; ".join(self._drift.sentences())
        return ""

    @property
    def warnings(self) -> list[str]:
        """What should be put right although cards are read."""
        return self._drift.sentences() if self._drift and self._drift.usable else []

    def opened(self, opened: Opened) -> None:
        """The source was opened (again)."""
        empty = self._reader.table.empty if self._reader.table else None
        self._health = Health(empty, opened.live)
        self._felt, self._fault, self.has_read = None, "", False
        self._drift, self._drift_at = None, 0

    def closed(self) -> None:
        """There are no pictures any more."""
        self._go_blind()
        self.seen = self.shown = None

    def new_deck(self) -> None:
        """The calibration is to be looked at as soon as the felt is empty."""
        self._drift_at = 0

    def stale(self) -> None:
        """The newest picture is too old, or none has come for too long."""
        self._fault = STALE
        self._go_blind()

    def look(self, frame: Frame, now: int) -> list[Noticed]:
        """What this picture adds; nothing if it may not be believed."""
        if now - frame.stamp > self._max_age:
            self.stale()
            return []
        self._fault = self._unfit(frame.image)
        image = self._felt.without_burns(frame.image) if self._felt else frame.image
        self.seen, self.shown = frame.image, image
        if not self._health.look(frame):
            if self._health.fault:
                self._go_blind()
            return []
        if self._in_doubt(frame.stamp):
            self._compare(frame.image, frame.stamp)  # before a card is believed: is it our table?
        if self.fault:
            self._go_blind()
            return []
        noticed = [*self._came_back(frame.stamp), *self._read(frame, image)]
        if self._tracker.empty and frame.stamp - self._drift_at >= DRIFT_NS:
            self._compare(frame.image, frame.stamp)
        return noticed

    def _unfit(self, image: Image) -> str:
        """What is missing before any picture of this size can be read."""
        if self._reader.table is None:
            return "the table is not calibrated: mazziere calibrate table"
        if self._reader.recognise is None:
            return "no deck is enrolled: mazziere calibrate deck"
        if self._felt is None:
            height, width = image.shape[:2]
            try:
                self._felt = Felt(self._reader.table, width, height)
            except ValueError as error:
                return f"{error}: set the camera's mode or calibrate again"
        return ""

    def _in_doubt(self, stamp: int) -> bool:
        """A new view, or one that was wrong: perhaps it has been put right."""
        if self._drift is None:
            return True
        return not self._drift.usable and stamp - self._drift_at >= AGAIN_NS

    def _compare(self, image: Image, stamp: int) -> None:
        """Is the calibration still right? Cards that lie there are no dirt."""
        empty = self._reader.table.empty if self._reader.table else None
        if empty is None or self._felt is None:
            return
        found = drift(look_at(image), empty)
        self._drift = found if self._tracker.empty and self._drift else found.without_dirt()
        self._drift_at = stamp

    def _came_back(self, stamp: int) -> Iterator[Noticed]:
        """After the first picture of all, each new beginning is told: cards may have passed."""
        if self._was_blind and self._has_seen:
            yield Noticed(ReadingKind.REOPENED, stamp)
        self._was_blind, self._has_seen = False, True

    def _read(self, frame: Frame, image: Image) -> Iterator[Noticed]:
        recognise, felt = self._reader.recognise, self._felt
        if recognise is None or felt is None:
            return
        seen = [Seen(one, felt.region(middle(one.corners))) for one in recognise(image)]
        seen = [one for one in seen if one.region is not Region.BURN]
        self.has_read = self.has_read or any(one.found.card for one in seen)
        for told in self._tracker.see(frame.stamp, [*seen, *self._covered(frame.image, felt)]):
            yield _noticed(told, image)

    def _covered(self, image: Image, felt: Felt) -> Iterator[Seen]:
        """That cards lie in the burn region, by their outline alone."""
        locate = self._reader.locate
        for cut, (left, top) in felt.burns_alone(image) if locate else ():
            for corners in locate(cut) if locate else ():
                place = np.asarray(corners + np.array([left, top], np.float32), np.float32)
                if self._is_on_the_felt(image, place):
                    yield Seen(Found(place, Verdict.BACK, 0.0), Region.BURN)

    def _is_on_the_felt(self, image: Image, place: Quad) -> bool:
        """The bare cloth has outlines too, where its grain is all there is to see."""
        if self._empty is None:
            return True
        height, width = image.shape[:2]
        small = place * np.array([WIDTH / width, HEIGHT / height], np.float32)
        return is_unlike_within(glance(image), self._empty, small.astype(np.float32))

    def _go_blind(self) -> None:
        self._tracker.blind()
        self._was_blind = True


def _noticed(told: Told, image: Image) -> Noticed:
    return Noticed(
        kind=told.kind,
        stamp=told.stamp,
        card=told.card,
        region=told.region,
        confidence=round(told.confidence, 3),
        sight=told.sight,
        still=still_of(image, told.corners) if told.kind in _WITH_STILL else b"",
    )
