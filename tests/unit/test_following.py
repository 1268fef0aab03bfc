"""`Following`, on every order of loss, repeat, delay and restart that hypothesis finds.

Two queues stand for the two sockets; replies and facts overtake each other as
they like. The last word has a quiet wire: then the client must be at the
journal's end, having been told each fact behind its first snapshot once.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.contract.audience import Audience
from controller.contract.facts import (
    TableClosed,
)
from controller.contract.wire import GetReplay, GetSnapshot, Said
from controller.following import MOST_AHEAD, Changed, Event, Following, Replaced, Rewound
from tests.contract.scripted_controller import ManualClock, ScriptedController, seqs, view_after


@dataclass
class Wire:
    """A controller, a client, and what is under way between them."""

    clock: ManualClock = field(default_factory=ManualClock)
    following: Following = field(default_factory=lambda: Following(Audience.PUBLIC))
    facts: list[Said] = field(default_factory=list)
    requests: list[GetSnapshot | GetReplay] = field(default_factory=list)
    replies: list[Said] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    epochs: int = 1

    def __post_init__(self) -> None:
        self.controller = ScriptedController(self.clock, epoch="e001", page=3)

    def publish(self) -> None:
        self.facts.append(self.controller.record())

    def beat(self) -> None:
        self.facts.append(self.controller.a_beat())

    def lose(self) -> None:
        self.controller.record()

    def repeat(self) -> None:
        self.facts += self.facts[:1]

    def swap(self) -> None:
        self.facts[-2:] = reversed(self.facts[-2:])

    def restart(self) -> None:
        self.epochs += 1
        self.clock.advance(1)
        journal = self.controller.journal
        self.controller = ScriptedController(
            self.clock, epoch=f"e{self.epochs:03}", journal=journal, page=3
        )

    def ask(self) -> None:
        want = self.following.wants()
        if want is not None:
            self.requests.append(want)

    def serve(self) -> None:
        if self.requests:
            self.replies.append(self.controller.reply(self.requests.pop(0)))

    def lose_reply(self) -> None:
        del self.replies[:1]

    def hear(self) -> None:
        if self.facts:
            self._tell(self.facts.pop(0))

    def hear_reply(self) -> None:
        if self.replies:
            self._tell(self.replies.pop(0))

    def ask_and_hear(self) -> None:
        self.ask()
        self.serve()
        self.hear_reply()

    def calm(self) -> None:
        """Nothing is lost any more; a bounded number of questions must do."""
        self.beat()
        while self.facts or self.replies:
            self.hear()
            self.hear_reply()
        for _ in range(self.controller.seq + 3):
            self.ask_and_hear()

    def _tell(self, said: Said) -> None:
        if self.following.follows(said):
            self.events += self.following.hear(said)


Action = Callable[[Wire], None]
ACTIONS: tuple[Action, ...] = (
    Wire.publish, Wire.beat, Wire.lose, Wire.repeat, Wire.swap, Wire.restart, Wire.ask,
    Wire.serve, Wire.lose_reply, Wire.hear, Wire.hear_reply, Wire.ask_and_hear,
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(ACTIONS), max_size=80))
def test_any_loss_repeat_and_delay_ends_with_the_journal(actions: list[Action]) -> None:
    wire = Wire()
    for act in actions:
        act(wire)
    wire.calm()
    assert wire.following.in_sync
    assert wire.following.seq == wire.controller.seq
    assert wire.following.view == view_after(wire.controller.seq)
    first = next(event for event in wire.events if isinstance(event, Replaced)).snapshot.seq
    told = [event.message for event in wire.events if isinstance(event, Changed)]
    assert seqs(wire.events) == list(range(first + 1, wire.controller.seq + 1))
    assert [message.fact for message in told] == wire.controller.journal[first:]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(ACTIONS), max_size=80))
def test_a_snapshot_is_told_exactly_behind_its_last_fact(actions: list[Action]) -> None:
    wire = Wire()
    for act in actions:
        act(wire)
    wire.calm()
    at = None
    for event in wire.events:
        if isinstance(event, Changed):
            at = event.message.seq
        elif isinstance(event, Replaced):
            assert at is None or event.snapshot.seq == at
            at = event.snapshot.seq


def test_what_waits_for_a_lost_fact_is_bounded() -> None:
    wire = Wire()
    wire.ask_and_hear()
    wire.lose()
    for _ in range(3 * MOST_AHEAD):
        wire.publish()
        wire.hear()
    assert len(wire.following._ahead) <= MOST_AHEAD
    wire.calm()
    assert seqs(wire.events) == list(range(2, wire.controller.seq + 1))


def test_nothing_of_a_new_epoch_is_told_before_its_snapshot() -> None:
    wire = Wire()
    wire.calm()
    wire.restart()
    wire.publish()
    wire.hear()
    assert seqs(wire.events) == []
    wire.calm()
    assert seqs(wire.events) == [2, 3]


def test_a_forgetful_journal_that_has_outgrown_what_was_told_is_found_by_its_facts() -> None:
    wire = Wire()
    for _ in range(3):
        wire.publish()
    wire.calm()
    del wire.controller.journal[2:]
    wire.restart()
    for _ in range(5):
        wire.publish()
    wire.hear()
    wire.calm()
    assert [event for event in wire.events if isinstance(event, Rewound)] == [Rewound(4, 8)]
    assert wire.following.view == view_after(8)


def test_what_waited_in_an_epoch_that_ended_is_not_told_in_the_next() -> None:
    wire = Wire()
    wire.ask_and_hear()
    wire.lose()
    wire.publish()
    wire.hear()
    del wire.controller.journal[1:]
    wire.restart()
    wire.controller.record(TableClosed(who="anna"))
    wire.calm()
    told = [event.message.fact for event in wire.events if isinstance(event, Changed)]
    assert told == wire.controller.journal[1:]


def test_replay_ends_at_the_snapshot_since_what_is_behind_it_has_its_views_still_to_come() -> None:
    wire = Wire()
    wire.ask_and_hear()
    wire.lose()
    wire.publish()
    wire.hear()
    wire.ask_and_hear()
    wire.publish()
    wire.ask_and_hear()
    wire.calm()
    assert wire.following.view == view_after(4)


def test_a_snapshot_that_comes_twice_or_late_does_not_stand_in_the_next_gaps_way() -> None:
    wire = Wire()
    wire.ask()
    wire.ask()
    wire.serve()
    wire.serve()
    wire.hear_reply()
    wire.publish()
    wire.hear()
    wire.hear_reply()
    wire.lose()
    wire.calm()
    assert wire.following.seq == 3
    assert wire.following.in_sync
