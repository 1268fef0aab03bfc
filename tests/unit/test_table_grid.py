"""Every cell of the grid with a real table in its phase: no surprise, and every halt ends.

The walk takes each happening in each phase, and after it, where the table has
halted, each happening again; then every exit of every halt that was reached.
"""

import pytest
from felt import Felt, through_json
from scenes import HAPPENINGS, SCENES, scene

from controller.contract.cards import DECK
from controller.contract.commands import Bets, Counts, Decisions, Exit, Role, SeatBets, Verdict, Why
from controller.contract.facts import (
    Answered,
    AnyFact,
    CardCounted,
    CardHeld,
    CardSetAside,
    ReadingNoted,
)
from controller.contract.inputs import Input
from controller.contract.readings import ReaderStatus, Reading, Rung
from controller.contract.seats import SeatStake
from controller.contract.state import Phase
from controller.table.halts import ON_FELT
from controller.table.machine import GRID, Event, deadline

NAMING = (ReadingNoted, CardCounted, CardHeld, CardSetAside)


def _happen(felt: Felt, happening: int) -> list[AnyFact]:
    """One input without its deadlines first: ticks come even where none is due."""
    _, make = HAPPENINGS[happening]
    body = make(felt)
    known = len(felt.facts)
    stamp = body.stamp if isinstance(body, Reading) else felt.now
    felt._decide(Input(stamp, felt.now, body))
    facts = felt.facts[known:]
    if isinstance(body, Reading):
        naming = [fact for fact in facts if isinstance(fact, NAMING)]
        assert [fact.reading.n for fact in naming] == [body.n], body
    return facts


def _ready(felt: Felt) -> None:
    """The reader works again, so that an exit may be taken."""
    session = felt.state.view.readers[0].session
    felt.give(ReaderStatus(reader="shoe", session=session, rung=Rung.READING))


def _check_halt(felt: Felt) -> None:
    """A person can leave; each exit that is offered leads out; wrong counts lead nowhere."""
    halt = felt.state.view.halt
    assert halt is not None
    assert deadline(felt.state) is None, "no timer runs in a halt"
    assert any(way.role is not Role.SERVER for way in halt.exits), halt
    _ready(felt)
    for way in halt.exits:
        if way.exit is Exit.ANSWERED:
            _server_leaves(felt.fork())
        else:
            _wrong_counts(felt.fork(), way.exit)
            _person_leaves(felt.fork(), way.exit)


_JUDGES = (Exit.PLAY_HELD, Exit.SCAN_AGAIN)
"""Exits that judge what was held."""


def _server_leaves(felt: Felt) -> None:
    if felt.state.halt and felt.state.halt.phase is Phase.BETTING and felt.state.bank:
        stakes = (SeatStake(2, 100),)
        answer = felt.server(SeatBets(stakes=stakes, rules=felt.state.view.rules))
    elif felt.state.halt and felt.state.halt.phase is Phase.BETTING:
        answer = felt.server(Bets(main=1, rules=felt.state.view.rules))
    else:
        answer = felt.server(Decisions(plain=Counts(stand=1)))
    assert answer.verdict is Verdict.DONE
    assert felt.phase is not Phase.HALTED


def _told(felt: Felt, way: Exit) -> dict[str, object]:
    seen = felt.state.deck.seen if felt.state.deck else ()
    return {"card": next(c for c in DECK if c not in seen)} if way is Exit.NAME_IT else {}


def _person_leaves(felt: Felt, way: Exit) -> None:
    before = felt.state.view.halt
    answer = felt.resolve(way, **_told(felt, way))
    assert answer.verdict is Verdict.DONE, (way, answer, before)
    if way is Exit.VOID:
        assert felt.phase is Phase.VOIDED
    elif felt.phase is Phase.HALTED:
        assert way in _JUDGES, "only a card judged again may raise a new question"
        assert felt.state.view.halt != before
        _another_way_out(felt)
    elif way is not Exit.NAME_IT and before is not None:
        assert felt.phase is before.phase or way in _JUDGES or _left_waiting(felt, before.phase)


def _left_waiting(felt: Felt, phase: Phase) -> bool:
    """What was waited for is there by now."""
    return phase is Phase.WAITING and felt.phase in (Phase.BETTING, Phase.CLOSED)


def _another_way_out(felt: Felt) -> None:
    halt = felt.state.view.halt
    assert halt is not None
    assert Exit.PLAY_HELD not in {way.exit for way in halt.exits}, "no person is sent in a circle"


def _wrong_counts(felt: Felt, way: Exit) -> None:
    halt = felt.state.view.halt
    if halt is None or not halt.count or way is Exit.VOID:
        return
    right = felt.counts(way)
    wrong: list[dict[str, object]] = [{"out": right["out"] + 1}, {"out": None}]
    if halt.phase in ON_FELT:
        wrong += [{"felt": right["felt"] + 1}, {"felt": None}, {"felt": right["felt"] - 1}]
    for told in wrong:
        if told.get("felt", 0) == -1:
            continue
        before, known = felt.state, len(felt.facts)
        answer = felt.resolve(way, Role.DEALER, **(_told(felt, way) | told))
        refused = (Why.COUNTS, Why.NOT_YOURS)
        assert (answer.verdict, answer.why in refused) == (Verdict.REFUSED, True), (way, told)
        assert [type(fact) for fact in felt.facts[known:]] == [Answered]
        assert felt.state.view == before.view


@pytest.mark.parametrize("name", SCENES)
def test_whatever_happens_in_a_phase_is_decided_and_every_halt_can_be_left(name: str) -> None:
    for first in range(len(HAPPENINGS)):
        felt = scene(name)
        _happen(felt, first)
        through_json(felt.state)
        if felt.phase is Phase.HALTED:
            _check_halt(felt.fork())
            for second in range(len(HAPPENINGS)):
                worse = felt.fork()
                _happen(worse, second)
                if worse.phase is Phase.HALTED:
                    _check_halt(worse)


def test_the_grid_has_a_cell_for_everything_in_every_phase_and_the_walk_knows_it() -> None:
    assert set(GRID) == {(event, phase) for event in Event for phase in Phase}
    assert {event for event, _ in HAPPENINGS} == set(Event)
    assert {phase for phase, _ in SCENES.values()} == set(Phase)
