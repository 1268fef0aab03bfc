"""The journal against every cut and every flipped byte: the longest whole prefix, or a name."""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.journal.directory import segment_path, segments
from controller.journal.errors import JournalDamaged, JournalTorn, RecordsMissing
from controller.journal.format import GENESIS, HEADER_BYTES
from controller.journal.segments import Journal
from controller.journal.verify import verify
from controller.journal.walk import read

SEGMENT = 640
PAYLOADS = [b'{"card":"AD"}', b"{}", b'{"n":%s}' % (b"7" * 90), b'{"last":true}']
ROLL_AT = 2

payloads = st.lists(st.text("abc{}\u00e8 ", max_size=60).map(str.encode), max_size=12)


def write(directory: Path, contents: list[bytes], roll_at: int = -1) -> list[bytes]:
    """Write `contents`; the heads, the empty journal's first."""
    journal = Journal.open(directory, segment_bytes=SEGMENT)
    heads = [GENESIS]
    for n, payload in enumerate(contents):
        heads.append(journal.roll(payload) if n == roll_at else journal.append(payload))
    journal.close()
    return heads


def contents(directory: Path) -> list[bytes]:
    return [stored.payload for stored in read(directory)]


@given(payloads, st.integers(128, 1024), st.data())
@settings(max_examples=40, deadline=None)
def test_any_payloads_over_any_segments_and_restarts_come_back_in_order(
    wanted: list[bytes], segment_bytes: int, data: st.DataObject
) -> None:
    with TemporaryDirectory() as name:
        directory = Path(name)
        journal = Journal.open(directory, segment_bytes=segment_bytes)
        for payload in wanted:
            if data.draw(st.booleans(), "restart"):
                head, count = journal.head, journal.count
                journal.close()
                journal = Journal.open(directory, segment_bytes=segment_bytes)
                assert (journal.head, journal.count, journal.torn) == (head, count, None)
            if journal.must_roll() or data.draw(st.booleans(), "roll"):
                journal.roll(payload)
            else:
                journal.append(payload)
        assert contents(directory) == wanted
        verified = verify(directory, seen=journal.head)
        assert (verified.count, verified.head) == (len(wanted), journal.head)
        journal.close()


def test_cut_at_every_byte_it_opens_with_the_longest_whole_prefix(tmp_path: Path) -> None:
    heads = write(tmp_path / "sound", PAYLOADS, ROLL_AT)
    stored = list(read(tmp_path / "sound"))
    last = segments(tmp_path / "sound")[-1].path
    ends = [one.offset + 40 + len(one.payload) for one in stored[ROLL_AT:]]
    for cut in range(ends[-1]):
        directory = tmp_path / f"cut{cut}"
        shutil.copytree(tmp_path / "sound", directory)
        (directory / last.name).write_bytes(last.read_bytes()[:cut])
        whole = ROLL_AT + sum(end <= cut for end in ends)
        noted = whole + 1 == len(PAYLOADS)
        if not noted:
            with pytest.raises(RecordsMissing, match=f"records {whole} to {len(PAYLOADS) - 1} had"):
                Journal.open(directory, segment_bytes=SEGMENT)
            assert (directory / last.name).read_bytes() == last.read_bytes()[:cut], cut
            (directory / "head").unlink()  # never synced: as if the power had taken it too
        journal = Journal.open(directory, segment_bytes=SEGMENT)
        assert (journal.count, journal.head) == (whole, heads[whole]), cut
        if noted or cut not in (*ends, HEADER_BYTES):
            assert journal.torn is not None, cut
            assert (journal.torn.index, journal.torn.published) == (whole, noted), cut
        journal.append(b"next")
        journal.close()
        assert contents(directory) == [*PAYLOADS[:whole], b"next"], cut
        assert verify(directory).count == whole + 1
        shutil.rmtree(directory)


