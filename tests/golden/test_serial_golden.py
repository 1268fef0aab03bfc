"""Every vector of serial.json, with its meaning asserted: bytes that our encoder never made.

The encoders that the simulators use are held against the same bytes at the end.
"""

import json
from pathlib import Path

import pytest

from controller.contract.readings import ReadingKind
from drivers.shoe import angel_eye, line, ssi
from drivers.shoe.codec import Answer, Codec, Event, Notice, Rejected, Repeat, Report
from drivers.shoe.profile import parse

VECTORS: dict[str, bytes] = {
    vector["name"]: bytes.fromhex(vector["hex"])
    for vector in json.loads(Path(__file__).with_name("serial.json").read_text())["vectors"]
}
PROFILES = Path(line.__file__).parent / "profiles"


def feed(codec: Codec, *names: str) -> list[Event]:
    for name in names:
        codec.receive_data(VECTORS[name])
    return drain(codec)


def drain(codec: Codec) -> list[Event]:
    events = []
    while (event := codec.next_event()) is not None:
        events.append(event)
    return events


def only_report(events: list[Event]) -> Report:
    reports = [event for event in events if isinstance(event, Report)]
    assert len(reports) == 1, events
    return reports[0]


def after_seq(before: str) -> angel_eye.AngelEye:
    """A shoe whose last report had the sequence `before`."""
    codec = angel_eye.AngelEye()
    codec.receive_data(angel_eye.report(before, "P"))
    drain(codec)
    return codec


def test_a_card_report_gives_its_code_its_bytes_and_its_sequence() -> None:
    report = only_report(feed(angel_eye.AngelEye(), "ae_card_player1_8S"))
    assert (report.kind, report.code) == (ReadingKind.CARD, "spade-8")
    assert (report.device_seq, report.at) == ("1", 0)
    assert report.raw == VECTORS["ae_card_player1_8S"]


def test_a_report_sent_three_times_is_one_card() -> None:
    events = feed(angel_eye.AngelEye(), "ae_card_player1_8S_x3")
    assert only_report(events).code == "spade-8"
    assert [type(event) for event in events[1:]] == [Repeat, Repeat]


def test_a_wrong_bcc_is_rejected_with_its_bytes_and_is_no_card() -> None:
    events = feed(angel_eye.AngelEye(), "ae_bad_bcc")
    assert [type(event) for event in events] == [Rejected]
    assert isinstance(events[0], Rejected)
    assert events[0].framed
    assert events[0].raw == VECTORS["ae_bad_bcc"]


def test_a_damaged_copy_followed_by_a_good_one_is_one_card_and_no_no_read() -> None:
    codec = angel_eye.AngelEye()
    assert only_report(feed(codec, "ae_bad_bcc_then_good")).code == "spade-8"
    codec.quiet()
    assert drain(codec) == []


def test_a_fragmented_report_is_one_card_when_its_second_half_is_here() -> None:
    codec = angel_eye.AngelEye()
    assert feed(codec, "ae_fragment_1") == []
    assert only_report(feed(codec, "ae_fragment_2")).code == "spade-8"


def test_start_is_a_restart_of_the_device_and_begins_the_sequence_anew() -> None:
    codec = after_seq("7")
    assert only_report(feed(codec, "ae_start")).kind is ReadingKind.RESTARTED
    assert [type(event) for event in feed(codec, "ae_standby")] == [Notice]


def test_standby_is_no_reading() -> None:
    events = feed(after_seq("1"), "ae_standby")
    assert [type(event) for event in events] == [Notice]


def test_the_sequence_wraps_behind_nine() -> None:
    codec = after_seq("8")
    assert only_report(feed(codec, "ae_seq_wrap_9")).code == "heart-1"
    assert only_report(feed(codec, "ae_card_player1_8S")).code == "spade-8"


def test_a_jump_in_the_sequence_tells_how_many_reports_are_missing_before_the_card() -> None:
    codec = angel_eye.AngelEye()
    gap, card = feed(codec, "ae_card_player1_8S", "ae_seq_gap")[1:]
    assert isinstance(gap, Report)
    assert isinstance(card, Report)
    assert (gap.kind, gap.missing) == (ReadingKind.GAP, 1)
    assert (card.kind, card.code) == (ReadingKind.CARD, "club-7")


def test_a_card_drawn_outside_the_game_is_out_of_game() -> None:
    report = only_report(feed(after_seq("3"), "ae_out_of_game_card"))
    assert (report.kind, report.code) == (ReadingKind.OUT_OF_GAME, "spade-8")


def test_the_cut_card_is_told() -> None:
    assert only_report(feed(after_seq("5"), "ae_cut_card")).kind is ReadingKind.CUT_CARD


@pytest.mark.parametrize(
    ("vector", "code"),
    [
        ("ae_error_1", "cannot_read"),
        ("ae_error_2", "overdraw"),
        ("ae_error_3", "button_mishandling"),
        ("ae_error_5", "reverse_run_midway"),
        ("ae_error_6", "card_code_error"),
        ("ae_error_7", "drawing_time_out"),
    ],
)
def test_each_error_is_a_fault_by_its_name(vector: str, code: str) -> None:
    report = only_report(feed(after_seq("6"), vector))
    assert (report.kind, report.code) == (ReadingKind.FAULT, code)


def test_lock_is_sent_as_the_manual_prints_it_and_acknowledged() -> None:
    codec = angel_eye.AngelEye()
    assert codec.order("lock")
    assert codec.data_to_send() == VECTORS["ae_lock_on"]
    (answer,) = feed(codec, "ae_ack")
    assert isinstance(answer, Answer)
    assert (answer.order, answer.why) == ("lock", "")


