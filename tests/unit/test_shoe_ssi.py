"""SSI beyond the golden bytes: who is asked to resend what, and what is counted."""

import pytest

from drivers.shoe.codec import Event, Notice, Repeat, Report
from drivers.shoe.ssi import (
    ACKNOWLEDGE,
    ASK_RESEND,
    DECODE_DATA,
    EVENT,
    MORE,
    SCANNER,
    Ssi,
    decode_data,
    packet,
)


def drain(codec: Ssi) -> list[Event]:
    events = []
    while (event := codec.next_event()) is not None:
        events.append(event)
    return events


def told(codec: Ssi, data: bytes) -> list[tuple[str, str]]:
    codec.receive_data(data)
    return [(str(e.kind), e.code) for e in drain(codec) if isinstance(e, Report)]


def silence(codec: Ssi) -> list[tuple[str, str]]:
    codec.quiet()
    return [(str(e.kind), e.code) for e in drain(codec) if isinstance(e, Report)]


def broken(frame: bytes) -> bytes:
    return frame[:-1] + bytes([frame[-1] ^ 1])


def test_a_damaged_packet_is_asked_for_once_and_its_resend_counts_once() -> None:
    codec = Ssi()
    assert told(codec, broken(decode_data("4D"))) == []
    assert codec.data_to_send() == ASK_RESEND
    assert told(codec, decode_data("4D", retransmit=True)) == [("card", "4D")]
    assert codec.data_to_send() == ACKNOWLEDGE
    assert silence(codec) == []


def test_a_damaged_packet_that_is_not_resent_is_a_no_read_when_the_line_is_silent() -> None:
    codec = Ssi()
    told(codec, broken(decode_data("4D")))
    assert silence(codec) == [("no_read", "damaged")]
    assert silence(codec) == []
    assert not codec.pending


def test_a_damaged_packet_followed_by_the_next_code_is_a_no_read_and_then_the_card() -> None:
    codec = Ssi()
    stream = broken(decode_data("4D")) + decode_data("KS")
    assert told(codec, stream) == [("no_read", "damaged"), ("card", "KS")]


def test_a_packet_that_broke_off_is_asked_for_first_and_a_no_read_only_then() -> None:
    codec = Ssi()
    told(codec, decode_data("4D")[:6])
    assert silence(codec) == []
    assert codec.data_to_send() == ASK_RESEND
    assert codec.pending
    assert silence(codec) == [("no_read", "damaged")]


def test_a_length_that_reaches_over_good_packets_does_not_swallow_them() -> None:
    codec = Ssi()
    long = bytearray(decode_data("4D"))
    long[0] ^= 0x40
    assert told(codec, bytes(long) + decode_data("KS")) == []
    assert silence(codec) == [("no_read", "damaged"), ("card", "KS")]


def test_a_resend_that_we_asked_for_counts_even_if_it_equals_the_last_card() -> None:
    """Two equal cards cannot be in a deck of forty: the inventory must see the doubt."""
    codec = Ssi()
    told(codec, decode_data("4D"))
    told(codec, broken(decode_data("4D")))
    assert told(codec, decode_data("4D", retransmit=True)) == [("card", "4D")]


def test_a_repeat_without_the_retransmit_bit_is_a_second_reading() -> None:
    assert told(Ssi(), decode_data("4D") * 2) == [("card", "4D"), ("card", "4D")]


@pytest.mark.parametrize("text", ["NOREAD", "nr", "?", ""])
def test_the_scanners_no_read_text_is_a_no_read_and_acknowledged(text: str) -> None:
    codec = Ssi()
    assert told(codec, decode_data(text)) == [("no_read", "no_read")]
    assert codec.data_to_send() == ACKNOWLEDGE


@pytest.mark.parametrize(
    "frame",
    [
        packet(DECODE_DATA, SCANNER, MORE, b"\x034D"),
        packet(DECODE_DATA, SCANNER),
        packet(DECODE_DATA, SCANNER, 0, b"\x034\x00D"),
        packet(DECODE_DATA, SCANNER, 0, b"\x034\xff"),
    ],
)
def test_a_whole_packet_without_a_whole_text_is_a_no_read(frame: bytes) -> None:
    assert told(Ssi(), frame) == [("no_read", "unreadable_text")]


def test_a_scanner_event_is_acknowledged_and_is_no_reading() -> None:
    codec = Ssi()
    codec.receive_data(packet(EVENT, SCANNER, 0, b"\x03"))
    assert [type(event) for event in drain(codec)] == [Notice]
    assert codec.data_to_send() == ACKNOWLEDGE


def test_an_event_between_a_card_and_its_repeat_changes_nothing() -> None:
    codec = Ssi()
    told(codec, decode_data("4D"))
    told(codec, packet(EVENT, SCANNER, 0, b"\x03"))
    codec.receive_data(decode_data("4D", retransmit=True))
    assert [type(event) for event in drain(codec)] == [Repeat]


def test_short_noise_asks_for_nothing() -> None:
    codec = Ssi()
    assert told(codec, b"\x00\xff\x00") == []
    assert silence(codec) == []
    assert codec.data_to_send() == b""


def test_no_order_is_offered() -> None:
    assert not Ssi().order("lock")
