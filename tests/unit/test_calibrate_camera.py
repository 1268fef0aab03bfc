"""Lens and table from rendered boards; what cannot be right is refused; nothing is lost on disk."""

import stat
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from click.testing import CliRunner, Result

from calibration.board import Board
from calibration.shelf import history, save
from controller.cli import main
from controller.contract.readings import Region
from drivers.camera.calibrated import load_profile
from drivers.camera.lens import LensProfile
from drivers.camera.table_profile import Felt, TableProfile
from tests.unit.seen_board import BENT, MATRIX, POSES, SIZE, STRAIGHT, bent, felt_matrix, seen_board

ABOVE = ((0.0, 0.0, 0.0), (0.0, 0.0, 700.0))
TILTED = ((35.0, 0.0, 4.0), (0.0, -40.0, 800.0))
REGIONS = """
unit = "mm"
[regions]
position = [[0, 100], [120, 100], [120, 200], [0, 200]]
dealer = [[0, -60], [120, -60], [120, 60], [0, 60]]
burn = [[160, -60], [230, -60], [230, 60], [160, 60]]
discard = [[250, -60], [330, -60], [330, 60], [250, 60]]
"""


def mazziere(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["calibrate", *map(str, arguments)])


@pytest.fixture(scope="module")
def board_pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("boards")
    for n, (turn, at) in enumerate(POSES):
        cv2.imwrite(str(folder / f"{n:02}.png"), seen_board(turn, at))
    return folder


@pytest.fixture(scope="module")
def lens(board_pictures: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("profiles") / "lens.json"
    result = mazziere("lens", "--images", board_pictures, "--out", out, "--who", "Ada")
    assert result.exit_code == 0, result.output
    return out


def test_the_lens_is_found_from_a_folder_of_boards(lens: Path) -> None:
    profile = load_profile(lens, LensProfile)
    assert (profile.width, profile.height, profile.made.who) == (*SIZE, "Ada")
    assert profile.error < 0.5
    assert profile.matrix[0] == pytest.approx(MATRIX[0, 0], rel=0.02)
    assert profile.bend[0] == pytest.approx(-0.18, abs=0.03)


def test_a_lens_profile_straightens_and_bends_back(lens: Path) -> None:
    profile = load_profile(lens, LensProfile)
    points = np.array([[60, 40], [640, 360], [1200, 690], [1240, 30]], np.float32)
    assert np.abs(profile.bent(profile.straight(points)) - points).max() < 0.2


def test_too_few_or_too_similar_pictures_make_no_lens(tmp_path: Path, board_pictures: Path) -> None:
    few, alike = tmp_path / "few", tmp_path / "alike"
    for folder in (few, alike):
        folder.mkdir()
    for n in range(4):
        (few / f"{n}.png").write_bytes((board_pictures / f"{n:02}.png").read_bytes())
    for n in range(9):
        (alike / f"{n}.png").write_bytes((board_pictures / "00.png").read_bytes())
    for folder, says in ((few, "at least 8"), (alike, "corners and at the edges")):
        result = mazziere("lens", "--images", folder, "--out", tmp_path / "lens.json")
        assert result.exit_code == 3
        assert says in result.output
    assert not (tmp_path / "lens.json").exists()


Pose = tuple[tuple[float, float, float], tuple[float, float, float]]


def table_files(folder: Path, pose: Pose, bend: bool) -> None:
    board = seen_board(*pose, BENT if bend else STRAIGHT)
    cv2.imwrite(str(folder / "board.png"), board)
    felt = np.full((SIZE[1], SIZE[0], 3), (60, 100, 40), np.uint8)
    cv2.putText(felt, "MAZZIERE", (300, 400), 0, 4, (200, 200, 200), 8)
    cv2.imwrite(str(folder / "empty.png"), felt)
    (folder / "regions.toml").write_text(REGIONS)


def calibrate_table(folder: Path, *more: object) -> Result:
    return mazziere(
        "table", "--image", folder / "board.png", "--empty", folder / "empty.png",
        "--regions", folder / "regions.toml", "--out", folder / "table.json", *more,
    )  # fmt: skip


@pytest.mark.parametrize("pose", [ABOVE, TILTED])
def test_regions_in_millimetres_lie_where_they_should(tmp_path: Path, pose: Pose) -> None:
    table_files(tmp_path, pose, bend=False)
    result = calibrate_table(tmp_path, "--device", "cam 1")
    assert result.exit_code == 0, result.output
    felt = Felt(load_profile(tmp_path / "table.json", TableProfile), *SIZE)
    matrix = felt_matrix(*pose)
    for millimetres, region in (
        ((60, 150), Region.POSITION),
        ((60, 0), Region.DEALER),
        ((195, 0), Region.BURN),
        ((290, 0), Region.DISCARD),
        ((140, 80), Region.ELSEWHERE),
        ((2, 102), Region.POSITION),
        ((-2, 98), Region.ELSEWHERE),
    ):
        x, y, w = matrix @ np.array([*millimetres, 1.0])
        assert felt.region((x / w, y / w)) is region, millimetres


def test_through_a_bent_lens_regions_follow_what_the_lens_shows(tmp_path: Path, lens: Path) -> None:
    table_files(tmp_path, ABOVE, bend=True)
    result = calibrate_table(tmp_path, "--lens", lens)
    assert result.exit_code == 0, result.output
    profile = load_profile(tmp_path / "table.json", TableProfile)
    felt = Felt(profile, *SIZE)
    for millimetres, region in (((2, 102), Region.POSITION), ((-2, 98), Region.ELSEWHERE)):
        x, y, w = felt_matrix(*ABOVE) @ np.array([*millimetres, 1.0])
        dot = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
        cv2.circle(dot, (round(x / w), round(y / w)), 3, (255, 255, 255), -1)
        ys, xs = np.nonzero(bent(dot)[..., 0] > 128)
        assert felt.region((float(xs.mean()), float(ys.mean()))) is region


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("position = [[0, 100]", "position = [[0, 900]"), "outside the picture"),
        (("burn = [[160, -60], [230", "burn = [[60, -60], [230"), "overlap"),
        (("position", "Position"), "Position"),
        (("[120, 100], [120, 200], [0, 200]]", "[120, 100]]"), "enclose nothing"),
        (("dealer =", "elsewhere ="), "elsewhere"),
        (("dealer =", "# dealer ="), "no region dealer"),
        (('unit = "mm"', 'unit = "inch"'), "unit"),
    ],
)
def test_regions_that_cannot_be_right_are_refused_in_one_sentence(
    tmp_path: Path, change: tuple[str, str], says: str
) -> None:
    table_files(tmp_path, ABOVE, bend=False)
    (tmp_path / "regions.toml").write_text(REGIONS.replace(*change))
    result = calibrate_table(tmp_path)
    assert result.exit_code == 3, result.output
    assert says in result.output
    assert not (tmp_path / "table.json").exists()


