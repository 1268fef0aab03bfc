"""Deadlines: what counts is when something happened, never when it was noticed or in which order.

The feeder does what the controller's loop does: it drains everything, sorts by
stamp, and lets deadlines up to a stamp fire before what bears that stamp.
"""

from itertools import permutations

import pytest
from felt import MS, Felt, S

from controller.contract.commands import (
    Answer,
    Bets,
    Command,
    Counts,
    Decisions,
    Exit,
    Role,
    Verdict,
    Void,
    Why,
)
from controller.contract.facts import (
    BetsTaken,
    CardCounted,
    DecisionsTaken,
    Halted,
    PlayersShut,
    WindowMoved,
)
from controller.contract.incidents import Incident
from controller.contract.inputs import Body, Input
from controller.contract.readings import Reading, ReadingKind, Rung
from controller.contract.state import Phase, Window
from controller.table.machine import deadline

LATE = 200 * MS
"""How long after its stamp the controller gets to an input."""


def window(felt: Felt) -> Window:
    assert felt.state.view.window is not None
    return felt.state.view.window


def halt_of(felt: Felt) -> Incident | None:
    return felt.state.view.halt.incident if felt.state.view.halt else None


def _counts(felt: Felt, counts: Counts, at: int, name: str = "decisions") -> Command:
    return Command(
        id=name,
        epoch=felt.state.epoch,
        role=Role.SERVER,
        who="server",
        window=window(felt).seq,
        issued=at,
        do=Decisions(plain=counts),
    )


def _card(at: int) -> Reading:
    return Reading(
        reader="shoe", session="s1", n=99, kind=ReadingKind.CARD, stamp=at, utc=0, card="7S"
    )


def _feed(felt: Felt, came: list[tuple[int, Body]], late: int) -> list[Answer]:
    """One drained batch, judged by stamps."""
    answers = []
    for stamp, body in sorted(came, key=lambda one: one[0]):
        felt.fire(stamp)
        felt.now = max(felt.now, stamp + late)
        answer = felt._decide(Input(stamp, felt.now, body))
        if answer is not None:
            answers.append(answer)
    return answers


def _decision() -> Felt:
    return Felt().open().bets(2).cards(["4D", "3C"])


@pytest.mark.parametrize("late", [0, LATE])
@pytest.mark.parametrize(
    ("ms", "counts", "why", "phase"),
    [
        (-1, Counts(hit=1), Why.EARLY, Phase.DECISION),
        (0, Counts(hit=1), Why.NONE, Phase.DEAL),
        (1, Counts(hit=1), Why.NONE, Phase.DEAL),
        (-1, Counts(hit=1, stand=1), Why.NONE, Phase.DEAL),
        (0, Counts(hit=1, stand=1), Why.NONE, Phase.DEAL),
    ],
)
def test_at_the_players_end_a_part_count_is_early_before_it_and_taken_from_it_on(
    late: int, ms: int, counts: Counts, why: Why, phase: Phase
) -> None:
    felt = _decision()
    asked = window(felt)
    at = asked.players_until + ms * MS
    (answer,) = _feed(felt, [(at, _counts(felt, counts, at))], late)
    assert (answer.why, felt.phase) == (why, phase)
    assert (PlayersShut(window=asked.seq, at=asked.players_until) in felt.facts) is (ms >= 0)


@pytest.mark.parametrize("late", [0, LATE])
@pytest.mark.parametrize("ms", [-1, 0, 1])
def test_at_the_summary_end_a_count_is_taken_on_both_sides_and_silence_is_said_from_it_on(
    late: int, ms: int
) -> None:
    felt = _decision()
    at = window(felt).summary_until + ms * MS
    (answer,) = _feed(felt, [(at, _counts(felt, Counts(stand=2), at))], late)
    silent = [f for f in felt.facts if isinstance(f, Halted)]
    assert (answer.verdict, felt.phase) == (Verdict.DONE, Phase.DEAL)
    assert [f.incident for f in silent] == [Incident.SERVER_SILENT] * (ms >= 0)


