"""The state machine: a grid of phase × event, and `decide`, which looks things up in it.

Rules for editing this file:
1. Everything that can happen is a row of `GRID`, every phase a column, and no
   cell is empty: what is unexpected is an incident or a refusal, never a
   surprise. The tests walk every cell.
2. What a cell does lives in the handler it names (cards, windows, desk,
   resolving); this file only says which.
3. Readings are judged by their first byte, commands by their receipt, ticks by
   their deadline. The caller fires deadlines up to an input's stamp before it.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import Any, Final

from msgspec.structs import replace

from controller.contract.commands import Command, Why
from controller.contract.inputs import Disk, Input, Start, Tick, Timer
from controller.contract.readings import Hello, ReaderStatus, Reading, ReadingKind
from controller.contract.state import Phase
from controller.table import cards, desk, orders, resolving, windows
from controller.table.draft import Draft
from controller.table.rounds import next_round
from controller.table.state import TableState, session_key


class Event(StrEnum):
    """What can happen, as the grid distinguishes it."""

    CARD = "card"
    FOREIGN = "foreign"
    NO_READ = "no_read"
    OUT_OF_GAME = "out_of_game"
    STALE = "stale"
    GAP = "gap"
    REOPENED = "reopened"
    RESTARTED = "restarted"
    COVERED = "covered"
    CUT_CARD = "cut_card"
    FAULT = "fault"
    FAULT_CLEARED = "fault_cleared"
    GONE = "gone"
    SESSION = "session"
    READER_DOWN = "reader_down"
    READER_UP = "reader_up"
    OPEN_TABLE = "open_table"
    CLOSE_TABLE = "close_table"
    STOP_AFTER_ROUND = "stop_after_round"
    OPEN_DECK = "open_deck"
    CLOSE_DECK = "close_deck"
    BETS = "bets"
    DECISIONS = "decisions"
    SEAT_BETS = "seat_bets"
    CHOOSE = "choose"
    RESOLVE = "resolve"
    VOID = "void"
    PLAYERS_END = "players"
    SUMMARY_END = "summary"
    NEXT_ROUND = "next"
    START = "start"
    DISK = "disk"


# fmt: off
_GRID: Final = """
                  closed   waiting  betting  burn     deal     decision result   voided   halted
