"""The promise of `controller.client`, over real sockets against a scripted controller.

Whatever the wire and the controller do — lose, repeat, reorder, restart, fall
silent — a client is told each fact once and in order, ends with the journal's
state, and never calls live what may be old.
"""

import select
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from controller.client import (
    Changed,
    Endpoints,
    Fresh,
    Replaced,
    Rewound,
    SecondController,
    Stale,
)
from controller.runtime.bus import HIGH_WATER, Bus
from tests.contract.client_rig import Rig
from tests.contract.scripted_controller import SECOND, seqs, view_after
from tests.contract.stand_in_controller import StandInController, until


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    bus = Bus()
    yield Rig(bus, Endpoints(f"ipc://{tmp_path}/f", f"ipc://{tmp_path}/r"))
    bus.close()


def test_a_newcomer_gets_the_snapshot_first_and_then_each_fact(rig: Rig) -> None:
    rig.controller.publish(5)
    rig.sync()
    assert rig.kinds() == [Replaced, Fresh]
    assert (rig.follower.seq, rig.follower.view) == (6, view_after(6))
    assert (rig.follower.table, rig.follower.environment) == ("t1", "test")
    rig.controller.publish(3)
    rig.until(rig.caught_up)
    assert seqs(rig.events) == [7, 8, 9]
    assert rig.follower.view == view_after(9)


def test_a_lost_fact_is_replayed_in_its_place(rig: Rig) -> None:
    rig.sync()
    rig.controller.record()
    rig.controller.publish(2)
    rig.until(rig.caught_up)
    assert seqs(rig.events) == [2, 3, 4]
    assert rig.follower.view == view_after(4)


def test_the_loss_of_the_last_fact_is_told_by_the_next_beat(rig: Rig) -> None:
    rig.sync()
    rig.controller.record()
    rig.until(rig.caught_up)
    assert seqs(rig.events) == [2]
    assert rig.follower.view == view_after(2)


def test_a_long_gap_is_replayed_page_by_page(rig: Rig) -> None:
    rig.controller.page = 7
    rig.sync()
    for _ in range(50):
        rig.controller.record()
    rig.until(rig.caught_up)
    assert seqs(rig.events) == list(range(2, 52))


def test_repeated_and_swapped_facts_are_told_once_and_in_order(rig: Rig) -> None:
    rig.sync()
    two, three, four = (rig.controller.record() for _ in range(3))
    for message in (three, two, two, four, three):
        rig.controller.say(message)
    rig.until(rig.caught_up)
    assert seqs(rig.events) == [2, 3, 4]


def test_a_client_is_not_live_while_a_gap_is_open(rig: Rig) -> None:
    rig.sync()
    rig.controller.deaf = True
    rig.controller.record()
    rig.controller.publish()
    rig.until(lambda: not rig.follower.live)
    assert Stale in rig.kinds()
    assert rig.follower.view == view_after(1)
    rig.controller.deaf = False
    rig.until(rig.caught_up)
    assert rig.kinds()[-1] is Fresh


def test_200_clients_that_join_amid_a_burst_end_with_the_journal(rig: Rig) -> None:
    for n in range(200):
        rig.follower.close()
        rig.follower, rig.events = rig.follow(rig.endpoints), []
        for _ in range(4):
            rig.controller.publish(3 + n % 5)
            rig.turn()
        rig.until(rig.caught_up)
        first = next(event for event in rig.events if isinstance(event, Replaced))
        told = seqs(rig.events)
        assert told == list(range(first.snapshot.seq + 1, rig.controller.seq + 1))
        assert rig.follower.view == view_after(rig.controller.seq)


def test_a_client_that_slept_through_a_burst_beyond_the_high_water_gets_every_fact(
    rig: Rig,
) -> None:
    rig.sync()
    rig.controller.page = 2_000
    many = 3 * HIGH_WATER
    rig.controller.publish(many)
    rig.clock.advance(30)
    rig.until(rig.caught_up)
    assert seqs(rig.events) == list(range(2, many + 2))
    assert any(event.message.replayed for event in rig.events if isinstance(event, Changed))


def test_silence_is_told_within_its_time_and_ends_with_a_beat(rig: Rig) -> None:
    rig.sync()
    rig.clock.advance(1.4)
    rig.turn()
    assert rig.follower.live
    rig.clock.advance(0.2)
    assert not rig.follower.live
    rig.turn()
    assert isinstance(rig.events[-1], Stale)
    assert rig.events[-1].silent_for == pytest.approx(1.6, abs=0.2)
    rig.until(lambda: rig.follower.live)
    assert isinstance(rig.events[-1], Fresh)


def test_a_backlog_read_late_is_not_taken_for_live(rig: Rig) -> None:
    rig.sync()
    rig.controller.publish(3)
    rig.clock.advance(10)
    until(lambda: rig.follower.seq == 4, rig.turn)
    assert not rig.follower.live
    rig.until(rig.caught_up)


def test_a_restart_between_facts_loses_and_doubles_none(rig: Rig) -> None:
    rig.sync()
    rig.controller.publish(2)
    rig.until(rig.caught_up)
    rig.controller.record()
    rig.controller.record()
    rig.restart()
    rig.controller.publish(2)
    rig.until(rig.caught_up)
    assert rig.follower.epoch == "e2"
    assert seqs(rig.events) == [2, 3, 4, 5, 6, 7, 8]
    assert Rewound not in rig.kinds()
    assert SecondController not in rig.kinds()
    assert rig.follower.view == view_after(8)


