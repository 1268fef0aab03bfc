"""The journal's writer, reader and verifier on a sound disk: order, heads, rolling, modes, lock."""

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.journal.cli import command
from controller.journal.directory import segment_path, segments
from controller.journal.errors import (
    JournalBusy,
    JournalDamaged,
    JournalMissing,
    PayloadTooLarge,
    RecordsMissing,
)
from controller.journal.format import GENESIS, HEADER_BYTES, PAYLOAD_LIMIT
from controller.journal.segments import Journal
from controller.journal.verify import verify
from controller.journal.walk import read

SMALL = 4096


def written(directory: Path, payloads: list[bytes], *, roll_before: tuple[int, ...] = ()) -> bytes:
    journal = Journal.open(directory, segment_bytes=SMALL)
    for n, payload in enumerate(payloads):
        if n in roll_before:
            journal.roll(payload)
        else:
            journal.append(payload)
    head = journal.head
    journal.close()
    return head


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, list(arguments))


def test_a_new_journal_is_empty_and_its_head_is_zero(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "j", segment_bytes=SMALL)
    assert (journal.head, journal.count, journal.torn) == (GENESIS, 0, None)
    assert list(journal.tail()) == []
    assert list(read(tmp_path / "j")) == []
    journal.close()


def test_what_was_appended_is_read_in_order_with_the_heads_that_append_returned(
    tmp_path: Path,
) -> None:
    journal = Journal.open(tmp_path / "j", segment_bytes=SMALL)
    payloads = [b"one", b"", b"three" * 100]
    heads = [journal.append(payload) for payload in payloads]
    stored = list(read(tmp_path / "j"))
    assert [one.payload for one in stored] == payloads
    assert [one.digest for one in stored] == heads
    assert [one.index for one in stored] == [0, 1, 2]
    assert (journal.head, journal.count) == (heads[-1], 3)
    journal.close()


def test_reopening_stands_where_it_stood(tmp_path: Path) -> None:
    head = written(tmp_path / "j", [b"a", b"b", b"c"], roll_before=(2,))
    journal = Journal.open(tmp_path / "j", segment_bytes=SMALL)
    assert (journal.head, journal.count, journal.torn) == (head, 3, None)
    journal.append(b"d")
    assert [one.payload for one in read(tmp_path / "j")] == [b"a", b"b", b"c", b"d"]
    journal.close()


def test_a_rolled_segment_begins_with_its_first_payload_and_is_named_by_its_index(
    tmp_path: Path,
) -> None:
    journal = Journal.open(tmp_path / "j", segment_bytes=SMALL)
    for payload in (b"a", b"b"):
        journal.append(payload)
    journal.roll(b"checkpoint")
    journal.append(b"c")
    assert [one.payload for one in journal.tail()] == [b"checkpoint", b"c"]
    assert [segment.path.name for segment in segments(tmp_path / "j")] == [
        "0000000000000000.seg",
        "0000000000000002.seg",
    ]
    assert verify(tmp_path / "j").count == 4
    journal.close()


def test_it_says_when_to_roll_and_grows_if_nobody_listens(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "j", segment_bytes=SMALL)
    assert not journal.must_roll()
    while not journal.must_roll():
        journal.append(b"x" * 100)
    assert segment_path(tmp_path / "j", 0).stat().st_size == SMALL
    for _ in range(20):
        journal.append(b"y" * 100)
    count = journal.count
    journal.close()
    assert verify(tmp_path / "j").count == count


def test_a_checkpoint_larger_than_a_segment_gets_a_segment_of_its_size(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "j", segment_bytes=SMALL)
    journal.roll(b"c" * (3 * SMALL))
    journal.append(b"after")
    journal.close()
    assert [len(one.payload) for one in read(tmp_path / "j")] == [3 * SMALL, 5]


def test_a_payload_above_the_limit_is_refused_and_the_journal_goes_on(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "j", segment_bytes=SMALL)
    with pytest.raises(PayloadTooLarge, match=f"limit of {PAYLOAD_LIMIT}"):
        journal.append(bytes(PAYLOAD_LIMIT + 1))
    journal.append(b"x" * PAYLOAD_LIMIT)
    assert verify(tmp_path / "j").count == 1
    journal.close()


