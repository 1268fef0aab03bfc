"""A controller that only says what a test wants the screen to show, on the real wire over ipc.

It runs in a thread of its own, since the browser holds the test's. Its clock may
be ahead of the machine's, as a controller's on another boot would be.
"""

import threading
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec.structs import replace

from controller.contract.commands import Answer, Command, Verdict
from controller.contract.facts import EpochOpened, StopAsked
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
from controller.runtime.bus import POLLIN, Bus, Poller, drain, send

BEAT_NS = 500_000_000
OPENING = EpochOpened(
    epoch="e1", boot="b", version="0", rules="r", table="T7", environment="test", game="live",
    burn=1, no_bets="deal", most_cards=19, betting=15, decision=8, grace=1, results=5,
    resume_at_least=3, clock="unknown",
)  # fmt: skip


def done(command: Command) -> Answer:
    return Answer(id=command.id, verdict=Verdict.DONE)


class StandInTable:
    """Publishes the views it is given, beats, and notes every command."""

    def __init__(
        self, directory: Path, *, environment: str = "test", epoch: str = "e1", ahead: float = 0.0
    ) -> None:
        self.environment = environment
        self.epoch = epoch
        self.failed = ""
        self.silent = False
        """Says nothing and hears nothing, as if it hung."""
        self.lose_answers = False
        """Does what it is asked, and every answer is lost."""
        self.answer: Callable[[Command], Answer] = done
        self.arrivals: list[Command] = []
        """Every command that came, resent ones too."""
        self.view = TableView()
        self.seq = 1
        self._answers: dict[str, Answer] = {}
        self._ahead = round(ahead * 1e9)
        self._unsaid: list[FactMessage] = []
        self._told: list[FactMessage] = []
        """All of them, to be said again to whoever missed some."""
        self._lock = threading.Lock()
        self._bus = Bus()
        self._ops = self._bus.publisher(f"ipc://{directory}/ops")
        self._requests = self._bus.router(f"ipc://{directory}/requests")
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def __enter__(self) -> "StandInTable":
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self._bus.close()

    def now(self) -> int:
        return time.monotonic_ns() + self._ahead

    def show(self, view: TableView) -> None:
        """A fact happened, and the table is now so."""
        with self._lock:
            self.view = view
            self.seq += 1
            fact = StopAsked(on=False, who="test")
            message = FactMessage(**self._envelope(), at=self.now(), fact=fact, view=view)
            self._unsaid.append(message)
            self._told.append(replace(message, view=None))

    @property
    def effects(self) -> list[Command]:
        """The commands that took effect: one an id."""
        return list({command.id: command for command in self.arrivals}.values())

    def _run(self) -> None:
        poller = Poller()
        poller.register(self._requests, POLLIN)
        beat_at = 0
        while not self._stop.is_set():
            poller.poll(5)
            list(drain(self._ops))  # subscriptions
            if self.silent:
                continue
            self._hear()
            with self._lock:
                facts, self._unsaid = self._unsaid, []
            for fact in facts:
                send(self._ops, FACT_TOPIC, msgspec.json.encode(fact))
            if time.monotonic_ns() >= beat_at:
                beat_at = time.monotonic_ns() + BEAT_NS
                send(self._ops, BEAT_TOPIC, msgspec.json.encode(self._beat()))

    def _hear(self) -> None:
        for name, body in drain(self._requests):
            request: Request = msgspec.json.decode(body, type=Request)
            reply = msgspec.json.encode(self._reply(request))
            if not (self.lose_answers and isinstance(request, Command)):
                send(self._requests, name, reply)

    def _reply(self, request: Request) -> Said:
        with self._lock:
            if isinstance(request, GetSnapshot):
                return Snapshot(**self._envelope(), view=self.view, opening=OPENING)
            if isinstance(request, GetReplay):
                missed = [fact for fact in self._told if fact.seq >= request.first]
                return Replay(**self._envelope(), facts=tuple(missed))
        self.arrivals.append(request)
        if request.id not in self._answers:
            self._answers[request.id] = self.answer(request)
        return AnswerMessage(**self._envelope(), answer=self._answers[request.id])

    def _beat(self) -> Beat:
        with self._lock:
            return Beat(**self._envelope(), head="h", clock="unknown", failed=self.failed)

    def _envelope(self) -> dict[str, object]:
        return {
            "table": "T7", "environment": self.environment, "epoch": self.epoch, "seq": self.seq,
            "now": self.now(), "utc": time.time_ns(),
        }  # fmt: skip
