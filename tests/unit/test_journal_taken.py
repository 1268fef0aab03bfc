"""The journal when its files are missing, replaced or none, at the start and while it runs."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.journal.directory import segment_path, segments
from controller.journal.errors import (
    Failure,
    JournalBusy,
    JournalDamaged,
    JournalFailed,
    RecordsMissing,
)
from controller.journal.format import HEADER_BYTES
from controller.journal.segments import Journal
from controller.journal.verify import verify
from controller.journal.walk import read
from controller.runtime.exits import ExitCode

SMALL = 4096


def written(directory: Path, payloads: list[bytes]) -> None:
    journal = Journal.open(directory, segment_bytes=SMALL)
    for payload in payloads:
        journal.append(payload)
    journal.close()


def test_a_journal_that_lost_more_than_its_last_record_is_not_opened(tmp_path: Path) -> None:
    written(tmp_path / "j", [b"a", b"b", b"c", b"d"])
    _, second, *_ = read(tmp_path / "j")
    path = segment_path(tmp_path / "j", 0)
    cut = path.read_bytes()[: second.offset]
    path.write_bytes(cut)
    for _ in range(2):
        with pytest.raises(RecordsMissing, match=r"records 1 to 3 had .* move the whole") as caught:
            Journal.open(tmp_path / "j", segment_bytes=SMALL)
        assert caught.value.exit_code is ExitCode.INTEGRITY
    assert path.read_bytes() == cut
    for torn in (cut, cut + b"half a record"):
        path.write_bytes(torn)
        for allowed in (False, True):
            with pytest.raises(RecordsMissing, match="record 3 was written"):
                verify(tmp_path / "j", allow_torn_tail=allowed)


def test_a_journal_whose_segments_are_all_gone_is_not_begun_anew(tmp_path: Path) -> None:
    written(tmp_path / "j", [b"a"])
    segment_path(tmp_path / "j", 0).unlink()
    with pytest.raises(RecordsMissing, match="records up to 0 had been written"):
        Journal.open(tmp_path / "j", segment_bytes=SMALL)
    with pytest.raises(RecordsMissing, match="record 0 was written"):
        verify(tmp_path / "j")
    assert segments(tmp_path / "j") == []


def remove_segments(directory: Path) -> None:
    for segment in segments(directory):
        segment.path.unlink()


def replace_directory(directory: Path) -> None:
    directory.rename(directory.with_name("old"))
    directory.mkdir()


def copy_directory_over(directory: Path) -> None:
    replace_directory(directory)
    for path in directory.with_name("old").iterdir():
        os.link(path, directory / path.name)


def copy_segments_over(directory: Path) -> None:
    for segment in segments(directory):
        data = segment.path.read_bytes()
        segment.path.unlink()
        segment.path.write_bytes(data)


def cut_segments(directory: Path) -> None:
    for segment in segments(directory):
        os.truncate(segment.path, 100)


TAKEN = [
    (remove_segments, "it has gone"),
    (shutil.rmtree, "it has gone"),
    (replace_directory, "it has gone"),
    (copy_directory_over, "something else stands in its place"),
    (copy_segments_over, "something else stands in its place"),
    (cut_segments, "it was cut to 100 bytes"),
]


@pytest.mark.parametrize("write", ["probe", "append", "roll"])
@pytest.mark.parametrize(("take", "why"), TAKEN)
def test_a_journal_whose_files_are_taken_away_while_it_runs_takes_nothing_more(
    tmp_path: Path, take: Callable[[Path], None], why: str, write: str
) -> None:
    directory = tmp_path / "j"
    journal = Journal.open(directory, segment_bytes=SMALL)
    journal.append(b"a")
    take(directory)
    left = sorted(directory.iterdir()) if directory.exists() else []
    arguments = [] if write == "probe" else [b"b"]
    with pytest.raises(JournalFailed, match=f"removed or replaced.*{why}") as caught:
        getattr(journal, write)(*arguments)
    assert (caught.value.failure, caught.value.exit_code) == (Failure.GONE, ExitCode.INTEGRITY)
    with pytest.raises(JournalFailed):
        journal.append(b"c")
    assert journal.free_bytes() >= 0
    assert journal.count == 1
    assert left == (sorted(directory.iterdir()) if directory.exists() else [])
    journal.close()


def test_an_idle_probe_sees_that_the_last_record_was_written_over(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "j", segment_bytes=SMALL)
    journal.probe()
    for write in (journal.append, journal.roll):
        write(b"a")
        journal.probe()
    path = segment_path(tmp_path / "j", 1)
    os.truncate(path, HEADER_BYTES)
    os.truncate(path, SMALL)
    with pytest.raises(JournalFailed, match="last record is not as it was written"):
        journal.probe()
    journal.close()


def test_without_its_lock_file_a_journal_is_still_locked(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "j", segment_bytes=SMALL)
    (tmp_path / "j" / "lock").unlink()
    with pytest.raises(JournalBusy, match="process unknown"):
        Journal.open(tmp_path / "j", segment_bytes=SMALL)
    journal.close()


@pytest.mark.parametrize("place", ["file", "file/j", "link", "x" * 300, "/dev/null", "/proc/j"])
def test_a_place_that_can_be_no_journal_is_a_matter_of_configuration(
    tmp_path: Path, place: str
) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "link").symlink_to("link")
    with pytest.raises(JournalFailed, match="no journal can be there") as caught:
        Journal.open(tmp_path / place, segment_bytes=SMALL)
    assert caught.value.exit_code is ExitCode.CONFIGURATION


def make_dangling(path: Path) -> None:
    path.symlink_to("nowhere")


def make_endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, make_dangling, make_endless])
def test_a_segment_that_is_no_file_is_damage_and_never_waited_for(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    make(segment_path(tmp_path, 0))
    for look in (verify, Journal.open, lambda place: list(read(place))):
        with pytest.raises(JournalDamaged, match="it is no file"):
            look(tmp_path)
