"""Several pictures that agree make one reading, and a card that stays is one card."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.contract.cards import DECK
from controller.contract.readings import ReadingKind, Region
from controller.runtime.clock import NANOSECONDS
from drivers.camera.found import Found, Verdict
from drivers.camera.track import Seen, Told
from drivers.camera.tracking import Settings, Tracker

STEP = NANOSECONDS // 30
SETTINGS = Settings(agree=3, unsure=NANOSECONDS, gone=NANOSECONDS, settle=NANOSECONDS // 10)
POSITION, DEALER, BURN = Region.POSITION, Region.DEALER, Region.BURN


def seen(
    face: str, x: float = 0.0, region: Region | None = POSITION, verdict: Verdict | None = None
) -> Seen:
    """A card of width 100 with its middle at x; `?` is unsure, `#` a back, `!` foreign."""
    verdicts = {"?": Verdict.UNSURE, "#": Verdict.BACK, "!": Verdict.FOREIGN}
    corners = np.array([[x - 50, -80], [x + 50, -80], [x + 50, 80], [x - 50, 80]], np.float32)
    kind = verdict or verdicts.get(face, Verdict.CARD)
    return Seen(Found(corners, kind, 0.9, face if kind is Verdict.CARD else None), region)


class Table:
    """A tracker and the pictures that it is shown."""

    def __init__(self, settled: bool = True) -> None:
        self.tracker = Tracker(SETTINGS)
        self.now = 1000 * NANOSECONDS
        self.told: list[Told] = []
        if settled:
            self.shows(10)

    def shows(self, pictures: int, *cards: Seen) -> list[Told]:
        """So many pictures of the same; what they add."""
        told: list[Told] = []
        for _ in range(pictures):
            self.now += STEP
            told += self.tracker.see(self.now, cards)
        self.told += told
        return told


def story(told: Sequence[Told]) -> list[str]:
    return [f"{one.kind} {one.card or '-'} {one.region or ''}".strip() for one in told]


def test_enough_pictures_that_agree_make_one_reading_and_not_one_more() -> None:
    table = Table()
    assert table.shows(2, seen("4D")) == []
    (told,) = table.shows(300, seen("4D"))
    assert (told.kind, told.card, told.region, told.sight) == (
        ReadingKind.CARD, "4D", POSITION, 1,
    )  # fmt: skip


def test_its_stamp_is_the_first_picture_in_which_it_lay_there() -> None:
    table = Table()
    first = table.now + STEP
    (told,) = table.shows(10, seen("4D"))
    assert told.stamp == first


def test_confidence_is_that_of_the_weakest_picture() -> None:
    table = Table()
    weak = Seen(Found(seen("4D").found.corners, Verdict.CARD, 0.6, "4D"), POSITION)
    table.shows(1, seen("4D"))
    table.shows(1, weak)
    (told,) = table.shows(1, seen("4D"))
    assert told.confidence == pytest.approx(0.6)


def test_two_cards_at_once_are_two_and_two_equal_ones_as_well() -> None:
    table = Table()
    told = table.shows(5, seen("4D", 0), seen("4D", 300), seen("KS", 600))
    assert sorted(story(told)) == ["card 4D position", "card 4D position", "card KS position"]
    assert len({one.sight for one in told}) == 3


def test_a_flicker_a_hand_or_an_unsure_moment_does_not_make_a_second_card() -> None:
    table = Table()
    table.shows(5, seen("4D"))
    for gap in (1, 5, 20):
        assert table.shows(gap) == []
        assert table.shows(gap, seen("?")) == []
        assert table.shows(5, seen("4D")) == []


def test_a_card_that_slides_is_the_same_and_its_new_region_is_told() -> None:
    table = Table()
    (first,) = table.shows(5, seen("4D"))
    for x in range(0, 900, 30):
        assert table.shows(1, seen("4D", x)) == []
    (again,) = table.shows(5, seen("4D", 900, DEALER))
    assert (again.card, again.region, again.sight) == ("4D", DEALER, first.sight)


def test_a_card_that_leaves_is_gone_once_and_back_in_its_place_it_is_the_same() -> None:
    table = Table()
    (first,) = table.shows(5, seen("4D"))
    assert story(table.shows(60)) == ["gone 4D position"]
    assert table.shows(60) == []
    (again,) = table.shows(5, seen("4D", 10))
    assert again.sight == first.sight


def test_elsewhere_or_much_later_it_is_another_card() -> None:
    table = Table()
    (first,) = table.shows(5, seen("4D"))
    table.shows(60)
    (other,) = table.shows(5, seen("4D", 500))
    assert other.sight != first.sight
    table.shows(60)
    table.now += 61 * NANOSECONDS
    (later,) = table.shows(5, seen("4D", 500))
    assert later.sight not in (first.sight, other.sight)


def test_a_card_put_in_the_place_of_another_ends_the_one_and_begins_the_other() -> None:
    table = Table()
    table.shows(5, seen("4D"))
    assert story(table.shows(30, seen("KS"))) == ["gone 4D position", "card KS position"]


def test_a_wrong_face_for_a_moment_is_never_told_of_a_known_card() -> None:
    table = Table()
    table.shows(5, seen("4D"))
    for _ in range(10):
        assert table.shows(2, seen("5D")) == []
        assert table.shows(4, seen("4D")) == []


def test_pictures_that_contradict_each_other_need_more_agreement() -> None:
    table = Table()
    table.shows(2, seen("5D"))
    table.shows(2, seen("4D"))
    table.shows(2, seen("5D"))
    assert table.shows(6, seen("4D")) == []
    assert story(table.shows(3, seen("4D"))) == ["card 4D position"]


def test_a_card_in_motion_is_not_read() -> None:
    table = Table()
    for x in range(0, 3000, 40):
        assert table.shows(1, seen("4D", x)) == []


def test_a_card_that_lies_unread_is_told_once_and_its_face_later_under_the_same_sight() -> None:
    table = Table()
    (unread,) = table.shows(90, seen("?"))
    assert (unread.kind, unread.card) == (ReadingKind.NO_READ, None)
    (read,) = table.shows(90, seen("4D"))
    assert (read.kind, read.card, read.sight) == (ReadingKind.CARD, "4D", unread.sight)


def test_a_card_that_was_taken_away_before_it_was_read_is_still_told() -> None:
    table = Table()
    table.shows(12, seen("?"))
    assert story(table.shows(60)) == ["no_read - position"]


def test_a_shadow_of_a_moment_is_nothing() -> None:
    table = Table()
    table.shows(3, seen("?"))
    assert table.shows(60) == []


@pytest.mark.parametrize("region", [Region.DISCARD, Region.ELSEWHERE])
def test_heaps_and_hands_are_no_cards_that_could_not_be_read(region: Region) -> None:
    assert Table().shows(90, seen("?", region=region)) == []


def test_a_stranger_is_told_and_needs_more_agreement_than_a_card() -> None:
    table = Table()
    assert table.shows(5, seen("!")) == []
    assert story(table.shows(5, seen("!"))) == ["foreign - position"]


def test_a_card_face_down_is_told_as_covered_and_once_turned_by_its_face() -> None:
    table = Table()
    (covered,) = table.shows(30, seen("#"))
    assert covered.kind is ReadingKind.COVERED
    (card,) = table.shows(30, seen("4D"))
    assert (card.card, card.sight) == ("4D", covered.sight)


@pytest.mark.parametrize("face", ["4D", "#", "?", "!"])
def test_of_the_burn_region_nothing_is_told_but_that_a_card_lies_there(face: str) -> None:
    table = Table()
    told = table.shows(200, seen(face, region=BURN)) + table.shows(60)
    assert story(told) == ["covered - burn", "gone - burn"]
    assert all(not one.confidence for one in told)


def test_a_card_on_its_way_over_the_felt_is_not_told_until_it_rests() -> None:
    table = Table()
    assert table.shows(20, seen("4D", region=Region.ELSEWHERE)) == []
    assert story(table.shows(20, seen("4D", region=Region.ELSEWHERE))) == ["card 4D elsewhere"]


def test_what_lay_there_when_the_picture_began_is_stale() -> None:
    table = Table(settled=False)
    told = table.shows(60, seen("4D"), seen("?", 300))
    assert story(told) == ["stale 4D position", "stale - position"]
    assert story(table.shows(10, seen("4D"), seen("?", 300), seen("KS", 600))) == [
        "card KS position"
    ]


def test_after_a_blackout_known_cards_stay_and_new_ones_are_stale() -> None:
    table = Table()
    table.shows(5, seen("4D"))
    table.tracker.blind()
    table.now += 20 * NANOSECONDS
    told = table.shows(30, seen("4D"), seen("KS", 300))
    assert story(told) == ["stale KS position"]


def test_a_card_that_went_during_a_blackout_is_gone() -> None:
    table = Table()
    table.shows(5, seen("4D"))
    table.tracker.blind()
    table.now += 20 * NANOSECONDS
    assert story(table.shows(60)) == ["gone 4D position"]


def test_a_card_that_another_covers_is_not_gone_until_both_are() -> None:
    table = Table()
    table.shows(5, seen("4D"))
    assert story(table.shows(90, seen("KS", 40))) == ["card KS position"]
    assert story(table.shows(60)) == ["gone 4D position", "gone KS position"]


def test_an_unread_card_laid_over_a_known_one_is_told() -> None:
    table = Table()
    table.shows(5, seen("4D"))
    assert story(table.shows(90, seen("?", 35))) == ["no_read - position"]


@given(
    st.lists(
        st.tuples(
            st.lists(st.sampled_from(["4D", "?", "#", "5D"]), max_size=2, unique=True),
            st.integers(1, 4),
        ),
        max_size=25,
    )
)
def test_whatever_flickers_a_face_needs_agreement_and_each_sight_is_told_a_face_once(
    scenes: list[tuple[list[str], int]],
) -> None:
    table = Table()
    for faces, pictures in scenes:
        table.shows(pictures, *(seen(face, 300.0 * n) for n, face in enumerate(faces)))
    shown = {
        face: sum(pictures for faces, pictures in scenes if face in faces) for face in ("4D", "5D")
    }
    cards = [one for one in table.told if one.kind is ReadingKind.CARD]
    for one in cards:
        assert shown[one.card or ""] >= SETTINGS.agree
    told = [(one.sight, one.card) for one in cards]
    gone = sum(one.kind is ReadingKind.GONE for one in table.told)
    assert len(told) <= len(set(told)) + gone


def test_a_whole_deck_dealt_one_over_the_other_is_told_card_by_card() -> None:
    table = Table()
    for n, face in enumerate(DECK):
        table.shows(6, seen(face, 40.0 * n))
    told = [one.card for one in table.told if one.kind is ReadingKind.CARD]
    assert told == list(DECK)
