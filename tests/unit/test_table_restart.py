"""A start of the controller: it folds what was, and goes on only where nothing can be missing."""

import pytest
from felt import Felt, S, through_json
from msgspec.structs import replace
from scenes import SCENES, betting, decision, scene

from controller.contract.commands import Bets, Exit, Role, Verdict, Void, Why
from controller.contract.facts import AnyFact, EpochOpened, RoundSettled
from controller.contract.incidents import Incident
from controller.contract.readings import Hello, ReaderStatus, ReadingKind, Rung
from controller.contract.state import Phase
from controller.table.apply import apply
from controller.table.machine import decide, is_known, leaves_hole
from controller.table.state import TableState

ROUND = ["2C", "4D", "3C", "AS", "7S"]


def incident(felt: Felt) -> Incident | None:
    return felt.state.view.halt.incident if felt.state.view.halt else None


@pytest.mark.parametrize("name", SCENES)
def test_a_restart_in_the_same_boot_halts_where_cards_are_in_play_and_nowhere_else(
    name: str,
) -> None:
    felt = scene(name)
    before = felt.state.view
    felt.restart()
    after = felt.state.view
    in_play = before.phase in (Phase.BURN, Phase.DEAL, Phase.DECISION)
    if before.halt is not None:
        assert after.halt is not None
        assert (after.halt.incident, after.halt.count) == (before.halt.incident, True)
    else:
        assert incident(felt) is (Incident.RESTARTED if in_play else None)
        assert after.phase is (Phase.HALTED if in_play else before.phase)
    assert (after.window, after.next_at, after.position) == (
        before.window,
        before.next_at,
        before.position,
    )
    assert not felt.state.reader_ready, "no reader has spoken to this run"


@pytest.mark.parametrize("name", SCENES)
def test_a_restart_in_another_boot_halts_wherever_a_deck_is_in_the_shoe(name: str) -> None:
    felt = scene(name)
    phase, has_deck = felt.phase, felt.state.deck is not None
    felt.restart(boot="another")
    assert (felt.phase is Phase.HALTED) is (has_deck or phase is Phase.HALTED)
    if felt.state.view.halt is not None:
        assert felt.state.view.halt.count


@pytest.mark.parametrize("name", SCENES)
def test_a_torn_tail_halts_everywhere_and_names_what_was_cut(name: str) -> None:
    felt = scene(name)
    felt.restart(torn="17 bytes of segment 3")
    assert felt.state.view.halt is not None
    assert "17 bytes" in felt.state.view.halt.detail
    assert felt.phase is Phase.HALTED


@pytest.mark.parametrize("name", SCENES)
def test_rules_that_changed_under_a_round_leave_only_its_void(name: str) -> None:
    felt = scene(name)
    halted = felt.state.halt
    phase = halted.phase if halted else felt.phase
    live = phase in (Phase.BETTING, Phase.BURN, Phase.DEAL, Phase.DECISION)
    felt.restart(rules="r2")
    if not live:
        assert felt.phase is not Phase.HALTED
        assert felt.state.view.rules == "r2"
        return
    assert felt.state.view.halt is not None
    assert [way.exit for way in felt.state.view.halt.exits] == [Exit.VOID]
    felt.reader_at(Rung.READING)
    felt.card("5B")
    felt.restart(rules="r2")
    assert [way.exit for way in felt.state.view.halt.exits] == [Exit.VOID], "for good"
    assert felt.resolve(Exit.GO_ON, felt=0, out=0).why is Why.NO_SUCH_EXIT
    assert felt.resolve(Exit.VOID).verdict is Verdict.DONE


def test_betting_goes_on_with_its_ends_and_takes_the_bets_of_the_new_epoch() -> None:
    felt = betting()
    seq, until = felt.state.view.window.seq if felt.state.view.window else 0, felt.now + 15 * S
    felt.now += 5 * S
    felt.restart()
    felt.reader_at(Rung.READING)
    felt.wait(until - felt.now - 1)
    bets = Bets(main=1, rules="r1")
    assert felt.command(bets, Role.SERVER, window=seq).why is Why.EARLY
    felt.wait(1)
    assert felt.command(bets, Role.SERVER, window=seq).verdict is Verdict.DONE
    assert felt.phase is Phase.BURN


def test_deadlines_that_passed_while_it_was_away_come_at_once_with_their_own_stamps() -> None:
    felt = betting()
    until = felt.state.view.window.summary_until if felt.state.view.window else 0
    felt.now += 60 * S
    felt.restart()
    felt.fire(felt.now)
    assert incident(felt) is Incident.SERVER_SILENT
    assert felt.state.halt is not None
    assert felt.state.halt.at == until