def test_a_felt_without_a_board_and_a_file_that_is_no_picture_are_refused(tmp_path: Path) -> None:
    table_files(tmp_path, ABOVE, bend=False)
    (tmp_path / "board.png").write_bytes((tmp_path / "empty.png").read_bytes())
    assert "too little of the board" in calibrate_table(tmp_path).output
    (tmp_path / "board.png").write_bytes(b"nothing")
    assert "cannot be used" in calibrate_table(tmp_path).output


def test_the_drawn_board_is_found_when_it_is_looked_at() -> None:
    drawn = cv2.cvtColor(cv2.resize(Board().drawn(), (1080, 720)), cv2.COLOR_GRAY2BGR)
    view = Board().find(np.asarray(cv2.copyMakeBorder(drawn, 40, 40, 40, 40, 0), np.uint8))
    assert view is not None
    assert len(view.picture) == 40


def test_what_a_profile_replaces_is_kept_and_its_history_tells_who_and_when(tmp_path: Path) -> None:
    path = tmp_path / "p" / "table.json"
    for n, who in enumerate(("Ada", "Bea", "Cia"), start=1):
        made = save(path, lambda made: msgspec.json.encode(made), utc=n, who=who, device="cam")
        assert made.number == n
    assert [(one.made.who, one.made.utc) for one in history(path)] == [
        ("Ada", 1), ("Bea", 2), ("Cia", 3),
    ]  # fmt: skip
    kept = sorted((tmp_path / "p" / "history").iterdir())
    assert [file.name for file in kept] == ["table.0001.json", "table.0002.json"]
    assert b"Ada" in kept[0].read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert not list(path.parent.glob(".*.new"))
    told = mazziere("history", path).output
    assert [line.split()[2] for line in told.splitlines()] == ["Ada", "Bea", "Cia"]
    path.write_bytes(b"edited")
    assert "not saved by a calibration" in mazziere("history", path).output


def test_a_disk_that_refuses_leaves_the_old_profile(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    save(path, lambda made: b"old", utc=1, who="Ada", device="cam")
    (tmp_path / ".table.json.new").mkdir()
    result = None
    try:
        save(path, lambda made: b"new", utc=2, who="Ada", device="cam")
    except Exception as refused:
        result = refused
    assert "Cannot save the profile" in str(result)
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize("kind", [LensProfile, TableProfile])
@pytest.mark.parametrize("text", [b"", b"{}", b"[]", b'{"format": "mazziere-deck"}', b"\xff\xfe"])
def test_a_malformed_profile_is_refused_in_one_sentence(
    tmp_path: Path, kind: type[msgspec.Struct], text: bytes
) -> None:
    path = tmp_path / "p.json"
    path.write_bytes(text)
    with pytest.raises(Exception, match=r"The profile .* is refused") as caught:
        load_profile(path, kind)
    assert "\n" not in str(caught.value)


def test_a_profile_of_a_later_version_or_with_an_unknown_key_is_refused(
    tmp_path: Path, lens: Path
) -> None:
    text = lens.read_text()
    for change in (('"version": 1', '"version": 2'), ('"width"', '"widht": 1, "width"')):
        path = tmp_path / "p.json"
        path.write_text(text.replace(*change))
        with pytest.raises(Exception, match="is refused"):
            load_profile(path, LensProfile)
