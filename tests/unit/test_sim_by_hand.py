"""A person at the simulated shoe: what Enter does, and what it refuses in a sentence."""

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.client import Changed
from controller.contract.commands import Exit, Role
from controller.contract.facts import AnyFact, DeckOpened, Resumed, RoundSettled
from controller.contract.incidents import Incident
from controller.contract.state import DeckView, HandView, Move, Phase, TableView, What
from controller.contract.wire import FactMessage
from simulators.by_hand import ByHand
from simulators.devices import device
from simulators.drawing import Drawing, Pace
from simulators.faults import Faults
from simulators.manual_clock import ManualClock
from simulators.physical import Physical
from simulators.shoe import Shoe

DUE = TableView(phase=Phase.DEAL, move=Move(What.DEAL_POSITION), round=1, deck=DeckView("one"))


class Looking:
    """All that hands need to know of the table."""

    view: TableView | None = DUE


class Rig:
    """Hands at a table of which only the view is there."""

    def __init__(self, place: Path, rounds: int | None = None) -> None:
        clock, rng = ManualClock(), random.Random(1)
        self.physical = Physical(rng)
        self.shoe = Shoe(place / "shoe", device("line"), clock)
        self.table = Looking()
        self.said: list[str] = []
        self.keys, self.typing = os.pipe()
        drawing = Drawing(
            self.shoe, self.physical, Faults((), rng, lambda _name: None), clock=clock, rng=rng,
            pace=Pace(1.0, 3.0), mended=lambda _how, _told: None,
        )  # fmt: skip
        self.hands = ByHand(
            self.table,  # type: ignore[arg-type]
            drawing, self.physical, keys=self.keys, rounds=rounds, say=self.said.append,
        )  # fmt: skip

    def happens(self, fact: AnyFact) -> None:
        message = FactMessage(
            table="t", environment="test", epoch="e", seq=1, now=0, utc=0, at=0, fact=fact
        )
        self.hands.hear(Changed(message))

    def type(self, text: str) -> None:
        os.write(self.typing, text.encode())
        self.hands.act()

    def close(self) -> None:
        for descriptor in (self.keys, self.typing):
            os.close(descriptor)
        self.shoe.close()


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    rig = Rig(tmp_path, rounds=1)
    rig.happens(DeckOpened(deck="one", who="screen:dealer"))
    yield rig
    rig.close()


def test_enter_draws_one_card_of_the_deck_that_the_screen_opened(rig: Rig) -> None:
    rig.hands.act()
    assert rig.physical.out == 0
    rig.type("\n")
    assert rig.physical.drawn == {"one": rig.physical.felt}
    assert f"card {rig.physical.felt[0]}: 1 card on the felt, 1 out of the shoe" in rig.said[0]


def test_a_card_that_nobody_asked_for_is_drawn_all_the_same(rig: Rig) -> None:
    rig.type("\n\n")
    assert rig.physical.out == 2


def test_a_burn_goes_face_down_and_is_not_named(rig: Rig) -> None:
    rig.table.view = TableView(phase=Phase.BURN, move=Move(What.BURN, n=1, of=1))
    rig.type("\n")
    assert rig.physical.discards[0] not in rig.said[0]
    assert "face down: 0 cards on the felt" in rig.said[0]


def test_the_last_card_can_be_passed_again_and_stays_one_card(rig: Rig) -> None:
    rig.type("\na\n")
    assert rig.physical.out == 1
    assert "passed again" in rig.said[-1]


def test_a_card_set_aside_on_the_screen_leaves_the_felt(rig: Rig) -> None:
    rig.type("\n\n")
    first, second = rig.physical.felt
    rig.table.view = TableView(phase=Phase.DEAL, position=HandView((first,)))
    rig.happens(
        Resumed(incident=Incident.EXTRA_CARD, exit=Exit.SET_ASIDE, role=Role.DEALER, who="dealer")
    )
    assert (rig.physical.felt, rig.physical.discards) == ([first], [second])


def test_after_the_rounds_that_were_asked_for_the_shift_is_over(rig: Rig) -> None:
    settled = RoundSettled(
        round=1, position=("7C",), dealer=("2S",), dealer_half_points=4, results=(), pp_returns=0,
        next_at=0,
    )  # fmt: skip
    rig.happens(settled)
    rig.hands.act()
    assert rig.hands.finished


def test_where_nothing_can_be_drawn_a_sentence_says_what_to_do(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    rig.type("\nq\n")
    assert "no deck in the shoe" in rig.said[0]
    assert "Enter draws a card" in rig.said[1]
    rig.close()
