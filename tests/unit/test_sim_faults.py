import random

import pytest

from simulators.faults import ALL, KILLS, NAMES, WIRE, Faults, chosen, spoil


def run(names: tuple[str, ...], cards: int) -> Faults:
    faults = Faults(names, random.Random(1), lambda _name: None)
    for _ in range(cards):
        faults.for_card()
        faults.event()
    return faults


def test_every_chosen_fault_comes_before_any_comes_twice() -> None:
    told: list[str] = []
    faults = Faults(ALL, random.Random(3), told.append)
    while len(told) < 2 * len(ALL):
        faults.for_card()
        faults.event()
    assert sorted(told[: len(ALL)]) == sorted(ALL)
    assert sorted(told[len(ALL) :]) == sorted(ALL)


def test_fifty_rounds_are_enough_for_every_fault() -> None:
    assert set(run(tuple(NAMES), cards=250).injected) == set(NAMES)


def test_without_names_nothing_ever_happens() -> None:
    assert not run((), cards=500).injected


def test_all_is_everything_but_the_kills_which_must_be_named() -> None:
    assert set(chosen("all")) == set(NAMES) - set(KILLS)
    assert "kill_shoe" in chosen("all,kill-shoe")


def test_none_is_no_fault_at_all_but_cannot_be_joined_with_others() -> None:
    assert chosen("none") == chosen("") == ()
    with pytest.raises(ValueError, match="no fault 'none'"):
        chosen("none,triple")


def test_an_unknown_fault_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="no fault 'nope'"):
        chosen("triple,nope")


@pytest.mark.parametrize("name", WIRE)
def test_a_fault_of_the_wire_keeps_every_good_copy_that_it_does_not_spoil(name: str) -> None:
    copies = [b"\x051D\x81\xb8\x0334"] * 3
    whole = b"".join(piece.data for piece in spoil(name, copies, random.Random(2)))
    assert whole.count(copies[0]) >= 2
    assert whole != b"".join(copies) or name == "fragment"
