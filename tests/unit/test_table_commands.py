"""Commands: one id, one effect, one answer; what is stale, late or foreign changes nothing."""

from collections.abc import Callable

import pytest
from command_cases import CASES, betting_shut, command_of
from felt import Felt, S
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from scenes import SCENES, closed, decision, result, scene, voided

from controller.contract.commands import (
    Answer,
    Bets,
    Choose,
    CloseDeck,
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
    Verdict,
    Void,
    Why,
)
from controller.contract.facts import Answered, RoundVoided
from controller.contract.state import Phase
from controller.table.state import TableState


def test_every_command_and_every_exit_a_person_has_is_among_the_cases() -> None:
    asked = {type(case[2]) for case in CASES.values()}
    assert asked == set(Do.__args__)
    exits = {case[2].exit for case in CASES.values() if isinstance(case[2], Resolve)}
    assert exits == set(Exit) - {Exit.ANSWERED}


def _again(felt: Felt, command: Command) -> Answer | None:
    """It must change nothing at all, not even the seq."""
    before, known = felt.state, len(felt.facts)
    answer = felt.give(command)
    assert (felt.state, len(felt.facts)) == (before, known)
    return answer


@pytest.mark.parametrize("name", CASES)
def test_a_command_sent_again_has_one_effect_and_one_answer(name: str) -> None:
    make, role, do, other = CASES[name]
    felt = make()
    command = command_of(felt, role, do)
    answer = felt.give(command)
    assert answer is not None
    assert answer.verdict is (Verdict.REFUSED if "refusal" in name else Verdict.DONE), answer
    for _ in range(3):
        assert _again(felt, command) == answer
    late = replace(command, issued=felt.now + 1, ttl=1)
    assert _again(felt, late) == answer, "a resend is no other command"
    conflict = _again(felt, replace(command, do=other))
    assert conflict is not None
    assert (conflict.verdict, conflict.why) == (Verdict.REFUSED, Why.CONFLICT)
    felt.restart()
    assert _again(felt, command) == answer
    conflict = _again(felt, replace(command, do=other))
    assert conflict is not None
    assert conflict.why is Why.CONFLICT
    assert sum(isinstance(f, Answered) and f.command == "it" for f in felt.facts) == 1


@pytest.mark.parametrize("name", CASES)
def test_two_people_who_ask_the_same_have_one_effect(name: str) -> None:
    """The second id finds the window closed or the phase gone: it changes the view in nothing."""
    make, role, do, _ = CASES[name]
    felt = make()
    first, second = command_of(felt, role, do, "first"), command_of(felt, role, do, "second")
    felt.give(first)
    view = felt.state.view
    answer = felt.give(second)
    assert answer is not None
    harmless = isinstance(do, StopAfterRound) or do == CloseDeck(count_out=True)
    assert answer.verdict is (Verdict.DONE if harmless else Verdict.REFUSED)
    assert felt.state.view == view


def test_an_answer_of_retry_is_not_kept_and_the_same_id_acts_when_it_may() -> None:
    felt = Felt().open()
    bets = Bets(main=1, rules="r1")
    command = replace(command_of(felt, Role.SERVER, bets), ttl=60 * S)
    first = felt.give(command)
    assert first is not None
    assert (first.verdict, first.why) == (Verdict.RETRY, Why.EARLY)
    felt.wait(15 * S)
    second = felt.give(command)
    assert second is not None
    assert second.verdict is Verdict.DONE


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("name", CASES)
def test_who_may_not_has_no_effect(name: str, role: Role) -> None:
    make, least, do, _ = CASES[name]
    felt = make()
    view = felt.state.view
    answer = felt.give(command_of(felt, role, do))
    assert answer is not None
    may = role is least or (least is Role.DEALER and role is Role.SUPERVISOR)
    if isinstance(do, SeatBets | Choose):  # a table may have no server: its dealer asks
        may = role is not Role.SUPERVISOR
    assert (answer.why is Why.NOT_YOURS) is (not may)
    assert may or felt.state.view == view


def _memory(state: TableState) -> TableState:
    """The state but for what remembers commands."""
    return replace(state, answers={}, seq=0)


_DO = st.sampled_from([case[2] for case in CASES.values()])


_SCENE = st.sampled_from(sorted(SCENES))


@settings(max_examples=300, deadline=None)
@given(_SCENE, _DO, st.sampled_from(list(Role)), st.integers(0, 60), st.booleans())
def test_a_command_of_another_window_epoch_or_time_never_changes_anything(
    name: str, do: Do, role: Role, window: int, restart: bool
) -> None:
    felt = scene(name)
    command = command_of(felt, role, do)
    if restart:
        felt.restart()
    before = _memory(felt.state)
    stale = [
        replace(command, id="epoch", epoch="0"),
        replace(command, id="late", issued=felt.now - 6 * S, epoch=felt.state.epoch),
    ]
    if isinstance(do, Bets | Decisions | Resolve) and window != command.window:
        stale.append(replace(command, id="window", window=window, epoch=felt.state.epoch))
    if isinstance(do, Void):
        other = replace(do, round=felt.state.view.round + 1)
        stale.append(replace(command, id="round", do=other, epoch=felt.state.epoch))
    for asked in stale:
        answer = felt.give(asked)
        assert answer is not None
        assert answer.verdict is not Verdict.DONE
        assert _memory(felt.state) == before


