"""The promise of a reader: in order, kept until durable, sent again, over either side's death."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from controller.contract.readings import (
    Ack,
    FromReader,
    Hello,
    Reading,
    ReadingKind,
    ToReader,
    Welcome,
)
from drivers import reader as reader_module
from drivers.reader import RESEND_NS, Outbox
from drivers.spool import SessionSpool


class Wire:
    """The other end of the bus: takes what is sent while somebody is there."""

    def __init__(self) -> None:
        self.heard: list[FromReader] = []
        self.there = True

    def send(self, message: FromReader) -> bool:
        if self.there:
            self.heard.append(message)
        return self.there

    def receive(self) -> Iterator[ToReader]:
        return iter(())

    def wait(self, fds: Sequence[int], timeout_ms: int) -> set[int]:
        return set()

    def close(self) -> None:
        self.there = False

    def story(self) -> list[str]:
        """`hello:b`, `a1`, `b2`: what came, and empties the list."""
        told = [
            f"{m.session}{m.n}" if isinstance(m, Reading) else f"hello:{m.session}"
            for m in self.heard
            if isinstance(m, Reading | Hello)
        ]
        self.heard.clear()
        return told


class Clock:
    """Stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = 1_000

    def mono(self) -> int:
        return self.now

    def utc(self) -> int:
        return self.now


def reading(session: str, n: int) -> Reading:
    return Reading(
        reader="shoe", session=session, n=n, kind=ReadingKind.NO_READ, stamp=n, utc=n, raw=b"?\r"
    )


@pytest.fixture
def wire() -> Wire:
    return Wire()


@pytest.fixture
def clock() -> Clock:
    return Clock()


def outbox_of(session: str, directory: Path, wire: Wire, clock: Clock) -> Outbox:
    spool = SessionSpool(directory, "shoe", session)
    spool.open()
    return Outbox("shoe", session, "boot", wire, spool, clock)


def crashed(directory: Path, session: str, count: int) -> None:
    """A session that ended without a word, leaving `count` readings."""
    spool = SessionSpool(directory, "shoe", session)
    spool.open()
    for n in range(1, count + 1):
        spool.append(reading(session, n))
    spool.close()


def test_readings_go_out_at_once_behind_the_hello(tmp_path: Path, wire: Wire, clock: Clock) -> None:
    outbox = outbox_of("b", tmp_path, wire, clock)
    outbox.open()
    outbox.post(reading("b", 1))
    outbox.post(reading("b", 2))
    assert wire.story() == ["hello:b", "b1", "b2"]


def test_what_a_crash_left_is_sent_under_its_old_session_before_the_new_hello(
    tmp_path: Path, wire: Wire, clock: Clock
) -> None:
    crashed(tmp_path, "a", 2)
    outbox = outbox_of("b", tmp_path, wire, clock)
    outbox.open()
    assert wire.story() == ["a1", "a2", "hello:b"]
    outbox.hear(Ack(session="a", n=2))
    assert outbox.unacknowledged == 0
    assert not list(tmp_path.glob("*.jsonl"))


def test_a_controller_that_restarted_is_sent_all_that_it_has_not_acknowledged(
    tmp_path: Path, wire: Wire, clock: Clock
) -> None:
    outbox = outbox_of("b", tmp_path, wire, clock)
    outbox.open()
    outbox.hear(Welcome(epoch="e1"))
    for n in (1, 2, 3):
        outbox.post(reading("b", n))
    outbox.hear(Ack(session="b", n=1))
    wire.story()
    outbox.hear(Welcome(epoch="e1"))
    assert wire.story() == []
    outbox.hear(Welcome(epoch="e2"))
    assert wire.story() == ["hello:b", "b2", "b3"]


def test_a_silent_controller_is_sent_it_again_after_half_a_second_and_ever_more_rarely(
    tmp_path: Path, wire: Wire, clock: Clock
) -> None:
    outbox = outbox_of("b", tmp_path, wire, clock)
    outbox.open()
    outbox.post(reading("b", 1))
    wire.story()
    clock.now += RESEND_NS - 1
    outbox.tick()
    assert wire.story() == []
    clock.now += 1
    outbox.tick()
    assert wire.story() == ["b1"]
    clock.now += RESEND_NS
    outbox.tick()
    assert wire.story() == []
    outbox.hear(Ack(session="b", n=1))
    assert outbox.resend_at() is None


def test_nothing_overtakes_a_reading_that_could_not_be_sent(
    tmp_path: Path, wire: Wire, clock: Clock
) -> None:
    outbox = outbox_of("b", tmp_path, wire, clock)
    outbox.open()
    wire.story()
    wire.there = False
    outbox.post(reading("b", 1))
    wire.there = True
    outbox.post(reading("b", 2))
    assert wire.story() == []
    outbox.hear(Welcome(epoch="e1"))
    assert wire.story() == ["hello:b", "b1", "b2"]


def test_a_hello_that_found_nobody_is_said_when_somebody_is_there(
    tmp_path: Path, wire: Wire, clock: Clock
) -> None:
    wire.there = False
    outbox = outbox_of("b", tmp_path, wire, clock)
    outbox.open()
    wire.there = True
    clock.now += RESEND_NS
    outbox.tick()
    assert wire.story() == ["hello:b"]
    assert outbox.resend_at() is None


def test_a_long_backlog_goes_in_windows_and_the_hello_waits_for_its_turn(
    tmp_path: Path, wire: Wire, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader_module, "WINDOW", 2)
    crashed(tmp_path, "a", 5)
    outbox = outbox_of("b", tmp_path, wire, clock)
    outbox.open()
    outbox.post(reading("b", 1))
    assert wire.story() == ["a1", "a2"]
    outbox.hear(Ack(session="a", n=1))
    assert wire.story() == []
    outbox.hear(Ack(session="a", n=2))
    assert wire.story() == ["a3", "a4"]
    outbox.hear(Welcome(epoch="e1"))
    assert wire.story() == ["a3", "a4"]
    outbox.hear(Ack(session="a", n=4))
    assert wire.story() == ["a5", "hello:b", "b1"]


def test_an_acknowledgement_that_comes_twice_or_late_forgets_nothing_newer(
    tmp_path: Path, wire: Wire, clock: Clock
) -> None:
    outbox = outbox_of("b", tmp_path, wire, clock)
    outbox.open()
    for n in (1, 2):
        outbox.post(reading("b", n))
    outbox.hear(Ack(session="b", n=1))
    outbox.hear(Ack(session="b", n=1))
    outbox.hear(Ack(session="nobody", n=9))
    assert outbox.unacknowledged == 1


def test_a_reading_out_of_turn_is_refused(tmp_path: Path, wire: Wire, clock: Clock) -> None:
    outbox = outbox_of("b", tmp_path, wire, clock)
    with pytest.raises(ValueError, match="does not follow"):
        outbox.post(reading("b", 2))
