"""Cards that come when they should not, or unread: never dealt, never lost, never guessed."""

from itertools import product

import pytest
from felt import MS, Felt, S
from msgspec.structs import replace
from scenes import SCENES, deal, decision, scene

from controller.contract.cards import DECK
from controller.contract.commands import Exit, OpenDeck, OpenTable, Verdict, Void, Why
from controller.contract.facts import (
    CardCounted,
    CardHeld,
    CardSetAside,
    HaltChanged,
    ReadingNoted,
    RoundSettled,
    RoundVoided,
)
from controller.contract.incidents import Incident
from controller.contract.readings import Hello, ReaderStatus, Reading, ReadingKind, Rung
from controller.contract.state import Hand, Move, Phase, Result, What
from controller.table.machine import leaves_hole

KINDS = ("AS", "2S", "3S", "4S", "5S", "6S", "7S", "JS", "KD")


REST = ["2C", "JC", "3C", "AC", "QC", "4C", "AB", "JB", "2B", "KC", "5C", "QB", "3B", "6C", "7C"]


SPARE = ["5D", "6D", "7D", "2D", "3D", "4D", "AD", "JD", "QD", "5B", "6B", "7B"]


def incident(felt: Felt) -> Incident | None:
    return felt.state.view.halt.incident if felt.state.view.halt else None


def _play(first: str, up: str, *, hit: bool, surplus: bool) -> tuple[Felt, tuple[Result, ...]]:
    """A whole round; with `surplus` a card too many at every moment at which none is due."""
    felt = Felt().open()
    cards = iter([first, up, *[c for c in REST if c not in (first, up)]])
    spare = iter(SPARE)
    if surplus:
        _too_many(felt, next(spare), Incident.EARLY_CARD)
    felt.bets(2)
    while felt.phase in (Phase.DEAL, Phase.DECISION):
        if felt.phase is Phase.DEAL:
            felt.card(next(cards))
            continue
        if surplus:
            _too_many(felt, next(spare), Incident.EXTRA_CARD)
        still_in = felt.state.view.players.plain
        felt.choose(hit=still_in - 1, stand=1) if hit else felt.choose(stand=still_in)
    results = felt.state.view.results
    if surplus:
        _too_many(felt, next(spare), Incident.AFTER_END)
    return felt, results


def _too_many(felt: Felt, card: str, expected: Incident) -> None:
    view = felt.state.view
    felt.card(card)
    assert incident(felt) is expected
    assert felt.resolve(Exit.SET_ASIDE).verdict is Verdict.DONE
    after = felt.state.view
    assert (after.phase, after.position, after.dealer, after.closed, after.results) == (
        view.phase,
        view.position,
        view.dealer,
        view.closed,
        view.results,
    )


@pytest.mark.parametrize("hit", [False, True])
@pytest.mark.parametrize(("first", "up"), [p for p in product(KINDS, KINDS) if p[0] != p[1]])
def test_a_card_too_many_in_any_stand_or_draw_situation_changes_no_result(
    first: str, up: str, hit: bool
) -> None:
    clean, wanted = _play(first, up, hit=hit, surplus=False)
    felt, results = _play(first, up, hit=hit, surplus=True)
    assert clean.phase is felt.phase is Phase.RESULT
    assert results == felt.state.view.results == wanted
    aside = [f for f in felt.facts if isinstance(f, CardSetAside)]
    assert felt.state.deck is not None
    assert felt.state.deck.counted == felt.state.felt + len(aside)


@pytest.mark.parametrize("name", [n for n in SCENES if "halted" not in n])
def test_a_card_that_is_not_due_is_dealt_in_no_phase(name: str) -> None:
    felt = scene(name)
    due = felt.phase in (Phase.BURN, Phase.DEAL)
    before = (felt.state.felt, felt.state.view.burned)
    felt.card("5B")
    assert ((felt.state.felt, felt.state.view.burned) != before) is due
    if not due and felt.state.deck is not None and felt.phase is not Phase.HALTED:
        assert felt.state.deck.hidden == ("5B",), "only a deck that is drawn out takes it"


def test_what_an_earlier_session_left_behind_is_never_dealt() -> None:
    """The reader died with a reading on its way; it arrives after the new session's start."""
    felt = deal()
    left = felt.reading(ReadingKind.CARD, "5B")
    felt.now += S
    felt.give(Hello(reader="shoe", session="s2", boot="boot"))
    assert incident(felt) is Incident.READER_RESTARTED
    felt.give(left, stamp=left.stamp)
    assert felt.state.halt is not None
    assert [held.card for held in felt.state.halt.held] == ["5B"]
    assert felt.state.view.dealer.cards == ()


def test_a_stale_sessions_leftover_after_going_on_is_early_by_its_first_byte() -> None:
    felt = deal()
    left = felt.reading(ReadingKind.CARD, "5B")
    felt.now += S
    felt.give(Hello(reader="shoe", session="s2", boot="boot"))
    felt.give(ReaderStatus(reader="shoe", session="s2", rung=Rung.READING))
    assert felt.resolve(Exit.GO_ON).verdict is Verdict.DONE
    felt.now += S
    felt.give(left, stamp=left.stamp)
    assert incident(felt) is Incident.EXTRA_CARD


