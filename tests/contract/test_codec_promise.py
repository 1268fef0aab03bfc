"""The promise that every shoe codec keeps, whatever its wire looks like.

One suite, run for each protocol: frames fed whole, in bytes, with tails and at
every split; damage of every bit; glue; NUL; garbage without end.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.contract.readings import ReadingKind
from drivers.shoe import angel_eye, line, ssi
from drivers.shoe.codec import MAX_RAW, Codec, Event, Rejected, Report

CODES = ("4D", "KS", "AC", "7B", "2D", "JC")
ANGEL_EYE_CODES = ("spade-8", "heart-1", "club-7", "diamond-13", "spade-4", "heart-11")


@dataclass(frozen=True)
class Wire:
    """One protocol: a fresh codec, and the bytes of the n-th card as its device sends them."""

    name: str
    codec: Callable[[], Codec]
    frame: Callable[[int], bytes]
    codes: tuple[str, ...] = CODES
    checked: bool = True
    """Whether the protocol itself can tell a flipped bit from another card."""


def angel_eye_frame(n: int) -> bytes:
    seq = angel_eye.SEQUENCE[n % 9]
    return angel_eye.report(seq, "D", angel_eye.card_data(ANGEL_EYE_CODES[n]))


def line_wire(name: str, options: line.LineOptions) -> Wire:
    return Wire(
        name=name,
        codec=partial(line.Line, options),
        frame=lambda n: line.terminated(CODES[n], options),
        checked=options.check_letter,
    )


DECK_CODE = "[A2-7JQK][DCSB]"
WIRES = [
    Wire("angel-eye", angel_eye.AngelEye, angel_eye_frame, ANGEL_EYE_CODES),
    Wire(
        "angel-eye three times",
        angel_eye.AngelEye,
        lambda n: angel_eye_frame(n) * 3,
        ANGEL_EYE_CODES,
    ),
    Wire("ssi", ssi.Ssi, lambda n: ssi.decode_data(CODES[n])),
    line_wire("line cr", line.LineOptions(ending="cr", pattern=DECK_CODE)),
    line_wire("line lf", line.LineOptions(ending="lf", pattern=DECK_CODE)),
    line_wire("line crlf", line.LineOptions(ending="crlf", pattern=DECK_CODE)),
    line_wire("line any", line.LineOptions(pattern=DECK_CODE)),
    line_wire("line stx etx", line.LineOptions(ending="stx_etx", pattern=DECK_CODE)),
    line_wire(
        "line with prefix, suffix and check letter",
        line.LineOptions(prefix="]C", suffix="#", pattern=DECK_CODE, check_letter=True),
    ),
    line_wire(
        "line stx etx with check letter",
        line.LineOptions(ending="stx_etx", pattern=DECK_CODE, check_letter=True),
    ),
]


@pytest.fixture(params=WIRES, ids=lambda wire: wire.name)
def wire(request: pytest.FixtureRequest) -> Wire:
    assert isinstance(request.param, Wire)
    return request.param


def drain(codec: Codec) -> list[Event]:
    events = []
    while (event := codec.next_event()) is not None:
        events.append(event)
    return events


def heard(codec: Codec, *chunks: bytes) -> list[Report]:
    """The reports of these chunks and of the silence after them."""
    events: list[Event] = []
    for chunk in chunks:
        codec.receive_data(chunk)
        events += drain(codec)
    while codec.pending:
        codec.quiet()
        events += drain(codec)
    return [event for event in events if isinstance(event, Report)]


def cards(reports: list[Report]) -> list[str]:
    return [report.code for report in reports if report.kind is ReadingKind.CARD]


def test_a_whole_frame_is_one_card(wire: Wire) -> None:
    (report,) = heard(wire.codec(), wire.frame(0))
    assert (report.kind, report.code, report.at) == (ReadingKind.CARD, wire.codes[0], 0)
    assert wire.frame(0).startswith(report.raw)


def test_byte_by_byte_is_the_same_card(wire: Wire) -> None:
    frame = wire.frame(0)
    assert heard(wire.codec(), *(frame[i : i + 1] for i in range(len(frame)))) == heard(
        wire.codec(), frame
    )


def test_nothing_is_told_before_the_first_frame_is_whole(wire: Wire) -> None:
    codec = wire.codec()
    (report,) = heard(wire.codec(), wire.frame(0))
    for byte in report.raw[:-1]:
        codec.receive_data(bytes([byte]))
        assert codec.next_event() is None


def test_split_at_every_position_is_the_same_card(wire: Wire) -> None:
    frame = wire.frame(0)
    for at in range(1, len(frame)):
        assert cards(heard(wire.codec(), frame[:at], frame[at:])) == [wire.codes[0]]


def test_a_pause_beyond_the_limit_at_any_position_is_never_silent_and_never_another_card(
    wire: Wire,
) -> None:
    (first,) = heard(wire.codec(), wire.frame(0))
    for at in range(1, len(first.raw)):
        codec = wire.codec()
        reports = heard(codec, wire.frame(0)[:at]) + heard(codec, wire.frame(0)[at:])
        assert reports, at
        assert set(cards(reports)) <= {wire.codes[0]}, at
        assert cards(heard(codec, wire.frame(1))) == [wire.codes[1]], at


def test_a_tail_waits_for_its_rest(wire: Wire) -> None:
    first, second = wire.frame(0), wire.frame(1)
    for at in range(1, len(second)):
        codec = wire.codec()
        reports = heard(codec, first + second[:at], second[at:])
        assert cards(reports) == list(wire.codes[:2])
        assert reports[1].at == len(first)


@pytest.mark.parametrize("count", range(2, 7))
def test_frames_glued_into_one_read_are_all_told_in_order(wire: Wire, count: int) -> None:
    glued = b"".join(wire.frame(n) for n in range(count))
    assert cards(heard(wire.codec(), glued)) == list(wire.codes[:count])


@pytest.mark.parametrize(
    "wire", [wire for wire in WIRES if wire.checked], ids=lambda wire: wire.name
)
def test_a_flipped_bit_never_makes_another_card_and_the_next_card_is_read(wire: Wire) -> None:
    """Plain text has no check of its own: the check letter is for that."""
    frame = wire.frame(0)
    for place in range(len(frame)):
        for bit in range(8):
            flipped = bytearray(frame)
            flipped[place] ^= 1 << bit
            codec = wire.codec()
            before = heard(codec, bytes(flipped))
            assert set(cards(before)) <= {wire.codes[0]}, (place, bit)
            assert cards(heard(codec, wire.frame(1))) == [wire.codes[1]], (place, bit)


def test_a_flipped_bit_is_never_silent(wire: Wire) -> None:
    """A card whose report was damaged is a card or a no-read, never nothing."""
    frame = wire.frame(0)
    for place in range(len(frame)):
        for bit in range(8):
            flipped = bytearray(frame)
            flipped[place] ^= 1 << bit
            assert heard(wire.codec(), bytes(flipped)), (place, bit)


def test_a_nul_inside_a_frame_is_rejected_and_the_next_frame_is_fine(wire: Wire) -> None:
    (first,) = heard(wire.codec(), wire.frame(0))
    for at in range(1, len(first.raw)):
        codec = wire.codec()
        codec.receive_data(first.raw[:at] + b"\x00" + first.raw[at:])
        events = drain(codec)
        while codec.pending:
            codec.quiet()
            events += drain(codec)
        kinds = [event.kind for event in events if isinstance(event, Report)]
        assert kinds == [ReadingKind.NO_READ], at
        assert any(isinstance(event, Rejected) for event in events)
        assert cards(heard(codec, wire.frame(1))) == [wire.codes[1]], at


def test_a_cut_frame_is_a_no_read_when_the_line_falls_silent(wire: Wire) -> None:
    (first,) = heard(wire.codec(), wire.frame(0))
    for length in range(min(4, len(first.raw) - 1), len(first.raw)):
        codec = wire.codec()
        kinds = [report.kind for report in heard(codec, first.raw[:length])]
        assert kinds in ([ReadingKind.NO_READ], [ReadingKind.CARD]), length
        assert cards(heard(codec, wire.frame(1))) == [wire.codes[1]], length


@pytest.mark.parametrize("byte", [b"A", b"\x00", b"\xff", b"\x05", b"\x02", b"\xf3", b"\x07"])
def test_a_megabyte_without_end_keeps_memory_flat_and_the_next_card_is_read(
    wire: Wire, byte: bytes
) -> None:
    codec = wire.codec()
    for _ in range(256):
        codec.receive_data(byte * 4096)
        for event in drain(codec):
            assert len(event.raw) <= MAX_RAW
        assert len(codec._buffer) <= 4096
    babble = heard(codec)
    assert cards(babble) == []
    assert len(babble) <= 1
    assert all(len(report.raw) <= MAX_RAW for report in babble)
    assert cards(heard(codec, wire.frame(1))) == [wire.codes[1]]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(WIRES), st.lists(st.binary(max_size=12), max_size=20))
def test_any_bytes_in_any_chunks_are_survived_and_every_byte_is_accounted(
    wire: Wire, chunks: list[bytes]
) -> None:
    codec = wire.codec()
    heard(codec, *chunks)
    assert len(codec._buffer) == 0
    assert codec._offset == sum(map(len, chunks))
    assert wire.codes[1] in cards(heard(codec, wire.frame(1)))


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(WIRES), st.lists(st.integers(1, 7), max_size=20))
def test_how_the_bytes_are_lumped_never_changes_what_is_told(wire: Wire, sizes: list[int]) -> None:
    stream = b"".join(wire.frame(n) for n in range(6))
    chunks, at = [], 0
    for size in sizes:
        chunks.append(stream[at : at + size])
        at += size
    chunks.append(stream[at:])
    assert cards(heard(wire.codec(), *chunks)) == list(wire.codes)
