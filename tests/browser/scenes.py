"""Tables worth looking at: every phase, and the halts, as the controller would publish them.

Deadlines are in seconds from now; `scene` puts them on the controller's clock.
"""

from collections.abc import Callable

from msgspec.structs import replace

from controller.contract.incidents import INCIDENTS, ROLE_OF, Incident
from controller.contract.readings import Rung
from controller.contract.seats import Choice, Seated, SeatHand, SeatOutcome, SeatResult
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
from controller.table.halts import InQuestion, exits_of

NO_CARD = InQuestion(0, False, False)
ONE_CARD = InQuestion(1, False, False)

SHOE = ReaderView("shoe", "s1", Rung.READING)
AWAY = ReaderView("shoe", "s1", Rung.ABSENT, "/dev/serial/by-id/usb-shoe is gone; plug it in")
STUCK = ReaderView(
    "shoe", "s1", Rung.FAULT,
    "the shoe is in error mode (drawing_time_out): clear it as its manual says",
)  # fmt: skip
DECK = DeckView("T7-20261130-01", out=12, remaining=28)
PLAYERS = Players(main=34, pp=12, with_mdp=9, plain=21, mdp=6)
DONE = replace(PLAYERS, plain=0, mdp=0)
FULL = TableView(
    phase=Phase.DEAL,
    move=Move(What.DEAL_POSITION, Reason.HIT),
    round=128,
    deck=DECK,
    players=PLAYERS,
    burned=1,
    position=HandView(("2D", "QC", "AS"), 7),
    dealer=HandView(("3B",), 6),
    closed=(Closing(3, ClosedBy.STAND, 4, 3),),
    readers=(SHOE,),
)
"""Three cards: four players and three with Mano di Poker stood on them, the others hit."""
BARE = replace(FULL, position=HandView(), dealer=HandView(), players=Players(), burned=0, closed=())
MANY = ("JD", "QD", "JC", "QC", "KC", "JS", "QS", "KS", "JB", "QB", "KB", "AD")
SETTLED = replace(
    FULL,
    phase=Phase.RESULT,
    move=Move(What.PAY),
    players=DONE,
    position=HandView(("4D", "2C", "3S"), 18),
    dealer=HandView(("3B", "AC", "AB"), 10),
    results=(
        Result(depth=1, by=ClosedBy.STAND, plain=6, mdp=1, half_points=8, outcome=Outcome.LOWER,
               main_halves=0, mdp_returns=0),
        Result(depth=2, by=ClosedBy.STAND, plain=11, mdp=4, half_points=12, outcome=Outcome.HIGHER,
               main_halves=4, mdp_returns=6),
        Result(depth=3, by=ClosedBy.BUST, plain=8, mdp=4, half_points=18,
               outcome=Outcome.PLAYER_BUST, main_halves=0, mdp_returns=6),
    ),
)  # fmt: skip
"""Of 34 players seven stood on 4, fifteen on 6, and twelve are bust; 4-2-3 is a straight."""


def _window(now: int, left: float, *, shut: bool = False) -> Window:
    end = now + round(left * 1e9)
    grace = 1_000_000_000
    return Window(41, end - grace * shut, end + grace * (not shut), shut)


def halted(incident: Incident, seq: int = 77, **changed: object) -> TableView:
    """A halt by its row, with every way out of it."""
    row = INCIDENTS[incident]
    known = {"incident": incident, "seq": seq, "phase": Phase.DEAL, "count": row.recount,
             "exits": tuple(ExitView(way, ROLE_OF[way]) for way in row.exits),
             "last": "position 3", "last_card": "AS"}  # fmt: skip
    view = HaltView(**{**known, **changed})  # type: ignore[arg-type]
    return replace(FULL, phase=Phase.HALTED, move=Move(What.RESOLVE), halt=view)


def _halt(
    incident: Incident,
    *,
    cards: InQuestion = NO_CARD,
    phase: Phase = Phase.DEAL,
    reader: ReaderView = SHOE,
    **changed: object,
) -> Callable[[int], TableView]:
    """A halt as it comes: with the ways out that are open for the cards in question."""
    count = INCIDENTS[incident].recount or cards.maybe_one
    view = halted(
        incident,
        phase=phase,
        held=cards.held,
        count=count,
        exits=exits_of(incident, phase, cards, count=count),
        **changed,
    )
    return lambda _now: replace(view, readers=(reader,))


def _betting(now: int) -> TableView:
    return replace(BARE, phase=Phase.BETTING, move=Move(What.WAIT_BETS), window=_window(now, 9))


