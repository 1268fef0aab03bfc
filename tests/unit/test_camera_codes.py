"""Printed corner codes: read beside the picture, and only believed when both agree."""

from dataclasses import replace

import cv2
import msgspec
import numpy as np
import pytest
import zxingcpp
from drawn_deck import Image, profile

from drivers.camera.found import Verdict, Why
from drivers.camera.profile import DeckProfile
from drivers.camera.recognise import recognise
from simulators.deck_art import deck as art
from simulators.felt_picture import Light, Lying, Shot, View, taken

NEAR = View(1920, 1080, tilt=5.0, distance_mm=420.0)


def with_code(face: Image, text: str) -> Image:
    """The face with a DataMatrix of 8 mm in its bottom left corner."""
    code = zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.DataMatrix)
    small = np.asarray(code.to_image(scale=1, add_quiet_zones=False))
    side = 48
    out = face.copy()
    drawn = cv2.resize(small, (side, side), interpolation=cv2.INTER_NEAREST)
    out[440 : 440 + side, 12 : 12 + side] = drawn[..., None]
    return out


def near(face: Image) -> Image:
    """The card alone, large enough for its code to be read."""
    return taken(Shot((Lying(face, turn=25.0),), NEAR, Light(noise=1)), np.random.default_rng(1))


@pytest.fixture
def coded_profile() -> DeckProfile:
    about = msgspec.structs.replace(profile().about, printed_codes={"C-7D": "7D", "C-KS": "KS"})
    return replace(profile(), about=about)


def test_code_and_picture_that_agree_are_the_card(coded_profile: DeckProfile) -> None:
    image = near(with_code(art.face("2C"), "C-2C"))
    about = msgspec.structs.replace(coded_profile.about, printed_codes={"C-2C": "2C"})
    found = recognise(image, replace(coded_profile, about=about))
    assert [one.card for one in found] == ["2C"]


def test_code_and_picture_that_disagree_are_unsure(coded_profile: DeckProfile) -> None:
    image = near(with_code(art.face("2C"), "C-7D"))
    found = recognise(image, coded_profile)
    assert [(one.verdict, one.why) for one in found] == [(Verdict.UNSURE, Why.CODE)]


def test_a_code_that_is_not_of_this_deck_is_unsure(coded_profile: DeckProfile) -> None:
    image = near(with_code(art.face("2C"), "somebody else's"))
    assert [one.verdict for one in recognise(image, coded_profile)] == [Verdict.UNSURE]


def test_a_card_without_its_code_is_still_read_by_its_picture(coded_profile: DeckProfile) -> None:
    image = near(art.face("2C"))
    assert [one.card for one in recognise(image, coded_profile)] == ["2C"]
