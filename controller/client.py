"""The client of the bus: follow the table without losing a fact, command it without doubt.

Used by the display, the simulators and whoever else listens. `Follower` owns two
sockets (facts in, requests out), never blocks beyond the time it is given and
has no thread. Call `step` often; it returns what happened, in order.

How facts are put in order is in `controller.following`, how commands are resent in
`controller.outbox`, what both mean in `controller.contract`. Under asyncio:
`add_reader` both `fds`, on readable call `step(0)`, call it also after `send` and
every 100 ms (the descriptors are edge-triggered, and change when a silent
connection is made anew).
"""

from typing import Final, NamedTuple
from uuid import uuid4

import msgspec

from controller.contract.audience import Audience
from controller.contract.commands import Command, Do, Role
from controller.contract.state import TableView
from controller.contract.wire import AnswerMessage, Beat, FactMessage, Said
from controller.following import (
    AnswerGot,
    Changed,
    Event,
    Following,
    Fresh,
    Replaced,
    Rewound,
    SecondController,
    Stale,
    Unanswered,
)
from controller.outbox import SEND_AGAIN, Outbox
from controller.runtime.bus import POLLIN, Bus, Poller, drain, send
from controller.runtime.clock import NANOSECONDS, Clock

__all__ = [
    "AnswerGot", "Changed", "Endpoints", "Event", "Follower", "Fresh", "Replaced", "Rewound",
    "SecondController", "Stale", "Unanswered",
]  # fmt: skip

LONGEST_WAIT_MS: Final = 100
"""So that resends and staleness are noticed in time, whatever `step` is given."""
OFFSET_KEPT: Final = 30 * NANOSECONDS
"""A clock estimate is used for one to two such spans: crystals drift apart."""


class Endpoints(NamedTuple):
    """Where the controller is: `facts` is its public or its ops socket."""

    facts: str
    requests: str


class Offset:
    """The controller's monotonic clock minus ours, by the message that was fastest of late."""

    def __init__(self) -> None:
        self._epoch = ""
        self._since = 0
        self._best = 0
        self._before = 0

    @property
    def ns(self) -> int:
        return max(self._best, self._before)

    def note(self, epoch: str, theirs: int, ours: int) -> None:
        """A new epoch may be another machine or boot: the estimate starts afresh."""
        sample = theirs - ours
        if epoch != self._epoch:
            self._epoch, self._since, self._best, self._before = epoch, ours, sample, sample
        elif ours - self._since > OFFSET_KEPT:
            self._since, self._before, self._best = ours, self._best, sample
        else:
            self._best = max(self._best, sample)


