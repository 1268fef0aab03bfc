import random

import pytest
from msgspec.structs import replace

from controller.contract.commands import Exit, Resolve, Role
from controller.contract.incidents import INCIDENTS, ROLE_OF, Incident
from controller.contract.state import ExitView, HaltView, HandView, Phase, TableView
from simulators.clearing import Clearing
from simulators.physical import Physical


def tried(clearing: Clearing, view: TableView, halt: HaltView, card: str) -> Resolve | None:
    trying = clearing.next(view, halt, card)
    return trying[0] if trying else None


def halt(incident: Incident, *exits: Exit, held: int = 0) -> HaltView:
    return HaltView(
        incident=incident,
        seq=9,
        phase=Phase.DEAL,
        exits=tuple(ExitView(way, ROLE_OF[way]) for way in exits),
        count=INCIDENTS[incident].recount,
        last="position 1",
        held=held,
    )


def at_table() -> tuple[Clearing, Physical, TableView, str]:
    """Two cards drawn, the first of them on the screen, the second in question."""
    physical = Physical(random.Random(5))
    physical.load("one")
    shown, last = str(physical.draw()), str(physical.draw())
    view = TableView(position=HandView(cards=(shown,)))
    return Clearing(physical, random.Random(5)), physical, view, last


@pytest.mark.parametrize("incident", Incident)
@pytest.mark.parametrize("held", [0, 1])
def test_every_halt_that_a_person_can_leave_is_left_sooner_or_later_by_each_last_resort(
    incident: Incident, held: int
) -> None:
    clearing, _, view, last = at_table()
    ways = [way for way in INCIDENTS[incident].exits if way is not Exit.ANSWERED]
    taken = {
        asked.exit
        for _ in range(len(ways) + 1)
        if (asked := tried(clearing, view, halt(incident, *ways, held=held), last))
    }
    waits_for_the_server = incident is Incident.SERVER_SILENT
    assert Exit.VOID in taken or waits_for_the_server


@pytest.mark.parametrize("incident", Incident)
def test_only_offered_ways_are_taken(incident: Incident) -> None:
    clearing, _, view, last = at_table()
    for offered in INCIDENTS[incident].exits:
        asked = tried(clearing, view, halt(incident, offered), last)
        assert asked is None or asked.exit is offered


def test_felt_and_deck_are_counted_by_hand_and_not_from_the_screen() -> None:
    clearing, physical, view, last = at_table()
    asked = tried(clearing, view, halt(Incident.READER_LOST, Exit.GO_ON, Exit.VOID), last)
    assert asked is not None
    assert (asked.exit, asked.felt, asked.out) == (Exit.GO_ON, 2, physical.out)


def test_a_card_that_is_set_aside_is_not_counted_on_the_felt() -> None:
    clearing, _, view, last = at_table()
    held = halt(Incident.READER_RESTARTED, Exit.SET_ASIDE, held=1)
    asked = tried(clearing, view, held, last)
    assert asked is not None
    assert (asked.exit, asked.felt, asked.out) == (Exit.SET_ASIDE, 1, 2)


def test_a_silent_server_is_waited_for_but_not_where_a_count_is_asked_and_does_not_agree() -> None:
    clearing, _, view, last = at_table()
    silent = halt(Incident.SERVER_SILENT, Exit.GO_ON, Exit.VOID)
    restarted = replace(silent, count=True, seq=10)
    ways = [tried(clearing, view, told, last) for told in (silent, restarted, restarted)]
    assert [way.exit for way in ways if way] == [Exit.GO_ON, Exit.GO_ON, Exit.VOID]


def test_what_was_refused_is_followed_by_the_next_way_and_not_asked_again() -> None:
    clearing, _, view, last = at_table()
    situation = halt(Incident.RESTARTED, Exit.PLAY_HELD, Exit.SET_ASIDE, Exit.VOID, held=1)
    ways = [tried(clearing, view, situation, last) for _ in range(3)]
    assert [way.exit for way in ways if way] == [Exit.PLAY_HELD, Exit.SET_ASIDE, Exit.VOID]


def test_an_unread_stranger_is_never_named_nor_passed_again() -> None:
    clearing, _, view, _ = at_table()
    row = INCIDENTS[Incident.UNREAD_CARD]
    asked = tried(clearing, view, halt(Incident.UNREAD_CARD, *row.exits, held=1), "8S")
    assert asked is not None
    assert asked.exit is Exit.SET_ASIDE


def test_where_no_round_can_be_voided_a_supervisor_confirms_what_the_dealer_counted() -> None:
    clearing, _, view, last = at_table()
    situation = halt(Incident.CARDS_MISSING, Exit.GO_ON)
    trying = [clearing.next(view, situation, last) for _ in range(2)]
    assert [way and (way[0].exit, way[1]) for way in trying] == [
        (Exit.GO_ON, Role.DEALER),
        (Exit.GO_ON, Role.SUPERVISOR),
    ]
