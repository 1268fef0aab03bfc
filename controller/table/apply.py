"""What each fact changes: `apply(state, fact) -> state`, one small function a fact.

Rule for this file and its three neighbours (`apply_deck`, `apply_round`,
`apply_halt`): they never decide. What they need to know stands in the fact.
Here: the table itself, its readers, and the commands that were answered.
"""

from typing import Final

from msgspec.structs import replace

from controller.contract.facts import (
    Answered,
    AnyFact,
    DiskLow,
    EpochOpened,
    ReaderChanged,
    ReaderSession,
    ReadingNoted,
    StopAsked,
    TableClosed,
    TableOpened,
)
from controller.contract.readings import Rung
from controller.contract.state import Move, Phase, ReaderView, What
from controller.table.apply_deck import DECK
from controller.table.apply_halt import HALT
from controller.table.apply_round import ROUND, cleared, no_hands
from controller.table.state import Changes, Known, TableState, session_key, showing

_SESSIONS_KEPT: Final = 16
_ANSWERS_KEPT: Final = 1_000
"""With the longest ids a quarter of what a checkpoint may hold."""


def apply(state: TableState, fact: AnyFact) -> TableState:
    """The state after `fact`; its seq is one higher."""
    return replace(_APPLY[type(fact)](state, fact), seq=state.seq + 1)


def _epoch_opened(state: TableState, fact: EpochOpened) -> TableState:
    house = fact.house
    if house is not None and not 1 <= state.bank <= house.seats:
        state = replace(state, bank=house.bank_seat)
    silent = tuple(replace(r, rung=Rung.ABSENT, detail="") for r in state.view.readers)
    if state.deck is not None and state.opening is not None and state.opening.boot != fact.boot:
        # Another boot's clock has begun anew: what it says of before cannot be compared.
        state = replace(state, deck=replace(state.deck, since=0))
    opened = replace(state, opening=fact)
    seated = no_hands(opened) if state.game is None else state.view.seated
    return showing(opened, rules=fact.rules, readers=silent, seated=seated)


def _table_opened(state: TableState, _fact: TableOpened) -> TableState:
    return showing(state, phase=Phase.WAITING, stop_after_round=False)


def _table_closed(state: TableState, _fact: TableClosed) -> TableState:
    return showing(
        cleared(state), phase=Phase.CLOSED, move=Move(What.OPEN_TABLE), stop_after_round=False
    )


def _stop_asked(state: TableState, fact: StopAsked) -> TableState:
    return showing(state, stop_after_round=fact.on)


def _reading_noted(state: TableState, fact: ReadingNoted) -> TableState:
    return state.taking(fact.reading)


def _reader_changed(state: TableState, fact: ReaderChanged) -> TableState:
    return _reader(state, ReaderView(fact.reader, fact.session, fact.rung, fact.detail))


def _reader_session(state: TableState, fact: ReaderSession) -> TableState:
    key = session_key(fact.reader, fact.session)
    newest = list(state.sessions)[-_SESSIONS_KEPT:]
    kept = {*newest, *(session_key(r.reader, r.session) for r in state.view.readers)}
    sessions = {known: n for known, n in state.sessions.items() if known in kept}
    state = replace(state, sessions={**sessions, key: sessions.get(key, fact.first - 1)})
    for reader in state.view.readers:
        if (reader.reader, reader.session) == (fact.reader, fact.session):
            # Its first status has overtaken its hello: what it told holds.
            return state
    return _reader(state, ReaderView(fact.reader, fact.session))


def _reader(state: TableState, reader: ReaderView) -> TableState:
    others = (r for r in state.view.readers if r.reader != reader.reader)
    return showing(state, readers=tuple(sorted((*others, reader), key=lambda r: r.reader)))


def _answered(state: TableState, fact: Answered) -> TableState:
    answers = {**state.answers, fact.command: Known(fact.body, fact.answer, state.deck_number)}
    if len(answers) > _ANSWERS_KEPT:
        del answers[next(iter(answers))]
    return replace(state, answers=answers)


def _disk_low(state: TableState, _fact: DiskLow) -> TableState:
    return state if state.view.phase is Phase.CLOSED else showing(state, stop_after_round=True)


_TABLE: Final[Changes] = {
    EpochOpened: _epoch_opened,
    TableOpened: _table_opened,
    TableClosed: _table_closed,
    StopAsked: _stop_asked,
    ReadingNoted: _reading_noted,
    ReaderChanged: _reader_changed,
    ReaderSession: _reader_session,
    Answered: _answered,
    DiskLow: _disk_low,
}
_APPLY: Final[Changes] = _TABLE | DECK | ROUND | HALT
