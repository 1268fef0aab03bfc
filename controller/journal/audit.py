"""Deciding a whole journal again: the same inputs must lead to the same facts, bit for bit.

A restart only folds facts; this asks whether those facts were the right ones.
It is the strongest check there is, and the only one that runs the rules: use the
version of the program that wrote the epoch in question.
"""

from collections.abc import Callable
from pathlib import Path

import msgspec

from controller.contract.inputs import Start
from controller.journal.entries import Entry, entries
from controller.journal.errors import JournalDamaged
from controller.table.machine import decide
from controller.table.state import TableState

_STATE = msgspec.json.Decoder(TableState)


class AuditDiffers(JournalDamaged):
    """A record's facts are not those that its input leads to."""

    verdict = "audit differs"
    advice = "keep this journal, and audit it with the version that wrote it"


def audit(directory: Path, *, on_record: Callable[[int], None] = lambda index: None) -> int:
    """Decide every recorded input again; the number of inputs that agree.

    Raises `AuditDiffers` at the first record that does not. A journal whose
    oldest segments were archived is audited from its first checkpoint on.
    """
    state, agreed, version = TableState(), 0, ""
    for entry in entries(directory):
        on_record(entry.stored.index)
        asked = entry.record.input
        if asked is None:
            state = _checkpoint(entry, state, version)
            continue
        if isinstance(asked.body, Start):
            version = asked.body.opening.version
        draft = decide(state, asked)
        if tuple(draft.facts) != entry.record.facts:
            raise _differs(entry, f"its input leads to other facts now (written by {version})")
        state, agreed = draft.state, agreed + 1
    return agreed


def _checkpoint(entry: Entry, state: TableState, version: str) -> TableState:
    """The state that is written there, which must be the one we came to."""
    written = _STATE.decode(entry.record.checkpoint)
    if state.opening is not None and written != state:
        raise _differs(entry, f"its checkpoint is not the state before it (written by {version})")
    return written


def _differs(entry: Entry, what: str) -> AuditDiffers:
    stored = entry.stored
    return AuditDiffers(stored.segment, stored.offset, stored.index, what)
