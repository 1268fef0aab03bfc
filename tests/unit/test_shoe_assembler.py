"""The assembler and the ladder: times, stale reports, eager repeats, and what the line can do."""

import pytest

from controller.contract.readings import ReadingKind, Rung
from drivers.shoe import angel_eye, line
from drivers.shoe.assembler import Assembler, Draft, Timing
from drivers.shoe.ladder import Ladder
from drivers.shoe.profile_file import load_profile

MS = 1_000_000
TIMING = Timing(
    settle=300 * MS, quiet=300 * MS, repeat_window=150 * MS, retry_first=1, retry_most=1
)
LATER = 1_000 * MS


def assembler(profile: str = "line") -> Assembler:
    """A line that was opened at time 0."""
    ladder = Ladder()
    ladder.opened()
    return Assembler(load_profile(profile), TIMING, ladder, opened_at=0)


def kinds(drafts: list[Draft]) -> list[tuple[str, str | None, str]]:
    return [(str(draft.kind), draft.card, draft.code) for draft in drafts]


def test_a_card_has_its_face_its_bytes_and_the_time_of_its_first_byte() -> None:
    subject = assembler()
    assert subject.receive(b"4", LATER) == []
    assert subject.receive(b"D", LATER + 5) == []
    (draft,) = subject.receive(b"\r", LATER + 9)
    assert draft == Draft(kind=ReadingKind.CARD, stamp=LATER, card="4D", raw=b"4D\r")


def test_each_card_of_one_read_has_its_own_first_byte() -> None:
    subject = assembler()
    subject.receive(b"4D\rK", LATER)
    (second,) = subject.receive(b"S\r", LATER + 7)
    assert (second.card, second.stamp) == ("KS", LATER)


@pytest.mark.parametrize("code", ["8D", "9S", "10C"])
def test_a_card_that_is_not_of_the_forty_is_foreign_and_keeps_its_code(code: str) -> None:
    drafts = assembler().receive(code.encode() + b"\r", LATER)
    assert kinds(drafts) == [("foreign", None, code)]


def test_a_foreign_card_of_the_electronic_shoe_keeps_its_code() -> None:
    data = angel_eye.report("1", "D", angel_eye.card_data("spade-8"))
    assert kinds(assembler("angel-eye").receive(data, LATER)) == [("foreign", None, "spade-8")]


@pytest.mark.parametrize(
    ("text", "stale"),
    [
        (b"4D\r", ("stale", "4D", "")),
        (b"8D\r", ("stale", None, "8D")),
        (b"NR\r", ("stale", None, "no_read")),
    ],
)
def test_what_comes_within_the_settling_time_is_stale_and_not_dropped(
    text: bytes, stale: tuple[str, str | None, str]
) -> None:
    subject = assembler()
    assert kinds(subject.receive(text, TIMING.settle)) == [stale]
    assert kinds(subject.receive(b"KS\r", TIMING.settle + 1)) == [("card", "KS", "")]


def test_a_report_that_began_while_settling_is_stale_whenever_it_ends() -> None:
    subject = assembler()
    subject.receive(b"4", TIMING.settle)
    assert kinds(subject.receive(b"D\r", TIMING.settle + 200 * MS)) == [("stale", "4D", "")]


def test_the_same_code_at_3_40_and_150_ms_is_one_card_and_counted_as_repeats() -> None:
    ladder = Ladder()
    ladder.opened()
    subject = Assembler(load_profile("line"), TIMING, ladder, opened_at=0)
    told = []
    for after in (0, 3, 40, 150):
        told += subject.receive(b"4D\r", LATER + after * MS)
    assert [draft.card for draft in told] == ["4D"]
    assert ladder.repeats == 3


def test_a_continuous_reader_is_one_card_as_long_as_it_repeats() -> None:
    subject, told = assembler(), []
    for detection in range(90):
        told += subject.receive(b"4D\r", LATER + detection * 16 * MS)
    assert len(told) == 1


def test_the_same_code_later_than_the_window_is_a_second_reading() -> None:
    subject = assembler()
    told = subject.receive(b"4D\r", LATER) + subject.receive(b"4D\r", LATER + 151 * MS)
    assert [draft.card for draft in told] == ["4D", "4D"]


def test_the_same_code_behind_another_reading_is_no_repeat() -> None:
    told = assembler().receive(b"4D\rNR\r4D\r", LATER)
    assert [str(draft.kind) for draft in told] == ["card", "no_read", "card"]


def test_a_device_that_numbers_its_reports_is_never_second_guessed() -> None:
    data = angel_eye.card_data("spade-4")
    stream = angel_eye.report("1", "D", data) + angel_eye.report("2", "D", data)
    assert len(assembler("angel-eye").receive(stream, LATER)) == 2


