"""What a card reader says, and what the controller answers it.

A reader reports *readings*: that a card passed and which, or that something
happened on its line that may have cost a card. It never knows whose card it is,
nor whether it is a burn; so neither it nor its log may show a face.

A reading's identity is (reader, session, n): `session` is new at each start of
the reader's process, `n` counts from 1 without a hole. The reader keeps a
reading until the controller acknowledges it as durable, and sends it again.
Numbered readings are for what must never be lost; `ReaderStatus` is for what
may be (the next one replaces it).
"""

from enum import StrEnum
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from controller.contract.cards import Card

ReaderName = Annotated[str, Meta(min_length=1, max_length=64)]
Session = Annotated[str, Meta(min_length=1, max_length=64)]
Number = Annotated[int, Meta(ge=1, le=2**62)]
Nanoseconds = Annotated[int, Meta(ge=0, le=2**62)]
Short = Annotated[str, Meta(max_length=64)]
Sentence = Annotated[str, Meta(max_length=500)]


class ReadingKind(StrEnum):
    """What happened at the reader. Every kind but the last four may mean a card left the shoe."""

    CARD = "card"
    """A card was read; `card` is its face."""
    FOREIGN = "foreign"
    """A card was read that is not one of the forty; `code` is what the reader said."""
    NO_READ = "no_read"
    """A card passed and could not be read, or its report was damaged beyond repair."""
    OUT_OF_GAME = "out_of_game"
    """A card was drawn while the shoe was locked; `card` may be its face."""
    STALE = "stale"
    """A report that was waiting when the line was opened; `card` may be its face."""
    GAP = "gap"
    """`missing` reports were lost: as many cards may have passed unseen."""
    REOPENED = "reopened"
    """The line was away and is open again: cards may have passed unseen."""
    RESTARTED = "restarted"
    """The device itself restarted: cards may have passed unseen."""
    COVERED = "covered"
    """A card lies face down, or where no face may be read (the burn region)."""
    CUT_CARD = "cut_card"
    """The cutting card came out: this is the deck's last round."""
    FAULT = "fault"
    """The device is in error mode (`code` names it): it reads nothing until cleared."""
    FAULT_CLEARED = "fault_cleared"
    """The device left error mode."""
    GONE = "gone"
    """The card of `sight` lies there no longer; `region` is where it lay, `card` what it was."""


class Region(StrEnum):
    """Where on the felt a camera saw a card."""

    POSITION = "position"
    DEALER = "dealer"
    BURN = "burn"
    """No face is read here."""
    DISCARD = "discard"
    ELSEWHERE = "elsewhere"


class Reading(msgspec.Struct, frozen=True, kw_only=True, tag="reading", omit_defaults=True):
    """One numbered observation of a reader, with the bytes it was made from.

    `stamp` is CLOCK_MONOTONIC in nanoseconds at the *first byte* of the report,
    `utc` the wall clock then (ns since the epoch), `raw` the bytes of the
    report as they came, `device_seq` the device's own counter if it has one.
    A camera's stamp is the first picture in which the card lay there. It tells
    `region`, `confidence` (0 to 1) and `still`, the SHA-256 (hex) of the picture
    that is the evidence. Readings of one `sight` (from 1, new in each session) are
    of one and the same card that lay or moved under the camera's eye: unread
    first and read later, or back after `gone`. A reader that sees no felt leaves
    all of them out.
    """

    reader: ReaderName
    session: Session
    n: Number
    kind: ReadingKind
    stamp: Nanoseconds
    utc: Nanoseconds
    card: Card | None = None
    code: Short = ""
    missing: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    raw: Annotated[bytes, Meta(max_length=4_096)] = b""
    device_seq: Short = ""
    region: Region | None = None
    confidence: Annotated[float, Meta(ge=0, le=1)] = 0.0
    still: Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")] = ""
    sight: Annotated[int, Meta(ge=0, le=2**62)] = 0


class Rung(StrEnum):
    """How far up the ladder a reader's line is; each rung presupposes the one before."""

    ABSENT = "absent"
    """No such port."""
    REFUSED = "refused"
    """The port exists and cannot be opened: another process has it, or no permission."""
    OPENED = "opened"
    """Open; no byte has come."""
    BYTES = "bytes"
    """Bytes come, no frame among them: wrong baud rate, wrong protocol or noise."""
    FRAMES = "frames"
    """Frames come, none passes its check."""
    VALID = "valid"
    """Valid frames come; no card known to the profile yet."""
    READING = "reading"
    """Cards are read."""
    FAULT = "fault"
    """The device reports an error and reads nothing."""


OPEN_RUNGS = frozenset({Rung.OPENED, Rung.BYTES, Rung.FRAMES, Rung.VALID, Rung.READING})
"""Rungs on which a card drawn now would be reported (a fresh line has shown nothing yet)."""


class ReaderStatus(msgspec.Struct, frozen=True, kw_only=True, tag="status", omit_defaults=True):
    """Where a reader's line stands. Sent on change and once a second; may be lost."""

    reader: ReaderName
    session: Session
    rung: Rung
    detail: Sentence = ""
    """One sentence for the technician: what is wrong and what to do. Never a face."""
    device: Sentence = ""
    """The stable path or URL as configured."""
    frames: int = 0
    rejected: int = 0
    repeats: int = 0
    unacknowledged: int = 0


class Hello(msgspec.Struct, frozen=True, kw_only=True, tag="hello"):
    """First message of a session, and of each controller it meets.

    `first` is the oldest reading that is not acknowledged (or the next one):
    a controller that does not know the session expects no earlier one.
    """

    reader: ReaderName
    session: Session
    boot: Short
    """The machine's boot id: stamps of another boot cannot be compared."""
    first: Number = 1


class Ack(msgspec.Struct, frozen=True, kw_only=True, tag="ack"):
    """Everything of `session` up to and including `n` is durable; forget it."""

    session: str
    n: int


class Welcome(msgspec.Struct, frozen=True, kw_only=True, tag="welcome"):
    """Answer to `Hello` and `ReaderStatus`: who listens.

    A new `epoch` means the controller restarted: send again what it has not
    acknowledged.
    """

    epoch: str


class ShoeOrder(msgspec.Struct, frozen=True, kw_only=True, tag="order"):
    """What the controller asks of a shoe that can: lock its exit or clear its error mode."""

    order: Literal["lock", "unlock", "clear_error"]


FromReader = Hello | Reading | ReaderStatus
ToReader = Ack | Welcome | ShoeOrder