class Follower:
    """Follows one table's controller, and commands it."""

    def __init__(
        self,
        bus: Bus,
        endpoints: Endpoints,
        *,
        audience: Audience,
        clock: Clock,
        stale_after: float = 1.5,
    ) -> None:
        self._bus = bus
        self._endpoints = endpoints
        self._clock = clock
        self._stale_after = round(stale_after * NANOSECONDS)
        self._following = Following(audience)
        self._offset = Offset()
        self._outbox = Outbox()
        self._encode = msgspec.json.Encoder().encode
        self._decode = msgspec.json.Decoder(Said).decode
        self._was_live = False
        self._newest = clock.mono() - self._stale_after  # when the last fact or beat was sent
        self._asked: tuple[object, int] = (None, 0)
        self._unanswered_since: int | None = None
        self.unreadable = 0
        """Messages that are not of this contract (a controller of another version)."""
        self._connect_facts()
        self._connect_requests()
        self._watch()

    @property
    def table(self) -> str:
        return self._following.table

    @property
    def environment(self) -> str:
        return self._following.environment

    @property
    def epoch(self) -> str:
        return self._following.epoch

    @property
    def seq(self) -> int:
        """The last fact delivered, or the snapshot's."""
        return self._following.seq

    @property
    def view(self) -> TableView | None:
        """The table at `seq`; while a gap is being filled, as it was before the gap."""
        return self._following.view

    @property
    def failed(self) -> str:
        """Why the controller's journal has stopped, if it has: no fact will follow."""
        return self._following.failed

    @property
    def live(self) -> bool:
        """In sync, and the newest fact or beat was sent less than `stale_after` ago.

        Sent, not received: a backlog that is read late is old news.
        """
        return self._following.in_sync and self.silent_for() < self._stale_after

    def silent_for(self) -> int:
        """How long ago (ns) the newest fact or beat was sent, on the best estimate of its clock."""
        return self._clock.mono() - self._newest

    def controller_now(self) -> int:
        """The controller's monotonic clock, in ns, as far as it can be told from here."""
        return self._clock.mono() + self._offset.ns

    def fds(self) -> tuple[int, int]:
        return self._facts.fileno(), self._requests.fileno()

    def step(self, timeout_ms: int) -> list[Event]:
        """Wait at most so long for news, take in all there is, ask for what is missing."""
        self._poller.poll(min(timeout_ms, LONGEST_WAIT_MS))
        events = self._take_all()
        while self._poller.poll(0):  # a send may have swallowed the descriptor's edge
            events += self._take_all()
        return events + self._transition()

    def send(
        self,
        do: Do,
        *,
        role: Role,
        who: str,
        window: int = 0,
        ttl: float = 5.0,
        id: str | None = None,  # noqa: A002 - the contract's word
    ) -> str:
        """Command the table; `AnswerGot` or `Unanswered` with the returned id comes from `step`.

        A command names the epoch it was meant for: before the first sync it will be refused.
        """
        name = id or uuid4().hex
        if name not in self._outbox:
            now = self._clock.mono()
            command = Command(
                id=name, epoch=self.epoch, role=role, who=who, window=window,
                issued=now + self._offset.ns, ttl=round(ttl * NANOSECONDS), do=do,
            )  # fmt: skip
            self._outbox.add(command, now)
            self._send_due(now)
        return name

    def close(self) -> None:
        self._facts.close(linger=0)
        self._requests.close(linger=0)

    def _take_all(self) -> list[Event]:
        """Facts before replies: a reply of a new epoch must not overtake the old one's facts."""
        now = self._clock.mono()
        events: list[Event] = []
        for frames in drain(self._facts):
            self._facts_heard = now
            events += self._take(frames[-1], now)
        for frames in drain(self._requests):
            self._unanswered_since = None
            events += self._take(frames[-1], now)
        self._reconnect_the_silent(now)
        self._ask(now)
        self._send_due(now)
        return events + self._outbox.over(now)

    def _take(self, body: bytes, now: int) -> list[Event]:
        try:
            said: Said = self._decode(body)
        except msgspec.DecodeError:
            self.unreadable += 1
            return []
        if not self._following.follows(said):
            return self._following.stranger(said)
        self._offset.note(said.epoch, said.now, now)
        if isinstance(said, AnswerMessage):
            return self._outbox.answered(said.answer)
        if isinstance(said, FactMessage | Beat):
            self._newest = said.now - self._offset.ns
        return self._following.hear(said)

    def _ask(self, now: int) -> None:
        """One question at a time; the same one again only after a while."""
        want = self._following.wants()
        question = (self.epoch, self.seq, want)
        asked, at = self._asked
        if want is None or (asked == question and now - at < SEND_AGAIN):
            return
        if self._send_body(self._encode(want), now):
            self._asked = question, now

    def _send_due(self, now: int) -> None:
        for body in self._outbox.due(now):
            self._send_body(body, now)

    def _send_body(self, body: bytes, now: int) -> bool:
        """What cannot be sent waits for an answer too: connecting may be what hangs."""
        if self._unanswered_since is None:
            self._unanswered_since = now
        return send(self._requests, body)

    def _transition(self) -> list[Event]:
        live = self.live
        if live is self._was_live:
            return []
        self._was_live = live
        return [Fresh()] if live else [Stale(self.silent_for() / NANOSECONDS)]

    def _reconnect_the_silent(self, now: int) -> None:
        """A connection may be dead without a word (half-open TCP): make it anew.

        Facts lost by that are seen as a gap and replayed.
        """
        patience = 2 * self._stale_after
        unanswered = self._unanswered_since
        facts_silent = now - self._facts_heard > patience
        if facts_silent:
            self._facts.close(linger=0)
            self._connect_facts()
        if facts_silent or (unanswered is not None and now - unanswered > patience):
            self._requests.close(linger=0)
            self._connect_requests()
            self._watch()

    def _connect_facts(self) -> None:
        self._facts = self._bus.subscriber(self._endpoints.facts)
        self._facts_heard = self._clock.mono()

    def _connect_requests(self) -> None:
        self._requests = self._bus.dealer(self._endpoints.requests)
        self._unanswered_since = None
        self._asked = (None, 0)

    def _watch(self) -> None:
        self._poller = Poller()
        self._poller.register(self._facts, POLLIN)
        self._poller.register(self._requests, POLLIN)
