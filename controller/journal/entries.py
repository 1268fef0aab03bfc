"""A journal's records as the table means them: decoded, and each fact with where it belongs.

What a payload is, is said in `controller.contract.inputs.Record`; nothing but
this module decodes one. `without_hidden` is what anyone may see of a record who
has no business with hidden faces.
Not here: words for people (`timeline`), tables (`ledger`).
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec.structs import replace

from controller.contract.audience import Audience, for_audience
from controller.contract.commands import Command, Resolve
from controller.contract.facts import (
    AnyFact,
    BettingOpened,
    DeckClosed,
    DeckOpened,
    RoundSettled,
    RoundSkipped,
    RoundVoided,
)
from controller.contract.inputs import Input, Record
from controller.contract.readings import Reading
from controller.contract.seat_facts import SeatsSettled
from controller.journal.errors import RecordUnknown
from controller.journal.format import Stored
from controller.journal.walk import read

_DECODER = msgspec.json.Decoder(Record)
_OF_A_ROUND = BettingOpened | RoundSettled | SeatsSettled | RoundVoided | RoundSkipped
"""Facts that name their round."""


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One record: where it lies and what it says."""

    stored: Stored
    record: Record


class Told(msgspec.Struct, frozen=True, gc=False):
    """One fact: its seq, the deck and round it belongs to, and when it was recorded.

    `round` is 0 before the first; what happens between two rounds belongs to
    the one before.
    """

    seq: int
    deck: str
    round: int
    entry: Entry
    fact: AnyFact


def entries(directory: Path, *, start: int = 0) -> Iterator[Entry]:
    """Every record from index `start` on; raises at the first that cannot be read."""
    for stored in read(directory, start=start):
        try:
            record = _DECODER.decode(stored.payload)
        except msgspec.MsgspecError as error:
            raise RecordUnknown(stored.segment, stored.offset, stored.index, str(error)) from error
        yield Entry(stored, record)


class Placing:
    """Follows deck and round through the facts, and says of each where it belongs."""

    def __init__(self) -> None:
        self.deck = ""
        self.round = 0

    def told(self, entry: Entry) -> Iterator[Told]:
        record = entry.record
        first = record.seq - len(record.facts) + 1
        for seq, fact in enumerate(record.facts, first):
            if isinstance(fact, DeckOpened):
                self.deck = fact.deck
            if isinstance(
                fact, BettingOpened | RoundSettled | SeatsSettled | RoundVoided | RoundSkipped
            ):
                self.round = fact.round
            yield Told(seq, self.deck, self.round, entry, fact)
            if isinstance(fact, DeckClosed):
                self.deck = ""


def without_hidden(record: Record) -> Record:
    """`record` without any face or raw byte that may be hidden.

    What a reader or a supervisor said may have been a burn, so it is struck
    out always; where the face is no secret the fact shows it.
    """
    return Record(
        v=record.v,
        epoch=record.epoch,
        seq=record.seq,
        mono=record.mono,
        utc=record.utc,
        input=_input_without_face(record.input) if record.input else None,
        facts=tuple(for_audience(fact, Audience.OPS) for fact in record.facts),
    )


def _input_without_face(given: Input) -> Input:
    body = given.body
    if isinstance(body, Reading):
        return replace(given, body=replace(body, card=None, code="", raw=b""))
    if isinstance(body, Command) and isinstance(body.do, Resolve):
        return replace(given, body=replace(body, do=replace(body.do, card=None)))
    return given
