"""Line mode beyond the golden bytes: envelopes, no-reads, and nothing ignored."""

import pytest

from drivers.shoe.codec import Event, Report
from drivers.shoe.line import Line, LineOptions, check_letter, terminated

DECK = "[A2-7JQK][DCSB]"


def told(codec: Line, data: bytes) -> list[tuple[str, str]]:
    events: list[Event] = []
    codec.receive_data(data)
    while (event := codec.next_event()) is not None:
        events.append(event)
    return [(str(e.kind), e.code) for e in events if isinstance(e, Report)]


def silence(codec: Line) -> list[tuple[str, str]]:
    codec.quiet()
    return told(codec, b"")


@pytest.mark.parametrize("text", [b"NOREAD", b"noread", b"NR", b"?", b""])
@pytest.mark.parametrize("ending", [b"\r", b"\r\n", b"\n"])
def test_a_no_read_text_and_an_empty_line_are_no_reads(text: bytes, ending: bytes) -> None:
    codec = Line(LineOptions(pattern=DECK))
    assert told(codec, text + ending) == [("no_read", "no_read")]
    assert silence(codec) == []


def test_a_no_read_text_inside_prefix_and_suffix_is_known_too() -> None:
    codec = Line(LineOptions(prefix="<", suffix=">", pattern=DECK))
    assert told(codec, b"<NR>\rNR\r") == [("no_read", "no_read")] * 2


@pytest.mark.parametrize(
    "data",
    [b"4D", b"<4D", b"4D>", b"]C14D", b"\t4D", b"<4D> ", b"<4d>", b"<44D>", b"\x024D"],
)
def test_exactly_the_configured_envelope_is_accepted(data: bytes) -> None:
    codec = Line(LineOptions(prefix="<", suffix=">", pattern=DECK))
    assert told(codec, b"<4D>\r") == [("card", "4D")]
    assert told(codec, data + b"\r") == [("no_read", "unexpected_text")]
    assert told(codec, b"<KS>\r") == [("card", "KS")]


@pytest.mark.parametrize(
    ("ending", "data"),
    [("crlf", b"4D\rKS\r\n"), ("crlf", b"4D\nKS\r\n"), ("lf", b"4D\r\nKS\n"), ("cr", b"4D\nKS\r")],
)
def test_a_wrong_ending_is_a_no_read_and_the_next_card_is_its_own(ending: str, data: bytes) -> None:
    codec = Line(LineOptions(ending=ending, pattern=DECK))  # type: ignore[arg-type]
    kinds = [kind for kind, _ in told(codec, data)]
    assert kinds[0] == "no_read"
    assert told(codec, b"") == []
    assert kinds[-1] == "card"


def test_a_lost_ending_is_a_no_read_when_the_line_is_silent() -> None:
    codec = Line(LineOptions(pattern=DECK))
    assert told(codec, b"4D") == []
    assert silence(codec) == [("no_read", "damaged")]
    assert told(codec, b"KS\r") == [("card", "KS")]


def test_two_texts_without_an_ending_between_them_are_no_card() -> None:
    assert told(Line(LineOptions(pattern=DECK)), b"4DKS\r") == [("no_read", "unexpected_text")]


def test_the_same_text_twice_is_two_readings() -> None:
    assert told(Line(), b"4D\r4D\r") == [("card", "4D"), ("card", "4D")]


def test_an_unfinished_framed_text_does_not_eat_the_next() -> None:
    codec = Line(LineOptions(ending="stx_etx", pattern=DECK))
    assert told(codec, b"\x024\x02KS\x03") == [("no_read", "damaged"), ("card", "KS")]
    assert told(codec, b"4D\x03") == [("no_read", "damaged")]
    assert told(codec, b"\x02AC\x03") == [("card", "AC")]


def test_a_lone_glitch_is_no_reading() -> None:
    codec = Line(LineOptions(pattern=DECK))
    assert told(codec, b"\x00") == []
    assert silence(codec) == []


def test_the_check_letter_finds_every_flipped_bit_and_swapped_neighbour() -> None:
    codes = [rank + suit for rank in "A234567JQK" for suit in "DCSB"]
    options = LineOptions(pattern="[!-~]+", check_letter=True)
    for code in codes:
        frame = terminated(code, options)
        text = frame[:-1]
        wrong = [
            text[:place] + bytes([text[place] ^ 1 << bit]) + text[place + 1 :]
            for place in range(len(text))
            for bit in range(8)
        ]
        wrong += [bytes([text[1], text[0], *text[2:]])]
        for damaged in wrong:
            if damaged == text or set(damaged) & set(b"\r\n"):
                continue
            assert "card" not in [kind for kind, _ in told(Line(options), damaged + b"\r")]
        assert told(Line(options), frame) == [("card", code)]


def test_the_check_letter_is_a_letter() -> None:
    assert check_letter("4D").isupper()
