"""One table in each phase, and everything that can happen to it: what the grid tests walk."""

from collections.abc import Callable

from felt import Felt, S
from msgspec.structs import replace

from controller.contract.commands import (
    Bets,
    Choose,
    CloseDeck,
    CloseTable,
    Command,
    Decisions,
    Do,
    Exit,
    OpenDeck,
    OpenTable,
    Resolve,
    Role,
    SeatBets,
    StopAfterRound,
    Void,
)
from controller.contract.inputs import Body, Disk, Start, Tick, Timer
from controller.contract.readings import Hello, ReaderStatus, ReadingKind, Rung
from controller.contract.seats import Choice, HouseRules, SeatStake, Variant
from controller.contract.state import Phase, What
from controller.table.machine import Event


def closed() -> Felt:
    felt = Felt()
    felt.reader_up()
    return felt


def closed_with_deck() -> Felt:
    felt = closed()
    felt.command(OpenDeck("d"))
    return felt


def closed_drawing_out() -> Felt:
    felt = closed_with_deck()
    felt.command(CloseDeck(count_out=True))
    return felt


def waiting() -> Felt:
    felt = closed()
    felt.command(OpenTable())
    return felt


def waiting_for_reader() -> Felt:
    felt = closed_with_deck()
    felt.reader_at(Rung.ABSENT)
    felt.command(OpenTable())
    assert felt.state.view.move.what is What.WAIT_READER
    return felt


def waiting_drawing_rest() -> Felt:
    felt = waiting_for_reader()
    felt.command(CloseDeck(count_out=True))
    assert felt.state.view.move.what is What.DRAW_REST
    felt.reader_at(Rung.READING)
    return felt


def betting() -> Felt:
    return Felt(burn=1).open()


def betting_shut() -> Felt:
    felt = betting()
    felt.wait(15 * S)
    assert felt.state.view.window is not None
    assert felt.state.view.window.shut
    return felt


def burn() -> Felt:
    return betting().bets(3)


def deal_first() -> Felt:
    return Felt().open().bets(3, mdp=1)


def deal() -> Felt:
    return deal_first().cards(["2D"])


def deal_hit() -> Felt:
    felt = decision()
    felt.choose(hit=1, stand=1)
    return felt


def deal_dealer() -> Felt:
    felt = decision()
    felt.choose(stand=2)
    return felt


def decision() -> Felt:
    return Felt().open().bets(2).cards(["4D", "3C"])


def decision_shut() -> Felt:
    felt = decision()
    felt.wait(8 * S)
    return felt


def result() -> Felt:
    felt = decision()
    felt.choose(stand=2)
    return felt.cards(["7S"])


def voided() -> Felt:
    felt = decision()
    felt.supervisor(Void("a test", felt.state.view.round))
    return felt


def halted() -> Felt:
    felt = decision()
    felt.card("6D")
    return felt


HOUSE = HouseRules(
    seats=3,
    variants=(Variant.WILD, Variant.ROYAL, Variant.BURN_FIRST, Variant.SPLIT),
    bank="passing",
)


def seats_betting() -> Felt:
    return Felt(game="traditional", house=HOUSE, no_bets="skip").open()


def seats_first() -> Felt:
    return seats_betting().seat_bets({2: 100, 3: 200})


def seats_last_face_down() -> Felt:
    return seats_first().cards(["4D", "3C"])


def seats_turn() -> Felt:
    return seats_last_face_down().cards(["KC"])


def seats_turn_shut() -> Felt:
    felt = seats_turn()
    felt.wait(8 * S)
    return felt


def seats_hit() -> Felt:
    felt = seats_turn()
    felt.seat(2, Choice.HIT)
    return felt


def seats_bank() -> Felt:
    felt = seats_turn()
    felt.seat(2, Choice.STAND)
    felt.seat(3, Choice.STAND)
    return felt


def seats_result() -> Felt:
    felt = seats_bank()
    felt.seat(1, Choice.STAND)
    return felt


def seats_halted() -> Felt:
    felt = seats_turn()
    felt.card("6D")
    return felt


