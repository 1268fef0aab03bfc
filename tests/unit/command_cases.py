"""Every command and every exit once: a table that takes it, and another body for its id."""

from collections.abc import Callable

from felt import Felt, S
from scenes import closed, closed_with_deck, decision, seats_betting, seats_turn, waiting

from controller.contract.commands import (
    Bets,
    Choose,
    CloseDeck,
    CloseTable,
    Command,
    Counts,
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
from controller.contract.readings import ReadingKind, Rung
from controller.contract.seats import Choice, SeatStake


def _silent_bets() -> Felt:
    felt = Felt().open()
    felt.wait(60 * S)
    return felt


def betting_shut() -> Felt:
    felt = Felt().open()
    felt.wait(15 * S)
    return felt


def _halted(kind: ReadingKind = ReadingKind.CARD, card: str | None = "6D") -> Felt:
    felt = Felt().open().bets(2).cards(["4D"])
    felt.card("4D") if kind is ReadingKind.CARD else felt.read(kind, card)
    return felt


def _halted_again() -> Felt:
    felt = Felt().open().bets(2).cards(["4D"])
    felt.card("4D")
    return felt


def _unread() -> Felt:
    return _halted(ReadingKind.NO_READ, None)


def _lost() -> Felt:
    felt = Felt().open().bets(2).cards(["4D"])
    felt.reader_at(Rung.ABSENT)
    felt.reader_at(Rung.READING)
    return felt


def _lost_with_card() -> Felt:
    felt = _lost()
    felt.card("3C")
    return felt


def _seats_shut() -> Felt:
    felt = seats_betting()
    felt.wait(15 * S)
    return felt


def _placed(cents: int) -> SeatBets:
    return SeatBets(stakes=(SeatStake(2, cents),), rules="r1")


Case = tuple[Callable[[], Felt], Role, Do, Do]


CASES: dict[str, Case] = {
    "open table": (closed, Role.DEALER, OpenTable(), CloseTable()),
    "close table": (waiting, Role.DEALER, CloseTable(), StopAfterRound()),
    "stop": (decision, Role.DEALER, StopAfterRound(), StopAfterRound(on=False)),
    "open deck": (closed, Role.DEALER, OpenDeck("a"), OpenDeck("b")),
    "close deck": (closed_with_deck, Role.DEALER, CloseDeck(), CloseDeck(count_out=True)),
    "count out": (closed_with_deck, Role.DEALER, CloseDeck(count_out=True), CloseDeck()),
    "bets": (betting_shut, Role.SERVER, Bets(main=2, rules="r1"), Bets(main=3, rules="r1")),
    "bets at last": (_silent_bets, Role.SERVER, Bets(main=2, rules="r1"), Bets(main=3, rules="r1")),
    "decisions": (
        decision,
        Role.SERVER,
        Decisions(plain=Counts(hit=2)),
        Decisions(plain=Counts(stand=2)),
    ),
    "seat bets": (_seats_shut, Role.SERVER, _placed(100), _placed(200)),
    "choose": (
        seats_turn,
        Role.DEALER,
        Choose(seat=2, choice=Choice.HIT),
        Choose(seat=2, choice=Choice.STAND),
    ),
    "a refusal, of another seat": (
        seats_turn,
        Role.SERVER,
        Choose(seat=3, choice=Choice.HIT),
        Choose(seat=2, choice=Choice.STAND),
    ),
    "void": (decision, Role.SUPERVISOR, Void("one", 1), Void("two", 1)),
    "set aside": (
        _unread,
        Role.DEALER,
        Resolve(exit=Exit.SET_ASIDE),
        Resolve(exit=Exit.SCAN_AGAIN),
    ),
    "scan again": (
        _unread,
        Role.DEALER,
        Resolve(exit=Exit.SCAN_AGAIN),
        Resolve(exit=Exit.SET_ASIDE),
    ),
    "name it": (
        _unread,
        Role.SUPERVISOR,
        Resolve(exit=Exit.NAME_IT, card="3C"),
        Resolve(exit=Exit.NAME_IT, card="2C"),
    ),
    "same card": (
        _halted_again,
        Role.SUPERVISOR,
        Resolve(exit=Exit.SAME_CARD, felt=1, out=1),
        Resolve(exit=Exit.NAME_IT, felt=2, out=2, card="2C"),
    ),
    "void in a halt": (
        _halted,
        Role.SUPERVISOR,
        Resolve(exit=Exit.VOID),
        Resolve(exit=Exit.VOID, reason="another"),
    ),
    "go on": (
        _lost,
        Role.DEALER,
        Resolve(exit=Exit.GO_ON, felt=1, out=1),
        Resolve(exit=Exit.GO_ON, felt=2, out=1),
    ),
    "play held": (
        _lost_with_card,
        Role.DEALER,
        Resolve(exit=Exit.PLAY_HELD, felt=2, out=2),
        Resolve(exit=Exit.SET_ASIDE, felt=1, out=2),
    ),
    "a refusal": (decision, Role.DEALER, OpenTable(), CloseTable()),
    "another refusal": (decision, Role.SERVER, Decisions(plain=Counts(hit=3)), Decisions()),
}


def command_of(felt: Felt, role: Role, do: Do, name: str = "it") -> Command:
    view = felt.state.view
    window = 0
    if isinstance(do, Resolve) and view.halt:
        window = view.halt.seq
    elif isinstance(do, Bets | Decisions | SeatBets | Choose) and view.window:
        window = view.window.seq
    return Command(
        id=name,
        epoch=felt.state.epoch,
        role=role,
        who="someone",
        window=window,
        issued=felt.now,
        do=do,
    )