@pytest.mark.parametrize("late", [0, LATE])
@pytest.mark.parametrize("order", list(permutations(range(3))))
@pytest.mark.parametrize("card_ms", [-1, 0, 1])
@pytest.mark.parametrize("counts_ms", [-1, 0, 1])
def test_card_and_count_around_the_deadline_end_the_same_in_whatever_order_they_queued(
    card_ms: int, counts_ms: int, order: tuple[int, ...], late: int
) -> None:
    """A card before its count halts as extra; after it, it is dealt: the stamps alone decide."""
    felt = _decision()
    end = window(felt).players_until
    card_at, counts_at = end + card_ms * MS, end + counts_ms * MS + 1
    counts = _counts(felt, Counts(stand=1), counts_at)
    queue: list[tuple[int, Body]] = [
        (card_at, _card(card_at)),
        (counts_at, counts),
        (end - 2 * MS, _counts(felt, Counts(hit=9), end, name="impossible")),
    ]
    answers = _feed(felt, [queue[i] for i in order], late)
    counted = any(isinstance(f, CardCounted) and f.card == "7S" for f in felt.facts)
    taken = any(isinstance(f, DecisionsTaken) for f in felt.facts)
    assert answers[0].why is Why.COUNTS
    card_first = card_at < counts_at
    assert taken is (counts_ms >= 0 and not card_first)
    assert counted is taken
    if card_first:
        assert halt_of(felt) is Incident.EXTRA_CARD
        assert answers[1].why is Why.HALTED
    elif counts_ms < 0:
        assert answers[1].why is Why.EARLY
        assert halt_of(felt) is Incident.EXTRA_CARD
    else:
        assert felt.phase is Phase.RESULT


@pytest.mark.parametrize("late", [0, LATE])
@pytest.mark.parametrize("ms", [-1, 0, 1])
def test_a_card_around_the_end_of_betting_is_early_until_the_bets_are_in(
    late: int, ms: int
) -> None:
    felt = Felt().open()
    at = window(felt).players_until + ms * MS
    _feed(felt, [(at, _card(at))], late)
    assert halt_of(felt) is Incident.EARLY_CARD
    assert not any(isinstance(f, CardCounted) for f in felt.facts)


@pytest.mark.parametrize("ms", [-1, 0, 1])
def test_a_card_read_after_the_bets_but_drawn_before_them_is_early(ms: int) -> None:
    felt = Felt().open()
    felt.wait(15 * S)
    felt.server(Bets(main=1, rules=felt.state.view.rules))
    taken_at = felt.now
    felt.now += LATE
    felt._decide(Input(taken_at + ms * MS, felt.now, _card(taken_at + ms * MS)))
    assert halt_of(felt) is (Incident.EARLY_CARD if ms < 0 else None)


def test_bets_are_early_until_players_shut_and_silence_halts_after_the_grace() -> None:
    felt = Felt().open()
    felt.wait(15 * S - 1)
    assert felt.server(Bets(main=1, rules="r1")).why is Why.EARLY
    felt.wait(1)
    assert window(felt).shut
    felt.wait(S - 1)
    assert felt.phase is Phase.BETTING
    felt.wait(1)
    assert halt_of(felt) is Incident.SERVER_SILENT


def test_the_server_once_back_answers_the_same_window_under_the_same_seq() -> None:
    felt = Felt().open()
    seq = window(felt).seq
    felt.wait(60 * S)
    assert halt_of(felt) is Incident.SERVER_SILENT
    answer = felt.command(Bets(main=1, rules="r1"), Role.SERVER, window=seq)
    assert (answer.verdict, felt.phase) == (Verdict.DONE, Phase.DEAL)
    assert felt.command(Bets(main=1, rules="r1"), Role.SERVER, window=seq).why is Why.STALE


def test_a_silent_server_is_not_answered_over_cards_that_came_meanwhile() -> None:
    felt = Felt().open()
    felt.wait(60 * S)
    felt.card("4D")
    bets = Bets(main=1, rules="r1")
    assert felt.server(bets, name="b").verdict is Verdict.RETRY
    assert felt.phase is Phase.HALTED
    felt.resolve(Exit.SET_ASIDE)
    assert felt.phase is Phase.BETTING
    assert felt.server(bets, name="b").verdict is Verdict.DONE
    assert felt.phase is Phase.DEAL


@pytest.mark.parametrize("before", [1, 10_000, 14_999])
def test_a_halt_freezes_the_window_and_gives_it_back_what_was_left_or_three_seconds(
    before: int,
) -> None:
    felt = Felt().open()
    felt.wait(before * MS - 100 * MS)
    left = window(felt).players_until - felt.now - 100 * MS
    felt.card("4D")
    felt.wait(3_600 * S)
    assert deadline(felt.state) is None
    felt.resolve(Exit.SET_ASIDE)
    moved = next(f for f in felt.facts if isinstance(f, WindowMoved))
    assert moved.players_until == felt.now + max(left, 3 * S)
    assert moved.summary_until == moved.players_until + S
    assert (window(felt).players_until, window(felt).shut) == (moved.players_until, False)
    felt.wait(moved.players_until - felt.now)
    assert window(felt).shut


def test_a_halt_after_the_players_end_gives_the_server_three_seconds_and_players_none() -> None:
    felt = Felt().open()
    felt.wait(15 * S)
    felt.card("4D")
    felt.wait(60 * S)
    felt.resolve(Exit.SET_ASIDE)
    assert window(felt).shut
    assert window(felt).summary_until == felt.now + 3 * S