SCENES: dict[str, tuple[Phase, Callable[[], Felt]]] = {
    "closed": (Phase.CLOSED, closed),
    "closed with a deck": (Phase.CLOSED, closed_with_deck),
    "closed, drawing out": (Phase.CLOSED, closed_drawing_out),
    "waiting for a deck": (Phase.WAITING, waiting),
    "waiting for the reader": (Phase.WAITING, waiting_for_reader),
    "waiting, drawing the rest": (Phase.WAITING, waiting_drawing_rest),
    "betting": (Phase.BETTING, betting),
    "betting, shut": (Phase.BETTING, betting_shut),
    "burn": (Phase.BURN, burn),
    "first card due": (Phase.DEAL, deal_first),
    "up card due": (Phase.DEAL, deal),
    "hit due": (Phase.DEAL, deal_hit),
    "dealer's card due": (Phase.DEAL, deal_dealer),
    "decision": (Phase.DECISION, decision),
    "decision, shut": (Phase.DECISION, decision_shut),
    "result": (Phase.RESULT, result),
    "voided": (Phase.VOIDED, voided),
    "halted": (Phase.HALTED, halted),
    "seats, betting": (Phase.BETTING, seats_betting),
    "seats, first card due": (Phase.DEAL, seats_first),
    "seats, the bank's card due": (Phase.DEAL, seats_last_face_down),
    "seats, a turn": (Phase.DECISION, seats_turn),
    "seats, a turn, shut": (Phase.DECISION, seats_turn_shut),
    "seats, hit due": (Phase.DEAL, seats_hit),
    "seats, the bank's turn": (Phase.DECISION, seats_bank),
    "seats, result": (Phase.RESULT, seats_result),
    "seats, halted": (Phase.HALTED, seats_halted),
}


def scene(name: str) -> Felt:
    phase, make = SCENES[name]
    felt = make()
    assert felt.phase is phase, name
    return felt


READINGS: tuple[tuple[Event, str | None, int], ...] = (
    (Event.CARD, "5B", 0),
    (Event.CARD, "4D", 0),
    (Event.CARD, None, 0),
    (Event.FOREIGN, None, 0),
    (Event.NO_READ, None, 0),
    (Event.OUT_OF_GAME, "6B", 0),
    (Event.OUT_OF_GAME, None, 0),
    (Event.STALE, "7B", 0),
    (Event.STALE, None, 0),
    (Event.GAP, None, 2),
    (Event.REOPENED, None, 0),
    (Event.RESTARTED, None, 0),
    (Event.CUT_CARD, None, 0),
    (Event.FAULT, None, 0),
    (Event.FAULT_CLEARED, None, 0),
    (Event.COVERED, None, 0),
    (Event.GONE, "4D", 0),
)
"""Kind, face, reports lost. `4D` is out already wherever cards are on the felt."""

_DO: dict[Event, tuple[Do, Role]] = {
    Event.OPEN_TABLE: (OpenTable(), Role.DEALER),
    Event.CLOSE_TABLE: (CloseTable(), Role.DEALER),
    Event.STOP_AFTER_ROUND: (StopAfterRound(), Role.DEALER),
    Event.OPEN_DECK: (OpenDeck("another"), Role.DEALER),
    Event.CLOSE_DECK: (CloseDeck(), Role.DEALER),
    Event.BETS: (Bets(main=2, rules="r1"), Role.SERVER),
    Event.DECISIONS: (Decisions(), Role.SERVER),
    Event.SEAT_BETS: (SeatBets(stakes=(SeatStake(2, 100),), rules="r1"), Role.SERVER),
    Event.CHOOSE: (Choose(seat=2, choice=Choice.HIT), Role.SERVER),
    Event.RESOLVE: (Resolve(exit=Exit.SET_ASIDE), Role.DEALER),
    Event.VOID: (Void("because", 1), Role.SUPERVISOR),
}

_REST: dict[Event, Body] = {
    Event.SESSION: Hello(reader="shoe", session="s2", boot="boot"),
    Event.READER_DOWN: ReaderStatus(reader="shoe", session="s1", rung=Rung.ABSENT, detail="gone"),
    Event.READER_UP: ReaderStatus(reader="shoe", session="s1", rung=Rung.VALID),
    Event.PLAYERS_END: Tick(Timer.PLAYERS),
    Event.SUMMARY_END: Tick(Timer.SUMMARY),
    Event.NEXT_ROUND: Tick(Timer.NEXT),
    Event.DISK: Disk(1),
}

Happening = tuple[Event, Callable[[Felt], Body]]


def _reading(event: Event, card: str | None, missing: int) -> Happening:
    kind = ReadingKind(event.value)
    code = {Event.FOREIGN: "8H", Event.FAULT: "12"}.get(event, "")
    return event, lambda felt: felt.reading(kind, card, missing=missing, code=code)


def _command(event: Event) -> Happening:
    do, role = _DO[event]

    def body(felt: Felt) -> Body:
        view = felt.state.view
        on_halt = event is Event.RESOLVE and view.halt is not None
        window = view.halt.seq if on_halt and view.halt else view.window.seq if view.window else 0
        return Command(
            id=f"walk-{next(felt.ids)}",
            epoch=felt.state.epoch,
            role=role,
            who="someone",
            window=window,
            issued=felt.now,
            do=do,
        )

    return event, body


def _fixed(event: Event) -> Happening:
    return event, lambda _felt: _REST[event]


def _restart(felt: Felt) -> Body:
    return Start(replace(felt.state.rules, epoch="2"))


HAPPENINGS: tuple[Happening, ...] = (
    *(_reading(*row) for row in READINGS),
    *(_command(event) for event in _DO),
    *(_fixed(event) for event in _REST),
    (Event.START, _restart),
)
"""Every event of the grid at least once."""
