"""The table's state and its journal, kept in step: what was decided is durable, or did not happen.

`take` decides an input, writes input and facts as one record, syncs, and only
then lets the new state hold. `recover` folds what the journal holds. When a
write fails, or an input cannot be judged, the truth stands still for good and
`failed` says why; only a restart goes on from there.
Not here: sockets and time (`controller.authority`).
"""

from collections.abc import Callable
from typing import Final

import msgspec
import structlog

from controller.contract.inputs import Input, Record
from controller.journal.errors import JournalDamaged, JournalError, PayloadTooLarge
from controller.journal.segments import Journal
from controller.runtime.log import keep_traceback
from controller.table.apply import apply
from controller.table.draft import Draft
from controller.table.machine import decide
from controller.table.state import TableState

_log = structlog.get_logger()

_ENCODE: Final = msgspec.json.Encoder().encode
_RECORD: Final = msgspec.json.Decoder(Record)
_STATE: Final = msgspec.json.Decoder(TableState)


class Truth:
    """The one state, as the journal has it."""

    def __init__(self, journal: Journal, utc: Callable[[], int]) -> None:
        self.journal = journal
        self.state = recover(journal)
        self.failed = ""
        self._utc = utc

    @property
    def seq(self) -> int:
        return self.state.seq

    def take(self, asked: Input) -> tuple[Draft, Record | None] | None:
        """Decide and make durable. None: it could not be, and nothing has changed.

        Without facts there is no record: the input changed nothing.
        """
        if self.failed:
            return None
        try:
            draft = decide(self.state, asked)
            record = self._write(draft, asked) if draft.facts else None
        except PayloadTooLarge as error:
            # Nothing was written: this one input is not taken, and the table goes on.
            _log.error("input_too_large", error=str(error))
            return None
        except JournalError as error:
            self.fail(str(error))
            return None
        except Exception as error:
            where = keep_traceback(error)
            self.fail(f"an input could not be judged ({where}); report it, restart the controller")
            return None
        self.state = draft.state
        return draft, record

    def _write(self, draft: Draft, asked: Input) -> Record:
        record = Record(
            epoch=draft.state.epoch,
            seq=draft.state.seq,
            mono=asked.at,
            utc=self._utc(),
            input=asked,
            facts=tuple(draft.facts),
        )
        self.journal.append(_ENCODE(record))
        return record

    def checkpoint(self, at: int) -> None:
        """Begin a new segment with the whole state, if the present one is nearly full."""
        if self.failed or not self.journal.must_roll():
            return
        state = msgspec.Raw(_ENCODE(self.state))
        record = Record(
            epoch=self.state.epoch, seq=self.seq, mono=at, utc=self._utc(), checkpoint=state
        )
        try:
            self.journal.roll(_ENCODE(record))
        except JournalError as error:
            self.fail(str(error))

    def probe(self) -> None:
        """Find out, while idle, whether the disk still takes a write."""
        if self.failed:
            return
        try:
            self.journal.probe()
        except JournalError as error:
            self.fail(str(error))

    def fail(self, why: str) -> None:
        """The first fault latches: nothing is decided any more."""
        self.failed = self.failed or why
        _log.critical("table_stopped", why=why)


def recover(journal: Journal) -> TableState:
    """The state that the journal's facts fold to, from the last checkpoint on."""
    state = TableState()
    for stored in journal.tail():
        record = _RECORD.decode(stored.payload)
        if record.input is None:
            state = _STATE.decode(record.checkpoint)
        for fact in record.facts:
            state = apply(state, fact)
        if state.seq != record.seq:
            what = f"its facts end at {state.seq}, but it says {record.seq}"
            raise JournalDamaged(stored.segment, stored.offset, stored.index, what)
    return state
