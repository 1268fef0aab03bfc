"""A table with seats: turns, silence, what a face-down card forbids, the bank, the deck's end."""

import random

import msgspec
import pytest
from felt import Felt, S
from hypothesis import given, settings
from hypothesis import strategies as st
from seats_felt import last, seated, settled, table
from seats_play import houses

from controller.contract.audience import Audience, for_audience
from controller.contract.cards import DECK
from controller.contract.commands import (
    Answer,
    Bets,
    Choose,
    CloseDeck,
    Decisions,
    Exit,
    Role,
    SeatBets,
    StopAfterRound,
    Verdict,
    Void,
    Why,
)
from controller.contract.facts import (
    AnyFact,
    CardCounted,
    DeckClosed,
)
from controller.contract.incidents import Incident
from controller.contract.seat_facts import (
    ChoiceTaken,
    HandShown,
    TurnOpened,
)
from controller.contract.seats import Choice, HouseRules, SeatOutcome, SeatStake, Variant
from controller.contract.state import Phase, What

HOUSES = [house for seats in (3, 5) for house in houses(seats, most=2)]


def test_cards_go_round_face_down_and_each_seat_is_asked_in_turn_the_bank_last() -> None:
    felt = table().seat_bets({2: 100, 3: 200})
    due = []
    for card in ("5D", "6C", "7S"):
        move = felt.state.view.move
        due.append((move.what, move.n, move.face_down))
        felt.card(card)
    assert due == [
        (What.DEAL_SEAT, 2, True),
        (What.DEAL_SEAT, 3, True),
        (What.DEAL_BANK, 1, True),
    ]
    assert (seated(felt).turn, felt.state.view.move.what) == (2, What.WAIT_TURN)
    felt.seat(2, Choice.HIT)
    assert felt.state.view.move.face_down is False
    felt.card("AC")
    felt.seat(2, Choice.STAND)
    felt.seat(3, Choice.STAND)
    assert seated(felt).turn == 1
    assert seated(felt).hands[-1].cards == ("7S",), "the bank shows, then plays"
    felt.seat(1, Choice.STAND)
    assert settled(felt) == {2: (SeatOutcome.LOWER, -100), 3: (SeatOutcome.LOWER, -200)}
    assert seated(felt).bank_net == 300


def test_silence_is_stand_and_no_halt() -> None:
    felt = table().seat_bets({2: 100}).cards(["5D", "6C"])
    felt.wait(8 * S)
    assert felt.state.view.window is not None
    assert felt.state.view.window.shut
    felt.wait(1 * S)
    told = last(felt, ChoiceTaken)
    assert isinstance(told, ChoiceTaken)
    assert (told.seat, told.choice, told.silent) == (2, Choice.STAND, True)
    assert seated(felt).turn == 1


def test_a_choice_may_still_come_in_the_time_of_grace() -> None:
    felt = table().seat_bets({2: 100}).cards(["5D", "6C"])
    felt.wait(8 * S + S // 2)
    assert felt.seat(2, Choice.HIT).verdict is Verdict.DONE


def test_only_the_seat_in_turn_chooses_and_only_what_is_offered() -> None:
    felt = table().seat_bets({2: 100, 3: 100}).cards(["5D", "6C", "7S"])
    for seat, choice in ((3, Choice.HIT), (1, Choice.STAND), (2, Choice.BURN), (2, Choice.SPLIT)):
        assert felt.seat(seat, choice).why is Why.SEAT
    assert felt.server(Decisions()).why is Why.STALE
    assert felt.command(Choose(seat=2, choice=Choice.HIT), Role.DEALER).verdict is Verdict.DONE


def _placed(stakes: dict[int, int]) -> SeatBets:
    placed = tuple(SeatStake(seat, cents) for seat, cents in stakes.items())
    return SeatBets(stakes=placed, rules="r1")


def test_bets_of_another_game_of_the_bank_or_beyond_the_limits_are_refused() -> None:
    felt = table()
    felt.wait(15 * S)
    assert felt.server(Bets(main=1, rules="r1")).why is Why.NOT_NOW
    for stakes, why in (
        ({1: 100}, Why.SEAT),
        ({4: 100}, Why.SEAT),
        ({2: 99}, Why.COUNTS),
        ({2: 10_001}, Why.COUNTS),
    ):
        assert felt.server(_placed(stakes)).why is why
    assert felt.server(_placed({2: 100})).verdict is Verdict.DONE
    assert felt.phase is Phase.DEAL


def test_without_a_bet_the_round_is_skipped() -> None:
    felt = table().seat_bets({})
    assert (felt.phase, felt.state.view.round) == (Phase.BETTING, 2)


def _published(felt: Felt) -> list[bytes]:
    return [
        msgspec.json.encode(for_audience(fact, audience))
        for fact in felt.facts
        for audience in Audience
    ]


@pytest.mark.parametrize(("first", "allowed"), [("4D", True), ("5D", False)])
def test_a_burn_that_the_hidden_card_forbids_is_refused_to_the_asker_alone(
    first: str, allowed: bool
) -> None:
    felt = table(Variant.BURN_FIRST).seat_bets({2: 100}).cards([first, "6C"])
    before, known = felt.state, len(felt.facts)
    answer = felt.seat(2, Choice.BURN)
    if allowed:
        assert answer.verdict is Verdict.DONE
        felt.card("7C")
        assert seated(felt).hands[0].down == 1
        assert Choice.BURN not in seated(felt).options
        assert felt.state.felt == 2, "the burned card lies in the discards"
    else:
        assert (answer.verdict, answer.why) == (Verdict.REFUSED, Why.FACE_DOWN)
        assert (felt.state, len(felt.facts)) == (before, known)


def _play(house: HouseRules, deck: list[str], seed: int) -> tuple[list[AnyFact], list[Answer]]:
    """A round whose people choose by the seed alone, whatever their cards."""
    felt = Felt(game="traditional", house=house, no_bets="skip").open()
    ante = 500 if Variant.POT in house.variants else 0
    felt.seat_bets(dict.fromkeys(range(2, house.seats + 1), 100), ante)
    known, shoe, answers = len(felt.facts), iter(deck), []
    while felt.phase in (Phase.DEAL, Phase.DECISION):
        if felt.phase is Phase.DEAL:
            felt.card(next(shoe))
            continue
        at = seated(felt)
        cards = felt.state.felt
        wish = random.Random(f"{seed}/{at.turn}/{at.second}/{cards}").choice(at.options)
        answer = felt.seat(at.turn, wish)
        answers.append(answer)
        if answer.verdict is Verdict.REFUSED:
            felt.seat(at.turn, Choice.STAND)
    return felt.facts[known:], answers


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(HOUSES),
    st.permutations(DECK),
    st.integers(0, 1_000),
    st.integers(0, 4),
    st.integers(20, 39),
)
def test_another_hidden_card_changes_nothing_that_is_published_before_the_rules_turn_it(
    house: HouseRules, deck: list[str], seed: int, hidden: int, other: int
) -> None:
    """The same round with another card face down: told apart only by what the rules say aloud."""
    hidden %= house.seats if Variant.POT not in house.variants else 2
    twin = deck.copy()
    twin[hidden], twin[other] = twin[other], twin[hidden]
    one, two = _play(house, deck, seed)[0], _play(house, twin, seed)[0]
    seat = [f.seat for f in one if isinstance(f, CardCounted)][hidden]
    for mine, theirs in zip(one, two, strict=False):
        shown = [for_audience(fact, Audience.OPS) for fact in (mine, theirs)]
        if shown[0] != shown[1]:
            assert _told_aloud(mine, seat) or _told_aloud(theirs, seat), (mine, theirs)
            return
    assert len(one) == len(two)


