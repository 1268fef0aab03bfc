"""Frozen, black, blocked, blurred pictures are states of the device (fault suite 1); drift."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from controller.runtime.clock import NANOSECONDS
from drivers.camera.drift import drift
from drivers.camera.frame import Frame, Image, checksum
from drivers.camera.health import Fault, Health
from drivers.camera.look import look_at
from tests.unit.drawn_felt import felt_with, mark

STEP = NANOSECONDS // 30
EMPTY = look_at(felt_with())


def faults(health: Health, picture: Callable[[int], Image], seconds: float) -> list[Fault | None]:
    """The fault after each picture of so many seconds; nothing wrong is ever read."""
    told = []
    for n in range(round(seconds * 30)):
        image = picture(n)
        usable = health.look(Frame(n, n * STEP, image, checksum(image.tobytes())))
        told.append(health.fault)
        assert not (usable and health.fault)
    return told


def test_a_picture_that_never_changes_is_frozen_within_a_second() -> None:
    still = felt_with((mark("4D"), 200, 400))
    told = faults(Health(EMPTY, live=True), lambda _: still, 1.0)
    assert told[0] is None
    assert told[-1] is Fault.FROZEN


def test_a_still_table_seen_by_a_live_camera_is_not_frozen() -> None:
    told = faults(Health(EMPTY, live=True), lambda n: felt_with((3, 200, 400), noise=n + 1), 2.0)
    assert set(told) == {None}


def test_a_frozen_picture_that_moves_again_is_good_again() -> None:
    health = Health(EMPTY, live=True)
    still = felt_with()
    told = faults(health, lambda n: still if n < 40 else felt_with(noise=n), 2.0)
    assert Fault.FROZEN in told
    assert told[-1] is None


def test_a_picture_file_may_stay_the_same() -> None:
    still = felt_with()
    assert set(faults(Health(EMPTY, live=False), lambda _: still, 2.0)) == {None}


def black(n: int) -> Image:
    return np.random.default_rng(n).integers(0, 9, (540, 960, 3)).astype(np.uint8)


def grey(n: int) -> Image:
    return np.full((540, 960, 3), 120 + n % 2, np.uint8)


def palm(n: int) -> Image:
    grain = np.random.default_rng(n).integers(-20, 20, (540, 960, 1))
    return np.clip(np.full((540, 960, 3), (90, 120, 190)) + grain, 0, 255).astype(np.uint8)


def blurred(n: int) -> Image:
    return np.asarray(cv2.GaussianBlur(felt_with(noise=n + 1), (0, 0), 6), np.uint8)


@pytest.mark.parametrize(
    ("picture", "fault"),
    [
        (black, Fault.BLACK),
        (grey, Fault.BLOCKED),
        (palm, Fault.BLOCKED),
        (blurred, Fault.BLURRED),
    ],
)
def test_what_lasts_becomes_a_fault_and_not_one_frame_of_it_is_read(
    picture: Callable[[int], Image], fault: Fault
) -> None:
    health = Health(EMPTY, live=True)
    for n in range(round(1.5 * 30)):
        image = picture(n)
        assert not health.look(Frame(n, n * STEP, image, n))
    assert health.fault is fault


def test_a_hand_that_passes_is_no_fault() -> None:
    health = Health(EMPTY, live=True)
    told = faults(health, lambda n: palm(n) if 20 < n < 35 else felt_with(noise=n + 1), 2.0)
    assert set(told) == {None}


def test_cards_and_a_hand_over_part_of_the_view_are_no_fault() -> None:
    def busy(n: int) -> Image:
        picture = felt_with((1, 200, 400), (12, 300, 400), (25, 200, 140), noise=n + 1)
        picture[300:, 500:] = palm(n)[300:, 500:]
        return picture

    assert set(faults(Health(EMPTY, live=True), busy, 1.5)) == {None}


def lit(factor: float, colour: tuple[float, float, float] = (1, 1, 1)) -> Image:
    return np.clip(felt_with(noise=5) * factor * np.array(colour), 0, 255).astype(np.uint8)


def shifted(points: float) -> Image:
    matrix = np.array([[1, 0, points], [0, 1, points / 2]], np.float32)
    return np.asarray(
        cv2.warpAffine(felt_with(noise=5), matrix, (960, 540), borderMode=cv2.BORDER_REFLECT)
    )


def test_the_same_felt_has_not_drifted() -> None:
    found = drift(look_at(felt_with(noise=9)), EMPTY)
    assert found.usable
    assert found.sentences() == []


@pytest.mark.parametrize("points", [12, 30, 60, -40])
def test_a_camera_that_was_moved_is_noticed(points: int) -> None:
    found = drift(look_at(shifted(points)), EMPTY)
    assert not found.usable
    (sentence,) = found.sentences()
    assert "moved" in sentence or "right camera" in sentence


def test_a_tremor_is_no_move() -> None:
    assert drift(look_at(shifted(2)), EMPTY).usable


@pytest.mark.parametrize(
    ("picture", "says"),
    [(lit(0.45), "darker"), (lit(1.0, (1.5, 1.0, 0.7)), "colour of the light")],
)
def test_other_light_is_told_and_cards_are_still_read(picture: Image, says: str) -> None:
    found = drift(look_at(picture), EMPTY)
    assert found.usable
    assert says in " ".join(found.sentences())


def test_what_lies_on_the_felt_is_told_as_dirt() -> None:
    picture = felt_with(noise=5)
    cv2.circle(picture, (700, 100), 40, (20, 20, 20), -1)
    found = drift(look_at(picture), EMPTY)
    assert found.usable
    assert "clear or clean" in " ".join(found.sentences())


def test_cards_on_the_felt_do_not_make_it_another_table() -> None:
    cards = felt_with((1, 150, 400), (2, 240, 400), (3, 330, 400), (4, 150, 140), (5, 240, 140))
    assert drift(look_at(cards), EMPTY).usable


def test_another_table_is_not_taken_for_ours() -> None:
    other = np.full((540, 960, 3), (120, 60, 60), np.uint8)
    cv2.circle(other, (480, 270), 200, (200, 200, 255), 4)
    cv2.line(other, (0, 500), (960, 60), (240, 240, 240), 6)
    grain = np.random.default_rng(3).integers(0, 12, other.shape).astype(np.uint8)
    found = drift(look_at(other + grain), EMPTY)
    assert not found.usable
    assert "right camera" in " ".join(found.sentences())


def test_a_felt_without_marks_cannot_be_seen_to_shift_and_is_no_fault() -> None:
    def plain(seed: int) -> Image:
        grain = np.random.default_rng(seed).integers(-9, 10, (540, 960, 1))
        return np.clip(np.full((540, 960, 3), (70, 110, 40)) + grain, 0, 255).astype(np.uint8)

    empty = look_at(plain(1))
    assert drift(look_at(plain(2)), empty).usable
    assert set(faults(Health(empty, live=True), lambda n: plain(n + 3), 1.5)) == {None}