def test_a_first_segment_cut_at_every_byte_of_header_and_record_still_opens(
    tmp_path: Path,
) -> None:
    write(tmp_path / "sound", [b"only"])
    content = segment_path(tmp_path / "sound", 0).read_bytes()
    for cut in range(HEADER_BYTES + 44):
        directory = tmp_path / f"cut{cut}"
        shutil.copytree(tmp_path / "sound", directory)
        segment_path(directory, 0).write_bytes(content[:cut])
        journal = Journal.open(directory, segment_bytes=SEGMENT)
        assert journal.count == 0
        assert journal.torn is not None
        assert journal.torn.published
        journal.append(b"next")
        journal.close()
        assert contents(directory) == [b"next"]
        shutil.rmtree(directory)


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_a_write_cut_short_in_any_order_of_blocks_is_a_torn_tail_and_its_bytes_are_kept(
    data: st.DataObject,
) -> None:
    with TemporaryDirectory() as name:
        directory = Path(name)
        write(directory, PAYLOADS[:3])
        (directory / "head").unlink()
        before = segment_path(directory, 0).read_bytes()
        write(directory, [PAYLOADS[3]])
        (directory / "head").unlink()
        after = segment_path(directory, 0).read_bytes()
        start = len(before.rstrip(b"\0"))
        size = len(after.rstrip(b"\0")) - start
        arrived = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
        mixed = bytes(
            b if new else 0 for b, new in zip(after[start : start + size], arrived, strict=True)
        )
        segment_path(directory, 0).write_bytes(before[:start] + mixed + after[start + size :])
        journal = Journal.open(directory, segment_bytes=SEGMENT)
        if mixed == after[start : start + size]:
            assert journal.torn is None
        elif mixed.strip(b"\0"):
            assert journal.count == 3
            assert journal.torn is not None
            assert journal.torn.kept is not None
            assert journal.torn.kept.read_bytes() == mixed.rstrip(b"\0")
            assert not journal.torn.published
        journal.append(b"next")
        assert contents(directory)[-1] == b"next"
        journal.close()


def test_a_flip_of_any_byte_is_named_by_verify_with_its_record(tmp_path: Path) -> None:
    write(tmp_path / "j", PAYLOADS, ROLL_AT)
    stored = list(read(tmp_path / "j"))
    for segment in segments(tmp_path / "j"):
        sound = segment.path.read_bytes()
        here = [one for one in stored if one.segment == segment.path.name]
        for at in range(len(sound.rstrip(b"\0"))):
            segment.path.write_bytes(sound[:at] + bytes([sound[at] ^ 0x10]) + sound[at + 1 :])
            hit = [one for one in here if one.offset <= at]
            with pytest.raises(JournalDamaged) as caught:
                verify(tmp_path / "j")
            assert caught.value.segment == segment.path.name, at
            assert caught.value.index == (hit[-1].index if hit else segment.first), at
            assert caught.value.offset == (hit[-1].offset if hit else 0), at
        segment.path.write_bytes(sound)
    assert verify(tmp_path / "j").count == len(PAYLOADS)


def test_a_flip_in_the_unwritten_rest_of_a_full_segment_is_named_too(tmp_path: Path) -> None:
    write(tmp_path / "j", PAYLOADS, ROLL_AT)
    path = segment_path(tmp_path / "j", 0)
    sound = path.read_bytes()
    path.write_bytes(sound[:-1] + b"\x01")
    with pytest.raises(JournalDamaged, match="zeros stand where it should begin"):
        verify(tmp_path / "j")


def test_opening_never_cuts_away_a_whole_record_that_follows_damage(tmp_path: Path) -> None:
    write(tmp_path / "j", PAYLOADS, ROLL_AT)
    last = segments(tmp_path / "j")[-1].path
    *_, final = read(tmp_path / "j")
    sound = last.read_bytes()
    for at in range(final.offset):
        damaged = sound[:at] + bytes([sound[at] ^ 0x01]) + sound[at + 1 :]
        last.write_bytes(damaged)
        with pytest.raises(JournalDamaged):
            Journal.open(tmp_path / "j", segment_bytes=SEGMENT)
        assert last.read_bytes() == damaged
    assert not list((tmp_path / "j").glob("torn-*"))