def test_a_word_from_a_replaced_session_does_not_make_the_reader_ready() -> None:
    felt = deal()
    felt.give(Hello(reader="shoe", session="s2", boot="boot"))
    known = len(felt.facts)
    felt.give(ReaderStatus(reader="shoe", session="s1", rung=Rung.READING))
    assert len(felt.facts) == known
    assert not felt.state.reader_ready


def test_a_reading_sent_again_changes_nothing_and_one_with_a_hole_before_it_is_known_as_such() -> (
    None
):
    felt = deal()
    reading = felt.reading(ReadingKind.CARD, "3C")
    felt.give(reading)
    before = felt.state
    for _ in range(3):
        felt.give(reading)
    felt.restart()
    held = felt.state
    felt.give(reading)
    assert felt.state == held
    assert before.view.dealer.cards == ("3C",)
    next(felt.n)
    assert leaves_hole(felt.state, felt.reading(ReadingKind.CARD, "5B"))


def test_a_long_session_of_one_reader_is_known_while_the_other_restarts_often() -> None:
    felt = Felt()
    felt.reader_up()
    felt.read(ReadingKind.CARD, "4D")
    seen = Reading(
        reader="shoe", session="s1", n=1, kind=ReadingKind.CARD, stamp=felt.now, utc=0, card="4D"
    )
    for n in range(40):
        felt.give(Hello(reader="camera", session=f"c{n}", boot="boot"))
    assert len(felt.state.sessions) < 20
    known = len(felt.facts)
    felt.give(seen)
    assert len(felt.facts) == known


FLAP = (Rung.ABSENT, Rung.OPENED, Rung.REFUSED, Rung.ABSENT, Rung.READING)


@pytest.mark.parametrize("name", [n for n in SCENES if "halted" not in n])
def test_a_reader_that_comes_and_goes_halts_where_cards_lie_and_nowhere_else(name: str) -> None:
    felt = scene(name)
    on_felt = felt.phase in (Phase.BURN, Phase.DEAL, Phase.DECISION)
    for rung in FLAP:
        felt.reader_at(rung)
    assert (felt.phase is Phase.HALTED) is on_felt
    if on_felt:
        assert incident(felt) is Incident.READER_LOST
        assert felt.state.view.halt is not None
        assert felt.state.view.halt.count
        assert felt.resolve(Exit.GO_ON).verdict is Verdict.DONE


def test_bets_taken_while_the_reader_is_away_halt_before_a_card_is_asked_for() -> None:
    felt = Felt().open()
    felt.reader_at(Rung.ABSENT)
    felt.bets(1)
    assert incident(felt) is Incident.READER_LOST
    assert felt.resolve(Exit.GO_ON).why is Why.READER
    felt.reader_at(Rung.READING)
    assert felt.resolve(Exit.GO_ON).verdict is Verdict.DONE
    assert felt.state.view.move.what is What.DEAL_POSITION


def test_cards_of_a_halt_are_played_where_they_lie_in_the_order_they_came() -> None:
    felt = Felt(burn=1).open().bets(1)
    felt.read(ReadingKind.REOPENED)
    felt.cards(["2C", "4D", "3C"])
    assert felt.state.halt is not None
    assert len(felt.state.halt.held) == 3
    assert felt.resolve(Exit.PLAY_HELD, felt=3).why is Why.COUNTS, "the burn is not on the felt"
    assert felt.resolve(Exit.PLAY_HELD, felt=2, out=3).verdict is Verdict.DONE
    view = felt.state.view
    assert (view.burned, view.position.cards, view.dealer.cards) == (1, ("4D",), ("3C",))
    assert felt.phase is Phase.DECISION


def test_one_card_more_than_can_be_played_is_asked_about_again() -> None:
    felt = Felt().open().bets(1)
    felt.read(ReadingKind.REOPENED)
    felt.cards(["4D", "3C", "5B"])
    assert felt.resolve(Exit.PLAY_HELD, felt=3, out=3).verdict is Verdict.DONE
    assert incident(felt) is Incident.EXTRA_CARD
    assert felt.state.halt is not None
    assert [held.card for held in felt.state.halt.held] == ["5B"]
    felt.resolve(Exit.SET_ASIDE)
    assert felt.phase is Phase.DECISION


def test_a_void_sends_what_was_held_to_the_discards_and_keeps_what_was_dealt_in_the_deck() -> None:
    felt = decision()
    felt.cards(["6D", "5B"])
    felt.read(ReadingKind.NO_READ)
    felt.supervisor(Void("too much", felt.state.view.round))
    deck = felt.state.deck
    assert deck is not None
    assert (deck.seen, deck.hidden, deck.unknown) == (("4D", "3C", "6D", "5B"), ("6D", "5B"), 1)
    assert felt.state.view.deck is not None
    assert felt.state.view.deck.out == 5
    felt.wait(5 * S)
    assert felt.phase is Phase.BETTING
    assert felt.state.view.position.cards == ()
    felt.bets(1).card("4D")
    assert incident(felt) is Incident.REPEATED_CARD, "a voided round's cards stay out"