def test_a_halt_freezes_the_pause_after_a_result() -> None:
    felt = _decision()
    felt.choose(stand=2)
    felt.card("7S")
    felt.card("5B")
    assert halt_of(felt) is Incident.AFTER_END
    felt.wait(3_600 * S)
    felt.resolve(Exit.SET_ASIDE)
    assert felt.phase is Phase.RESULT
    left = felt.state.view.next_at - felt.now
    assert 3 * S <= left <= 5 * S
    felt.wait(left)
    assert felt.phase is Phase.BETTING


@pytest.mark.parametrize("uptime", [10 * S, 40 * 86_400 * S])
@pytest.mark.parametrize("shut", [False, True])
def test_a_window_cut_by_a_power_loss_ends_within_its_length_on_the_new_clock(
    shut: bool, uptime: int
) -> None:
    """The monotonic clock begins anew: the old ends may lie days ahead, or long past."""
    felt = Felt()
    felt.now = uptime
    felt.open()
    felt.wait(15 * S if shut else 5 * S)
    felt.now = 30 * S
    felt.restart(boot="another")
    assert halt_of(felt) is Incident.RESTARTED
    felt.reader_at(Rung.READING)
    felt.now += 60 * S
    assert felt.resolve(Exit.GO_ON).verdict is Verdict.DONE
    due = deadline(felt.state)
    assert due is not None
    assert felt.now + 3 * S <= due[0] <= felt.now + 15 * S
    assert window(felt).shut is shut


def test_a_pause_cut_by_a_power_loss_ends_within_its_length_on_the_new_clock() -> None:
    felt = Felt()
    felt.now = 40 * 86_400 * S
    felt.open().bets(1)
    felt.supervisor(Void("test", felt.state.view.round))
    felt.now = 30 * S
    felt.restart(boot="another")
    felt.reader_at(Rung.READING)
    assert felt.resolve(Exit.GO_ON).verdict is Verdict.DONE
    assert felt.now + 3 * S <= felt.state.view.next_at <= felt.now + 5 * S


def test_a_frozen_window_is_not_lengthened_by_a_reading_from_long_before_it() -> None:
    felt = Felt().open()
    felt.card("4D", ago=600 * S)
    felt.resolve(Exit.SET_ASIDE)
    assert window(felt).players_until <= felt.now + 15 * S


def test_who_is_in_no_count_stands_and_who_left_draws_no_card() -> None:
    felt = Felt().open().bets(3).cards(["4D", "3C"])
    felt.wait(8 * S)
    assert felt.choose(left=1).verdict is Verdict.DONE
    by = {c.by.value: c.plain for c in felt.state.view.closed}
    assert by == {"stand": 2, "left": 1}


def test_when_all_have_left_nobody_is_waited_for_and_the_dealer_draws_nothing() -> None:
    felt = Felt().open().bets(2).cards(["4D", "3C"])
    felt.choose(left=2)
    assert felt.phase is Phase.RESULT
    (result,) = felt.state.view.results
    assert (result.main_halves, felt.state.view.dealer.cards) == (None, ("3C",))


def test_no_bets_are_dealt_for_nobody_without_a_window_and_burn_as_ever() -> None:
    felt = Felt(burn=1).open().bets(0)
    felt.cards(["2C", "4D", "3C"])
    assert felt.phase is Phase.DEAL, "the one who is not there stands"
    felt.card("7S")
    assert felt.phase is Phase.RESULT
    assert felt.state.view.players.main == 0
    assert felt.state.view.burned == 1


def test_no_bets_skip_the_round_where_the_house_says_so() -> None:
    felt = Felt(no_bets="skip").open()
    seq = window(felt).seq
    felt.bets(0)
    assert felt.phase is Phase.BETTING
    assert (felt.state.view.round, window(felt).seq > seq) == (2, True)


def test_a_table_of_mano_di_poker_players_alone_is_asked_on_one_card_against_a_six() -> None:
    felt = Felt().open().bets(2, mdp=2).cards(["7D", "6C"])
    assert felt.phase is Phase.DECISION
    assert (felt.state.view.players.plain, felt.state.view.players.mdp) == (0, 2)
    answer = felt.server(Decisions(mdp=Counts(hit=1, stand=1)))
    assert answer.verdict is Verdict.DONE
    assert felt.phase is Phase.DEAL


def test_bets_under_other_rules_are_never_taken() -> None:
    felt = Felt().open()
    felt.wait(15 * S)
    assert felt.server(Bets(main=1, rules="other")).why is Why.RULES
    assert not any(isinstance(f, BetsTaken) for f in felt.facts)
    felt.wait(S)
    assert halt_of(felt) is Incident.SERVER_SILENT
