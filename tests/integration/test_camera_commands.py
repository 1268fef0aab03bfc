"""Enrol a deck from a folder and read pictures with it, as a person types it."""

import json
import shutil
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner, Result
from drawn_deck import enrolment_pictures, picture

from controller.cli import main
from simulators.deck_art import deck as art


def mazziere(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("deck")
    for card, image in enrolment_pictures().items():
        cv2.imwrite(str(made / f"{card}.jpg"), image)
    return made


@pytest.fixture(scope="module")
def deck(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("profile") / "deck.npz"
    enrolled = mazziere("calibrate", "deck", "--images", folder, "--out", out, "--who", "Rosa")
    assert enrolled.exit_code == 0, enrolled.output
    assert "0 wrong" in enrolled.output
    assert "nearest faces" in enrolled.output
    return out


def test_cards_of_a_picture_are_printed_one_json_line_each(deck: Path, tmp_path: Path) -> None:
    image, _ = picture([art.face("7D"), art.face("KS"), art.back()], 3)
    path = tmp_path / "felt.png"
    cv2.imwrite(str(path), image)
    said = mazziere("recognise", "--profile", deck, "--json", "--draw", tmp_path / "drawn", path)
    assert said.exit_code == 0, said.output
    rows = [json.loads(line) for line in said.stdout.splitlines()]
    assert sorted(row["card"] for row in rows) == ["7D", "KS", "back"]
    for row in rows:
        assert {"image", "card", "confidence", "corners", "ms"} <= set(row)
        assert 0 <= row["confidence"] <= 1
        assert len(row["corners"]) == 4
    assert cv2.imread(str(tmp_path / "drawn" / "felt.jpg")) is not None


def test_a_hostile_file_between_good_ones_costs_only_its_own_sentence(
    deck: Path, folder: Path, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.jpg"
    bad.write_bytes(b"no picture")
    said = mazziere(
        "recognise", "--profile", deck, "--json", folder / "7D.jpg", bad, folder / "KS.jpg"
    )
    assert said.exit_code == 2
    assert [json.loads(line)["card"] for line in said.stdout.splitlines()] == ["7D", "KS"]
    assert said.stderr.count("\n") == 1
    assert str(bad) in said.stderr


def test_what_is_no_profile_ends_with_one_sentence(tmp_path: Path, folder: Path) -> None:
    bad = tmp_path / "deck.npz"
    bad.write_bytes(b"no profile")
    said = mazziere("recognise", "--profile", bad, folder / "7D.jpg")
    assert said.exit_code == 3
    assert said.output.count("\n") == 1


def test_a_folder_that_lacks_a_card_is_refused_by_its_name(folder: Path, tmp_path: Path) -> None:
    lacking = shutil.copytree(folder, tmp_path / "lacking")
    (lacking / "3B.jpg").unlink()
    said = mazziere("calibrate", "deck", "--images", lacking, "--out", tmp_path / "p.npz")
    assert said.exit_code == 3
    assert "3B" in said.output
    assert not (tmp_path / "p.npz").exists()


def test_a_deck_with_one_card_photographed_twice_is_not_saved(folder: Path, tmp_path: Path) -> None:
    doubled = shutil.copytree(folder, tmp_path / "doubled")
    shutil.copy(doubled / "3B.jpg", doubled / "4B.jpg")
    said = mazziere("calibrate", "deck", "--images", doubled, "--out", tmp_path / "p.npz")
    assert said.exit_code == 3
    assert "3B" in said.output
    assert not (tmp_path / "p.npz").exists()


def test_pictures_that_cannot_be_read_are_all_named_at_once(folder: Path, tmp_path: Path) -> None:
    broken = shutil.copytree(folder, tmp_path / "broken")
    for card in ("3B", "KS"):
        (broken / f"{card}.jpg").write_bytes(b"no picture")
    said = mazziere("calibrate", "deck", "--images", broken, "--out", tmp_path / "p.npz")
    assert said.exit_code == 3
    assert "3B.jpg" in said.output
    assert "KS.jpg" in said.output