def test_a_hole_of_zeros_before_a_whole_record_is_damage(tmp_path: Path) -> None:
    write(tmp_path / "j", PAYLOADS)
    stored = list(read(tmp_path / "j"))
    path = segment_path(tmp_path / "j", 0)
    sound = path.read_bytes()
    hole = bytes(stored[3].offset - stored[2].offset)
    path.write_bytes(sound[: stored[2].offset] + hole + sound[stored[3].offset :])
    for look in (lambda: verify(tmp_path / "j"), lambda: Journal.open(tmp_path / "j")):
        with pytest.raises(JournalDamaged, match="zeros stand where it should begin") as caught:
            look()
        assert not isinstance(caught.value, JournalTorn)
        assert (caught.value.index, caught.value.offset) == (2, stored[2].offset)


def test_a_flip_in_the_very_last_record_is_reported_as_possibly_published(tmp_path: Path) -> None:
    heads = write(tmp_path / "j", PAYLOADS)
    *_, final = read(tmp_path / "j")
    path = segment_path(tmp_path / "j", 0)
    sound = path.read_bytes()
    path.write_bytes(sound[: final.offset + 50] + b"!" + sound[final.offset + 51 :])
    journal = Journal.open(tmp_path / "j", segment_bytes=SEGMENT)
    journal.close()
    assert journal.torn is not None
    assert journal.torn.published
    assert (journal.torn.offset, journal.torn.index) == (final.offset, 3)
    assert "may have been published" in str(journal.torn)
    with pytest.raises(Exception, match="journal too short"):
        verify(tmp_path / "j", seen=heads[-1])


def test_a_cut_is_reported_again_until_a_record_stands_in_its_place(tmp_path: Path) -> None:
    write(tmp_path / "j", PAYLOADS)
    (tmp_path / "j" / "head").unlink()
    *_, final = read(tmp_path / "j")
    path = segment_path(tmp_path / "j", 0)
    path.write_bytes(path.read_bytes()[: final.offset + 20])
    for _ in range(3):
        journal = Journal.open(tmp_path / "j", segment_bytes=SEGMENT)
        journal.close()
        assert journal.torn is not None
        assert (journal.torn.offset, journal.torn.size) == (final.offset, 20)
    write(tmp_path / "j", [b"halt"])
    journal = Journal.open(tmp_path / "j", segment_bytes=SEGMENT)
    journal.close()
    assert journal.torn is None


def test_a_second_torn_write_at_the_same_place_keeps_both(tmp_path: Path) -> None:
    write(tmp_path / "j", PAYLOADS[:1])
    path = segment_path(tmp_path / "j", 0)
    end = len(path.read_bytes().rstrip(b"\0"))
    for torn in (b"\x40\x00\x00\x00first", b"\x40\x00\x00\x00then"):
        sound = path.read_bytes()
        path.write_bytes(sound[:end] + torn + sound[end + len(torn) :])
        journal = Journal.open(tmp_path / "j", segment_bytes=SEGMENT)
        journal.close()
        assert journal.torn is not None
        assert journal.torn.kept is not None
        assert journal.torn.kept.read_bytes() == torn
    assert len(list((tmp_path / "j").glob("torn-*"))) == 2


def test_records_of_another_journal_do_not_chain(tmp_path: Path) -> None:
    write(tmp_path / "a", [b"one", b"two"])
    write(tmp_path / "b", [b"eno", b"two"])
    mine, other = (segment_path(tmp_path / name, 0) for name in "ab")
    second = [stored.offset for stored in read(tmp_path / "a")][1]
    mine.write_bytes(mine.read_bytes()[:second] + other.read_bytes()[second:])
    for look in (lambda: verify(tmp_path / "a"), lambda: Journal.open(tmp_path / "a")):
        with pytest.raises(JournalDamaged, match="does not continue the record before") as caught:
            look()
        assert caught.value.index == 1


def test_a_journal_of_a_later_format_is_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.journal.format.VERSION", 2)
    write(tmp_path / "j", [])
    monkeypatch.undo()
    with pytest.raises(JournalDamaged, match="version 2 is not known"):
        Journal.open(tmp_path / "j", segment_bytes=SEGMENT)
