"""The deck: forty cards, each once; what is wrong with it is said at the exact card."""

from collections.abc import Callable

import pytest
from felt import Felt
from hypothesis import given, settings
from hypothesis import strategies as st
from scenes import closed_drawing_out, waiting, waiting_drawing_rest

from controller.contract.cards import DECK
from controller.contract.commands import (
    CloseDeck,
    Counts,
    Decisions,
    Exit,
    OpenDeck,
    OpenTable,
    Role,
    StopAfterRound,
    Verdict,
    Void,
    Why,
)
from controller.contract.facts import (
    CardCounted,
    CardSetAside,
    DeckClosed,
    DeckLocked,
    Halted,
    RoundSettled,
)
from controller.contract.incidents import Incident
from controller.contract.inputs import Disk
from controller.contract.readings import ReadingKind, Rung
from controller.contract.state import Hand, Move, Phase, What


def play_round(felt: Felt, cards: list[str]) -> int:
    """One round in which everybody stands; how many of `cards` it took."""
    felt.bets(2, mdp=1)
    taken = 0
    while felt.phase in (Phase.BURN, Phase.DEAL, Phase.DECISION):
        if felt.phase is Phase.DECISION:
            players = felt.state.view.players
            felt.server(Decisions(plain=Counts(stand=players.plain), mdp=Counts(stand=players.mdp)))
        else:
            felt.card(cards[taken])
            taken += 1
    return taken


def next_betting(felt: Felt) -> None:
    felt.wait(felt.state.view.next_at - felt.now)


@settings(max_examples=40, deadline=None)
@given(st.permutations(DECK), st.integers(0, 2))
def test_a_whole_deck_is_dealt_counted_out_and_accounted_for(deck: list[str], burn: int) -> None:
    felt, dealt = Felt(burn=burn).open(), 0
    while felt.phase is Phase.BETTING:
        assert felt.state.deck is not None
        assert felt.state.deck.remaining >= felt.state.rules.most_cards
        dealt += play_round(felt, deck[dealt:])
        assert felt.phase is Phase.RESULT
        next_betting(felt)
    assert (felt.phase, felt.state.view.move) == (Phase.WAITING, Move(What.CHANGE_DECK))
    felt.command(CloseDeck(count_out=True))
    assert felt.state.view.move == Move(What.DRAW_REST)
    felt.cards(deck[dealt:])
    closed = felt.facts[-2]
    assert isinstance(closed, DeckClosed)
    assert (closed.seen, closed.unknown, closed.counted_out) == (40, 0, True)
    assert felt.state.deck is None
    assert felt.state.view.move == Move(What.CHANGE_DECK)
    shown = {f.card for f in felt.facts if isinstance(f, CardCounted) and f.hand is not Hand.BURN}
    assert set(closed.hidden) == set(DECK) - shown


@settings(max_examples=60, deadline=None)
@given(st.permutations(DECK), st.integers(1, 12), st.data())
def test_a_face_that_comes_a_second_time_stops_the_table_at_that_very_card(
    deck: list[str], second: int, data: st.DataObject
) -> None:
    first = data.draw(st.integers(0, second - 1))
    wrong = [*deck[:second], deck[first], *deck[second:]]
    felt, at = Felt().open().bets(1), 0
    while felt.phase is not Phase.HALTED and at < len(wrong):
        if felt.phase is Phase.DECISION:
            felt.choose(hit=1)
        elif felt.phase is Phase.RESULT:
            next_betting(felt)
        elif felt.phase is Phase.BETTING:
            felt.bets(1)
        elif felt.phase is Phase.WAITING:
            return
        else:
            felt.card(wrong[at])
            at += 1
    assert at - 1 == second
    assert felt.state.view.halt is not None
    assert felt.state.view.halt.incident is Incident.REPEATED_CARD
    felt.restart()
    assert felt.state.view.halt is not None, "the alarm outlives the controller"
    assert felt.state.view.halt.incident is Incident.REPEATED_CARD
    felt.resolve(Exit.VOID)
    assert felt.state.view.deck is not None
    assert felt.state.view.deck.locked
    next_betting(felt)
    assert felt.state.view.move == Move(What.CHANGE_DECK)


def test_a_missing_card_is_found_when_the_deck_is_counted_out() -> None:
    felt = closed_drawing_out()
    felt.cards(DECK[:39])
    assert felt.state.deck is not None, "39 are not a deck"
    felt.command(CloseDeck())
    closed = next(f for f in felt.facts if isinstance(f, DeckClosed))
    assert (closed.seen, closed.counted_out) == (39, False)


