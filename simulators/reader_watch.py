"""Whether a careful person would draw now: is the reader on the screen, and settled?

A reader that has just been opened takes the first reports for old ones, so after
every return it is given a moment, even if it was never seen to be away.
"""

from controller.client import Changed, Event, Stale
from controller.contract.facts import ReaderSession, ReadingNoted
from controller.contract.readings import OPEN_RUNGS, ReadingKind
from controller.contract.state import TableView
from controller.runtime.clock import NANOSECONDS, Clock


class ReaderWatch:
    """Judges the reader by what the screen shows; `settle` in seconds."""

    def __init__(self, clock: Clock, settle: float) -> None:
        self._clock = clock
        self._settle = round(settle * NANOSECONDS)
        self._ready_at: int | None = None

    @property
    def ready(self) -> bool:
        return self._ready_at is not None and self._clock.mono() >= self._ready_at

    def look(self, view: TableView) -> None:
        if not any(reader.rung in OPEN_RUNGS for reader in view.readers):
            self._ready_at = None
        elif self._ready_at is None:
            self._ready_at = self._clock.mono() + self._settle

    def hear(self, event: Event) -> None:
        fact = event.message.fact if isinstance(event, Changed) else None
        reopened = isinstance(fact, ReadingNoted) and fact.kind is ReadingKind.REOPENED
        if reopened or isinstance(fact, ReaderSession) or isinstance(event, Stale):
            self._ready_at = None
