import random

from controller.contract.cards import DECK
from controller.contract.seats import Seated, SeatHand
from controller.contract.state import HandView, TableView
from simulators.physical import STRANGERS, Physical


def loaded(seed: int = 1) -> Physical:
    physical = Physical(random.Random(seed))
    physical.load("one")
    return physical


def test_a_deck_gives_each_of_the_forty_cards_once_and_then_nothing() -> None:
    physical = loaded()
    drawn = [physical.draw() for _ in range(40)]
    assert sorted(map(str, drawn)) == sorted(DECK)
    assert physical.draw() is None
    assert physical.out == 40


def test_the_same_seed_shuffles_the_same_deck() -> None:
    assert loaded(7).shoe == loaded(7).shoe != loaded(8).shoe


def test_what_was_drawn_is_remembered_by_deck_when_the_deck_is_gone() -> None:
    physical = loaded()
    first = [physical.draw(), physical.draw()]
    physical.unload()
    physical.load("two")
    physical.draw()
    assert physical.drawn["one"] == first
    assert physical.out == 1


def test_cards_that_the_screen_does_not_show_are_surplus() -> None:
    physical = loaded()
    shown, extra = str(physical.draw()), str(physical.draw())
    assert physical.surplus(TableView(position=HandView((shown,)))) == [extra]
    physical.discard(extra)
    assert physical.surplus(TableView(position=HandView((shown,)))) == []
    assert physical.felt == [shown]
    assert physical.out == 2


def test_a_card_that_lies_face_down_at_a_seat_is_none_of_the_surplus() -> None:
    physical = loaded()
    down, up, extra = (str(physical.draw()) for _ in range(3))
    hand = SeatHand(seat=2, down=1, cards=(up,))
    view = TableView(seated=Seated(bank=1, hands=(hand,)))
    assert physical.surplus(view) == [extra]
    physical.lay_down(down, 2)
    physical.lay_down(extra, 2)
    assert physical.discards == [down], "the first card was burned for another"


def test_a_stranger_comes_out_next_and_is_counted_as_out() -> None:
    physical = loaded()
    physical.slip_in_stranger()
    assert physical.draw() in STRANGERS
    assert physical.out == 1
