"""How far the shoe's line has come: absent → opened → bytes → frames → valid → reading.

Pure: it is told what happened on the line and says the rung and one sentence for
the technician. It climbs by evidence and comes down again when garbage persists,
so that a wrong baud rate set at noon is seen at noon. It never knows a face.
"""

from typing import Final

from controller.contract.readings import ReadingKind, Rung
from drivers.shoe.codec import Answer, Event, Rejected, Report

PERSISTENT: Final = 3
"""Rejections in a row that outweigh what the line once could."""

SENTENCES: Final = {
    Rung.OPENED: "the line is open and nothing has been heard yet",
    Rung.BYTES: "bytes come, no frame among them: check baud rate and protocol",
    Rung.FRAMES: "frames come, none passes its check: check cable, baud rate and the settings",
    Rung.VALID: "the line works; no card of the deck has been read yet",
    Rung.READING: "",
}
_CLIMB: Final = (Rung.OPENED, Rung.BYTES, Rung.FRAMES, Rung.VALID, Rung.READING)


class Ladder:
    """The state of one line."""

    def __init__(self) -> None:
        self.rung = Rung.ABSENT
        self.detail = "not opened yet"
        self.frames = 0
        self.rejected = 0
        self.repeats = 0
        self._rejected_in_a_row = 0
        self._refused_order = ""

    def opened(self) -> None:
        self._rejected_in_a_row = 0
        self._refused_order = ""
        self._stand(Rung.OPENED)

    def lost(self, rung: Rung, sentence: str) -> None:
        self.rung, self.detail = rung, sentence

    def bytes_came(self) -> None:
        self._climb(Rung.BYTES)

    def saw(self, event: Event) -> None:
        if isinstance(event, Rejected):
            self._rejection(Rung.FRAMES if event.framed else Rung.BYTES)
            return
        if isinstance(event, Report) and not event.checked:
            return  # made of bytes that were counted as rejected
        self.frames += 1
        self._rejected_in_a_row = 0
        if isinstance(event, Answer):
            self._refused_order = f"{event.order} {event.why}" if event.why else ""
        if self.rung is Rung.FAULT:
            self._leave_fault(event)
        else:
            self._climb(Rung.VALID)
            if isinstance(event, Answer):
                self._stand(self.rung)  # the same rung with another sentence
        if isinstance(event, Report) and event.kind is ReadingKind.FAULT:
            self.rung = Rung.FAULT
            self.detail = f"the shoe is in error mode ({event.code}): clear it as its manual says"

    def read_card(self) -> None:
        """A card of the deck was read: the shoe works, whatever it said before."""
        self._stand(Rung.READING)

    def repeated(self) -> None:
        self.repeats += 1

    def _leave_fault(self, event: Event) -> None:
        over = {ReadingKind.FAULT_CLEARED, ReadingKind.RESTARTED}
        if isinstance(event, Report) and event.kind in over:
            self._stand(Rung.VALID)

    def _rejection(self, rung: Rung) -> None:
        self.rejected += 1
        self._rejected_in_a_row += 1
        if self.rung is Rung.FAULT:
            return
        if self._rejected_in_a_row >= PERSISTENT:
            self._stand(rung)
        else:
            self._climb(rung)

    def _climb(self, rung: Rung) -> None:
        if self.rung in _CLIMB and _CLIMB.index(rung) > _CLIMB.index(self.rung):
            self._stand(rung)

    def _stand(self, rung: Rung) -> None:
        self.rung = rung
        self.detail = self._refused_order or SENTENCES[rung]
