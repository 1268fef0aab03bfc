"""What the controller judges: readings, commands, its own clock, its own start.

Every input is journaled with the facts it led to, so that an audit can decide
again and must come to the same facts. Times are CLOCK_MONOTONIC ns.
"""

from enum import StrEnum

import msgspec

from controller.contract.commands import Command
from controller.contract.facts import AnyFact, EpochOpened
from controller.contract.readings import Hello, ReaderStatus, Reading


class Timer(StrEnum):
    """Which deadline has come."""

    PLAYERS = "players"
    SUMMARY = "summary"
    NEXT = "next"


class Tick(msgspec.Struct, frozen=True, tag="tick"):
    """A deadline of the state has come; its stamp is the deadline, not when it was noticed."""

    timer: Timer


class Start(msgspec.Struct, frozen=True, tag="start"):
    """The controller (re)started; `opening` is what it will publish first."""

    opening: EpochOpened


class Disk(msgspec.Struct, frozen=True, tag="disk"):
    """The journal's disk has fallen below its limit."""

    free_mib: int


Body = Reading | Hello | ReaderStatus | Command | Tick | Start | Disk


class Input(msgspec.Struct, frozen=True):
    """One input: judged by `stamp`, received at `at`.

    `stamp` is the first byte of a reading, the deadline of a tick, and the
    receipt of everything else.
    """

    stamp: int
    at: int
    body: Body


class Record(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One journal record: an input and the facts it led to, or a checkpoint of the state.

    `seq` is the seq of the last fact up to and including this record. A
    checkpoint stands first in its segment and holds the private state as JSON.
    """

    v: int = 1
    epoch: str
    seq: int
    mono: int
    utc: int
    input: Input | None = None
    facts: tuple[AnyFact, ...] = ()
    checkpoint: msgspec.Raw = msgspec.Raw()