def _decision(now: int, *, shut: bool = False) -> TableView:
    window = _window(now, 0.9 if shut else 6.5, shut=shut)
    all_in = replace(PLAYERS, plain=25, mdp=9)
    return replace(
        FULL, phase=Phase.DECISION, move=Move(What.WAIT_DECISIONS), window=window, closed=(),
        players=all_in,
    )  # fmt: skip


def _pause(view: TableView) -> Callable[[int], TableView]:
    return lambda now: replace(view, next_at=now + 4_000_000_000)


def _result_away() -> TableView:
    """A 7 against a 7: those who stood have it back, and one is away."""
    push = Result(
        depth=1, by=ClosedBy.STAND, plain=25, mdp=8, half_points=14, outcome=Outcome.PUSH,
        main_halves=2, mdp_returns=0,
    )  # fmt: skip
    away = replace(
        push, by=ClosedBy.LEFT, plain=0, mdp=1, outcome=Outcome.NON_LIVE, main_halves=None
    )
    return replace(
        SETTLED, position=HandView(("7C",), 14), dealer=HandView(("3B", "4S"), 14),
        results=(push, away),
    )  # fmt: skip


def _result_royal() -> TableView:
    royal = Result(
        depth=2, by=ClosedBy.SEVEN_AND_HALF, plain=25, mdp=9, half_points=15,
        outcome=Outcome.ROYAL, main_halves=5, mdp_returns=7,
    )  # fmt: skip
    return replace(
        SETTLED, position=HandView(("KD", "QD"), 15, royal=True), results=(royal,),
        dealer=HandView(("2D", "5C"), 14),
    )  # fmt: skip


def _result_lost() -> TableView:
    """A pair of threes, which nobody had, and a bust hand."""
    bust = Result(
        depth=2, by=ClosedBy.BUST, plain=34, mdp=0, half_points=20, outcome=Outcome.PLAYER_BUST,
        main_halves=0, mdp_returns=0,
    )  # fmt: skip
    return replace(
        SETTLED, position=HandView(("3D", "7C"), 20), dealer=HandView(("3B",), 6), results=(bust,),
        players=Players(main=34), pp_returns=6,
    )  # fmt: skip


def _result_many() -> TableView:
    """As many lines as a hand of many cards can leave."""
    hand = ("AD", "JC", "QC", "JS", "AS", "AC", "QB", "KC", "AB")
    halves = (2, 3, 4, 5, 7, 9, 10, 11, 13)
    stood = [
        Result(
            depth=depth, by=ClosedBy.STAND, plain=3, mdp=1, half_points=points,
            outcome=Outcome.LOWER if points < 12 else Outcome.HIGHER,
            main_halves=0 if points < 12 else 4, mdp_returns=0,
        )
        for depth, points in enumerate(halves, 1)
    ]  # fmt: skip
    return replace(
        SETTLED, position=HandView(hand, 13), dealer=HandView(("2S", "4B"), 12),
        players=Players(main=28, pp=12, with_mdp=7), results=tuple(stood[2:]),
    )  # fmt: skip


def _waiting(what: What, deck: DeckView | None = DECK, reader: ReaderView = SHOE) -> TableView:
    return replace(
        BARE, phase=Phase.WAITING, move=Move(what), deck=deck, readers=(reader,), round=0
    )


def seats(many: int, *, turn: int = 3) -> Seated:
    """A table in mid-round: one bust, one who stands, one who is asked, the bank still closed."""
    hands = [
        SeatHand(seat=n, stake=250 * n, down=1, cards=("5B", "KS")[: n % 3], half_points=0)
        for n in range(2, many + 1)
    ]
    hands[0] = SeatHand(seat=2, stake=500, cards=("5D", "4C"), half_points=18, bust=True)
    bank = SeatHand(seat=1, bank=True, down=1)
    options = (Choice.HIT, Choice.STAND, Choice.BURN)
    return Seated(bank=1, hands=(*hands, bank), turn=turn, options=options)


def _seats_turn(now: int) -> TableView:
    move, window = Move(What.WAIT_TURN, n=3), _window(now, 6.5)
    return replace(BARE, phase=Phase.DECISION, move=move, window=window, seated=seats(6))


