"""The ledger: the journal as SQLite tables for queries. A view; the journal is the truth.

It is built whole into a file beside its place, synced, and renamed over the old
one, so a reader sees the old ledger or the new one and never half of either.
Hidden faces are not in it until the deck is closed and its fact names them.
Times are nanoseconds: `utc` since the epoch, `mono` of the controller's clock.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec

from controller.contract.facts import (
    Answered,
    AnyFact,
    BetsTaken,
    BettingOpened,
    CardCounted,
    CardHeld,
    CardSetAside,
    DeckClosed,
    DeckOpened,
    Halted,
    Resumed,
    RoundSettled,
    RoundSkipped,
    RoundVoided,
)
from controller.contract.seat_facts import SeatBetsTaken, SeatsSettled
from controller.journal.directory import open_file, sync_directory
from controller.journal.entries import Entry, Placing, Told, entries, without_hidden
from controller.journal.errors import JournalError
from controller.runtime.exits import ExitCode

_SQLITE: Final = b"SQLite format 3\0"
"""What every SQLite file begins with."""

_OF_THE_DISK: Final = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN)

SCHEMA: Final = """
CREATE TABLE records (record INTEGER PRIMARY KEY, epoch TEXT, seq INTEGER, mono INTEGER,
    utc INTEGER, input TEXT, segment TEXT, offset INTEGER, digest TEXT);
CREATE TABLE facts (seq INTEGER PRIMARY KEY, record INTEGER, deck TEXT, round INTEGER,
    fact TEXT, body TEXT);
CREATE TABLE decks (deck TEXT PRIMARY KEY, opened INTEGER, opened_by TEXT, closed INTEGER,
    closed_by TEXT, seen INTEGER, unknown INTEGER, counted_out INTEGER, hidden TEXT);
CREATE TABLE rounds (round INTEGER PRIMARY KEY, deck TEXT, opened INTEGER, ended INTEGER,
    ending TEXT, main INTEGER, pp INTEGER, mdp INTEGER, position TEXT, dealer TEXT,
    dealer_half_points INTEGER, pp_returns INTEGER, results TEXT, reason TEXT);
CREATE TABLE seats (round INTEGER, seat INTEGER, hand INTEGER, bank INTEGER, stake INTEGER,
    half_points INTEGER, outcome TEXT, net INTEGER, PRIMARY KEY (round, seat, hand));
CREATE TABLE cards (seq INTEGER PRIMARY KEY, deck TEXT, round INTEGER, place TEXT,
    n INTEGER, card TEXT, source TEXT, reader TEXT, session TEXT, reading INTEGER,
    stamp INTEGER, utc INTEGER);
CREATE TABLE incidents (seq INTEGER PRIMARY KEY, deck TEXT, round INTEGER, incident TEXT,
    detail TEXT, halted INTEGER, resumed INTEGER, exit TEXT, role TEXT, who TEXT,
    felt INTEGER, out INTEGER, reason TEXT);
CREATE TABLE commands (command TEXT PRIMARY KEY, seq INTEGER, round INTEGER, what TEXT,
    role TEXT, who TEXT, body TEXT, verdict TEXT, why TEXT, answer TEXT, utc INTEGER);
