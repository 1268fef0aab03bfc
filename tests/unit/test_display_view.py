"""What the dealer is shown, and what a press on it may become."""

import pytest
from msgspec.structs import replace

from controller.contract.cards import points
from controller.contract.commands import (
    CloseDeck,
    Exit,
    OpenDeck,
    OpenTable,
    Resolve,
    Role,
    StopAfterRound,
    Void,
)
from controller.contract.incidents import INCIDENTS, ROLE_OF, Incident
from controller.contract.readings import Rung
from controller.contract.state import (
    ClosedBy,
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
from controller.display.buttons import Act, Asked, Press, ask, buttons
from controller.display.results import SideBet
from controller.display.view import Lengths, Tone, screen

SECOND = 1_000_000_000
NOW = 100 * SECOND
LENGTHS = Lengths(betting=15, decision=8, grace=1, results=5)
DEALING = TableView(
    phase=Phase.DEAL,
    move=Move(What.DEAL_POSITION, Reason.HIT),
    round=3,
    deck=DeckView("d1", out=4, remaining=36),
    players=Players(main=9, plain=4, mdp=2),
    position=HandView(("2D", "QC"), 5),
    dealer=HandView(("4B",), 8),
)
ID = "0123456789abcdef" * 2


def halted(incident: Incident, *, count: bool = False, seq: int = 70) -> TableView:
    exits = tuple(ExitView(way, ROLE_OF[way]) for way in INCIDENTS[incident].exits)
    halt = HaltView(
        incident=incident, seq=seq, phase=Phase.DEAL, exits=exits, count=count, last="position 2"
    )
    return replace(DEALING, phase=Phase.HALTED, move=Move(What.RESOLVE), halt=halt)


def acts(view: TableView) -> set[Act]:
    return {button.act for button in buttons(view)}


def press(button: str, view: TableView, **given: object) -> Asked | None:
    window = view.halt.seq if view.halt else 0
    made = Press(id=ID, button=button, window=window, round=view.round, **given)  # type: ignore[arg-type]
    return ask(made, view, "new-1")


@pytest.mark.parametrize(
    ("half_points", "said"), [(0, "0"), (1, "½"), (2, "1"), (11, "5½"), (15, "7½"), (21, "10½")]
)
def test_points_are_written_as_people_write_them(half_points: int, said: str) -> None:
    assert points(half_points) == said


@pytest.mark.parametrize(
    ("move", "said", "note", "tone"),
    [
        (Move(What.DEAL_POSITION, Reason.HIT), "deal_position", "reason_hit", Tone.ACT),
        (Move(What.DEAL_DEALER), "deal_dealer", "deal_dealer", Tone.ACT),
        (Move(What.BURN, n=1, of=1), "burn", "burn", Tone.ACT),
        (Move(What.BURN, n=2, of=3), "burn_of", "burn", Tone.ACT),
        (Move(What.WAIT_READER), "wait_reader", "wait_reader", Tone.WAIT),
    ],
)
def test_each_move_is_one_instruction(move: Move, said: str, note: str, tone: Tone) -> None:
    shown = screen(replace(DEALING, move=move), NOW, LENGTHS).instruction
    assert (shown.say, shown.note, shown.tone) == (said, note, tone)


def test_an_open_window_counts_down_to_the_players_end_and_says_draw_no_card() -> None:
    window = Window(9, NOW + 7 * SECOND, NOW + 8 * SECOND)
    view = replace(DEALING, phase=Phase.DECISION, move=Move(What.WAIT_DECISIONS), window=window)
    shown = screen(view, NOW, LENGTHS)
    assert shown.instruction.say == "wait_decisions"
    assert shown.deadline is not None
    assert (shown.deadline.left_ms, shown.deadline.whole_ms) == (7000, 8000)


def test_a_shut_window_waits_for_the_server_until_the_summary_is_due() -> None:
    window = Window(9, NOW - SECOND, NOW + SECOND // 2, shut=True)
    view = replace(DEALING, phase=Phase.BETTING, move=Move(What.WAIT_BETS), window=window)
    shown = screen(view, NOW, LENGTHS)
    assert (shown.instruction.say, shown.instruction.note) == ("wait_server", "wait_bets_shut")
    assert shown.deadline is not None
    assert (shown.deadline.left_ms, shown.deadline.whole_ms) == (500, 1000)


def test_a_deadline_that_has_passed_stays_at_zero_until_the_controller_closes() -> None:
    window = Window(9, NOW - SECOND, NOW + SECOND)
    view = replace(DEALING, phase=Phase.BETTING, move=Move(What.WAIT_BETS), window=window)
    shown = screen(view, NOW, LENGTHS)
    assert shown.instruction.say == "wait_bets"
    assert shown.deadline is not None
    assert shown.deadline.left_ms == 0


def test_a_moved_window_is_another_deadline() -> None:
    def key(end: int) -> str:
        window = Window(9, end, end + SECOND)
        view = replace(DEALING, phase=Phase.BETTING, move=Move(What.WAIT_BETS), window=window)
        shown = screen(view, NOW, LENGTHS).deadline
        assert shown is not None
        return shown.key

    assert key(NOW + SECOND) != key(NOW + 2 * SECOND)
    assert key(NOW + SECOND) == key(NOW + SECOND)


def test_a_halt_freezes_the_deadline_and_offers_its_exits_only() -> None:
    view = replace(halted(Incident.EXTRA_CARD), window=Window(9, NOW + SECOND, NOW + 2 * SECOND))
    shown = screen(view, NOW, LENGTHS)
    assert shown.deadline is None
    ways = set(INCIDENTS[Incident.EXTRA_CARD].exits)
    assert {button.exit for button in shown.buttons} == ways
    assert shown.halt is not None
    assert (shown.halt.last_hand, shown.halt.last_place) == ("position", "2")


@pytest.mark.parametrize(("held", "passed"), [(1, False), (2, True)])
def test_an_unread_card_that_was_passed_again_before_the_press_is_not_asked_for_once_more(
    held: int, passed: bool
) -> None:
    view = halted(Incident.UNREAD_CARD)
    assert view.halt is not None
    shown = screen(replace(view, halt=replace(view.halt, held=held)), NOW, LENGTHS).halt
    assert shown is not None
    assert shown.passed is passed


def test_the_wild_card_shows_what_it_is_worth_now() -> None:
    hand = HandView(("KD", "4C"), 14)
    shown = screen(replace(DEALING, position=hand), NOW, LENGTHS)
    assert (shown.position.points, shown.position.wild, shown.dealer.wild) == ("7", "3", "")


def test_a_reader_is_ready_only_where_a_card_would_be_read() -> None:
    readers = tuple(ReaderView(f"r{n}", "s", rung) for n, rung in enumerate(Rung))
    shown = screen(replace(DEALING, readers=readers), NOW, LENGTHS)
    down = {line.rung for line in shown.readers if not line.ready}
    assert down == {Rung.ABSENT, Rung.REFUSED, Rung.FAULT}


def test_on_which_rungs_somebody_must_do_something_about_the_reader() -> None:
    readers = tuple(ReaderView(f"r{n}", "s", rung) for n, rung in enumerate(Rung))
    shown = screen(replace(DEALING, readers=readers), NOW, LENGTHS)
    troubled = {line.rung for line in shown.readers if line.trouble}
    assert troubled == {Rung.ABSENT, Rung.REFUSED, Rung.BYTES, Rung.FRAMES, Rung.FAULT}


def test_results_say_what_the_stake_returns() -> None:
    royal = Result(
        depth=2, by=ClosedBy.STAND, plain=3, mdp=1, half_points=15, outcome=Outcome.ROYAL,
        main_halves=5, mdp_returns=0,
    )  # fmt: skip
    away = replace(royal, outcome=Outcome.NON_LIVE, main_halves=None)
    shown = screen(replace(DEALING, results=(royal, away)), NOW, LENGTHS).results
    assert [(line.players, line.main) for line in shown] == [(4, "2½"), (4, "")]


BUST = Result(
    depth=2, by=ClosedBy.BUST, plain=3, mdp=1, half_points=17, outcome=Outcome.PLAYER_BUST,
    main_halves=0, mdp_returns=0,
)  # fmt: skip
SETTLED = replace(
    DEALING, phase=Phase.RESULT, move=Move(What.PAY), players=Players(main=4), results=(BUST,)
)


@pytest.mark.parametrize(
    ("view", "said"),
    [
        (SETTLED, "take_bets"),
        (replace(SETTLED, pp_returns=6), "take_bets"),
        (replace(SETTLED, pp_returns=6, players=Players(main=4, pp=1)), "pay"),
        (replace(SETTLED, results=(replace(BUST, mdp_returns=6),)), "pay"),
        (replace(SETTLED, results=(replace(BUST, mdp=0, mdp_returns=6),)), "take_bets"),
        (replace(SETTLED, results=(BUST, replace(BUST, main_halves=2))), "pay"),
        (replace(SETTLED, results=(replace(BUST, main_halves=None),)), "nothing_to_pay"),
        (replace(SETTLED, results=(replace(BUST, main_halves=4),), for_nobody=True), "for_nobody"),
    ],
)
def test_pay_is_said_only_where_somebody_is_paid(view: TableView, said: str) -> None:
    shown = screen(view, NOW, LENGTHS).instruction
    assert (shown.say, shown.note, shown.tone) == (said, said, Tone.ACT)


def test_a_round_for_nobody_shows_no_player_and_no_bet() -> None:
    view = replace(SETTLED, for_nobody=True, players=Players(), pp_returns=6)
    shown = screen(view, NOW, LENGTHS)
    assert (shown.results, shown.pp, shown.still_in) == ((), None, 0)


def test_side_bets_are_shown_where_somebody_has_them() -> None:
    assert screen(SETTLED, NOW, LENGTHS).pp is None
    with_both = replace(
        SETTLED,
        players=Players(main=4, pp=2),
        pp_returns=11,
        results=(replace(BUST, mdp_returns=51),),
    )
    shown = screen(with_both, NOW, LENGTHS)
    assert shown.pp == SideBet(players=2, returns=11)
    assert [(line.mdp, line.mdp_returns) for line in shown.results] == [(1, 51)]
    assert screen(replace(DEALING, players=Players(pp=2)), NOW, LENGTHS).pp is None


def test_cards_and_readers_do_not_change_what_the_buttons_mean_but_a_halt_does() -> None:
    other_cards = replace(DEALING, position=HandView(("2D",), 4), readers=(ReaderView("shoe"),))
    keys = {screen(view, NOW, LENGTHS).key for view in (DEALING, other_cards)}
    assert len(keys) == 1
    halts = [halted(Incident.EXTRA_CARD, seq=seq) for seq in (70, 71)]
    assert len(keys | {screen(view, NOW, LENGTHS).key for view in halts}) == 3


@pytest.mark.parametrize(
    ("view", "expected"),
    [
        (TableView(), {Act.OPEN_TABLE, Act.NEW_DECK}),
        (
            replace(DEALING, phase=Phase.WAITING),
            {Act.CLOSE_TABLE, Act.CLOSE_DECK, Act.COUNT_OUT},
        ),
        (DEALING, {Act.STOP_AFTER_ROUND, Act.VOID}),
        (replace(DEALING, stop_after_round=True), {Act.KEEP_PLAYING, Act.VOID}),
        (replace(DEALING, phase=Phase.RESULT), {Act.STOP_AFTER_ROUND}),
    ],
)
def test_each_phase_offers_what_it_can_take(view: TableView, expected: set[Act]) -> None:
    assert acts(view) == expected


def test_a_deck_is_opened_under_a_new_name_and_closed_by_a_held_button() -> None:
    assert press("new_deck", TableView()) == Asked(OpenDeck(deck="new-1"), Role.DEALER)
    waiting = replace(DEALING, phase=Phase.WAITING)
    assert press("close_deck", waiting) == Asked(CloseDeck(), Role.DEALER)
    assert press("count_out", waiting) == Asked(CloseDeck(count_out=True), Role.DEALER)
    assert all(b.hold for b in buttons(waiting) if b.act in (Act.CLOSE_DECK, Act.COUNT_OUT))


def test_table_buttons_become_their_commands() -> None:
    assert press("open_table", TableView()) == Asked(OpenTable(), Role.DEALER)
    assert press("stop_after_round", DEALING) == Asked(StopAfterRound(on=True), Role.DEALER)
    stopping = replace(DEALING, stop_after_round=True)
    assert press("keep_playing", stopping) == Asked(StopAfterRound(on=False), Role.DEALER)


def test_a_void_is_held_and_sent_as_supervisor_with_a_reason() -> None:
    (button,) = [b for b in buttons(DEALING) if b.act is Act.VOID]
    assert (button.hold, button.role) == (True, Role.SUPERVISOR)
    asked = press("void", DEALING)
    assert asked is not None
    assert isinstance(asked.do, Void)
    assert (asked.role, bool(asked.do.reason)) == (Role.SUPERVISOR, True)


@pytest.mark.parametrize("incident", Incident)
def test_every_exit_of_every_incident_is_a_press_of_its_role_on_the_halts_window(
    incident: Incident,
) -> None:
    view = halted(incident, count=INCIDENTS[incident].recount)
    offered = buttons(view)
    assert {b.exit for b in offered} == set(INCIDENTS[incident].exits) - {Exit.ANSWERED}
    for button in offered:
        asked = press(button.id, view, felt=3, out=4, card="AD")
        assert button.exit is not None
        assert asked is not None
        assert isinstance(asked.do, Resolve)
        assert (asked.do.exit, asked.role, asked.window) == (
            button.exit, ROLE_OF[button.exit], 70,
        )  # fmt: skip
        assert (asked.do.felt, asked.do.out, asked.do.card) == (3, 4, "AD")


def test_a_count_is_asked_where_the_halt_needs_it_but_not_for_a_void() -> None:
    asking = {b.exit: b.count for b in buttons(halted(Incident.READER_LOST, count=True))}
    assert asking == {
        Exit.GO_ON: True, Exit.SET_ASIDE: True, Exit.PLAY_HELD: True, Exit.VOID: False,
    }  # fmt: skip


def test_a_press_made_on_another_screen_is_no_command() -> None:
    made = Press(id=ID, button="resolve.set_aside", window=70, round=3)
    assert ask(made, halted(Incident.EXTRA_CARD, seq=70), "n") is not None
    assert ask(made, halted(Incident.EXTRA_CARD, seq=71), "n") is None
    assert ask(made, DEALING, "n") is None
    void = Press(id=ID, button="void", round=3)
    assert ask(void, replace(DEALING, round=4), "n") is None
