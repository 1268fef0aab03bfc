"""From pictures to what is noticed: regions, stills, burns, and when nothing may be read at all."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from controller.contract.readings import ReadingKind, Region
from controller.contract.stills import MOST_BYTES
from controller.runtime.clock import NANOSECONDS
from drivers.camera.eye import STALE, Eye, Noticed, Reader
from drivers.camera.frame import Frame, Image, Mode, Opened, checksum
from drivers.camera.tracking import Settings
from tests.unit.drawn_felt import BACK, PLACES, felt_with, mark, outlines, read_marks, table_profile

STEP = NANOSECONDS // 10
SETTINGS = Settings(agree=3, unsure=NANOSECONDS, gone=NANOSECONDS, settle=NANOSECONDS // 5)
MAX_AGE = NANOSECONDS // 2
POSITION, DEALER, BURN = (200, 400), (200, 140), (690, 140)


class Sight:
    """An eye over the drawn felt, and the time."""

    def __init__(self, reader: Reader | None = None) -> None:
        self.eye = Eye(reader or Reader(read_marks, outlines, table_profile()), SETTINGS, MAX_AGE)
        self.now = 1000 * NANOSECONDS
        self.index = 0

    def opened(self) -> "Sight":
        """With an empty felt that was looked at for a while."""
        self.eye.opened(Opened(Mode(960, 540, 10.0, "MJPG"), live=True))
        assert self.shows(felt_with(), 5) == []
        return self

    def shows(self, picture: Image, times: int = 5, age: int = 0) -> list[Noticed]:
        noticed: list[Noticed] = []
        for _ in range(times):
            self.now += STEP
            self.index += 1
            picture[0, 0] = self.index % 256  # a live camera's pictures are never the same
            frame = Frame(self.index, self.now - age, picture, checksum(picture.tobytes()))
            noticed += self.eye.look(frame, self.now)
        return noticed


def story(noticed: list[Noticed]) -> list[str]:
    return [f"{one.kind} {one.card or '-'} {one.region or ''}".strip() for one in noticed]


def test_a_card_is_read_with_its_region_its_sight_and_its_still() -> None:
    sight = Sight().opened()
    (card,) = sight.shows(felt_with((mark("4D"), *POSITION)))
    assert (card.kind, card.card, card.region) == (ReadingKind.CARD, "4D", Region.POSITION)
    assert card.confidence == pytest.approx(0.9)
    assert 0 < len(card.still) <= MOST_BYTES
    still = cv2.imdecode(np.frombuffer(card.still, np.uint8), cv2.IMREAD_COLOR)
    assert still is not None
    (found,) = read_marks(np.asarray(still, np.uint8))
    assert found.card == "4D"


def test_each_region_is_told_and_outside_them_it_is_elsewhere() -> None:
    sight = Sight().opened()
    cards = {"4D": POSITION, "KS": DEALER, "7B": (850, 140), "AC": (540, 420)}
    told = sight.shows(felt_with(*((mark(card), *at) for card, at in cards.items())), 15)
    assert {one.card: str(one.region) for one in told} == {
        "4D": "position", "KS": "dealer", "7B": "discard", "AC": "elsewhere",
    }  # fmt: skip


def test_the_face_of_a_burned_card_is_read_by_nobody_and_on_no_still() -> None:
    looked_at: list[Image] = []

    def watched(image: Image) -> list[object]:
        looked_at.append(image)
        return list(read_marks(image))

    sight = Sight(Reader(watched, outlines, table_profile())).opened()  # type: ignore[arg-type]
    told = sight.shows(felt_with((mark("KS"), *BURN), (mark("4D"), 450, 140)), 15)
    assert sorted(story(told)) == ["card 4D dealer", "covered - burn"]
    burned = next(one for one in told if one.region is Region.BURN)
    assert (burned.card, burned.still, burned.confidence) == (None, b"", 0.0)
    left, top = (int(at) for at in PLACES[Region.BURN][0])
    for image in [*looked_at, sight.eye.shown]:
        assert image is not None
        assert np.ptp(image[top + 3 : 247, left + 3 : 757], axis=(0, 1)).max() == 0
    still = np.frombuffer(next(one.still for one in told if one.card == "4D"), np.uint8)
    assert len(read_marks(np.asarray(cv2.imdecode(still, cv2.IMREAD_COLOR), np.uint8))) == 1


def test_the_bare_cloth_of_the_burn_region_is_no_card_whatever_outlines_its_grain_has() -> None:
    grain = [np.array([[10, 10], [80, 10], [80, 120], [10, 120]], np.float32)]
    sight = Sight(Reader(read_marks, lambda _: grain, table_profile())).opened()
    assert sight.shows(felt_with(), 10) == []
    assert story(sight.shows(felt_with((mark("KS"), 665, 95)), 10)) == ["covered - burn"]


def test_a_card_face_down_is_covered_and_has_no_still() -> None:
    (covered,) = Sight().opened().shows(felt_with((BACK, *POSITION)))
    assert (covered.kind, covered.card, covered.still) == (ReadingKind.COVERED, None, b"")


def blurred(picture: Image) -> Image:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 9), np.uint8)


@pytest.mark.parametrize(
    ("spoilt", "says"),
    [
        (lambda picture: (picture * 0.04).astype(np.uint8), "black"),
        (lambda picture: np.full_like(picture, 120), "blocked"),
        (blurred, "blurred"),
    ],
)
def test_a_bad_picture_is_a_state_and_never_a_reading(
    spoilt: Callable[[Image], Image], says: str
) -> None:
    sight = Sight().opened()
    assert sight.shows(spoilt(felt_with((mark("4D"), *POSITION))), 12) == []
    assert says in sight.eye.fault
    told = sight.shows(felt_with((mark("4D"), *POSITION)), 12)
    assert story(told) == ["reopened -", "stale 4D position"]
    assert sight.eye.fault == ""


def test_a_frozen_picture_is_refused_and_its_cards_are_not_read_again() -> None:
    sight = Sight().opened()
    picture = felt_with((mark("4D"), *POSITION))
    sight.shows(picture, 5)
    frozen = picture.copy()
    for _ in range(20):
        sight.now += STEP
        sight.index += 1
        assert sight.eye.look(Frame(sight.index, sight.now, frozen, 1), sight.now) == []
    assert "frozen" in sight.eye.fault
    assert story(sight.shows(picture, 12)) == ["reopened -"]


def test_a_picture_that_is_too_old_is_not_read() -> None:
    sight = Sight().opened()
    assert sight.shows(felt_with((mark("4D"), *POSITION)), 10, age=MAX_AGE + 1) == []
    assert sight.eye.fault == STALE


def test_cards_that_lay_there_at_the_start_are_stale_and_after_a_replug_known_ones_are_silent() -> (
    None
):
    sight = Sight()
    sight.eye.opened(Opened(live=True))
    picture = felt_with((mark("4D"), *POSITION))
    assert story(sight.shows(picture, 10)) == ["stale 4D position"]
    sight.eye.closed()
    sight.now += 5 * NANOSECONDS
    sight.eye.opened(Opened(live=True))
    assert story(sight.shows(picture, 10)) == ["reopened -"]


@pytest.mark.parametrize(
    ("reader", "says"),
    [
        (Reader(None, None, table_profile()), "calibrate deck"),
        (Reader(read_marks, outlines, None), "calibrate table"),
    ],
)
def test_without_its_profiles_nothing_is_read_and_what_to_do_is_said(
    reader: Reader, says: str
) -> None:
    sight = Sight(reader)
    sight.eye.opened(Opened(live=True))
    assert sight.shows(felt_with((mark("4D"), *POSITION)), 10) == []
    assert says in sight.eye.fault
    assert sight.eye.shown is not None, "calibration needs the pictures"


def test_pictures_of_another_shape_than_calibrated_are_not_read() -> None:
    sight = Sight()
    sight.eye.opened(Opened(live=True))
    square = np.ascontiguousarray(felt_with((mark("4D"), *POSITION))[:, :700])
    assert sight.shows(square, 10) == []
    assert "700x540" in sight.eye.fault


def test_pictures_of_another_size_but_the_same_shape_are() -> None:
    sight = Sight()
    sight.eye.opened(Opened(live=True))
    smaller = np.asarray(cv2.resize(felt_with(), (720, 405)), np.uint8)
    sight.shows(smaller)
    smaller = np.asarray(cv2.resize(felt_with((mark("4D"), *POSITION)), (720, 405)), np.uint8)
    assert story(sight.shows(smaller)) == ["card 4D position"]


def test_the_wrong_camera_is_noticed_and_reads_nothing_until_it_is_put_right() -> None:
    sight = Sight()
    sight.eye.opened(Opened(live=True))
    other = np.full((540, 960, 3), (90, 40, 40), np.uint8)
    cv2.circle(other, (480, 270), 220, (220, 220, 255), 5)
    other[380:, 100:300] = felt_with((mark("4D"), *POSITION))[380:, 100:300]
    assert sight.shows(other, 20) == []
    assert "right camera" in sight.eye.fault or "blocked" in sight.eye.fault
    told = sight.shows(felt_with((mark("4D"), *POSITION)), 15)
    assert story(told) == ["stale 4D position"]


def test_a_camera_that_was_moved_while_the_felt_was_empty_is_noticed_at_the_next_deck() -> None:
    sight = Sight().opened()
    moved = np.asarray(np.roll(felt_with(), (20, 30), axis=(0, 1)))
    sight.eye.new_deck()
    sight.shows(moved, 3)
    assert "moved" in sight.eye.fault


def test_darker_light_is_a_warning_and_cards_are_read() -> None:
    sight = Sight()
    sight.eye.opened(Opened(live=True))
    dim = (felt_with((mark("4D"), *POSITION)) * 0.5).astype(np.uint8)
    assert story(sight.shows(dim, 10)) == ["stale 4D position"]
    assert "darker" in " ".join(sight.eye.warnings)