CREATE INDEX cards_by_round ON cards (round);
CREATE INDEX incidents_by_round ON incidents (round);
CREATE INDEX facts_by_round ON facts (round);
"""


def build(directory: Path, out: Path) -> int:
    """Rebuild the ledger `out` from the journal; how many records it holds."""
    count, placing = 0, Placing()
    with _replacing(out) as database:
        for entry in entries(directory):
            shown = Entry(entry.stored, without_hidden(entry.record))
            _record(database, shown)
            for told in placing.told(shown):
                _fact(database, told)
            count += 1
    return count


def _is_sqlite(out: Path) -> bool:
    with out.open("rb") as file:
        return file.read(len(_SQLITE)) == _SQLITE


def _check_place(out: Path) -> None:
    """Only a ledger is ever replaced by a ledger."""
    if not out.parent.is_dir():
        raise JournalError(f"{out.parent} is no directory; make it first", ExitCode.USAGE)
    if out.exists() and not (out.is_file() and _is_sqlite(out)):
        sentence = f"{out} is there and is no ledger; name another file with --out"
        raise JournalError(sentence, ExitCode.USAGE)


@contextmanager
def _replacing(out: Path) -> Iterator[sqlite3.Connection]:
    """A new database that takes the place of `out` if all goes well."""
    _check_place(out)
    making = out.with_name(out.name + ".tmp")
    making.unlink(missing_ok=True)
    descriptor = open_file(making)  # for the owner alone, before SQLite makes it otherwise
    try:
        with closing(sqlite3.connect(making)) as database:
            database.execute("PRAGMA journal_mode = OFF")
            database.execute("PRAGMA synchronous = OFF")
            database.executescript(SCHEMA)
            yield database
            database.commit()
        os.fsync(descriptor)
        making.rename(out)
        sync_directory(out.parent)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF not in _OF_THE_DISK:
            raise
        sentence = f"{making} cannot be written: {error}; make room, or name another with --out"
        raise JournalError(sentence, ExitCode.USAGE) from error
    finally:
        os.close(descriptor)
        making.unlink(missing_ok=True)


def _insert(database: sqlite3.Connection, table: str, *values: Any) -> None:
    marks = ", ".join("?" * len(values))
    database.execute(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", values)  # noqa: S608


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _record(database: sqlite3.Connection, entry: Entry) -> None:
    record, stored = entry.record, entry.stored
    given = _json(record.input) if record.input else None
    _insert(
        database, "records", stored.index, record.epoch, record.seq, record.mono, record.utc,
        given, stored.segment, stored.offset, stored.digest.hex(),
    )  # fmt: skip


def _fact(database: sqlite3.Connection, told: Told) -> None:
    name = str(type(told.fact).__struct_config__.tag)
    index, body = told.entry.stored.index, _json(told.fact)
    _insert(database, "facts", told.seq, index, told.deck, told.round, name, body)
    for add in (_deck, _round, _card, _incident, _command):
        add(database, told, told.fact)


def _deck(database: sqlite3.Connection, told: Told, fact: AnyFact) -> None:
    utc = told.entry.record.utc
    if isinstance(fact, DeckOpened):
        row = (fact.deck, utc, fact.who, *[None] * 6)
        _insert(database, "decks", *row)
    elif isinstance(fact, DeckClosed):
        hidden = " ".join(fact.hidden)
        database.execute(
            "UPDATE decks SET closed = ?, closed_by = ?, seen = ?, unknown = ?, counted_out = ?,"
            " hidden = ? WHERE deck = ?",
            (utc, fact.who, fact.seen, fact.unknown, fact.counted_out, hidden, fact.deck),
        )


def _round(database: sqlite3.Connection, told: Told, fact: AnyFact) -> None:
    match fact:
        case BettingOpened():
            row = (fact.round, told.deck, told.entry.record.utc, *[None] * 11)
            _insert(database, "rounds", *row)
        case BetsTaken():
            _change(database, told, main=fact.main, pp=fact.pp, mdp=fact.mdp)
        case SeatBetsTaken():
            _change(database, told, main=len(fact.stakes))
        case SeatsSettled():
            _end(database, told, "settled", results=_json(fact.results))
            _seats(database, fact)
        case RoundSkipped():
            _end(database, told, "skipped")
        case RoundVoided():
            _end(database, told, "voided", reason=fact.reason)
        case RoundSettled():
            _end(
                database, told, "settled",
                position=" ".join(fact.position), dealer=" ".join(fact.dealer),
                dealer_half_points=fact.dealer_half_points, pp_returns=fact.pp_returns,
                results=_json(fact.results),
            )  # fmt: skip


def _seats(database: sqlite3.Connection, fact: SeatsSettled) -> None:
    """A row for each hand and one for the bank, in cents; of a round they sum to nothing."""
    for r in fact.results:
        row = (fact.round, r.seat, 1 + r.second, 0, r.stake, r.half_points, r.outcome, r.net)
        _insert(database, "seats", *row)
    _insert(database, "seats", fact.round, fact.bank, 1, 1, None, None, None, fact.bank_net)


def _end(database: sqlite3.Connection, told: Told, ending: str, **changes: Any) -> None:
    _change(database, told, ended=told.entry.record.utc, ending=ending, **changes)


def _change(database: sqlite3.Connection, told: Told, **changes: Any) -> None:
    columns = ", ".join(f"{column} = ?" for column in changes)
    query = f"UPDATE rounds SET {columns} WHERE round = ?"  # noqa: S608 -- our own column names
    database.execute(query, (*changes.values(), told.round))


def _card(database: sqlite3.Connection, told: Told, fact: AnyFact) -> None:
    if not isinstance(fact, CardCounted | CardSetAside | CardHeld):
        return
    place, n, source, stamp, utc = "set_aside", None, None, None, told.entry.record.utc
    if isinstance(fact, CardHeld):
        place, stamp, utc = "held", fact.stamp, fact.utc
    elif isinstance(fact, CardCounted):
        place = f"{fact.hand} {fact.seat}" if fact.seat else fact.hand
        n, source, stamp, utc = fact.index, fact.source, fact.stamp, fact.utc
    reading = fact.reading
    _insert(
        database, "cards", told.seq, told.deck, told.round, place, n, fact.card, source,
        reading.reader, reading.session, reading.n, stamp, utc,
    )  # fmt: skip


def _incident(database: sqlite3.Connection, told: Told, fact: AnyFact) -> None:
    utc = told.entry.record.utc
    if isinstance(fact, Halted):
        row = (told.seq, told.deck, told.round, fact.incident, fact.detail, utc, *[None] * 7)
        _insert(database, "incidents", *row)
    elif isinstance(fact, Resumed):
        database.execute(
            "UPDATE incidents SET resumed = ?, exit = ?, role = ?, who = ?, felt = ?, out = ?,"
            " reason = ? WHERE seq = (SELECT max(seq) FROM incidents)",
            (utc, fact.exit, fact.role, fact.who, fact.felt, fact.out, fact.reason),
        )


def _command(database: sqlite3.Connection, told: Told, fact: AnyFact) -> None:
    if isinstance(fact, Answered):
        answer = fact.answer
        _insert(
            database, "commands", fact.command, told.seq, told.round, fact.what, fact.role,
            fact.who, fact.body, answer.verdict, answer.why, _json(answer),
            told.entry.record.utc,
        )  # fmt: skip