def test_a_misread_card_comes_to_light_when_its_true_face_comes() -> None:
    """5S was read as 6S; the true 6S then repeats it, whatever was restarted in between."""
    felt = Felt().open()
    play_round(felt, ["4D", "6S", "7D", "2C"])
    next_betting(felt)
    felt.restart()
    felt.reader_at(Rung.READING)
    felt.bets(1)
    felt.card("6S")
    assert felt.state.view.halt is not None
    assert felt.state.view.halt.incident is Incident.REPEATED_CARD
    assert felt.state.view.halt.card == "6S", "it lies open now and lay open then"


def test_a_repeated_face_is_not_shown_if_it_was_a_burn() -> None:
    felt = Felt(burn=1).open().bets(1).cards(["6S", "6S"])
    halted = next(fact for fact in felt.facts if isinstance(fact, Halted))
    assert (halted.incident, halted.card) == (Incident.REPEATED_CARD, None)


def test_a_repeated_face_that_is_burned_now_is_not_shown() -> None:
    felt = Felt(burn=1).open()
    play_round(felt, ["2C", "6S", "7D", "3C"])
    next_betting(felt)
    felt.bets(1).card("6S")
    assert felt.state.view.halt is not None
    assert (felt.state.view.halt.incident, felt.state.view.halt.card) == (
        Incident.REPEATED_CARD,
        None,
    )


@pytest.mark.parametrize("burns", [0, 1, 2])
def test_a_forgotten_burn_makes_the_first_card_the_burn_and_no_hand_gets_it(burns: int) -> None:
    """The table cannot see whether a card lay face down: its place comes from the rules alone."""
    felt = Felt(burn=2).open().bets(1)
    felt.cards(["2C", "3C", "4C"][: burns + 1])
    counted = [f for f in felt.facts if isinstance(f, CardCounted)]
    hands = [Hand.BURN, Hand.BURN, Hand.POSITION]
    assert [f.hand for f in counted] == hands[: burns + 1]
    assert felt.state.view.burned == min(burns + 1, 2)


def test_a_short_deck_never_opens_a_round() -> None:
    felt = Felt().open()
    for n, card in enumerate(DECK[:23]):
        felt.card(card)
        assert felt.state.view.halt is not None
        felt.resolve(Exit.SET_ASIDE)
        assert felt.state.deck is not None
        assert felt.state.deck.remaining == 39 - n
    felt.supervisor(Void("too few", felt.state.view.round))
    next_betting(felt)
    assert felt.state.view.move == Move(What.CHANGE_DECK)


def test_a_deck_is_opened_once_and_every_name_once() -> None:
    felt = Felt().open()
    assert felt.command(OpenDeck("deck-2")).why is Why.NOT_NOW
    felt.supervisor(Void("change of deck", felt.state.view.round))
    felt.command(StopAfterRound())
    next_betting(felt)
    assert felt.phase is Phase.CLOSED
    assert felt.command(OpenDeck("deck-2")).why is Why.NOT_NOW, "one is in the shoe"
    assert felt.command(CloseDeck()).verdict is Verdict.DONE
    assert felt.command(CloseDeck()).why is Why.NOT_NOW
    assert felt.command(OpenDeck("deck-1")).why is Why.DECK
    assert felt.command(OpenDeck("deck-2")).verdict is Verdict.DONE


@pytest.mark.parametrize("make", [closed_drawing_out, waiting_drawing_rest])
def test_no_round_opens_from_a_deck_that_is_being_drawn_out(make: Callable[[], Felt]) -> None:
    felt = make()
    felt.cards(["AD", "2D"])
    for nudge in (
        lambda: felt.command(OpenTable()),
        lambda: felt.command(StopAfterRound(on=False)),
        lambda: felt.reader_at(Rung.ABSENT),
        lambda: felt.reader_at(Rung.READING),
        lambda: felt.card("2D"),
        lambda: felt.resolve(Exit.SET_ASIDE),
    ):
        nudge()
        assert felt.phase in (Phase.WAITING, Phase.HALTED)
    assert felt.state.view.move == Move(What.DRAW_REST)


def test_a_card_set_aside_while_drawing_out_counts_among_the_forty() -> None:
    felt = waiting_drawing_rest()
    felt.cards(DECK[:39])
    felt.read(ReadingKind.NO_READ)
    felt.resolve(Exit.SET_ASIDE)
    closed = next(f for f in felt.facts if isinstance(f, DeckClosed))
    assert (closed.seen, closed.unknown, closed.counted_out) == (39, 1, True)
    assert felt.state.view.move == Move(What.CHANGE_DECK)