def test_an_unfinished_report_is_a_no_read_when_the_line_ends() -> None:
    subject = assembler("ssi")
    subject.receive(b"\x07\xf3\x00\x00\x034", LATER)
    assert kinds(subject.ended()) == [("no_read", None, "damaged")]
    assert subject.ended() == []


def ladder_after(profile: str, *chunks: bytes, silence: bool = False) -> Ladder:
    ladder = Ladder()
    ladder.opened()
    subject = Assembler(load_profile(profile), TIMING, ladder, opened_at=0)
    for number, chunk in enumerate(chunks, start=1):
        subject.receive(chunk, LATER * number)
        if silence:
            subject.quiet()
    return ladder


@pytest.mark.parametrize(
    ("chunk", "rung"),
    [
        (b"", Rung.BYTES),
        (b"\xf8\x80\x00\x78", Rung.BYTES),
        (angel_eye.report("1", "P")[:-1] + b"0", Rung.FRAMES),
        (angel_eye.report("1", "P"), Rung.VALID),
        (angel_eye.report("1", "D", angel_eye.card_data("spade-8")), Rung.VALID),
        (angel_eye.report("1", "D", angel_eye.card_data("spade-7")), Rung.READING),
        (angel_eye.report("1", "E", b"\xc2"), Rung.FAULT),
    ],
)
def test_the_ladder_stands_where_the_evidence_ends(chunk: bytes, rung: Rung) -> None:
    assert ladder_after("angel-eye", chunk).rung is rung


def test_an_open_line_that_said_nothing_is_opened() -> None:
    ladder = Ladder()
    ladder.opened()
    assert (ladder.rung, ladder.detail) != (Rung.BYTES, "")
    assert ladder.rung is Rung.OPENED


def test_a_wrong_speed_set_later_is_seen_later() -> None:
    card = angel_eye.report("1", "D", angel_eye.card_data("spade-7"))
    garbage = [b"\xf8\x80\x00\x78\xf0"] * 3
    assert ladder_after("angel-eye", card, garbage[0], silence=True).rung is Rung.READING
    ladder = ladder_after("angel-eye", card, *garbage, silence=True)
    assert ladder.rung is Rung.BYTES
    assert "baud" in ladder.detail


def test_texts_in_a_wrong_envelope_are_frames_without_a_check() -> None:
    assert ladder_after("line", b"]C14D\r").rung is Rung.FRAMES
    assert ladder_after("line", b"]C14D\r").rejected == 1


def test_error_mode_lasts_until_it_is_cleared() -> None:
    fault = angel_eye.report("1", "E", b"\xc2")
    ladder = ladder_after("angel-eye", fault, angel_eye.report("2", "P"))
    assert ladder.rung is Rung.FAULT
    assert "overdraw" in ladder.detail
    cleared = ladder_after("angel-eye", fault, angel_eye.report("2", "e", b"\x80"))
    assert cleared.rung is Rung.VALID


def test_an_order_that_was_refused_is_told_in_the_detail() -> None:
    ladder = Ladder()
    ladder.opened()
    subject = Assembler(load_profile("angel-eye"), TIMING, ladder, opened_at=0)
    subject.codec.order("lock")
    subject.receive(b"\x15\x21", LATER)
    assert "lock refused: busy" in ladder.detail
    subject.codec.order("lock")
    subject.receive(b"\x06", LATER)
    assert "refused" not in ladder.detail


def test_what_was_rejected_of_a_garbage_burst_does_not_count_as_frames() -> None:
    ladder = ladder_after("line", b"A" * 300, silence=True)
    assert (ladder.frames, ladder.rung) == (0, Rung.BYTES)


def test_the_stamp_of_a_late_no_read_is_that_of_its_first_byte() -> None:
    subject = assembler()
    subject.receive(b"4D\r7", LATER)
    subject.receive(b"S", LATER + 20)
    (draft,) = subject.quiet()
    assert (draft.kind, draft.stamp, draft.raw) == (ReadingKind.NO_READ, LATER, b"7S")


def test_the_profile_decides_the_codec() -> None:
    assert isinstance(load_profile("line").codec(), line.Line)
    assert isinstance(load_profile("angel-eye").codec(), angel_eye.AngelEye)


def test_what_waited_while_the_loop_was_stalled_is_stale_and_what_comes_later_is_not() -> None:
    subject = assembler()
    subject.doubt(LATER)
    (waited,) = subject.receive(b"4D\r", LATER + 1 * MS)
    (came,) = subject.receive(b"5D\r", LATER + 100 * MS)
    assert [waited.kind, came.kind] == [ReadingKind.STALE, ReadingKind.CARD]