card              stray    stray    early    due      due      extra    after    after    held
foreign           foreign  foreign  foreign  foreign  foreign  foreign  foreign  foreign  held
no_read           stray    stray    early    unread   unread   extra    after    after    held
out_of_game       outside  outside  outside  outside  outside  outside  outside  outside  held
stale             stale    stale    stale    stale    stale    stale    stale    stale    held
gap               missing  missing  missing  missing  missing  missing  missing  missing  worse
reopened          note     note     note     reopened reopened reopened note     note     worse
restarted         note     note     note     device   device   device   note     note     worse
covered           note     note     note     note     note     note     note     note     note
cut_card          cut      cut      cut      cut      cut      cut      cut      cut      cut
fault             note     note     note     fault    fault    fault    note     note     worse
fault_cleared     note     note     note     note     note     note     note     note     note
gone              note     note     note     note     note     note     note     note     note
session           session  session  session  session  session  session  session  session  session
reader_down       down     down     down     down     down     down     down     down     down
reader_up         up       up       up       up       up       up       up       up       up
open_table        open     no       no       no       no       no       no       no       halted
close_table       no       close    no       no       no       no       close    close    halted
stop_after_round  no       stop     stop     stop     stop     stop     stop     stop     stop
open_deck         opendeck opendeck no       no       no       no       no       no       halted
close_deck        enddeck  enddeck  no       no       no       no       no       no       halted
bets              no       no       bets     no       no       no       no       no       bets
decisions         no       no       no       no       no       choices  no       no       choices
seat_bets         no       no       bets     no       no       no       no       no       bets
choose            no       no       no       no       no       turn     no       no       halted
resolve           no       no       no       no       no       no       no       no       resolve
void              no       no       void     void     void     void     no       no       void
players           -        -        players  -        -        players  -        -        -
summary           -        -        silent   -        -        silent   -        -        -
next              -        -        -        -        -        -        next     next     -
start             start    start    start    start    start    start    start    start    start
disk              disk     disk     disk     disk     disk     disk     disk     disk     disk
"""
# fmt: on

_READINGS: Final[dict[str, Callable[[Draft, Reading], None]]] = {
    "stray": cards.stray,
    "early": cards.early,
    "due": cards.due,
    "extra": cards.extra,
    "after": cards.after,
    "held": cards.held,
    "foreign": cards.foreign,
    "unread": cards.unread,
    "outside": cards.outside,
    "stale": cards.stale,
    "missing": cards.missing,
    "reopened": cards.reopened,
    "device": cards.device_restarted,
    "fault": cards.fault,
    "cut": cards.cut_card,
    "note": cards.note,
    "worse": cards.held_missing,
}
"""Cells that take a reading."""

_COMMANDS: Final[dict[str, Callable[[Draft, Command], Why]]] = {
    "open": desk.open_table,
    "close": desk.close_table,
    "stop": desk.stop_after_round,
    "opendeck": desk.open_deck,
    "enddeck": desk.close_deck,
    "bets": windows.bets,
    "choices": windows.decisions,
    "turn": windows.choose,
    "resolve": lambda draft, command: resolving.resolve(draft, command, judge),
    "void": resolving.void_asked,
    "no": orders.not_now,
    "halted": lambda _draft, _command: Why.HALTED,
}
"""Cells that take a command."""

_OTHERS: Final[dict[str, Callable[[Draft, Any], None]]] = {
    "session": desk.reader_session,
    "down": desk.reader_down,
    "up": desk.reader_up,
    "players": lambda draft, _tick: windows.players_end(draft),
    "silent": lambda draft, _tick: windows.summary_end(draft),
    "next": lambda draft, _tick: next_round(draft),
    "start": desk.start,
    "disk": desk.disk,
    "-": lambda _draft, _body: None,
}
"""Cells that take something else."""

_TICKS: Final = {
    Timer.PLAYERS: Event.PLAYERS_END,
    Timer.SUMMARY: Event.SUMMARY_END,
    Timer.NEXT: Event.NEXT_ROUND,
}


def _parse(grid: str) -> dict[tuple[Event, Phase], str]:
    header, *rows = grid.strip().splitlines()
    phases = [Phase(name) for name in header.split()]
    return {
        (Event(event), phase): cell
        for event, *cells in map(str.split, rows)
        for phase, cell in zip(phases, cells, strict=True)
    }


GRID: Final = _parse(_GRID)
"""(event, phase) → the name of its handler; total."""


def decide(state: TableState, asked: Input) -> Draft:
    """The facts that `asked` leads to, the state after them, the answer if one is owed.

    An input that changes nothing (a resent reading, an unchanged status)
    leads to no fact.
    """
    draft = Draft(state, stamp=asked.stamp, at=asked.at)
    body = asked.body
    if isinstance(body, Reading):
        if not is_known(state, body):
            _reading(draft, _in_doubt(state, asked, body))
    elif isinstance(body, Command):
        cell = GRID[Event(tag_of(body.do)), state.view.phase]
        orders.order(draft, body, _COMMANDS[cell])
    else:
        event = _event_of(state, body)
        if event is not None:
            _OTHERS[GRID[event, state.view.phase]](draft, body)
    return draft


_CARDS: Final = frozenset(
    {ReadingKind.CARD, ReadingKind.FOREIGN, ReadingKind.NO_READ, ReadingKind.OUT_OF_GAME}
)


def _in_doubt(state: TableState, asked: Input, reading: Reading) -> Reading:
    """A card of which nobody knows when it was drawn is stale: a person must say.

    Its stamp is of another clock, or it is not the first of a session that was
    never announced, so others went before it that this journal does not know.
    """
    unannounced = session_key(reading.reader, reading.session) not in state.sessions
    doubtful = reading.stamp > asked.at or (unannounced and reading.n > 1)
    if doubtful and reading.kind in _CARDS:
        return replace(reading, kind=ReadingKind.STALE)
    return reading


def _reading(draft: Draft, reading: Reading) -> None:
    deck = draft.state.deck
    if (
        deck is not None
        and reading.stamp < deck.since
        and reading.kind in _CARDS | {ReadingKind.STALE}
    ):
        cards.of_another_deck(draft, reading)
    else:
        judge(draft, reading)


def judge(draft: Draft, reading: Reading) -> None:
    """What the present phase makes of a reading. A card without a face was not read."""
    faceless = reading.kind is ReadingKind.CARD and reading.card is None
    event = Event.NO_READ if faceless else Event(reading.kind.value)
    cell = GRID[event, draft.state.view.phase]
    _READINGS[cell](draft, reading)


def _event_of(state: TableState, body: Hello | ReaderStatus | Tick | Start | Disk) -> Event | None:
    if isinstance(body, Hello):
        return None if session_key(body.reader, body.session) in state.sessions else Event.SESSION
    if isinstance(body, ReaderStatus):
        return _status_event(state, body)
    if isinstance(body, Tick):
        return _TICKS[body.timer]
    return Event.START if isinstance(body, Start) else Event.DISK


def _status_event(state: TableState, status: ReaderStatus) -> Event | None:
    """None: nothing new, or a word from a session that another has replaced."""
    for reader in state.view.readers:
        if reader.reader == status.reader:
            if reader.session not in ("", status.session):
                return None
            if (reader.rung, reader.detail) == (status.rung, status.detail):
                return None
    return Event.READER_UP if desk.is_up(status) else Event.READER_DOWN


def is_known(state: TableState, reading: Reading) -> bool:
    """This reading was taken before: acknowledge it again, change nothing."""
    return reading.n <= state.sessions.get(session_key(reading.reader, reading.session), 0)


def leaves_hole(state: TableState, reading: Reading) -> bool:
    """One before it is missing: the reader will send both again, in order."""
    last = state.sessions.get(session_key(reading.reader, reading.session))
    return last is not None and reading.n > last + 1


def deadline(state: TableState) -> tuple[int, Timer] | None:
    """What the clock will bring next, and when (monotonic ns); None while halted or idle."""
    view = state.view
    if view.phase in (Phase.RESULT, Phase.VOIDED):
        return view.next_at, Timer.NEXT
    if view.window is None or view.phase not in (Phase.BETTING, Phase.DECISION):
        return None
    if view.window.shut:
        return view.window.summary_until, Timer.SUMMARY
    return view.window.players_until, Timer.PLAYERS


def tag_of(struct: Any) -> str:
    """The wire name of a tagged struct."""
    return str(struct.__struct_config__.tag)
