"""Saying what happened: facts, beats and snapshots, each audience its own projection.

Knows no journal and decides nothing: it is handed what is durable already.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from controller.contract.audience import Audience, for_audience, view_for
from controller.contract.facts import (
    AnyFact,
    EpochOpened,
)
from controller.contract.state import TableView
from controller.contract.wire import (
    BEAT_TOPIC,
    FACT_TOPIC,
    Beat,
    FactMessage,
    Snapshot,
)
from controller.runtime.bus import send
from controller.runtime.clock import Clock


class Publisher:
    """The two XPUB sockets and the envelope around everything."""

    def __init__(self, sockets: dict[Audience, Any], opening: EpochOpened, clock: Clock) -> None:
        self._sockets = sockets
        self._opening = opening
        self._clock = clock
        self._encode = msgspec.json.Encoder().encode

    def envelope(self, seq: int) -> dict[str, Any]:
        """The fields that every message has."""
        return {
            "table": self._opening.table,
            "environment": self._opening.environment,
            "epoch": self._opening.epoch,
            "seq": seq,
            "now": self._clock.mono(),
            "utc": self._clock.utc(),
        }

    def facts(self, first: int, at: int, facts: Sequence[AnyFact], view: TableView) -> None:
        """The facts of one record, numbered from `first`; the last one brings the view."""
        last = first + len(facts) - 1
        encoded: dict[int, tuple[AnyFact, TableView | None, bytes]] = {}
        # Audience by audience: the servers have all of it before the screens have their turn.
        for audience, socket in self._sockets.items():
            seen = view_for(view, audience)
            for seq, fact in enumerate(facts, first):
                told = for_audience(fact, audience)
                known = encoded.get(seq)
                shown = seen if seq == last else None
                # Most facts are the same for all, and are encoded once.
                if known is None or known[0] is not told or known[1] is not shown:
                    message = FactMessage(**self.envelope(seq), at=at, fact=told, view=shown)
                    known = encoded[seq] = (told, shown, self._encode(message))
                send(socket, FACT_TOPIC, known[2])

    def beat(self, seq: int, head: bytes, clock: str, failed: str) -> None:
        beat = Beat(**self.envelope(seq), head=head.hex(), clock=clock, failed=failed)
        for socket in self._sockets.values():
            send(socket, BEAT_TOPIC, self._encode(beat))

    def snapshot(self, seq: int, view: TableView, audience: Audience) -> Snapshot:
        shown = view_for(view, audience)
        opening = for_audience(self._opening, audience)
        return Snapshot(**self.envelope(seq), view=shown, opening=opening)