def test_what_happens_on_the_line_during_a_halt_asks_for_a_count() -> None:
    felt = decision()
    felt.card("6D")
    assert felt.state.view.halt is not None
    assert not felt.state.view.halt.count
    felt.read(ReadingKind.GAP, missing=1)
    changed = [f for f in felt.facts if isinstance(f, HaltChanged)][-1]
    assert changed.count
    assert felt.resolve(Exit.SET_ASIDE, felt=2, out=4).why is Why.COUNTS
    assert felt.resolve(Exit.SET_ASIDE, felt=2, out=3).verdict is Verdict.DONE


def test_the_halt_names_the_last_card_counted_but_never_a_burn() -> None:
    felt = Felt(burn=1).open().bets(1)
    felt.card("2C")
    felt.read(ReadingKind.NO_READ)
    assert felt.state.view.halt is not None
    assert (felt.state.view.halt.last, felt.state.view.halt.last_card) == ("burn 1", None)
    felt.resolve(Exit.SET_ASIDE)
    felt.card("4D")
    felt.read(ReadingKind.NO_READ)
    assert felt.state.view.halt is not None
    assert (felt.state.view.halt.last, felt.state.view.halt.last_card) == ("position 1", "4D")


def test_a_card_drawn_from_a_locked_shoe_is_no_game_card_even_where_one_is_due() -> None:
    felt = deal()
    felt.read(ReadingKind.OUT_OF_GAME, "3C")
    assert incident(felt) is Incident.OUT_OF_GAME
    felt.resolve(Exit.SET_ASIDE)
    assert felt.state.view.move == Move(What.DEAL_DEALER, reason=felt.state.view.move.reason)
    felt.card("5B")
    assert felt.state.view.dealer.cards == ("5B",)


def test_every_reading_is_told_once_whatever_becomes_of_it() -> None:
    felt = decision()
    felt.card("6D")
    felt.read(ReadingKind.FAULT, code="3")
    felt.resolve(Exit.SET_ASIDE)
    first = [
        type(f) for f in felt.facts if isinstance(f, CardHeld | ReadingNoted) and f.reading.n > 2
    ]
    assert first == [CardHeld, ReadingNoted]
    assert len([f for f in felt.facts if isinstance(f, CardSetAside)]) == 1
    assert not any(isinstance(f, RoundVoided | RoundSettled) for f in felt.facts)
    assert {f.hand for f in felt.facts if isinstance(f, CardCounted)} == {
        Hand.POSITION,
        Hand.DEALER,
    }


def test_no_card_of_the_forty_is_refused_its_place() -> None:
    for card in DECK:
        felt = Felt().open().bets(1)
        felt.card(card)
        assert felt.state.view.position.cards == (card,)
        felt.now += MS


def test_a_card_of_a_session_that_was_never_announced_and_is_not_its_first_is_in_doubt() -> None:
    felt = Felt().open().bets()
    felt.give(replace(felt.reading(ReadingKind.CARD, "4D"), session="s9", n=3))
    assert felt.state.view.position.cards == ()
    assert felt.state.view.halt is not None
    assert felt.state.view.halt.incident is Incident.STALE_CARD


def test_a_stamp_of_another_clock_is_in_doubt() -> None:
    felt = Felt().open().bets()
    ahead = replace(felt.reading(ReadingKind.CARD, "4D"), stamp=felt.now + 3_600 * S)
    felt.give(ahead)
    assert felt.state.view.halt is not None
    assert felt.state.view.halt.incident is Incident.STALE_CARD


def test_a_card_drawn_before_the_deck_was_opened_is_not_one_of_its_forty() -> None:
    felt = Felt()
    felt.reader_up()
    felt.command(OpenTable())
    felt.now += 10 * S
    felt.command(OpenDeck("new"))
    late = felt.reading(ReadingKind.CARD, "4D", ago=5 * S)
    felt.give(late, stamp=late.stamp)
    view = felt.state.view
    assert view.halt is not None
    assert (view.halt.incident, view.halt.held) == (Incident.STALE_CARD, 0)
    assert view.deck is not None
    assert view.deck.out == 0
    assert felt.resolve(Exit.GO_ON, out=0).verdict is Verdict.DONE
    felt.bets().card("4D")
    assert felt.state.view.position.cards == ("4D",), "the new deck has one of its own"


def test_a_line_that_babbles_in_a_halt_is_not_kept_reading_by_reading() -> None:
    felt = Felt().open().bets()
    felt.read(ReadingKind.NO_READ)
    for _ in range(500):
        felt.read(ReadingKind.NO_READ)
    view = felt.state.view
    assert view.halt is not None
    assert (view.halt.held, view.halt.count) == (40, True)
    assert felt.supervisor(Void("noise", view.round)).verdict is Verdict.DONE
