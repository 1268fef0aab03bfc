"""Angel Eye beyond the golden bytes: losses, repairs, restarts and what is told only once."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.contract.readings import ReadingKind
from drivers.shoe.angel_eye import ENQ, AngelEye, card_data, report
from drivers.shoe.codec import Event, Notice, Repeat, Report


def card(seq: str, code: str = "spade-4") -> bytes:
    return report(seq, "D", card_data(code))


def broken(frame: bytes) -> bytes:
    """The same report with a wrong check."""
    return frame[:-1] + bytes([frame[-1] ^ 1])


def drain(codec: AngelEye) -> list[Event]:
    events = []
    while (event := codec.next_event()) is not None:
        events.append(event)
    return events


def told(codec: AngelEye, data: bytes, *, silence: bool = False) -> list[tuple[str, str, int]]:
    """Kind, code and missing of each report."""
    codec.receive_data(data)
    events = drain(codec)
    if silence:
        codec.quiet()
        events += drain(codec)
    return [(str(e.kind), e.code, e.missing) for e in events if isinstance(e, Report)]


def at_seq(seq: str) -> AngelEye:
    codec = AngelEye()
    told(codec, report(seq, "P") * 3, silence=True)
    return codec


def test_all_three_copies_damaged_are_one_no_read_at_once_and_the_gap_is_not_told_again() -> None:
    codec = at_seq("1")
    assert told(codec, broken(card("2")) * 3, silence=True) == [("no_read", "damaged", 0)]
    assert told(codec, card("3", "heart-1") * 3) == [("card", "heart-1", 0)]


def test_a_gap_wider_than_the_damage_tells_only_the_rest() -> None:
    codec = at_seq("1")
    told(codec, broken(card("2")) * 3, silence=True)
    assert told(codec, card("5")) == [("gap", "", 2), ("card", "spade-4", 0)]


def test_damage_between_two_reports_without_a_pause_is_the_gap_with_the_damaged_bytes() -> None:
    codec = at_seq("1")
    codec.receive_data(broken(card("2")) * 3 + card("3"))
    gap, read = [event for event in drain(codec) if isinstance(event, Report)]
    assert (gap.kind, gap.missing, gap.raw) == (ReadingKind.GAP, 1, broken(card("2")) * 3)
    assert read.device_seq == "3"


@pytest.mark.parametrize("damaged", [1, 2])
def test_damaged_copies_behind_a_good_one_are_no_card(damaged: int) -> None:
    codec = at_seq("1")
    stream = card("2") * (3 - damaged) + broken(card("2")) * damaged
    assert told(codec, stream, silence=True) == [("card", "spade-4", 0)]


@pytest.mark.parametrize("good", [0, 1, 2])
def test_any_one_good_copy_is_enough(good: int) -> None:
    copies = [broken(card("2"))] * 3
    copies[good] = card("2")
    assert told(at_seq("1"), b"".join(copies), silence=True) == [("card", "spade-4", 0)]


@pytest.mark.parametrize("lost", range(1, 8))
def test_a_copy_that_lost_any_byte_does_not_eat_the_next_good_copy(lost: int) -> None:
    cut = card("2")[:lost] + card("2")[lost + 1 :]
    assert told(at_seq("1"), cut + card("2"), silence=True) == [("card", "spade-4", 0)]


@pytest.mark.parametrize("length", range(1, 8))
def test_a_report_broken_off_by_an_inner_enq_restarts_there(length: int) -> None:
    fragment = card("2")[:length]
    assert told(at_seq("1"), fragment + card("2"), silence=True) == [("card", "spade-4", 0)]


def test_all_three_lost_entirely_is_a_gap_at_the_next_report_even_if_that_is_no_card() -> None:
    assert told(at_seq("8"), report("1", "P")) == [("gap", "", 1)]


def test_the_same_sequence_with_another_card_is_eight_lost_reports_and_no_repeat() -> None:
    codec = at_seq("1")
    told(codec, card("2"))
    assert told(codec, card("2", "heart-1")) == [("gap", "", 8), ("card", "heart-1", 0)]


def test_the_first_report_after_open_is_the_baseline() -> None:
    assert told(AngelEye(), card("7")) == [("card", "spade-4", 0)]


def test_damage_before_the_first_report_is_told_unless_it_can_be_copies_of_it() -> None:
    whole = broken(card("1"))
    assert told(AngelEye(), whole * 2 + card("1")) == [("card", "spade-4", 0)]
    assert told(AngelEye(), whole * 3 + card("2")) == [
        ("no_read", "damaged", 0),
        ("card", "spade-4", 0),
    ]


def test_a_shoe_that_boots_again_after_a_pause_is_told_again() -> None:
    codec = AngelEye()
    assert told(codec, report("1", "S") * 3, silence=True) == [("restarted", "", 0)]
    assert told(codec, report("1", "S") * 3) == [("restarted", "", 0)]


def test_a_start_with_another_sequence_is_no_gap() -> None:
    assert told(at_seq("7"), report("1", "S")) == [("restarted", "", 0)]


def test_a_retransmission_of_the_last_card_is_no_second_card_and_one_of_a_lost_card_is() -> None:
    codec = at_seq("1")
    told(codec, card("2"))
    assert told(codec, report("3", "R", card_data("spade-4")) * 3) == []
    assert told(codec, report("3", "R", card_data("spade-4"))) == []
    assert told(codec, report("4", "R", card_data("club-2")) * 3) == [("card", "club-2", 0)]


def test_an_error_outside_error_mode_is_a_no_read() -> None:
    assert told(at_seq("1"), report("2", "E", b"\x81")) == [("no_read", "cannot_read", 0)]
    assert told(at_seq("1"), report("2", "E", b"\xc4")) == [("fault", "reverse_run_at_exit", 0)]
    assert told(at_seq("1"), report("2", "e", b"\x80")) == [("fault_cleared", "", 0)]


@pytest.mark.parametrize(
    "frame", [report("2", "X"), report("2", "D"), report("2", "D", b"\x80"), report("2", "E")]
)
def test_a_whole_report_that_the_manual_does_not_list_is_a_no_read(frame: bytes) -> None:
    assert [kind for kind, _, _ in told(at_seq("1"), frame)] == ["no_read"]


@pytest.mark.parametrize("command", "PGLM")
def test_standby_result_lock_and_preset_are_notices(command: str) -> None:
    codec = at_seq("1")
    codec.receive_data(report("2", command, b"\x81"))
    assert [type(event) for event in drain(codec)] == [Notice]


def test_a_nakked_order_does_not_eat_the_card_behind_it() -> None:
    codec = at_seq("1")
    codec.order("clear_error")
    assert told(codec, b"\x15\x21" + card("2")) == [("card", "spade-4", 0)]
    assert told(codec, b"\x15" + card("3", "heart-2"), silence=True) == [("card", "heart-2", 0)]


def test_the_reading_of_the_bcc_that_worked_is_remembered() -> None:
    codec = AngelEye()
    codec.order("lock")
    told(codec, b"\x15\x02")
    told(codec, b"\x06")
    codec.data_to_send()
    codec.order("unlock")
    assert codec.data_to_send() == bytes.fromhex("024F504C4B3031033141")


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(st.booleans(), st.booleans(), st.booleans()).filter(any), min_size=1, max_size=12
    )
)
def test_whatever_copies_are_damaged_one_good_one_each_gives_every_card_once(
    good: list[tuple[bool, bool, bool]],
) -> None:
    codec, cards, repeats = at_seq("9"), [], 0
    for n, copies in enumerate(good):
        frame = card("123456789"[n % 9], f"club-{n + 1}")
        codec.receive_data(b"".join(frame if fine else broken(frame) for fine in copies))
        events = drain(codec)
        codec.quiet()
        events += drain(codec)
        cards += [event.code for event in events if isinstance(event, Report)]
        repeats += sum(isinstance(event, Repeat) for event in events)
    assert cards == [f"club-{n + 1}" for n in range(len(good))]
    assert repeats == sum(map(sum, good)) - len(good)


def test_no_data_byte_can_be_an_enq() -> None:
    assert all(ENQ not in card_data(code) for code in ("spade-5", "diamond-5", "heart-13"))
