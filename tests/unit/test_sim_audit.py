import random

from controller.contract.facts import (
    AnyFact,
    CardCounted,
    DeckClosed,
    DeckLocked,
    DeckOpened,
    ReadingId,
)
from controller.contract.state import Hand
from controller.contract.wire import FactMessage
from simulators.audit import Audit
from simulators.physical import Physical


def counted(card: str, n: int, hand: Hand = Hand.POSITION) -> CardCounted:
    return CardCounted(
        hand=hand,
        index=n,
        card=None if hand is Hand.BURN else card,
        reading=ReadingId("shoe", "s", n),
        source="shoe",
        stamp=n,
        utc=n,
    )


def closed(seen: int, *hidden: str, unknown: int = 0) -> DeckClosed:
    return DeckClosed(
        deck="one", seen=seen, unknown=unknown, counted_out=False, hidden=hidden, who="dealer"
    )


def drawn(number: int) -> tuple[Physical, list[str]]:
    physical = Physical(random.Random(1))
    physical.load("one")
    return physical, [str(physical.draw()) for _ in range(number)]


def complaints(physical: Physical, *facts: AnyFact, doubtful: tuple[str, ...] = ()) -> list[str]:
    audit = Audit(physical, doubtful)
    for seq, fact in enumerate((DeckOpened(deck="one", who="dealer"), *facts), start=5):
        audit.hear(
            FactMessage(
                table="t", environment="test", epoch="e", seq=seq, now=0, utc=0, at=0, fact=fact
            )
        )
    return audit.complaints


def test_books_that_agree_with_the_cards_raise_no_complaint() -> None:
    physical, (burn, first, second) = drawn(3)
    burned = counted(burn, 1, Hand.BURN)
    assert not complaints(physical, burned, counted(first, 2), counted(second, 3), closed(3, burn))


def test_a_card_that_left_the_shoe_and_was_not_entered_is_found() -> None:
    physical, (first, _) = drawn(2)
    found = complaints(physical, counted(first, 1), closed(1))
    assert found == ["deck one: 2 cards left the shoe, 1 were entered"]


def test_a_loss_in_a_deck_that_was_locked_or_doubted_is_a_loss_but_not_a_silent_one() -> None:
    physical, (first, _) = drawn(2)
    locked = DeckLocked(deck="one", why="reader_lost")
    assert not complaints(physical, counted(first, 1), locked, closed(1))
    assert not complaints(physical, counted(first, 1), closed(1), doubtful=("one",))


def test_a_reading_that_was_entered_twice_is_found() -> None:
    physical, (first, second) = drawn(2)
    found = complaints(physical, counted(first, 1), counted(second, 1), closed(2))
    assert "entered twice" in found[0]


def test_a_card_that_never_left_the_shoe_is_found_even_in_a_doubtful_deck() -> None:
    physical, (first,) = drawn(1)
    found = complaints(physical, counted(physical.shoe[0], 1), closed(1), doubtful=("one",))
    assert first not in found[0]
    assert "never left the shoe" in found[0]


def test_another_order_than_the_cards_had_is_found() -> None:
    physical, (first, second) = drawn(2)
    found = complaints(physical, counted(second, 1), counted(first, 2), closed(2))
    assert found == ["deck one: the cards were entered in another order"]


def test_a_hole_in_the_facts_is_found() -> None:
    audit = Audit(Physical(random.Random(1)), ())
    for seq in (5, 7):
        fact = DeckLocked(deck="one", why="cut_card")
        audit.hear(
            FactMessage(
                table="t", environment="test", epoch="e", seq=seq, now=0, utc=0, at=0, fact=fact
            )
        )
    assert audit.complaints == ["fact 7 came after fact 5"]
