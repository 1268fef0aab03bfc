"""A client and a stand-in controller on one bench, with one clock for both."""

from collections.abc import Callable

from controller.client import AnswerGot, Endpoints, Event, Follower
from controller.contract.audience import Audience
from controller.contract.commands import Verdict
from controller.contract.facts import (
    AnyFact,
)
from controller.runtime.bus import Bus
from tests.contract.scripted_controller import ManualClock
from tests.contract.stand_in_controller import StandInController, until


class Rig:
    """Turns both sides in one thread; the endpoints decide the transport."""

    def __init__(
        self,
        bus: Bus,
        endpoints: Endpoints,
        reach: Callable[[StandInController], Endpoints] | None = None,
    ) -> None:
        """`reach`: where the client connects, if that is not where the controller is bound."""
        self.bus = bus
        self.clock = ManualClock()
        self.endpoints = endpoints
        self.controller = self.start()
        self.follower = self.follow(reach(self.controller) if reach else endpoints)
        self.events: list[Event] = []
        self._turns = 0

    def start(
        self, epoch: str = "e1", journal: list[AnyFact] | None = None, mono_ahead: float = 0.0
    ) -> StandInController:
        return StandInController(
            self.bus, *self.endpoints, self.clock, epoch=epoch, journal=journal,
            mono_ahead=mono_ahead,
        )  # fmt: skip

    def restart(
        self, epoch: str = "e2", journal: list[AnyFact] | None = None, mono_ahead: float = 0.0
    ) -> None:
        self.controller.close()
        kept = self.controller.journal if journal is None else journal
        self.controller = self.start(epoch, kept, mono_ahead)

    def follow(self, endpoints: Endpoints) -> Follower:
        return Follower(self.bus, endpoints, audience=Audience.OPS, clock=self.clock)

    def turn(self) -> None:
        self.controller.serve()
        self.events += self.follower.step(2)

    def turn_with_beats(self) -> None:
        """A hundredth of a second passes, and every tenth time a beat is sent."""
        self.clock.advance(0.01)
        if self._turns % 10 == 0:
            self.controller.beat()
        self._turns += 1
        self.turn()

    def until(self, condition: Callable[[], bool]) -> None:
        until(condition, self.turn_with_beats)

    def sync(self) -> None:
        self.until(lambda: self.follower.live)

    def caught_up(self) -> bool:
        return self.follower.live and self.follower.seq == self.controller.seq

    def kinds(self) -> list[type[Event]]:
        return [type(event) for event in self.events]

    def answers(self) -> list[tuple[str, Verdict]]:
        got = [event.answer for event in self.events if isinstance(event, AnswerGot)]
        return [(answer.id, answer.verdict) for answer in got]
