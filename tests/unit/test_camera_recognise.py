"""The recogniser on drawn cards: right or unsure, never wrong."""

from dataclasses import replace

import numpy as np
import pytest
from drawn_deck import VIEW, Image, eights, laid, picture, profile

from controller.contract.cards import Card
from drivers.camera.found import Found, Verdict
from drivers.camera.geometry import contains
from drivers.camera.recognise import recognise
from simulators.deck_art import deck as art
from simulators.deck_art import strangers
from simulators.felt_picture import Light, Lying, Shot, View, corners, taken
from tests.bench_camera.bench_scenes import shot_of, washed, worn

LIGHTS = {
    "even": Light(),
    "warm": Light(gain=(0.62, 0.82, 1.0)),
    "dim": Light(gain=(0.35, 0.35, 0.35), noise=5),
    "cyan": Light(gain=(1.0, 1.0, 0.7)),
    "sloping": Light(slope=(0.25, -0.2)),
    "smeared": Light(motion=(6.0, 30.0)),
    "soft": Light(defocus=1.3, jpeg=60),
}


def read(found: list[Found]) -> list[Card]:
    return [one.card for one in found if one.card is not None]


def right_and_wrong(
    cards: tuple[Lying, ...], names: list[Card], image: Image, view: View
) -> tuple[int, int]:
    right = wrong = 0
    for one in recognise(image, profile()):
        if one.verdict is not Verdict.CARD:
            continue
        x, y = one.corners.mean(axis=0).tolist()
        under = [n for c, n in zip(cards, names, strict=True) if contains(corners(c, view), x, y)]
        right, wrong = right + (one.card in under), wrong + (one.card not in under)
    return right, wrong


@pytest.mark.parametrize("light", LIGHTS)
def test_all_forty_cards_are_read_in_any_light_and_none_wrongly(light: str) -> None:
    total = 0
    for seed, names in enumerate(eights()):
        image, cards = picture([art.face(c) for c in names], seed, LIGHTS[light])
        right, wrong = right_and_wrong(cards, names, image, VIEW)
        assert wrong == 0
        total += right
    assert total >= 37


def test_cards_are_read_from_a_camera_that_leans_by_fifty_degrees() -> None:
    view = replace(VIEW, tilt=50.0)
    total = 0
    for seed, names in enumerate(eights()):
        image, cards = picture([art.face(c) for c in names], seed, view=view)
        right, wrong = right_and_wrong(cards, names, image, view)
        assert wrong == 0
        total += right
    assert total >= 30


@pytest.mark.parametrize("kind", ["finger", "hand", "half", "overlap", "glare", "washed", "worn"])
def test_a_card_that_is_covered_cut_or_washed_out_is_never_read_as_another(kind: str) -> None:
    rng = np.random.default_rng(5)
    for names in eights():
        faces = [art.face(c) for c in names]
        if kind in ("washed", "worn"):
            faces = [(washed if kind == "washed" else worn)(face, rng) for face in faces]
        shot = shot_of(kind, faces, rng)
        assert right_and_wrong(shot.cards, names, taken(shot, rng), shot.view)[1] == 0


@pytest.mark.parametrize(
    "group", [["6D", "7D", "5D", "4D"], ["JD", "JC", "JS", "JB"], ["QD", "QC", "QS", "QB"],
              ["KD", "KC", "KS", "KB"], ["6B", "7B", "6S", "7S"], ["6C", "7C", "5C", "4C"]],
    ids=lambda group: "-".join(group),
)  # fmt: skip
def test_faces_that_are_nearly_alike_are_told_apart(group: list[Card]) -> None:
    for seed in range(3):
        image, cards = picture([art.face(c) for c in group], seed, Light(defocus=0.8, noise=4))
        right, wrong = right_and_wrong(cards, group, image, VIEW)
        assert (right, wrong) == (4, 0)


def test_a_seven_whose_odd_pip_is_gone_is_not_a_six() -> None:
    face = art.face("7D").copy()
    face[120:215, 105:195] = face[10, 10]
    for seed in range(4):
        image, _ = picture([face] * 4, seed)
        assert read(recognise(image, profile())) == []


def test_a_back_is_a_back_whether_or_not_it_was_enrolled() -> None:
    image, _ = picture([art.back()] * 4, 3)
    for with_back in (True, False):
        found = recognise(image, profile(with_back))
        assert [one.verdict for one in found] == [Verdict.BACK] * 4


def test_a_blank_slip_is_unsure() -> None:
    image, _ = picture([np.full((500, 300, 3), 240, np.uint8)] * 2, 3)
    assert {one.verdict for one in recognise(image, profile())} == {Verdict.UNSURE}


def test_cards_of_other_decks_are_refused() -> None:
    rng = np.random.default_rng(2)
    french = [strangers.french(c) for c in rng.choice(strangers.FRENCH, 24, replace=False)]
    regional = [strangers.regional(c) for c in strangers.REGIONAL]
    for start in range(0, 24, 8):
        for faces in (french, regional):
            image, _ = picture(faces[start : start + 8], start)
            found = recognise(image, profile())
            assert read(found) == []
            assert Verdict.FOREIGN in {one.verdict for one in found}


def test_an_empty_felt_holds_nothing() -> None:
    image, _ = picture([], 1)
    assert recognise(image, profile()) == []


def test_two_cards_are_two_and_each_has_its_own_corners() -> None:
    image, cards = picture([art.face("7D"), art.face("KS")], 4)
    found = {one.card: one for one in recognise(image, profile())}
    assert set(found) == {"7D", "KS"}
    for name, card in zip(("7D", "KS"), cards, strict=True):
        off = np.abs(found[name].corners - corners(card, VIEW)).max()
        assert off < 4, "corner 0 is the card's own top left"


def test_one_picture_has_one_answer() -> None:
    image, _ = picture([art.face(c) for c in ("7D", "KS", "3B")], 4)
    first, again = (recognise(image, profile()) for _ in range(2))
    assert [(a.card, a.corners.tolist()) for a in first] == [
        (a.card, a.corners.tolist()) for a in again
    ]


def test_what_is_no_whole_card_never_raises() -> None:
    rng = np.random.default_rng(9)
    for height, width in ((1, 1), (2, 300), (48, 48), (200, 90)):
        noise = rng.integers(0, 256, (height, width, 3)).astype(np.uint8)
        for image in (noise, np.zeros_like(noise), np.full_like(noise, 255)):
            assert read(recognise(image, profile(), thorough=True)) == []


def test_laid_cards_lie_where_the_test_says() -> None:
    """The bench rests on this: `corners` and `taken` mean the same place."""
    rng = np.random.default_rng(0)
    cards = laid([np.full((500, 300, 3), 255, np.uint8)], rng)
    image = taken(Shot(cards, VIEW, Light(noise=0)), rng)
    x, y = corners(cards[0], VIEW).mean(axis=0)
    assert image[int(y), int(x)].min() > 200