@pytest.mark.parametrize("at", range(len(ROUND) + 1))
def test_killed_after_any_card_and_counted_the_round_ends_the_same(at: int) -> None:
    def play(*, kill: bool) -> RoundSettled:
        felt = Felt(burn=1).open().bets(2, pp=1)
        for n, card in enumerate([*ROUND, ""]):
            if felt.phase is Phase.DECISION:
                hit = len(felt.state.view.position.cards) == 1
                felt.choose(hit=2) if hit else felt.choose(stand=2)
            if kill and n == at and felt.phase is not Phase.RESULT:
                felt.restart()
                felt.reader_at(Rung.READING)
                assert felt.resolve(Exit.GO_ON).verdict is Verdict.DONE
            if card:
                felt.card(card)
        (settled,) = (f for f in felt.facts if isinstance(f, RoundSettled))
        return settled

    killed, whole = play(kill=True), play(kill=False)
    assert (killed.results, killed.position, killed.dealer) == (
        whole.results,
        whole.position,
        whole.dealer,
    )


def test_a_card_that_came_while_it_was_away_is_held_and_played_on_a_count() -> None:
    """The reader keeps it and sends it to the new run; no stamp makes it early there."""
    felt = Felt().open().bets(1).cards(["4D"])
    felt.now += S
    kept = felt.reading(ReadingKind.CARD, "3C")
    felt.now += 2 * S
    felt.restart()
    felt.reader_at(Rung.READING)
    felt.give(kept, stamp=kept.stamp)
    assert felt.resolve(Exit.GO_ON).why is Why.NO_SUCH_EXIT, "a card waits for a word"
    assert felt.resolve(Exit.PLAY_HELD).verdict is Verdict.DONE
    assert felt.state.view.dealer.cards == ("3C",)


def test_a_second_restart_during_the_halt_keeps_what_was_held() -> None:
    felt = decision()
    felt.card("6D")
    for _ in range(3):
        felt.restart()
    assert felt.state.halt is not None
    assert [held.card for held in felt.state.halt.held] == ["6D"]
    felt.reader_at(Rung.READING)
    assert felt.resolve(Exit.SET_ASIDE).verdict is Verdict.DONE
    assert felt.phase is Phase.DECISION


def test_a_whole_history_folds_from_its_facts_and_decides_again_to_the_same() -> None:
    """What a restart does, and what an audit does."""
    felt = Felt(burn=1).open().bets(2).cards(["2C", "4D"])
    felt.restart()
    felt.reader_at(Rung.READING)
    felt.resolve(Exit.GO_ON)
    felt.read(ReadingKind.NO_READ)
    felt.resolve(Exit.NAME_IT, card="3C")
    felt.supervisor(Void("enough", round=1))
    folded = TableState()
    for fact in felt.facts:
        folded = through_json(apply(folded, fact))
    assert folded == felt.state
    again: list[AnyFact] = []
    state = TableState()
    for asked in felt.inputs:
        draft = decide(state, asked)
        again += draft.facts
        state = draft.state
    assert again == felt.facts
    assert sum(isinstance(f, EpochOpened) for f in again) == 2


def test_nothing_is_decided_before_an_epoch_is_opened() -> None:
    with pytest.raises(RuntimeError, match="epoch"):
        _ = TableState().rules


def test_a_status_that_overtakes_its_hello_holds() -> None:
    felt = Felt()
    felt.give(ReaderStatus(reader="shoe", session="s1", rung=Rung.READING))
    felt.give(Hello(reader="shoe", session="s1", boot="boot"))
    assert felt.state.reader_ready
    felt.give(Hello(reader="shoe", session="s2", boot="boot"))
    assert not felt.state.reader_ready, "a new process has told nothing of its line yet"


def test_a_journal_that_does_not_know_a_running_reader_goes_on_where_that_one_stands() -> None:
    """A new journal under an old reader: what it has not kept it must not wait for."""
    felt = Felt()
    felt.give(Hello(reader="shoe", session="s1", boot="boot", first=5))
    fifth, sixth = (felt.reading(ReadingKind.CARD, "4D") for _ in range(2))
    fifth, sixth = replace(fifth, n=5), replace(sixth, n=6)
    assert leaves_hole(felt.state, sixth)
    assert not leaves_hole(felt.state, fifth)
    felt.give(fifth)
    assert is_known(felt.state, fifth)
    assert not leaves_hole(felt.state, sixth)
