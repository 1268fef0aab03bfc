import os
import random
import select
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.contract.state import DeckView, HandView, Move, Phase, TableView, What
from simulators.devices import device
from simulators.drawing import Drawing, Pace
from simulators.faults import Faults
from simulators.manual_clock import ManualClock
from simulators.physical import Physical
from simulators.shoe import Shoe

DUE = TableView(
    phase=Phase.DEAL, move=Move(What.DEAL_POSITION), round=1, deck=DeckView("one", out=0)
)


class Rig:
    """A dealer's hand, a line-mode scanner on a pty, and the other end of the line."""

    def __init__(self, place: Path, faults: tuple[str, ...] = ()) -> None:
        self.clock = ManualClock()
        self.mended: list[str] = []
        self.physical = Physical(random.Random(1))
        self.physical.load("one")
        self.shoe = Shoe(place / "shoe", device("line"), self.clock)
        self.line = os.open(place / "shoe", os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
        self.drawing = Drawing(
            self.shoe,
            self.physical,
            Faults(faults, random.Random(1), lambda _name: None),
            clock=self.clock,
            rng=random.Random(1),
            pace=Pace(card=1.0, patience=3.0),
            mended=lambda how, _told: self.mended.append(how),
        )

    def read(self) -> list[str]:
        """All that was said: a pty passes bytes on a moment later."""
        data = b""
        while select.select([self.line], [], [], 0.1)[0]:
            data += os.read(self.line, 4096)
        return data.decode().split()


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    rig = Rig(tmp_path)
    yield rig
    os.close(rig.line)
    rig.shoe.close()


def test_one_instruction_draws_one_card_however_long_it_stands(rig: Rig) -> None:
    for _ in range(5):
        rig.drawing.draw(DUE)
        rig.clock.advance(1)
    assert rig.read() == rig.physical.drawn["one"]
    assert rig.physical.out == 1


def test_the_next_card_waits_for_the_screen_and_for_the_pace(rig: Rig) -> None:
    rig.drawing.draw(DUE)
    shown = replace(DUE, position=HandView(cards=(rig.drawing.last_card,)))
    rig.clock.advance(0.9)
    rig.drawing.draw(shown)
    assert rig.physical.out == 1
    rig.clock.advance(0.1)
    rig.drawing.draw(shown)
    assert rig.physical.out == 2


def test_a_card_that_the_screen_never_shows_is_lost_after_the_persons_patience(rig: Rig) -> None:
    rig.drawing.draw(DUE)
    rig.clock.advance(3)
    assert not rig.drawing.lost
    rig.clock.advance(0.1)
    assert rig.drawing.lost
    rig.drawing.pass_again()
    assert rig.read() == [rig.drawing.last_card] * 2
    assert rig.physical.out == 1


def test_scan_again_passes_the_very_same_card(rig: Rig) -> None:
    rig.drawing.draw(DUE)
    first = rig.drawing.last_card
    rig.clock.advance(1)
    rig.drawing.expect_again(same_card=True)
    rig.drawing.draw(DUE)
    assert rig.read() == [first, first]
    assert rig.physical.out == 1


def test_after_a_card_was_set_aside_the_same_instruction_draws_a_new_one(rig: Rig) -> None:
    rig.drawing.draw(DUE)
    rig.clock.advance(1)
    rig.drawing.expect_again(same_card=False)
    rig.drawing.draw(DUE)
    assert rig.read() == rig.physical.drawn["one"]
    assert rig.physical.out == 2


def test_a_burn_goes_to_the_discards_and_not_to_the_felt(rig: Rig) -> None:
    rig.drawing.draw(replace(DUE, phase=Phase.BURN, move=Move(What.BURN, n=1, of=1)))
    assert rig.physical.felt == []
    assert rig.physical.discards == [rig.drawing.last_card]


def test_a_jam_on_a_line_that_has_no_word_for_it_is_freed_by_the_dealer_who_then_draws(
    tmp_path: Path,
) -> None:
    rig = Rig(tmp_path, faults=("jam",))
    for out in range(60):
        shown = replace(DUE, deck=DeckView("one", out=out))
        rig.drawing.draw(shown)
        rig.clock.advance(1.1)
        if rig.physical.out == out:
            rig.drawing.draw(shown)
            assert rig.physical.out == out, "nothing is drawn past a card that sticks"
            rig.clock.advance(1.1)
            rig.drawing.clear_jam()
            rig.drawing.draw(shown)
            assert (rig.physical.out, rig.mended) == (out + 1, ["jam freed"])
            return
    raise AssertionError("no jam came")
