"""What travels on the bus: envelopes, requests and replies, as JSON.

Every message names its table, environment, epoch and the controller's clock
now. Facts bring the view that holds *after* them, so a listener needs no rules
to show the table. The controller refuses unknown fields; clients ignore them
within a major version. Which socket is which is in `controller.runtime.bus`.
"""

from typing import Annotated, Final

import msgspec
from msgspec import Meta

from controller.contract.audience import Audience
from controller.contract.commands import Answer, Command
from controller.contract.facts import (
    AnyFact,
)
from controller.contract.state import TableView

VERSION: Final = 1

FACT_TOPIC: Final = b"fact."
BEAT_TOPIC: Final = b"beat."


class Envelope(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Common to all that the controller says."""

    v: int = VERSION
    table: str
    environment: str
    epoch: str
    seq: int
    now: int
    """The controller's CLOCK_MONOTONIC (ns) when this was sent."""
    utc: int


class FactMessage(Envelope, frozen=True, kw_only=True, tag="fact", omit_defaults=True):
    """One fact, `seq` its number, `at` when it was decided, `view` the table after it.

    Facts that were decided together become true together: only the last of them
    has a view. A replayed fact has none; what holds now is in the snapshot.
    """

    at: int
    fact: AnyFact
    view: TableView | None = None
    replayed: bool = False


class Beat(Envelope, frozen=True, kw_only=True, tag="beat", omit_defaults=True):
    """At each heartbeat: last fact's `seq`, journal's `head`; `failed`: why no fact follows."""

    head: str
    clock: str
    failed: str = ""


class Snapshot(Envelope, frozen=True, kw_only=True, tag="snapshot", omit_defaults=True):
    """The whole table after fact `seq`."""

    view: TableView
    opening: AnyFact


class Replay(Envelope, frozen=True, kw_only=True, tag="replay", omit_defaults=True):
    """Facts from the journal; `seq` is the last one sent, `more` that there are further ones."""

    facts: tuple[FactMessage, ...]
    more: bool = False


class AnswerMessage(Envelope, frozen=True, kw_only=True, tag="answer", omit_defaults=True):
    """The answer to a command."""

    answer: Answer


Said = FactMessage | Beat | Snapshot | Replay | AnswerMessage


class GetSnapshot(msgspec.Struct, frozen=True, tag="get_snapshot", forbid_unknown_fields=True):
    """Ask for the table as it is now."""

    audience: Audience = Audience.PUBLIC


class GetReplay(msgspec.Struct, frozen=True, tag="get_replay", forbid_unknown_fields=True):
    """Ask for the facts from `first` on (as many as fit one reply)."""

    first: Annotated[int, Meta(ge=0, le=2**62)]
    audience: Audience = Audience.PUBLIC


Request = GetSnapshot | GetReplay | Command
