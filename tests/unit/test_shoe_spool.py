"""The spool: what outlives a crash, a torn line, a full disk and a second process."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.contract.readings import Reading, ReadingKind
from drivers.spool import SessionSpool, SpoolTaken


def reading(session: str, n: int) -> Reading:
    return Reading(
        reader="shoe",
        session=session,
        n=n,
        kind=ReadingKind.CARD,
        stamp=n,
        utc=n,
        card="4D",
        raw=bytes(range(256)),
    )


def opened(directory: Path, session: str) -> SessionSpool:
    spool = SessionSpool(directory, "shoe", session)
    spool.open()
    return spool


@contextmanager
def disk_takes(size: int) -> Iterator[None]:
    """No file may grow beyond `size`: the kernel writes what fits and then refuses."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def written(directory: Path, session: str, count: int) -> Path:
    spool = opened(directory, session)
    for n in range(1, count + 1):
        spool.append(reading(session, n))
    spool.close()
    return directory / f"shoe.{session}.jsonl"


def test_readings_come_back_as_they_were_oldest_session_first(tmp_path: Path) -> None:
    written(tmp_path, "2", 1)
    written(tmp_path, "1", 2)
    spool = opened(tmp_path, "3")
    assert spool.leftovers() == [reading("1", 1), reading("1", 2), reading("2", 1)]


def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = written(tmp_path, "1", 1)
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_file_cut_at_any_byte_gives_back_every_whole_reading(tmp_path: Path) -> None:
    path = written(tmp_path, "1", 2)
    whole = path.read_bytes()
    first_line = whole.index(b"\n")
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        spool = SessionSpool(tmp_path, "shoe", "2")
        expected = 0 if length < first_line else 1 if length < len(whole) - 1 else 2
        assert len(spool.leftovers()) == expected, length
        is_torn = length not in (0, first_line, first_line + 1, len(whole) - 1)
        assert spool.cut_lines == (1 if is_torn else 0), length


@pytest.mark.parametrize("damaged", [0, 1])
def test_a_damaged_line_before_a_whole_one_is_a_gap_with_its_number(
    tmp_path: Path, damaged: int
) -> None:
    path = written(tmp_path, "1", 3)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[damaged] = b"{" + lines[damaged][5:]
    path.write_bytes(b"".join(lines))
    spool = opened(tmp_path, "2")
    left = spool.leftovers()
    assert [reading.n for reading in left] == [1, 2, 3]
    assert [left[damaged].kind, left[damaged].missing] == [ReadingKind.GAP, 1]
    assert left[2] == reading("1", 3)
    assert spool.cut_lines == 1


def test_an_acknowledged_session_leaves_no_file(tmp_path: Path) -> None:
    path = written(tmp_path, "1", 3)
    spool = opened(tmp_path, "2")
    spool.leftovers()
    spool.forget("1", 2)
    assert path.exists()
    spool.forget("1", 3)
    assert not path.exists()


def test_the_own_file_is_emptied_when_all_is_acknowledged_and_gone_at_the_end(
    tmp_path: Path,
) -> None:
    spool = opened(tmp_path, "1")
    path = tmp_path / "shoe.1.jsonl"
    spool.append(reading("1", 1))
    spool.append(reading("1", 2))
    spool.forget("1", 1)
    assert path.stat().st_size > 0
    spool.forget("1", 2)
    assert path.stat().st_size == 0
    spool.append(reading("1", 3))
    assert path.read_bytes().count(b"\n") == 1
    spool.forget("1", 3)
    spool.close()
    assert not path.exists()


def test_a_full_disk_is_a_problem_that_is_told_and_what_waited_is_written_later(
    tmp_path: Path,
) -> None:
    spool = opened(tmp_path, "1")
    spool.append(reading("1", 1))
    size = (tmp_path / "shoe.1.jsonl").stat().st_size
    with disk_takes(size + 100):
        spool.append(reading("1", 2))
        spool.append(reading("1", 3))
        assert "cannot be written" in spool.problem
        assert SessionSpool(tmp_path, "shoe", "2").leftovers() == [reading("1", 1)]
    spool.retry()
    assert spool.problem == ""
    assert len(SessionSpool(tmp_path, "shoe", "2").leftovers()) == 3


def test_a_directory_that_cannot_be_made_is_a_problem_and_no_end(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a directory")
    spool = opened(tmp_path / "file" / "spool", "1")
    assert "cannot be written" in spool.problem
    spool.append(reading("1", 1))
    assert spool.leftovers() == []
    assert "cannot be written" in spool.problem
    spool.forget("1", 1)
    spool.close()


def test_a_second_process_of_the_same_reader_is_refused_and_one_after_it_is_not(
    tmp_path: Path,
) -> None:
    first = opened(tmp_path, "1")
    with pytest.raises(SpoolTaken):
        opened(tmp_path, "2")
    first.close()
    opened(tmp_path, "3").close()