def _told_aloud(fact: AnyFact, seat: int) -> bool:
    """The rules turn the card, or its owner may do what only such a card allows."""
    if isinstance(fact, HandShown):
        return fact.seat == seat
    if isinstance(fact, ChoiceTaken):
        return fact.seat == seat and fact.choice in (Choice.BURN, Choice.SPLIT)
    return False


def test_a_hidden_card_that_was_never_shown_is_told_when_the_deck_is_closed() -> None:
    felt = table().seat_bets({2: 100}).cards(["5D", "6C"])
    felt.seat(2, Choice.STAND)
    felt.seat(1, Choice.HIT)
    felt.card("7S")
    assert settled(felt) == {2: (SeatOutcome.BANK_BUST, 100)}
    assert felt.state.deck is not None
    assert felt.state.deck.hidden == ("5D",)
    assert not any("5D" in text.decode() for text in _published(felt))
    felt.wait(5 * S)
    felt.command(StopAfterRound())
    felt.supervisor(Void("the end", felt.state.view.round))
    felt.wait(5 * S)
    felt.command(CloseDeck())
    closed = last(felt, DeckClosed)
    assert isinstance(closed, DeckClosed)
    assert closed.hidden == ("5D",)


@pytest.mark.parametrize("cards", [["4D"], ["4D", "6C", "7S"]])
def test_a_restart_with_hidden_cards_halts_counts_them_and_goes_on(cards: list[str]) -> None:
    felt = table(Variant.BURN_FIRST).seat_bets({2: 100, 3: 100}).cards(cards)
    before = felt.state.view
    felt.restart()
    assert felt.state.view.halt is not None
    assert felt.state.view.halt.incident is Incident.RESTARTED
    assert felt.state.felt == len(cards)
    assert not {"4D", "6C", "7S"} & set(str(felt.state.view).split("'"))
    felt.reader_up()
    assert felt.resolve(Exit.GO_ON).verdict is Verdict.DONE
    assert (felt.phase, felt.state.view.move) == (before.phase, before.move)
    if felt.phase is Phase.DECISION:
        assert felt.seat(2, Choice.BURN).verdict is Verdict.DONE, "the hidden four is still known"
        assert isinstance(last(felt, TurnOpened), TurnOpened)


def test_a_repeated_card_that_is_due_face_down_is_not_named() -> None:
    felt = table().seat_bets({2: 100, 3: 100}).cards(["5D", "6C", "7S"])
    felt.seat(2, Choice.HIT)
    felt.card("AC")
    felt.seat(2, Choice.STAND)
    felt.supervisor(Void("again", 1))
    felt.wait(5 * S)
    felt.seat_bets({2: 100})
    felt.card("AC")
    assert felt.state.view.halt is not None
    assert felt.state.view.halt.incident is Incident.REPEATED_CARD
    assert felt.state.view.halt.card is None
