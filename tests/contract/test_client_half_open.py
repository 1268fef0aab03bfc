"""The client over TCP whose link dies without a word, and comes back.

The sockets stay open on both sides and nothing arrives: told within the time of
a stale screen, healed by making the connection anew, and no fact is lost.
"""

from collections.abc import Iterator

import pytest

from controller.client import Endpoints, Replaced, Stale
from controller.contract.commands import OpenTable, Role, Verdict
from controller.runtime.bus import Bus
from tests.contract.client_rig import Rig
from tests.contract.scripted_controller import SECOND, seqs
from tests.contract.stand_in_controller import StandInController
from tests.contract.tcp_proxy import TcpProxy


class Link:
    """A rig whose client reaches the controller through two proxies."""

    def __init__(self, bus: Bus) -> None:
        anywhere = "tcp://127.0.0.1:*"
        self.rig = Rig(bus, Endpoints(anywhere, anywhere), self._lay)

    def _lay(self, controller: StandInController) -> Endpoints:
        facts, requests = controller.ports()
        self.facts, self.requests = TcpProxy(facts), TcpProxy(requests)
        here = "tcp://127.0.0.1:"
        return Endpoints(f"{here}{self.facts.port}", f"{here}{self.requests.port}")

    def close(self) -> None:
        self.facts.close()
        self.requests.close()


TRIES = 3
"""Connections that the client makes anew in a hole; ZeroMQ alone waits 30 s in the first one."""


@pytest.fixture
def link() -> Iterator[Link]:
    bus = Bus()
    link = Link(bus)
    yield link
    bus.close()
    link.close()


def test_a_black_hole_is_told_in_time_and_costs_no_fact(link: Link) -> None:
    rig = link.rig
    rig.sync()
    link.facts.black_hole()
    link.requests.black_hole()
    since = rig.clock.mono()
    rig.until(lambda: not rig.follower.live)
    assert rig.clock.mono() - since <= 2 * SECOND
    assert isinstance(rig.events[-1], Stale)
    for _ in range(100):
        rig.clock.advance(0.3)
        rig.controller.publish()
        rig.turn()
    rig.until(lambda: min(link.facts.swallowed, link.requests.swallowed) >= TRIES)
    assert seqs(rig.events) == []
    link.facts.heal()
    link.requests.heal()
    rig.until(rig.caught_up)
    assert seqs(rig.events) == list(range(2, 102))


def test_facts_that_fall_silent_alone_come_back(link: Link) -> None:
    rig = link.rig
    rig.sync()
    link.facts.black_hole()
    rig.until(lambda: not rig.follower.live)
    rig.controller.publish(5)
    link.facts.heal()
    rig.until(rig.caught_up)
    assert seqs(rig.events) == [2, 3, 4, 5, 6]
    assert Replaced in rig.kinds()


def test_a_command_into_a_dead_request_link_is_done_once_it_heals(link: Link) -> None:
    rig = link.rig
    rig.sync()
    link.requests.black_hole()
    rig.follower.send(OpenTable(), role=Role.DEALER, who="anna", id="c1", ttl=60)
    rig.until(lambda: link.requests.swallowed >= TRIES)
    assert rig.answers() == []
    assert rig.follower.live
    link.requests.heal()
    rig.until(lambda: bool(rig.answers()))
    assert rig.answers() == [("c1", Verdict.DONE)]
    assert len(rig.controller.done) == 1