@pytest.mark.parametrize(
    "name", [n for n, case in CASES.items() if isinstance(case[2], Bets | Decisions | Resolve)]
)
def test_what_answers_a_window_acts_on_no_other(name: str) -> None:
    make, role, do, _ = CASES[name]
    felt = make()
    command = command_of(felt, role, do)
    before = _memory(felt.state)
    for n, window in enumerate((0, command.window - 1, command.window + 1, felt.state.seq + 9)):
        answer = felt.give(replace(command, id=f"other-{n}", window=window))
        assert answer is not None
        assert (answer.verdict, answer.why) == (Verdict.REFUSED, Why.STALE)
        assert _memory(felt.state) == before


@pytest.mark.parametrize(
    "counts",
    [
        Decisions(plain=Counts(hit=2)),
        Decisions(mdp=Counts(stand=3)),
        Decisions(plain=Counts(left=1, stand=1)),
        Decisions(mdp=Counts(1, 1, 1)),
    ],
)
def test_more_choices_than_players_of_a_cohort_are_refused(counts: Decisions) -> None:
    felt = Felt().open().bets(3, mdp=2).cards(["4D", "3C"])
    felt.wait(8 * S)
    assert felt.server(counts).why is Why.COUNTS
    assert felt.phase is Phase.DECISION


@pytest.mark.parametrize("counts", [{"pp": 3}, {"mdp": 3}])
def test_more_side_bets_than_main_bets_are_refused(counts: dict[str, int]) -> None:
    felt = betting_shut()
    assert felt.server(Bets(main=2, rules="r1", **counts)).why is Why.COUNTS
    assert felt.phase is Phase.BETTING


def test_what_was_queued_while_the_controller_was_away_is_refused() -> None:
    felt = scene("closed")
    queued = command_of(felt, Role.DEALER, OpenTable())
    felt.now += 5 * S
    felt.restart()
    answer = felt.give(queued)
    assert answer is not None
    assert (answer.verdict, answer.why) == (Verdict.REFUSED, Why.EPOCH)
    assert felt.phase is Phase.CLOSED


@pytest.mark.parametrize("make", [result, voided])
def test_after_its_end_a_round_is_never_voided(make: Callable[[], Felt]) -> None:
    felt = make()
    known = len(felt.facts)
    assert felt.supervisor(Void("too late", 1)).why is Why.NOT_NOW
    assert not any(isinstance(f, RoundVoided) for f in felt.facts[known:])


def test_a_void_that_comes_a_round_late_voids_nothing() -> None:
    felt = decision()
    late = command_of(felt, Role.SUPERVISOR, Void("wrong card", round=1))
    felt.choose(stand=2)
    felt.card("7S")
    felt.wait(5 * S)
    assert (felt.phase, felt.state.view.round) == (Phase.BETTING, 2)
    answer = felt.give(replace(late, issued=felt.now))
    assert answer is not None
    assert answer.why is Why.STALE
    assert felt.phase is Phase.BETTING


def test_an_exit_is_not_taken_of_a_halt_that_has_changed_since_it_was_seen() -> None:
    """The dealer saw one card in question; a second one came before the press arrived."""
    felt = decision()
    felt.card("6D")
    seen = felt.state.view.halt
    assert seen is not None
    felt.card("5D")
    answer = felt.command(Resolve(exit=Exit.SET_ASIDE), window=seen.seq)
    assert (answer.verdict, answer.why) == (Verdict.REFUSED, Why.STALE)
    assert felt.state.halt is not None
    assert len(felt.state.halt.held) == 2
    assert felt.resolve(Exit.SET_ASIDE).verdict is Verdict.DONE


def test_answers_outlive_one_change_of_deck_and_are_forgotten_after_more() -> None:
    felt = closed()
    command = replace(command_of(felt, Role.DEALER, OpenDeck("d1")), ttl=3600 * S)
    answer = felt.give(command)
    for n in range(2, 5):
        felt.command(CloseDeck())
        assert (_again(felt, command) == answer) if n < 4 else True
        felt.command(OpenDeck(f"d{n}"))
    assert "it" not in felt.state.answers
    again = felt.give(command)
    assert again is not None
    assert again.verdict is Verdict.REFUSED, "and its deck is known by name"


def test_a_stop_during_a_halt_closes_after_the_round_and_can_be_taken_back() -> None:
    felt = decision()
    felt.card("6D")
    felt.command(StopAfterRound())
    felt.command(StopAfterRound(on=False))
    felt.command(StopAfterRound())
    felt.resolve(Exit.SET_ASIDE)
    assert felt.phase is Phase.DECISION
    felt.choose(stand=2)
    felt.card("7S")
    felt.wait(5 * S)
    assert (felt.phase, felt.state.view.stop_after_round) == (Phase.CLOSED, False)