def _seats_result(now: int) -> TableView:
    hands = (
        SeatHand(seat=2, stake=500, cards=("5D", "4C"), half_points=18, bust=True),
        SeatHand(seat=3, stake=750, cards=("7D", "KD"), half_points=15),
        SeatHand(seat=3, second=True, stake=750, cards=("JS", "4S"), half_points=9, stood=True),
        SeatHand(seat=1, bank=True, cards=("6B", "QC"), half_points=13, stood=True),
    )
    ends = ((2, False, SeatOutcome.BUST, -500), (3, False, SeatOutcome.TRIPLE, 2250),
            (3, True, SeatOutcome.LOWER, -750))  # fmt: skip
    results = tuple(
        SeatResult(seat=s, second=b, stake=abs(net), half_points=9, outcome=out, net=net)
        for s, b, out, net in ends
    )
    seated = Seated(bank=1, hands=hands, results=results, bank_net=-1000)
    return replace(BARE, phase=Phase.RESULT, move=Move(What.PAY), seated=seated,
                   next_at=now + 4_000_000_000)  # fmt: skip


def _seats_deal(n: int, reason: Reason, what: What = What.DEAL_SEAT) -> TableView:
    down = reason is Reason.SEAT_FIRST
    return replace(BARE, move=Move(what, reason, n=n, face_down=down), seated=seats(12, turn=0))


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
    "waiting_reader": _still(_waiting(What.WAIT_READER, reader=AWAY)),
    "waiting_fault": _still(_waiting(What.WAIT_READER, reader=STUCK)),
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
            players=DONE,
            stop_after_round=True,
        )
    ),
    "deal_many": _still(
        replace(FULL, position=HandView(MANY, 13), dealer=HandView(("2S",), 4),
                deck=DeckView("d", out=14, remaining=26))
    ),
    "deal_dealer_many": _still(
        replace(FULL, move=Move(What.DEAL_DEALER, Reason.DRAW_TO_FIVE), players=DONE,
                position=HandView(("AD", "JD", "QD", "JC", "AC", "QC", "KC"), 9),
                dealer=HandView(("JS", "QS", "KS", "JB", "QB", "KB", "AB"), 8),
                deck=DeckView("d", out=15, remaining=25))
    ),
    "decision": _decision,
    "decision_shut": lambda now: _decision(now, shut=True),
    "result": _pause(SETTLED),
    "result_royal": _pause(_result_royal()),
    "result_away": _pause(_result_away()),
    "result_lost": _pause(_result_lost()),
    "result_many": _pause(_result_many()),
    "result_nobody": _pause(replace(SETTLED, players=Players(), for_nobody=True, pp_returns=6)),
    "voided": _pause(replace(FULL, phase=Phase.VOIDED, move=Move(What.RETURN_BETS))),
    "halt_extra": _halt(Incident.EXTRA_CARD, cards=ONE_CARD, phase=Phase.DECISION),
    "halt_unread": _halt(Incident.UNREAD_CARD, cards=ONE_CARD),
    "halt_unread_twice": _halt(Incident.UNREAD_CARD, cards=InQuestion(2, False, True)),
    "halt_repeated": _halt(
        Incident.REPEATED_CARD, cards=InQuestion(1, True, False), card="QC"
    ),
    "halt_foreign": _halt(Incident.FOREIGN_CARD, cards=ONE_CARD, detail="diamond-8"),
    "halt_lost": _halt(Incident.READER_LOST, reader=AWAY, detail=AWAY.detail),
    "halt_fault": _halt(Incident.READER_FAULT, reader=STUCK, detail="drawing_time_out"),
    "halt_missing": _halt(Incident.CARDS_MISSING, cards=ONE_CARD, detail="2"),
    "halt_restarted": _halt(Incident.RESTARTED),
    "halt_server": _halt(Incident.SERVER_SILENT, phase=Phase.DECISION),
    "halt_torn": _halt(
        Incident.TORN_TAIL,
        detail="117 bytes cut at byte 90112 of 000004.journal, record 4711; kept in 4711.torn",
    ),
    "seats_face_down": _still(_seats_deal(3, Reason.SEAT_FIRST)),
    "seats_hit": _still(_seats_deal(12, Reason.SEAT_HIT)),
    "seats_bank": _still(_seats_deal(1, Reason.SEAT_HIT, What.DEAL_BANK)),
    "seats_turn": _seats_turn,
    "seats_result": _seats_result,
    "seats_halt": _still(replace(_halt(Incident.EXTRA_CARD, last="seat 3 2", cards=ONE_CARD)(0),
                                 position=HandView(), dealer=HandView(), seated=seats(6))),
}  # fmt: skip
"""Name → the table at the controller's time now."""