def test_the_controllers_clock_is_followed_over_a_restart_on_another_machine(rig: Rig) -> None:
    rig.sync()
    assert rig.follower.controller_now() == rig.controller.mono()
    rig.restart(mono_ahead=-20)
    rig.until(lambda: rig.follower.epoch == "e2" and rig.follower.live)
    assert rig.follower.controller_now() == rig.controller.mono()


def test_a_controller_that_forgot_published_facts_is_reported(rig: Rig) -> None:
    rig.controller.publish(9)
    rig.sync()
    rig.restart(journal=rig.controller.journal[:4])
    rig.until(lambda: rig.follower.epoch == "e2" and rig.follower.live)
    assert [event for event in rig.events if isinstance(event, Rewound)] == [Rewound(10, 5)]
    assert rig.follower.view == view_after(5)
    rig.events.clear()
    rig.controller.publish(2)
    rig.until(rig.caught_up)
    assert seqs(rig.events) == [6, 7]


def test_an_older_controller_is_reported_once_and_not_listened_to(rig: Rig, tmp_path: Path) -> None:
    rig.restart("e2")
    rig.sync()
    (tmp_path / "other").mkdir()
    other = f"ipc://{tmp_path}/other/"
    old = StandInController(rig.bus, other + "f", other + "r", rig.clock, epoch="e1")
    old.publish(7)
    for message in (old.record(), old.record(), old.a_beat()):
        rig.controller.say(message)
    rig.controller.publish()
    rig.until(rig.caught_up)
    assert rig.kinds().count(SecondController) == 1
    assert SecondController("e1") in rig.events
    assert seqs(rig.events) == [3]


def test_a_younger_controller_takes_over_and_the_older_becomes_the_second(
    rig: Rig, tmp_path: Path
) -> None:
    rig.sync()
    old = rig.controller.a_beat()
    rig.restart("e2")
    rig.until(rig.caught_up)
    rig.controller.say(old)  # was only late
    rig.controller.publish()
    rig.until(rig.caught_up)
    assert SecondController not in rig.kinds()
    rig.controller.epoch = "e1"
    rig.controller.beat()
    rig.controller.epoch = "e2"
    rig.until(lambda: SecondController("e1") in rig.events)
    assert rig.follower.epoch == "e2"


def test_another_tables_controller_is_not_listened_to(rig: Rig) -> None:
    rig.sync()
    body = b'{"type":"beat","v":1,"table":"t2","environment":"test","epoch":"e9","seq":99,"now":1,'
    utc = b'"utc":%d,"head":"h","clock":"c"}' % (rig.clock.utc() + 1)
    rig.controller.say_raw(b"beat.", body + utc)
    rig.until(lambda: SecondController("e9") in rig.events)
    assert (rig.follower.table, rig.follower.epoch, rig.follower.live) == ("t1", "e1", True)


def test_unknown_fields_are_ignored_and_nonsense_is_counted(rig: Rig) -> None:
    rig.sync()
    fact = msgspec.to_builtins(rig.controller.record())
    fact |= {"novelty": 1}
    fact["fact"] |= {"novelty": {"a": 1}}
    fact["view"] |= {"novelty": []}
    rig.controller.say_raw(b"fact.", b"nonsense")
    rig.controller.say_raw(b"fact.", msgspec.json.encode(fact))
    rig.until(rig.caught_up)
    assert seqs(rig.events) == [2]
    assert rig.follower.unreadable == 1


def test_a_failed_journal_is_known_from_the_beat_alone(rig: Rig) -> None:
    rig.sync()
    assert rig.follower.failed == ""
    rig.controller.failed = "disk full"
    rig.until(lambda: rig.follower.failed == "disk full")


def test_a_snapshot_that_is_not_answered_is_asked_for_again(rig: Rig) -> None:
    rig.controller.deaf = True
    rig.until(lambda: bool(rig.controller.asked))
    since = rig.clock.mono()
    rig.until(lambda: len(rig.controller.asked) >= 5)
    assert rig.clock.mono() - since <= 2 * SECOND
    assert not rig.follower.live
    rig.controller.deaf = False
    rig.sync()


def test_what_is_told_is_what_the_journal_holds(rig: Rig) -> None:
    rig.sync()
    rig.controller.publish(3)
    rig.until(rig.caught_up)
    told = [event.message for event in rig.events if isinstance(event, Changed)]
    assert [message.fact for message in told] == rig.controller.journal[1:]


def test_a_client_woken_by_its_descriptors_alone_misses_nothing(rig: Rig) -> None:
    """As asyncio uses it: they are edge-triggered, so each wake must take in everything."""
    rig.sync()

    def wake() -> None:
        rig.controller.serve()
        if select.select(rig.follower.fds(), (), (), 0.002)[0]:
            rig.events += rig.follower.step(0)

    for _ in range(50):
        rig.controller.record()
        rig.controller.publish(2)
        until(lambda: rig.follower.seq == rig.controller.seq, wake)
    assert seqs(rig.events) == list(range(2, rig.controller.seq + 1))
