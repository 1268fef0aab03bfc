"""Stills: whole, private, named by their digest, kept as long as the house says."""

import os
import stat
import time
from pathlib import Path

import numpy as np
import pytest

from controller.contract.stills import EXPIRED, MOST_BYTES, digest_of, place_of
from drivers.camera.evidence import Evidence, Keep
from drivers.camera.still import still_of

DAY = 86_400
NOW = 1_790_000_000
NS = 1_000_000_000
CORNERS = np.array([[400, 300], [600, 300], [600, 620], [400, 620]], np.float32)


@pytest.fixture
def evidence(tmp_path: Path) -> Evidence:
    subject = Evidence(tmp_path / "stills", Keep(days=90, mib=1))
    subject.open()
    return subject


def opened_again(tmp_path: Path) -> Evidence:
    again = Evidence(tmp_path / "stills", Keep(days=90, mib=1))
    again.open()
    return again


def kept(tmp_path: Path) -> set[str]:
    return {path.stem for path in (tmp_path / "stills").glob("??/*.jpg")}


def put(evidence: Evidence, tmp_path: Path, still: bytes, days_ago: float) -> str:
    digest = evidence.put(still)
    at = NOW - days_ago * DAY
    os.utime(tmp_path / "stills" / place_of(digest), (at, at))
    return digest


def test_a_still_lies_whole_under_its_digest_and_nobody_else_may_see_it(
    evidence: Evidence, tmp_path: Path
) -> None:
    digest = evidence.put(b"a card")
    path = tmp_path / "stills" / place_of(digest)
    assert digest == digest_of(b"a card")
    assert path.read_bytes() == b"a card"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "stills").stat().st_mode) == 0o700


def test_the_same_still_twice_is_one_file(evidence: Evidence, tmp_path: Path) -> None:
    assert evidence.put(b"a card") == evidence.put(b"a card")
    assert len(kept(tmp_path)) == 1


def test_half_a_file_of_a_crash_is_swept_away(evidence: Evidence, tmp_path: Path) -> None:
    digest = evidence.put(b"a card")
    left = (tmp_path / "stills" / place_of(digest)).with_suffix(".tmp")
    left.write_bytes(b"hal")
    Evidence(tmp_path / "stills", Keep(90, 1)).open()
    assert not left.exists()
    assert kept(tmp_path) == {digest}


def test_what_is_too_old_goes_and_is_listed(evidence: Evidence, tmp_path: Path) -> None:
    old = put(evidence, tmp_path, b"old", days_ago=91)
    young = put(evidence, tmp_path, b"young", days_ago=89)
    evidence = opened_again(tmp_path)
    evidence.deck("deck 2", (NOW - DAY) * NS)
    assert evidence.let_go(NOW * NS) == 1
    assert evidence.let_go(NOW * NS) == 0
    assert kept(tmp_path) == {young}
    assert (tmp_path / "stills" / EXPIRED).read_text().split() == [old]


def test_when_there_is_too_much_the_oldest_go_first(evidence: Evidence, tmp_path: Path) -> None:
    stills = [put(evidence, tmp_path, bytes([n]) * 400_000, days_ago=9 - n) for n in range(5)]
    evidence = opened_again(tmp_path)
    evidence.deck("deck 2", NOW * NS)
    evidence.let_go(NOW * NS)
    assert kept(tmp_path) == set(stills[-2:])


def test_stills_of_the_deck_in_play_are_never_let_go_also_after_a_restart(
    evidence: Evidence, tmp_path: Path
) -> None:
    put(evidence, tmp_path, b"old", days_ago=200)
    evidence.deck("deck 2", (NOW - 150 * DAY) * NS)
    mine = put(evidence, tmp_path, b"mine" * 500_000, days_ago=149)
    again = opened_again(tmp_path)
    again.deck("deck 2", NOW * NS)  # the same deck: since when does not change
    assert again.let_go(NOW * NS) == 1
    assert kept(tmp_path) == {mine}


def test_what_is_put_while_it_runs_is_let_go_too(evidence: Evidence, tmp_path: Path) -> None:
    stills = [evidence.put(bytes([n]) * 400_000) for n in range(5)]
    later = time.time() + 1
    evidence.deck("deck 2", round(later * NS))
    assert evidence.let_go(round(later * NS)) == 3
    assert kept(tmp_path) == set(stills[-2:])


def test_a_disk_that_takes_nothing_is_said_and_nothing_is_named(tmp_path: Path) -> None:
    (tmp_path / "stills").write_text("in the way")
    evidence = Evidence(tmp_path / "stills", Keep(90, 1))
    evidence.open()
    assert evidence.put(b"a card") == ""
    assert "no still can be kept" in evidence.problem
    (tmp_path / "stills").unlink()
    assert evidence.put(b"a card") != ""
    assert evidence.problem == ""


@pytest.mark.parametrize("size", [(1080, 1920), (2160, 3840), (700, 640)])
def test_a_still_of_the_worst_picture_is_small_enough(size: tuple[int, int]) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (*size, 3)).astype(np.uint8)
    assert len(still_of(noise, CORNERS)) <= MOST_BYTES
    assert len(still_of(noise, CORNERS * 3)) <= MOST_BYTES, "also of a card at the rim"
