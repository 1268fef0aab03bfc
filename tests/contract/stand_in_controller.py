"""The other side of the wire for tests of clients: a controller without a table.

It speaks the contract on real sockets and keeps a journal of facts in a list;
what it says, loses or repeats, a test decides. It answers only when `serve` is
called, so that a test holds every order of events in its hand. Nothing of the
client is used here.
"""

from collections.abc import Callable, Iterable

import msgspec

from controller.contract.commands import Answer, Command, Verdict, Why
from controller.contract.facts import AnyFact, EpochOpened, StopAsked
from controller.contract.state import TableView
from controller.contract.wire import (
    BEAT_TOPIC,
    FACT_TOPIC,
    AnswerMessage,
    Beat,
    FactMessage,
    GetReplay,
    GetSnapshot,
    Replay,
    Request,
    Said,
    Snapshot,
)
from controller.runtime.bus import Bus, drain, send

SECOND = 1_000_000_000


class ManualClock:
    """Stands still until it is told to go on."""

    def __init__(self, mono: int = 50 * SECOND, utc: int = 1_700_000_000 * SECOND) -> None:
        self.now = mono
        self._utc = utc - mono

    def mono(self) -> int:
        return self.now

    def utc(self) -> int:
        return self._utc + self.now

    def advance(self, seconds: float) -> None:
        self.now += round(seconds * SECOND)


def view_after(seq: int) -> TableView:
    """A view that tells which fact it stands behind."""
    return TableView(round=seq)


class StandInController:
    """One run (epoch) of a controller; hand its `journal` to the next run."""

    def __init__(
        self,
        bus: Bus,
        facts: str,
        requests: str,
        clock: ManualClock,
        *,
        epoch: str = "e1",
        journal: list[AnyFact] | None = None,
        mono_ahead: float = 0.0,
        page: int = 100,
    ) -> None:
        self.epoch = epoch
        self.journal: list[AnyFact] = journal if journal is not None else []
        self.page = page
        self.failed = ""
        self.deaf = False
        """Takes requests and neither does nor answers them."""
        self.mute = False
        """Does what it is asked, and every answer is lost."""
        self.asked: list[Request] = []
        self.done: list[Command] = []
        self.verdicts: dict[str, list[Verdict]] = {}
        """Per command id: what to answer first; DONE when there is no more."""
        self._answers: dict[str, Answer] = {}
        self._clock = clock
        self._ahead = round(mono_ahead * SECOND)
        self._facts = bus.publisher(facts)
        self._requests = bus.router(requests)
        self.opening = self.record(
            EpochOpened(
                epoch=epoch,
                boot="b",
                version="0",
                rules="r",
                table="t1",
                environment="test",
                game="g",
                burn=1,
                no_bets="deal",
                most_cards=14,
                betting=15,
                decision=10,
                grace=1,
                results=5,
                resume_at_least=3,
                clock="unknown",
            )
        ).fact

    @property
    def seq(self) -> int:
        return len(self.journal)

    def mono(self) -> int:
        return self._clock.mono() + self._ahead

    def record(self, fact: AnyFact | None = None) -> FactMessage:
        """Make a fact durable, and tell nobody yet."""
        self.journal.append(fact or StopAsked(on=self.seq % 2 == 0, who=f"w{self.seq + 1}"))
        return self._message(self.seq, view_after(self.seq))

    def say(self, message: Said) -> None:
        topic = BEAT_TOPIC if isinstance(message, Beat) else FACT_TOPIC
        self.say_raw(topic, msgspec.json.encode(message))

    def say_raw(self, topic: bytes, body: bytes) -> None:
        send(self._facts, topic, body)

    def publish(self, count: int = 1) -> None:
        for _ in range(count):
            self.say(self.record())

    def beat(self) -> None:
        self.say(self.a_beat())

    def a_beat(self) -> Beat:
        head = f"h{self.seq}"
        return Beat(**self._envelope(self.seq), head=head, clock="unknown", failed=self.failed)

    def snapshot(self) -> Snapshot:
        view = view_after(self.seq)
        return Snapshot(**self._envelope(self.seq), view=view, opening=self.opening)

    def replay(self, first: int) -> Replay:
        last = min(self.seq, first + self.page - 1)
        facts = tuple(self._message(seq, None) for seq in range(first, last + 1))
        return Replay(**self._envelope(last), facts=facts, more=last < self.seq)

    def serve(self) -> None:
        """Answer every request that is there."""
        list(drain(self._facts))  # subscriptions
        for name, body in drain(self._requests):
            request: Request = msgspec.json.decode(body, type=Request)
            self.asked.append(request)
            if self.deaf:
                continue
            reply = msgspec.json.encode(self.reply(request))
            if not self.mute:
                send(self._requests, name, reply)

    def reply(self, request: Request) -> Said:
        if isinstance(request, GetSnapshot):
            return self.snapshot()
        if isinstance(request, GetReplay):
            return self.replay(request.first)
        return AnswerMessage(**self._envelope(self.seq), answer=self._execute(request))

    def close(self) -> None:
        self._facts.close(linger=0)
        self._requests.close(linger=0)

    def _execute(self, command: Command) -> Answer:
        known = self._answers.get(command.id)
        if known is not None:
            return known
        if command.epoch != self.epoch:
            return Answer(id=command.id, verdict=Verdict.REFUSED, why=Why.EPOCH)
        verdict = next(iter(self.verdicts.get(command.id, ())), Verdict.DONE)
        if verdict is Verdict.RETRY:
            self.verdicts[command.id].pop(0)
            return Answer(id=command.id, verdict=verdict, why=Why.EARLY)
        self.done.append(command)
        self._answers[command.id] = Answer(id=command.id, verdict=verdict, seq=self.seq)
        return self._answers[command.id]

    def _message(self, seq: int, view: TableView | None) -> FactMessage:
        return FactMessage(
            **self._envelope(seq), at=self.mono(), fact=self.journal[seq - 1], view=view,
            replayed=view is None,
        )  # fmt: skip

    def _envelope(self, seq: int) -> dict[str, object]:
        return {
            "table": "t1", "environment": "test", "epoch": self.epoch, "seq": seq,
            "now": self.mono(), "utc": self._clock.utc(),
        }  # fmt: skip


def until(
    condition: Callable[[], bool], *turns: Callable[[], object], most_turns: int = 2_000
) -> None:
    """Take turns until the condition holds; each turn waits for its socket a little."""
    for _ in range(most_turns):
        if condition():
            return
        for turn in turns:
            turn()
    raise AssertionError(f"never came true: {condition}")


def seqs(events: Iterable[object]) -> list[int]:
    """The seqs of the facts among events, as they came."""
    return [event.message.seq for event in events if hasattr(event, "message")]