@pytest.mark.parametrize(
    ("kind", "face", "why"),
    [
        (ReadingKind.FOREIGN, None, Incident.FOREIGN_CARD),
        (ReadingKind.CARD, "4D", Incident.REPEATED_CARD),
    ],
)
def test_a_deck_with_a_card_that_cannot_be_serves_no_further_round(
    kind: ReadingKind, face: str | None, why: Incident
) -> None:
    felt = Felt().open()
    play_round(felt, ["4D", "3C", "7S"])
    assert felt.phase is Phase.RESULT
    settled = [f for f in felt.facts if isinstance(f, RoundSettled)]
    felt.read(kind, face)
    felt.resolve(Exit.SET_ASIDE)
    locked = next(f for f in felt.facts if isinstance(f, DeckLocked))
    assert locked.why == why.value
    assert [f for f in felt.facts if isinstance(f, RoundSettled)] == settled
    next_betting(felt)
    assert felt.state.view.move == Move(What.CHANGE_DECK)


def test_the_cut_card_makes_the_round_in_play_the_decks_last() -> None:
    felt = Felt().open().bets(1)
    felt.read(ReadingKind.CUT_CARD)
    assert felt.phase is Phase.DEAL
    felt.cards(["4D", "3C"])
    felt.choose(stand=1)
    felt.card("7S")
    next_betting(felt)
    assert felt.state.view.move == Move(What.CHANGE_DECK)


@pytest.mark.parametrize("cards", range(5))
@pytest.mark.parametrize("way", [Exit.GO_ON, Exit.VOID])
def test_a_jam_at_any_card_halts_and_both_ways_out_end_well(cards: int, way: Exit) -> None:
    deck = ["2C", "4D", "3C", "AS", "7S"]
    felt = Felt(burn=1).open().bets(1)
    for card in deck[:cards]:
        felt.card(card)
        if felt.phase is Phase.DECISION:
            felt.choose(hit=1)
    felt.read(ReadingKind.FAULT, code="12")
    felt.reader_at(Rung.FAULT)
    assert felt.state.view.halt is not None
    assert felt.state.view.halt.incident is Incident.READER_FAULT
    if way is Exit.GO_ON:
        assert felt.resolve(way).why is Why.READER, "not before the jam is cleared"
        felt.read(ReadingKind.FAULT_CLEARED)
        felt.reader_at(Rung.READING)
    assert felt.resolve(way).verdict is Verdict.DONE
    if way is Exit.VOID:
        assert felt.phase is Phase.VOIDED
        assert felt.state.view.deck is not None
        assert felt.state.view.deck.locked
        return
    for card in deck[cards:]:
        felt.card(card)
        if felt.phase is Phase.DECISION:
            felt.choose(hit=1)
    assert list(felt.state.view.position.cards[:2]) == ["4D", "AS"]


def test_what_is_lost_between_rounds_costs_the_deck_not_the_table() -> None:
    """Two reports were lost with no round to void: the dealer's count cannot agree any more."""
    felt = Felt().open()
    play_round(felt, ["4D", "3C", "7S"])
    felt.read(ReadingKind.GAP, missing=2)
    out = felt.state.view.deck.out + 2 if felt.state.view.deck else 0
    assert felt.resolve(Exit.GO_ON, out=out).why is Why.COUNTS
    assert felt.phase is Phase.HALTED
    answer = felt.resolve(Exit.GO_ON, Role.SUPERVISOR, out=out)
    assert answer.verdict is Verdict.DONE
    assert felt.phase is Phase.RESULT
    next_betting(felt)
    assert felt.state.view.move == Move(What.CHANGE_DECK)


def test_in_a_round_a_count_that_differs_is_refused_to_a_supervisor_too() -> None:
    felt = Felt().open().bets(1).cards(["4D"])
    felt.read(ReadingKind.GAP, missing=1)
    answer = felt.resolve(Exit.GO_ON, Role.SUPERVISOR, out=2)
    assert (answer.verdict, answer.why) == (Verdict.REFUSED, Why.COUNTS)


def test_without_a_deck_a_reading_tests_the_reader_and_moves_nothing() -> None:
    felt = waiting()
    before = felt.state.view
    for kind in (ReadingKind.CARD, ReadingKind.NO_READ, ReadingKind.FOREIGN, ReadingKind.STALE):
        felt.read(kind, "4D" if kind is ReadingKind.CARD else None)
    assert felt.state.view == before
    assert not any(isinstance(f, CardSetAside | CardCounted) for f in felt.facts)


def test_a_full_disk_lets_the_round_end_and_then_closes() -> None:
    felt = Felt().open().bets(1)
    felt.give(Disk(3))
    felt.cards(["4D", "3C"])
    felt.choose(stand=1)
    felt.card("7S")
    assert felt.phase is Phase.RESULT
    next_betting(felt)
    assert felt.phase is Phase.CLOSED