def test_reading_from_an_index_needs_no_earlier_segment(tmp_path: Path) -> None:
    payloads = [bytes([65 + n]) for n in range(9)]
    written(tmp_path / "j", payloads, roll_before=(3, 6))
    first = segment_path(tmp_path / "j", 0)
    first.write_bytes(first.read_bytes()[:HEADER_BYTES])
    for start in range(3, 12):
        assert [one.payload for one in read(tmp_path / "j", start=start)] == payloads[start:]


def test_a_reader_beside_a_running_writer_sees_whole_records_only(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "j", segment_bytes=SMALL)
    for n in range(30):
        if journal.must_roll():
            journal.roll(b"r%d" % n)
        else:
            journal.append(b"p%d" % n * 50)
        assert [one.index for one in read(tmp_path / "j")] == list(range(n + 1))
    journal.close()


def test_a_reader_beside_a_writer_in_another_process_never_cries_damage(tmp_path: Path) -> None:
    script = (
        "import sys, pathlib; from controller.journal.segments import Journal\n"
        "journal = Journal.open(pathlib.Path(sys.argv[1]), segment_bytes=65536)\n"
        "print('up', flush=True)\n"
        "for n in range(1500):\n"
        "    write = journal.roll if journal.must_roll() else journal.append\n"
        "    write(b'%d' % n + b'x' * (n % 7 * 900))\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path / "j")], stdout=subprocess.PIPE
    )
    assert child.stdout is not None
    assert child.stdout.readline() == b"up\n"
    counts = [0]
    while child.poll() is None:
        indexes = [stored.index for stored in read(tmp_path / "j", start=counts[-1])]
        assert indexes == list(range(counts[-1], counts[-1] + len(indexes)))
        counts.append(counts[-1] + len(indexes))
    child.stdout.close()
    assert child.returncode == 0
    assert len(set(counts)) > 2, "the reader never ran beside the writer"
    assert verify(tmp_path / "j").count == 1500


def test_everything_is_for_the_owner_alone(tmp_path: Path) -> None:
    directory = tmp_path / "deep" / "j"
    written(directory, [b"a", b"b"], roll_before=(1,))
    damaged = segment_path(directory, 1)
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"x")
    Journal.open(directory, segment_bytes=SMALL).close()
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in directory.iterdir()}
    assert set(modes.values()) == {0o600}, modes
    assert any(name.startswith("torn-") for name in modes)


def test_an_idle_probe_adds_no_record(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "j", segment_bytes=SMALL)
    journal.append(b"a")
    journal.probe()
    assert (journal.count, verify(tmp_path / "j").count) == (1, 1)
    assert journal.free_bytes() > 0
    journal.close()


def test_a_second_writer_is_refused_and_told_who_has_it(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "j", segment_bytes=SMALL)
    with pytest.raises(JournalBusy, match=f"process {os.getpid()}"):
        Journal.open(tmp_path / "j", segment_bytes=SMALL)
    journal.append(b"the first goes on")
    journal.close()
    Journal.open(tmp_path / "j", segment_bytes=SMALL).close()


def test_after_a_kill_the_next_writer_opens_at_once(tmp_path: Path) -> None:
    script = (
        "import sys, time, pathlib; from controller.journal.segments import Journal\n"
        "journal = Journal.open(pathlib.Path(sys.argv[1]), segment_bytes=4096)\n"
        "journal.append(b'alive'); print('up', flush=True); time.sleep(600)\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path / "j")], stdout=subprocess.PIPE
    )
    assert child.stdout is not None
    assert child.stdout.readline() == b"up\n"
    with pytest.raises(JournalBusy, match=f"process {child.pid}"):
        Journal.open(tmp_path / "j", segment_bytes=SMALL)
    child.send_signal(signal.SIGKILL)
    child.wait(10)
    child.stdout.close()
    journal = Journal.open(tmp_path / "j", segment_bytes=SMALL)
    assert [one.payload for one in journal.tail()] == [b"alive"]
    journal.close()


