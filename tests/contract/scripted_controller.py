"""What a controller without a table says: a journal in a list, and replies made from it.

No socket here (those are in `tests.contract.stand_in_controller`) and nothing of
the client: only the contract's structs.
"""

from collections.abc import Iterable

from controller.contract.commands import Answer, Command, Verdict, Why
from controller.contract.facts import AnyFact, EpochOpened, StopAsked
from controller.contract.state import TableView
from controller.contract.wire import (
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


def epoch_opened(epoch: str) -> EpochOpened:
    return EpochOpened(
        epoch=epoch, boot="b", version="0", rules="r", table="t1", environment="test", game="g",
        burn=1, no_bets="deal", most_cards=14, betting=15, decision=10, grace=1, results=5,
        resume_at_least=3, clock="unknown",
    )  # fmt: skip


def seqs(events: Iterable[object]) -> list[int]:
    """The seqs of the facts among events, as they came."""
    return [event.message.seq for event in events if hasattr(event, "message")]


class ScriptedController:
    """One run (epoch) of a controller; hand its `journal` to the next run."""

    def __init__(
        self,
        clock: ManualClock,
        epoch: str = "e1",
        journal: list[AnyFact] | None = None,
        mono_ahead: float = 0.0,
        page: int = 100,
    ) -> None:
        self.epoch = epoch
        self.journal: list[AnyFact] = journal if journal is not None else []
        self.page = page
        self.failed = ""
        self.done: list[Command] = []
        self.verdicts: dict[str, list[Verdict]] = {}
        """Per command id: what to answer first; DONE when there is no more."""
        self._answers: dict[str, Answer] = {}
        self._clock = clock
        self._ahead = round(mono_ahead * SECOND)
        self._opening = epoch_opened(epoch)
        self.record(self._opening)

    @property
    def seq(self) -> int:
        return len(self.journal)

    def mono(self) -> int:
        return self._clock.mono() + self._ahead

    def record(self, fact: AnyFact | None = None) -> FactMessage:
        """Make a fact durable, and tell nobody yet."""
        self.journal.append(fact or StopAsked(on=self.seq % 2 == 0, who=f"w{self.seq + 1}"))
        return self._message(self.seq, view_after(self.seq))

    def a_beat(self) -> Beat:
        head = f"h{self.seq}"
        return Beat(**self._envelope(self.seq), head=head, clock="unknown", failed=self.failed)

    def reply(self, request: Request) -> Said:
        if isinstance(request, GetSnapshot):
            return self._snapshot()
        if isinstance(request, GetReplay):
            return self._replay(request.first)
        return AnswerMessage(**self._envelope(self.seq), answer=self._execute(request))

    def _snapshot(self) -> Snapshot:
        view = view_after(self.seq)
        return Snapshot(**self._envelope(self.seq), view=view, opening=self._opening)

    def _replay(self, first: int) -> Replay:
        last = min(self.seq, first + self.page - 1)
        facts = tuple(self._message(seq, None) for seq in range(first, last + 1))
        return Replay(**self._envelope(last), facts=facts, more=last < self.seq)

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
        fact, replayed = self.journal[seq - 1], view is None
        return FactMessage(
            **self._envelope(seq), at=self.mono(), fact=fact, view=view, replayed=replayed
        )

    def _envelope(self, seq: int) -> dict[str, object]:
        return {
            "table": "t1", "environment": "test", "epoch": self.epoch, "seq": seq,
            "now": self.mono(), "utc": self._clock.utc(),
        }  # fmt: skip
