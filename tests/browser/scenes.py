"""Tables worth looking at: every phase, and the halts, as the controller would publish them.

Deadlines are in seconds from now; `scene` puts them on the controller's clock.
"""

from collections.abc import Callable

from msgspec.structs import replace

from controller.contract.commands import Exit, Role
from controller.contract.incidents import INCIDENTS, ROLE_OF, Incident
from controller.contract.readings import Rung
from controller.contract.state import (
    ClosedBy,
    Closing,
    DeckView,
    ExitView,
    HaltView,
    HandView,
    Move,
    Outcome,
    Phase,
    Players,
    ReaderView,
    Reason,
    Result,
    TableView,
    What,
    Window,
)

SHOE = ReaderView("shoe", "s1", Rung.READING)
DECK = DeckView("T7-20261130-01", out=11, remaining=29)
PLAYERS = Players(main=34, pp=12, with_mdp=9, plain=21, mdp=6)
FULL = TableView(
    phase=Phase.DEAL,
    move=Move(What.DEAL_POSITION, Reason.HIT),
    round=128,
    deck=DECK,
    players=PLAYERS,
    burned=1,
    position=HandView(("2D", "QC", "AS"), 7),
    dealer=HandView(("4B",), 8),
    readers=(SHOE,),
)
BARE = replace(FULL, position=HandView(), dealer=HandView(), players=Players(), burned=0)
MANY = ("JD", "QD", "JC", "QC", "KC", "JS", "QS", "KS", "JB", "QB", "KB", "AD")


def _window(now: int, left: float, *, shut: bool = False) -> Window:
    end = now + round(left * 1e9)
    grace = 1_000_000_000
    return Window(41, end - grace * shut, end + grace * (not shut), shut)


def halted(incident: Incident, seq: int = 77, **changed: object) -> TableView:
    """A halt by its row, with every way out of it."""
    row = INCIDENTS[incident]
    known = {"incident": incident, "seq": seq, "phase": Phase.DEAL, "count": row.recount,
             "exits": tuple(ExitView(way, ROLE_OF[way]) for way in row.exits),
             "last": "position 2", "last_card": "QC"}  # fmt: skip
    view = HaltView(**{**known, **changed})  # type: ignore[arg-type]
    return replace(FULL, phase=Phase.HALTED, move=Move(What.RESOLVE), halt=view)


def _results() -> tuple[Result, ...]:
    win = Result(
        depth=2, by=ClosedBy.STAND, plain=11, mdp=2, half_points=13, outcome=Outcome.HIGHER,
        main_halves=4, mdp_returns=0,
    )  # fmt: skip
    bust = Result(
        depth=4, by=ClosedBy.BUST, plain=8, mdp=4, half_points=17, outcome=Outcome.PLAYER_BUST,
        main_halves=0, mdp_returns=0,
    )  # fmt: skip
    return win, bust


def _betting(now: int) -> TableView:
    return replace(BARE, phase=Phase.BETTING, move=Move(What.WAIT_BETS), window=_window(now, 9))


def _decision(now: int, *, shut: bool = False) -> TableView:
    window = _window(now, 0.9 if shut else 6.5, shut=shut)
    return replace(FULL, phase=Phase.DECISION, move=Move(What.WAIT_DECISIONS), window=window)


def _result(now: int, phase: Phase = Phase.RESULT, what: What = What.PAY) -> TableView:
    results = _results() if phase is Phase.RESULT else ()
    return replace(
        FULL,
        phase=phase,
        move=Move(what),
        dealer=HandView(("4B", "AC", "KB"), 11),
        position=HandView(("2D", "QC", "AS", "5B"), 17),
        results=results,
        closed=(Closing(2, ClosedBy.STAND, 11, 2),),
        next_at=now + 4_000_000_000,
    )


def _waiting(what: What, deck: DeckView | None = DECK, rung: Rung = Rung.READING) -> TableView:
    readers = (ReaderView("shoe", "s1", rung),)
    return replace(BARE, phase=Phase.WAITING, move=Move(what), deck=deck, readers=readers, round=0)


def _halt(incident: Incident, **changed: object) -> Callable[[int], TableView]:
    return lambda _now: halted(incident, **changed)


def _still(view: TableView) -> Callable[[int], TableView]:
    return lambda _now: view


SCENES: dict[str, Callable[[int], TableView]] = {
    "closed": _still(TableView(readers=(SHOE,))),
    "waiting_deck": _still(_waiting(What.CHANGE_DECK, None)),
    "waiting_old_deck": _still(
        _waiting(What.CHANGE_DECK, DeckView("d", out=33, remaining=7, locked=True))
    ),
    "waiting_draw_rest": _still(
        _waiting(What.DRAW_REST, DeckView("d", out=33, remaining=7, drawing_out=True))
    ),
    "waiting_reader": _still(_waiting(What.WAIT_READER, rung=Rung.ABSENT)),
    "betting": _betting,
    "betting_shut": lambda now: replace(_betting(now), window=_window(now, 0.9, shut=True)),
    "burn": _still(replace(BARE, phase=Phase.BURN, move=Move(What.BURN, n=1, of=1))),
    "burn_of": _still(replace(BARE, phase=Phase.BURN, move=Move(What.BURN, n=1, of=2))),
    "deal_position": _still(FULL),
    "deal_dealer": _still(
        replace(
            FULL,
            move=Move(What.DEAL_DEALER, Reason.DRAW_TO_FIVE),
            position=HandView(("KD", "6S"), 14),
            stop_after_round=True,
        )
    ),
    "deal_many": _still(
        replace(FULL, position=HandView(MANY, 13), dealer=HandView(("KD", "JD"), 15, royal=True))
    ),
    "decision": _decision,
    "decision_shut": lambda now: _decision(now, shut=True),
    "result": _result,
    "voided": lambda now: _result(now, Phase.VOIDED, What.RETURN_BETS),
    "halt_extra": _halt(Incident.EXTRA_CARD, card="7S", held=1),
    "halt_unread": _halt(Incident.UNREAD_CARD, held=1),
    "halt_lost": _halt(Incident.READER_LOST, held=1),
    "halt_restarted": _halt(
        Incident.RESTARTED, exits=(ExitView(Exit.GO_ON, Role.DEALER),
                                   ExitView(Exit.VOID, Role.SUPERVISOR)),
    ),
    "halt_server": _halt(Incident.SERVER_SILENT, exits=(
        ExitView(Exit.ANSWERED, Role.SERVER), ExitView(Exit.VOID, Role.SUPERVISOR))),
    "halt_torn": _halt(Incident.TORN_TAIL, detail="cut 117 bytes of record 4711"),
}  # fmt: skip
"""Name → the table at the controller's time now."""
