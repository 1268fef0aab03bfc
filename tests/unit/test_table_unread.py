"""Cards that were not read, or read too late: scanned again, named or set aside, never guessed."""

import pytest
from felt import Felt, S
from scenes import deal

from controller.contract.commands import Exit, Role, Verdict, Why
from controller.contract.facts import CardCounted
from controller.contract.incidents import Incident
from controller.contract.readings import ReadingKind
from controller.contract.state import Phase


def incident(felt: Felt) -> Incident | None:
    return felt.state.view.halt.incident if felt.state.view.halt else None


SLOTS = ("burn 1", "position 1", "dealer 1", "position 2", "dealer 2")


SCRIPT = ["2C", "4D", "3C", "AS", "7S"]


def _until(slot: int) -> Felt:
    """Everything before the card of this slot has come, and its card is due."""
    felt = Felt(burn=1).open().bets(2)
    for card in SCRIPT[:slot]:
        felt.card(card)
        if felt.phase is Phase.DECISION:
            hit = len(felt.state.view.position.cards) == 1
            felt.choose(hit=2) if hit else felt.choose(stand=2)
    assert felt.phase is (Phase.BURN if slot == 0 else Phase.DEAL)
    return felt


@pytest.mark.parametrize("way", [Exit.SCAN_AGAIN, Exit.SET_ASIDE, Exit.NAME_IT, Exit.VOID])
@pytest.mark.parametrize("slot", range(5))
def test_a_card_not_read_in_any_slot_is_scanned_again_set_aside_or_named(
    slot: int, way: Exit
) -> None:
    felt = _until(slot)
    before = felt.state
    felt.read(ReadingKind.NO_READ)
    halt = felt.state.view.halt
    assert halt is not None
    assert (halt.incident, halt.held) == (Incident.UNREAD_CARD, 1)
    assert halt.last == (SLOTS[slot - 1] if slot else "")
    assert felt.state.view.deck is not None
    assert felt.state.view.deck.out == slot + 1, "one unknown card is out"
    card = SCRIPT[slot]
    answer = felt.resolve(way, **({"card": card} if way is Exit.NAME_IT else {}))
    assert answer.verdict is Verdict.DONE
    assert felt.state.deck is not None
    unknown = int(way in (Exit.SET_ASIDE, Exit.VOID))
    assert felt.state.deck.unknown == unknown
    if way is Exit.VOID:
        assert felt.phase is Phase.VOIDED
        return
    if way is not Exit.NAME_IT:
        assert felt.state.view.move == before.view.move
        felt.card(card)
    counted = [f for f in felt.facts if isinstance(f, CardCounted)][-1]
    assert (f"{counted.hand} {counted.index}", counted.card) == (
        SLOTS[slot],
        card,
    )
    assert counted.source == ("manual" if way is Exit.NAME_IT else "shoe")
    assert felt.state.deck.counted == slot + 1 + unknown


@pytest.mark.parametrize("card", [None, "2C", "4D"])
def test_only_a_card_that_can_still_come_may_be_named(card: str | None) -> None:
    felt = _until(2)
    felt.read(ReadingKind.NO_READ)
    answer = felt.resolve(Exit.NAME_IT, card=card)
    assert (answer.verdict, answer.why) == (Verdict.REFUSED, Why.CARD)
    assert incident(felt) is Incident.UNREAD_CARD


def test_a_dealer_may_not_name_a_card() -> None:
    felt = _until(1)
    felt.read(ReadingKind.NO_READ)
    assert felt.resolve(Exit.NAME_IT, Role.DEALER, card="5B").why is Why.NOT_YOURS


def test_a_leftover_is_not_taken_for_the_card_that_is_scanned_again() -> None:
    """Its first byte is older than the word to scan again: it lay in the line."""
    felt = _until(1)
    felt.read(ReadingKind.NO_READ)
    asked_at = felt.now
    felt.now += S
    felt.resolve(Exit.SCAN_AGAIN)
    felt.card("5B", ago=felt.now - asked_at)
    assert incident(felt) is Incident.EXTRA_CARD
    felt.resolve(Exit.SET_ASIDE)
    felt.card("4D")
    assert felt.state.view.position.cards == ("4D",)


def test_a_card_passed_again_before_anybody_said_so_is_one_card_or_two_by_the_count() -> None:
    felt = Felt().open().bets(2)
    felt.read(ReadingKind.NO_READ)
    felt.card("4D")
    assert felt.state.view.halt is not None
    ways = {way.exit for way in felt.state.view.halt.exits}
    assert ways == {Exit.SCAN_AGAIN, Exit.SET_ASIDE, Exit.VOID}
    assert felt.resolve(Exit.SCAN_AGAIN, felt=0, out=1).why is Why.COUNTS
    assert felt.resolve(Exit.SCAN_AGAIN, felt=1, out=2).why is Why.COUNTS
    assert felt.resolve(Exit.SET_ASIDE, felt=0, out=1).why is Why.COUNTS
    one, two = felt.fork(), felt.fork()
    assert one.resolve(Exit.SCAN_AGAIN, felt=1, out=1).verdict is Verdict.DONE
    assert (one.state.view.position.cards, one.state.view.deck.out) == (("4D",), 1)
    assert two.resolve(Exit.SET_ASIDE, felt=0, out=2).verdict is Verdict.DONE
    assert (two.state.view.position.cards, two.state.view.deck.out) == ((), 2)


@pytest.mark.parametrize("due", [True, False])
def test_a_card_read_once_more_is_no_further_card_if_the_count_says_so(due: bool) -> None:
    """In one deck every face is once: the same face again is the same card, or a misread one."""
    felt = Felt().open().bets(2)
    felt.card("4D")
    if not due:
        felt.card("2C")
        assert felt.phase is Phase.DECISION
    felt.card("4D")
    before = felt.state.felt
    ways = {way.exit for way in felt.state.view.halt.exits}
    assert Exit.SAME_CARD in ways
    assert felt.resolve(Exit.SAME_CARD, Role.DEALER).why is Why.NOT_YOURS
    assert felt.resolve(Exit.SAME_CARD, felt=before, out=before + 1).why is Why.COUNTS
    assert felt.resolve(Exit.SAME_CARD, felt=before, out=before).verdict is Verdict.DONE
    assert felt.phase is (Phase.DEAL if due else Phase.DECISION)
    assert (felt.state.felt, felt.state.view.deck.out) == (before, before)


def test_an_old_reading_is_played_only_on_a_persons_count() -> None:
    felt = deal()
    felt.read(ReadingKind.STALE, "3C")
    assert incident(felt) is Incident.STALE_CARD
    assert felt.resolve(Exit.PLAY_HELD, felt=1, out=2).why is Why.COUNTS
    assert felt.resolve(Exit.PLAY_HELD, felt=2, out=2).verdict is Verdict.DONE
    assert felt.state.view.dealer.cards == ("3C",)


@pytest.mark.parametrize("kind", [ReadingKind.STALE, ReadingKind.CARD])
def test_a_reading_without_a_face_is_a_card_that_was_not_read(kind: ReadingKind) -> None:
    felt = deal()
    felt.read(kind, None)
    if kind is ReadingKind.STALE:
        felt.resolve(Exit.PLAY_HELD, felt=2, out=2)
    assert incident(felt) is Incident.UNREAD_CARD
    felt.resolve(Exit.NAME_IT, felt=2, out=2, card="3C")
    assert felt.state.view.dealer.cards == ("3C",)