def test_the_other_reading_of_the_bcc_is_tried_once_and_only_when_the_bcc_is_refused() -> None:
    codec = angel_eye.AngelEye()
    codec.order("lock")
    codec.data_to_send()
    feed(codec, "ae_nak_bcc")
    assert codec.data_to_send() == VECTORS["ae_lock_on_alt"]
    (answer,) = feed(codec, "ae_nak_bcc")
    assert isinstance(answer, Answer)
    assert "check characters" in answer.why
    assert codec.data_to_send() == b""


def test_a_busy_shoe_refuses_and_nothing_is_sent_again() -> None:
    codec = angel_eye.AngelEye()
    codec.order("unlock")
    assert codec.data_to_send() == VECTORS["ae_lock_off"]
    (answer,) = feed(codec, "ae_nak_busy")
    assert isinstance(answer, Answer)
    assert "busy" in answer.why
    assert codec.data_to_send() == b""


def test_a_good_packet_is_a_card_and_is_acknowledged() -> None:
    codec = ssi.Ssi()
    assert only_report(feed(codec, "ssi_decode_4D")).code == "4D"
    assert codec.data_to_send() == VECTORS["ssi_ack"]


def test_a_retransmitted_packet_is_acknowledged_and_not_counted_twice() -> None:
    codec = ssi.Ssi()
    events = feed(codec, "ssi_decode_4D", "ssi_decode_4D_retx")
    assert [type(event) for event in events] == [Report, Repeat]
    assert codec.data_to_send() == VECTORS["ssi_ack"] * 2


def test_a_retransmission_of_what_was_never_accepted_counts() -> None:
    assert only_report(feed(ssi.Ssi(), "ssi_decode_4D_retx")).code == "4D"


def test_a_bad_checksum_asks_for_a_resend_and_the_resend_is_one_card() -> None:
    codec = ssi.Ssi()
    assert all(isinstance(event, Rejected) for event in feed(codec, "ssi_bad_checksum"))
    assert codec.data_to_send() == VECTORS["ssi_nak_resend"]
    assert only_report(feed(codec, "ssi_decode_4D_retx")).code == "4D"
    codec.quiet()
    assert drain(codec) == []


@pytest.mark.parametrize("ending", ["any", "cr"])
def test_text_and_cr_is_one_card(ending: str) -> None:
    codec = line.Line(line.LineOptions(ending=ending))  # type: ignore[arg-type]
    assert only_report(feed(codec, "line_cr")).code == "4D"


@pytest.mark.parametrize("ending", ["any", "crlf"])
def test_text_and_crlf_is_one_card_and_no_empty_second_line(ending: str) -> None:
    codec = line.Line(line.LineOptions(ending=ending))  # type: ignore[arg-type]
    assert [type(event) for event in feed(codec, "line_crlf", "line_crlf")] == [Report, Report]


def test_text_between_stx_and_etx_is_one_card() -> None:
    codec = line.Line(line.LineOptions(ending="stx_etx"))
    assert only_report(feed(codec, "line_stx_etx")).code == "4D"


def test_two_cards_in_one_read_are_two_cards_in_order() -> None:
    events = feed(line.Line(), "line_two_in_one_read")
    assert [event.code for event in events if isinstance(event, Report)] == ["4D", "KS"]


def test_a_line_that_never_ends_is_one_no_read_and_the_next_card_is_read() -> None:
    codec = line.Line()
    assert all(isinstance(event, Rejected) for event in feed(codec, "line_runaway"))
    codec.quiet()
    assert only_report(drain(codec)).kind is ReadingKind.NO_READ
    assert only_report(feed(codec, "line_cr")).code == "4D"


@pytest.mark.parametrize("name", ["angel-eye", "ssi", "line"])
def test_a_modem_probe_is_never_a_card(name: str) -> None:
    profile = parse((PROFILES / f"{name}.toml").read_text())
    codec = profile.codec()
    events = feed(codec, "mm_probe")
    codec.quiet()
    kinds = [event.kind for event in events + drain(codec) if isinstance(event, Report)]
    assert ReadingKind.CARD not in kinds


@pytest.mark.parametrize(
    "vector", ["honeywell_baud_115200", "newland_query_style", "datalogic_enable"]
)
@pytest.mark.parametrize("name", ["angel-eye", "ssi", "line"])
def test_commands_of_other_scanners_echoed_on_the_line_are_never_a_card(
    name: str, vector: str
) -> None:
    codec = parse((PROFILES / f"{name}.toml").read_text()).codec()
    events = feed(codec, vector)
    codec.quiet()
    kinds = [event.kind for event in events + drain(codec) if isinstance(event, Report)]
    assert ReadingKind.CARD not in kinds


def test_our_encoders_make_the_same_bytes() -> None:
    card = angel_eye.card_data("spade-8", place=0x81)
    assert angel_eye.report("1", "D", card) == VECTORS["ae_card_player1_8S"]
    assert angel_eye.report("1", "S") == VECTORS["ae_start"]
    assert angel_eye.report("7", "E", b"\xc1") == VECTORS["ae_error_1"]
    assert ssi.decode_data("4D") == VECTORS["ssi_decode_4D"]
    assert ssi.decode_data("4D", retransmit=True) == VECTORS["ssi_decode_4D_retx"]
    assert line.terminated("4D") == VECTORS["line_cr"]
    crlf = line.LineOptions(ending="crlf")
    assert line.terminated("4D", crlf) == VECTORS["line_crlf"]
    framed = line.LineOptions(ending="stx_etx")
    assert line.terminated("4D", framed) == VECTORS["line_stx_etx"]


def test_no_vector_is_without_a_test() -> None:
    text = Path(__file__).read_text()
    assert [name for name in VECTORS if f'"{name}"' not in text] == []
