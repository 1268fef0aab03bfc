"""Following one controller's facts: each once, in order, through loss, repeats and restarts.

`Following` is told what was heard and answers what that means (events) and what
must be asked to be in sync again (`wants`). It has no socket and no clock: those
are in `controller.client`. There is one way back from any trouble (the start, a
gap, a new epoch): ask for a snapshot, replay the facts up to it, go on behind it.

Rules: nothing of a new epoch is delivered before its snapshot is here, since only
that tells whether the new journal still holds what we were told; replayed facts
carry no view, so replay stops at the snapshot that does.
"""

from typing import Final, NamedTuple, TypeAlias

from controller.contract.audience import Audience
from controller.contract.commands import Answer
from controller.contract.state import TableView
from controller.contract.wire import (
    VERSION,
    Beat,
    Envelope,
    FactMessage,
    GetReplay,
    GetSnapshot,
    Replay,
    Said,
    Snapshot,
)

MOST_AHEAD: Final = 4_096
"""Facts kept while those before them are missing; what does not fit is replayed."""
MOST_OTHERS: Final = 16
"""Other controllers that are reported, each once."""


class Changed(NamedTuple):
    """The next fact: every seq once, in order. A replayed one has no view."""

    message: FactMessage


class Replaced(NamedTuple):
    """The view is now the snapshot's: at the start, in a new epoch, after a gap was filled."""

    snapshot: Snapshot


class Rewound(NamedTuple):
    """The controller came back with a journal that lacks facts it had published up to `seen`.

    A `Replaced` follows: what was told after its seq did not happen.
    """

    seen: int
    now: int


class SecondController(NamedTuple):
    """Another controller (an older run, or another table's) speaks too; it is not listened to."""

    epoch: str


class Stale(NamedTuple):
    """What is known may be old: `silent_for` seconds since the newest message was sent."""

    silent_for: float


class Fresh(NamedTuple):
    """In sync with the controller from now on."""


class AnswerGot(NamedTuple):
    """A command's answer; RETRY only when its time to live was over."""

    answer: Answer


class Unanswered(NamedTuple):
    """The command's time to live is over and nobody answered; the facts tell what happened."""

    id: str


Event: TypeAlias = (
    Changed | Replaced | Rewound | SecondController | Stale | Fresh | AnswerGot | Unanswered
)


class Following:
    """What is known of the table, and what is missing."""

    def __init__(self, audience: Audience) -> None:
        self.table = ""
        self.environment = ""
        self.epoch = ""
        self.seq = 0
        self.view: TableView | None = None
        self.failed = ""
        self._audience = audience
        self._begun = False
        self._taken = False  # the present epoch's snapshot
        self._target: Snapshot | None = None  # facts are missing up to this one
        self._highest = 0
        self._ahead: dict[int, FactMessage] = {}
        self._epoch_utc = 0
        self._others: set[tuple[str, str, str]] = set()

    @property
    def in_sync(self) -> bool:
        """The epoch's snapshot is taken and no fact is known to be missing."""
        return self._taken and self.seq >= self._highest

    def wants(self) -> GetSnapshot | GetReplay | None:
        """What must be asked to be in sync; ask again if it is not answered."""
        if self.in_sync:
            return None
        if self._target is None:
            return GetSnapshot(self._audience)
        return GetReplay(self.seq + 1, self._audience)

    def follows(self, said: Envelope) -> bool:
        """Whether `said` is of the controller that is followed; a newer epoch takes over."""
        if said.v != VERSION:
            return False
        if not self.table:
            self.table, self.environment = said.table, said.environment
        if (said.table, said.environment) != (self.table, self.environment):
            return False
        if said.epoch > self.epoch:
            self._adopt(said)
        return said.epoch == self.epoch

    def stranger(self, said: Envelope) -> list[Event]:
        """Report, once, who is not followed.

        What an earlier run said before the present one spoke is only late. The
        wall clock judges that: two controllers may be on two machines, and no
        more than a report hangs on it.
        """
        who = (said.table, said.environment, said.epoch)
        if said.utc <= self._epoch_utc or who in self._others or len(self._others) >= MOST_OTHERS:
            return []
        self._others.add(who)
        return [SecondController(said.epoch)]

    def hear(self, said: Said) -> list[Event]:
        """Take in a message that `follows` approved."""
        if isinstance(said, FactMessage):
            return self._hear_fact(said)
        if isinstance(said, Snapshot):
            return self._hear_snapshot(said)
        if isinstance(said, Replay):
            return self._hear_replay(said)
        if isinstance(said, Beat):
            self.failed = said.failed
            self._highest = max(self._highest, said.seq)
        return []

    def _adopt(self, said: Envelope) -> None:
        self.epoch = said.epoch
        self.failed = ""
        self._epoch_utc = said.utc
        self._taken = False
        self._target = None
        self._highest = 0
        self._ahead.clear()

    def _hear_fact(self, fact: FactMessage) -> list[Event]:
        self._highest = max(self._highest, fact.seq)
        if self._taken and fact.seq <= self.seq:
            return []
        if fact.seq == self.seq + 1 or len(self._ahead) < MOST_AHEAD:
            self._ahead[fact.seq] = fact
        return self._deliver()

    def _hear_replay(self, replay: Replay) -> list[Event]:
        if self._target is None:
            return []
        for fact in replay.facts:
            if self.seq < fact.seq <= self._target.seq:
                self._ahead.setdefault(fact.seq, fact)
        return self._deliver()

    def _hear_snapshot(self, snapshot: Snapshot) -> list[Event]:
        self._highest = max(self._highest, snapshot.seq)
        events: list[Event] = []
        if not self._taken:
            events += self._begin(snapshot)
            self._target = snapshot
        elif self._target is None and snapshot.seq > self.seq:
            self._target = snapshot
        return events + self._deliver()

    def _begin(self, snapshot: Snapshot) -> list[Event]:
        """The first snapshot of an epoch: does its journal hold all that we were told?"""
        lacks = snapshot.seq < self.seq or any(seq <= self.seq for seq in self._ahead)
        rewound = self._begun and lacks
        events: list[Event] = [Rewound(self.seq, snapshot.seq)] if rewound else []
        if rewound or not self._begun:
            self.seq = snapshot.seq
        self._ahead = {seq: fact for seq, fact in self._ahead.items() if seq > self.seq}
        self._begun = self._taken = True
        return events

    def _deliver(self) -> list[Event]:
        """All facts that follow without a hole, and the snapshot at its place among them."""
        events: list[Event] = []
        while self._taken:
            if self._target is not None and self._target.seq == self.seq:
                events.append(Replaced(self._target))
                self.view, self._target = self._target.view, None
            fact = self._ahead.pop(self.seq + 1, None)
            if fact is None:
                break
            self.seq += 1
            self.view = fact.view or self.view
            events.append(Changed(fact))
        return events