def test_a_journal_without_its_beginning_is_refused(tmp_path: Path) -> None:
    written(tmp_path / "j", [b"a", b"b"], roll_before=(1,))
    segment_path(tmp_path / "j", 0).unlink()
    with pytest.raises(JournalDamaged, match="segments before it are missing"):
        Journal.open(tmp_path / "j", segment_bytes=SMALL)
    with pytest.raises(JournalDamaged, match="segments before it are missing"):
        verify(tmp_path / "j")


def test_a_missing_segment_in_the_middle_is_named(tmp_path: Path) -> None:
    written(tmp_path / "j", [b"a", b"b", b"c"], roll_before=(1, 2))
    segment_path(tmp_path / "j", 1).unlink()
    with pytest.raises(JournalDamaged, match="segment before ends at 1") as caught:
        verify(tmp_path / "j")
    assert caught.value.segment == "0000000000000002.seg"


def test_a_journal_cut_cleanly_at_a_record_is_too_short_for_its_own_note(tmp_path: Path) -> None:
    written(tmp_path / "j", [b"a", b"bcd"])
    *_, last = read(tmp_path / "j")
    path = segment_path(tmp_path / "j", 0)
    path.write_bytes(path.read_bytes()[: last.offset])
    with pytest.raises(RecordsMissing, match="record 1 was written"):
        verify(tmp_path / "j")
    journal = Journal.open(tmp_path / "j", segment_bytes=SMALL)
    assert journal.torn is not None
    assert (journal.torn.published, journal.torn.index, journal.torn.size) == (True, 1, 0)
    assert "record 1 had been written and may have been published" in str(journal.torn)
    journal.append(b"the halt")
    journal.close()
    journal = Journal.open(tmp_path / "j", segment_bytes=SMALL)
    assert journal.torn is None
    journal.close()


def test_verify_says_how_many_and_the_head(tmp_path: Path) -> None:
    head = written(tmp_path / "j", [b"a", b"b"])
    result = run("verify", str(tmp_path / "j"), "--head", head.hex())
    assert (result.exit_code, result.output) == (0, f"ok: 2 records, head {head.hex()}\n")


def test_verify_refuses_a_journal_that_never_had_the_head_that_was_seen(tmp_path: Path) -> None:
    first = written(tmp_path / "j", [b"a"])
    written(tmp_path / "j", [b"b"])
    assert run("verify", str(tmp_path / "j"), "--head", first.hex()).exit_code == 0
    result = run("verify", str(tmp_path / "j"), "--head", "ab" * 32)
    assert isinstance(result.exception, RecordsMissing)
    assert result.exception.exit_code == 5
    assert "ab" * 32 in result.exception.message


def test_a_head_that_is_no_hash_is_a_usage_error(tmp_path: Path) -> None:
    written(tmp_path / "j", [b"a"])
    result = run("verify", str(tmp_path / "j"), "--head", "beef")
    assert result.exit_code == 2
    assert "64 hexadecimal digits" in result.output


def test_verify_of_a_directory_without_a_journal_says_so(tmp_path: Path) -> None:
    result = run("verify", str(tmp_path))
    assert isinstance(result.exception, JournalMissing)
    assert result.exception.exit_code == 2


def test_verify_names_a_torn_tail_unless_it_is_allowed(tmp_path: Path) -> None:
    written(tmp_path / "j", [b"a", b"bcd"])
    *_, last = read(tmp_path / "j")
    path = segment_path(tmp_path / "j", 0)
    path.write_bytes(path.read_bytes()[: last.offset + 9])
    result = run("verify", str(tmp_path / "j"))
    assert isinstance(result.exception, JournalDamaged)
    assert f"byte {last.offset}, record 1" in result.exception.message
    assert result.exception.exit_code == 5
    allowed = run("verify", str(tmp_path / "j"), "--allow-torn-tail")
    assert allowed.exit_code == 0
    assert allowed.output.startswith("ok: 1 records")
