"""The table at one moment of one round, as the journal has it, and how that round went on.

A moment is the seq of a fact, or a time. `table_at` folds the facts that held
then; what is open on that table is `TableAt.exposed`.

A record holds from its input's stamp on: a card from its first byte, a count from
its receipt; a card that was held in a halt from when a person gave it its place.
Facts decided together hold together. Nothing holds before what the table had
taken earlier, so a time cuts before the first record whose stamp is later.
Not here: what becomes of anyone's bet (`controller.games.unfinished`).
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from controller.contract.cards import Card
from controller.contract.facts import (
    AnyFact,
    BettingOpened,
    EpochOpened,
    RoundSettled,
    RoundSkipped,
    RoundVoided,
)
from controller.contract.inputs import Record
from controller.journal.directory import present_segments
from controller.journal.entries import entries
from controller.journal.when import By, Momentless, When, time_of
from controller.table.apply import apply
from controller.table.state import TableState

CLOCK_MOVED: Final = 1_000_000_000
"""By more than this (ns) within a round, the wall clock names no moment of it."""

_STATE: Final = msgspec.json.Decoder(TableState)

Ending = RoundSettled | RoundVoided | RoundSkipped


class Clock(NamedTuple):
    """How far the times of this round can be trusted."""

    quality: str
    """What the controller knew of its wall clock when it started."""
    moved: int
    """How far wall clock and monotonic clock parted during the round (ns)."""
    boots: int
    """On how many boots of the machine the round was recorded."""


class TableAt(NamedTuple):
    """The table then, and the facts that followed it in its round."""

    when: When
    state: TableState
    """After every fact that held then; `state.seq` is the last of them."""
    mono: int
    utc: int
    """The stamp of the last record that held then, by both clocks."""
    digest: str
    """Of that record: it names the journal's whole past."""
    clock: Clock
    later: tuple[tuple[int, AnyFact], ...]
    """(seq, fact) of what the round brought afterwards."""
    ending: Ending | None
    """How the round ended, before or after; None: it is still in play."""
    last: TableState
    """The round's end, or where the journal ends."""

    @property
    def exposed(self) -> tuple[Card, ...]:
        """Every face that this deck has shown, in order: not the burned, not the set aside."""
        deck = self.state.deck
        return tuple(card for card in deck.seen if card not in deck.hidden) if deck else ()


class _Page(NamedTuple):
    """A record of the round, and the state after it."""

    record: Record
    digest: str
    boot: str
    state: TableState

    @property
    def mono(self) -> int:
        return self.record.input.stamp if self.record.input else self.record.mono

    @property
    def utc(self) -> int:
        """The stamp on the wall clock as the record has it."""
        return self.record.utc - (self.record.mono - self.mono)


def table_at(directory: Path, number: int, when: When) -> TableAt:
    """The table in round `number` at this moment; `Momentless` says why there is none."""
    pages = list(_round(directory, number))
    clock = _clock(pages)
    held = _held(pages, number, when, clock)
    at, last = pages[held - 1], pages[-1].state
    later = tuple(fact for page in pages[held:] for fact in _numbered(page.record))
    endings = (fact for page in pages for fact in page.record.facts if isinstance(fact, Ending))
    ending = next((fact for fact in endings if fact.round == number), None)
    return TableAt(when, at.state, at.mono, at.utc, at.digest, clock, later, ending, last)


def _round(directory: Path, number: int) -> Iterator[_Page]:
    """The records of one round, from its opening until the next one opens."""
    found = False
    for page in _pages(directory, _start(directory, number)):
        opened = [fact.round for fact in page.record.facts if isinstance(fact, BettingOpened)]
        if any(other > number for other in opened):
            # Nobody bet: skipped, and the next one opened, in one and the same record.
            if found and any(isinstance(fact, RoundSkipped) for fact in page.record.facts):
                yield page
            break
        found = found or number in opened
        if found:
            yield page
    if not found:
        raise Momentless(f"the journal holds no round {number}")


def _start(directory: Path, number: int) -> int:
    """Index of the last checkpoint before the round; 0 if there is none."""
    for segment in reversed(present_segments(directory)[1:]):
        first = next(entries(directory, start=segment.first))
        if _STATE.decode(first.record.checkpoint).view.round < number:
            return segment.first
    return 0


def _pages(directory: Path, start: int) -> Iterator[_Page]:
    state = TableState()
    for entry in entries(directory, start=start):
        record = entry.record
        if record.input is None and bytes(record.checkpoint):
            state = _STATE.decode(record.checkpoint)
        for fact in record.facts:
            state = apply(state, fact)
        yield _Page(
            record, entry.stored.digest.hex(), state.opening.boot if state.opening else "", state
        )


def _numbered(record: Record) -> Iterator[tuple[int, AnyFact]]:
    return zip(range(record.seq - len(record.facts) + 1, record.seq + 1), record.facts, strict=True)


def _clock(pages: Iterable[_Page]) -> Clock:
    quality, moved, boots = "", 0, set[str]()
    apart: list[int] = []
    for page in pages:
        if page.boot not in boots or any(isinstance(f, EpochOpened) for f in page.record.facts):
            boots.add(page.boot)
            apart.clear()
        quality = quality or (page.state.opening.clock if page.state.opening else "")
        apart.append(page.record.utc - page.record.mono)
        moved = max(moved, max(apart) - min(apart))
    return Clock(quality, moved, len(boots))


def _held(pages: list[_Page], number: int, when: When, clock: Clock) -> int:
    """How many of the round's records held at the moment."""
    if when.by is By.UTC and clock.moved > CLOCK_MOVED:
        raise Momentless(
            f"the wall clock moved by {clock.moved / 1e9:.1f} s during round {number}, "
            "so no time of day names a moment of it: give --seq or --mono"
        )
    if when.by is By.MONO and clock.boots > 1:
        raise Momentless(
            f"the machine was started anew during round {number}, so its monotonic clock "
            "names no moment of it: give --seq or --at"
        )
    if when.by is By.SEQ and when.value > pages[-1].state.seq:
        raise Momentless(
            f"fact {when.value} is none of round {number}, which ends with {pages[-1].state.seq}"
        )
    held = 0
    while held < len(pages) and _holds(pages[held], when):
        held += 1
    if not held:
        opened = pages[0]
        raise Momentless(
            f"this moment lies before round {number}, which opened at {time_of(opened.utc)}, "
            f"monotonic {opened.mono}, with fact {opened.record.seq}"
        )
    return held


def _holds(page: _Page, when: When) -> bool:
    if when.by is By.SEQ:
        # A fact in the midst of a record held together with all of that record.
        return page.record.seq - len(page.record.facts) < when.value
    return (page.utc if when.by is By.UTC else page.mono) <= when.value


def told(table: TableAt) -> dict[str, Any]:
    """What lay open then, as JSON has it, and how far its time can be trusted."""
    state, opening = table.state, table.state.rules
    return {
        "table": opening.table,
        "epoch": opening.epoch,
        "version": opening.version,
        "rules": opening.rules,
        "deck": state.deck.deck if state.deck else None,
        "asked": {"by": table.when.by.value, "value": table.when.value},
        "seq": state.seq,
        "mono": table.mono,
        "utc": time_of(table.utc),
        "digest": table.digest,
        "clock": table.clock._asdict(),
        "phase": state.view.phase.value,
        "position": state.view.position.cards,
        "dealer": state.view.dealer.cards,
        "exposed": table.exposed,
    }
