"""Commands through the client: one effect and one answer each, or word that there is none.

The command's way over real sockets, against a controller that loses answers,
puts off, keeps silent or restarts.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.client import AnswerGot, Endpoints, Unanswered
from controller.contract.commands import CloseTable, Command, OpenTable, Role, Verdict, Why
from controller.runtime.bus import Bus
from tests.contract.client_rig import Rig
from tests.contract.scripted_controller import SECOND


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    bus = Bus()
    yield Rig(bus, Endpoints(f"ipc://{tmp_path}/f", f"ipc://{tmp_path}/r"))
    bus.close()


def send(rig: Rig, ttl: float = 5.0) -> str:
    return rig.follower.send(OpenTable(), role=Role.DEALER, who="anna", id="c1", ttl=ttl)


def commands_heard(rig: Rig) -> list[Command]:
    return [asked for asked in rig.controller.asked if isinstance(asked, Command)]


def test_a_command_names_epoch_and_controllers_time(rig: Rig) -> None:
    rig.restart(mono_ahead=1_000)
    rig.sync()
    issued = rig.controller.mono()
    name = rig.follower.send(CloseTable(), role=Role.SUPERVISOR, who="bo", window=7, ttl=2.5)
    rig.until(lambda: bool(rig.answers()))
    (command,) = rig.controller.done
    assert (command.id, command.epoch, command.window) == (name, "e2", 7)
    assert (command.issued, command.ttl) == (issued, 2.5 * SECOND)
    assert rig.answers() == [(name, Verdict.DONE)]


def test_a_command_whose_answers_are_lost_is_resent_and_done_once(rig: Rig) -> None:
    rig.sync()
    rig.controller.mute = True
    send(rig)
    rig.until(lambda: len(rig.controller.asked) >= 4)
    rig.controller.mute = False
    rig.until(lambda: bool(rig.answers()))
    commands = commands_heard(rig)
    assert len(commands) >= 3
    assert all(command == commands[0] for command in commands)
    assert len(rig.controller.done) == 1
    assert rig.answers() == [("c1", Verdict.DONE)]


def test_a_double_tap_is_one_command_with_one_answer(rig: Rig) -> None:
    rig.sync()
    for _ in range(3):
        send(rig)
        rig.clock.advance(0.4)
    rig.until(lambda: bool(rig.answers()))
    rig.controller.publish()
    rig.until(rig.caught_up)
    assert len({command.issued for command in commands_heard(rig)}) == 1
    assert len(rig.controller.done) == 1
    assert rig.answers() == [("c1", Verdict.DONE)]


def test_a_command_to_be_retried_is_retried_until_it_is_done(rig: Rig) -> None:
    rig.sync()
    rig.controller.verdicts["c1"] = [Verdict.RETRY] * 4
    send(rig)
    rig.until(lambda: bool(rig.answers()))
    assert rig.answers() == [("c1", Verdict.DONE)]


def test_a_command_to_be_retried_beyond_its_time_ends_with_the_reason(rig: Rig) -> None:
    rig.sync()
    rig.controller.verdicts["c1"] = [Verdict.RETRY] * 99
    send(rig, ttl=1.0)
    rig.until(lambda: bool(rig.answers()))
    (got,) = (event for event in rig.events if isinstance(event, AnswerGot))
    assert (got.answer.verdict, got.answer.why) == (Verdict.RETRY, Why.EARLY)


def test_a_command_nobody_answers_is_reported_when_its_time_is_over(rig: Rig) -> None:
    rig.sync()
    rig.controller.deaf = True
    sent_at = rig.clock.mono()
    send(rig, ttl=2.0)
    rig.until(lambda: Unanswered("c1") in rig.events)
    assert rig.clock.mono() - sent_at == pytest.approx(2 * SECOND, rel=0.1)


def test_a_command_given_while_the_controller_was_away_is_refused_by_the_next_one(
    rig: Rig,
) -> None:
    rig.sync()
    rig.controller.close()
    send(rig)
    for _ in range(20):
        rig.clock.advance(0.05)
        rig.events += rig.follower.step(0)
    rig.controller = rig.start("e2", journal=rig.controller.journal)
    rig.until(lambda: bool(rig.answers()))
    assert rig.answers() == [("c1", Verdict.REFUSED)]
    assert rig.controller.done == []
