"""The other side of the wire for tests of clients: a scripted controller on real sockets.

What it says, loses or repeats, a test decides. It answers only when `serve` is
called, so that a test holds every order of events in its hand.
"""

from collections.abc import Callable

import msgspec

from controller.contract.facts import AnyFact
from controller.contract.wire import BEAT_TOPIC, FACT_TOPIC, Beat, Request, Said
from controller.runtime.bus import Bus, drain, send
from tests.contract.scripted_controller import ManualClock, ScriptedController


class StandInController(ScriptedController):
    """Binds the facts and the requests socket, as the controller does."""

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
    ) -> None:
        super().__init__(clock, epoch, journal, mono_ahead)
        self.deaf = False
        """Takes requests and neither does nor answers them."""
        self.mute = False
        """Does what it is asked, and every answer is lost."""
        self.asked: list[Request] = []
        self._facts = bus.publisher(facts)
        self._requests = bus.router(requests)

    def ports(self) -> tuple[int, int]:
        """Where it listens, if the endpoints were `tcp://127.0.0.1:*`."""
        facts, requests = self._facts.last_endpoint, self._requests.last_endpoint
        return int(facts.rpartition(b":")[2]), int(requests.rpartition(b":")[2])

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

    def close(self) -> None:
        self._facts.close(linger=0)
        self._requests.close(linger=0)


def until(
    condition: Callable[[], bool], *turns: Callable[[], object], most_turns: int = 2_000
) -> None:
    """Take turns until the condition holds; each turn waits for its socket a little."""
    for _ in range(most_turns):
        if condition():
            return
        for turn in turns:
            turn()
    raise AssertionError(f"did not come true in {most_turns} turns")
