import random

import pytest

from controller.contract.cards import DECK
from controller.contract.readings import ReadingKind
from drivers.shoe import angel_eye, profile, ssi
from drivers.shoe.codec import Codec, Report
from drivers.shoe.profile_file import load_profile
from simulators.devices import AngelEyeShoe, Device, SsiScanner, device
from simulators.faults import WIRE, spoil
from simulators.physical import STRANGERS

PROTOCOLS: tuple[profile.Protocol, ...] = ("angel-eye", "ssi", "line")


def reports(codec: Codec, talker: Device, data: bytes) -> list[Report]:
    """What the codec makes of the bytes, with the device answering what it is asked."""
    found = []
    while True:
        codec.receive_data(data)
        while (event := codec.next_event()) is not None:
            if isinstance(event, Report):
                found.append(event)
        asked = codec.data_to_send()
        data = talker.hear(asked)
        if not data:
            return found


def reports_of(codec: Codec, talker: Device, data: bytes) -> list[Report]:
    found = reports(codec, talker, data)
    for _ in range(3):
        codec.quiet()
        found += reports(codec, talker, b"")
    return found


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_card_is_read_as_itself_by_the_real_codec(protocol: profile.Protocol) -> None:
    bundled = load_profile(protocol)
    codec, shoe = bundled.codec(), device(protocol)
    for card in DECK:
        found = reports(codec, shoe, b"".join(shoe.card(card)))
        assert [bundled.card(report.code) for report in found] == [card]


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("stranger", STRANGERS)
def test_a_stranger_is_read_and_is_none_of_the_forty(
    protocol: profile.Protocol, stranger: str
) -> None:
    bundled = load_profile(protocol)
    shoe = device(protocol)
    (report,) = reports(bundled.codec(), shoe, b"".join(shoe.card(stranger)))
    assert report.kind is ReadingKind.CARD
    assert bundled.card(report.code) is None


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_card_that_cannot_be_read_is_reported_as_such(protocol: profile.Protocol) -> None:
    shoe = device(protocol)
    (report,) = reports(load_profile(protocol).codec(), shoe, b"".join(shoe.no_read()))
    assert report.kind is ReadingKind.NO_READ


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("fault", WIRE)
def test_a_fault_of_the_wire_never_makes_another_card_and_never_loses_one(
    protocol: profile.Protocol, fault: str
) -> None:
    bundled = load_profile(protocol)
    for seed in range(20):
        codec, shoe = bundled.codec(), device(protocol)
        pieces = spoil(fault, shoe.card("7D"), random.Random(seed))
        found = reports_of(codec, shoe, b"".join(piece.data for piece in pieces))
        named = {bundled.card(r.code) for r in found if r.kind is ReadingKind.CARD}
        assert found
        assert named <= {"7D"}


def test_the_electronic_shoe_obeys_an_order_in_the_reading_of_the_manuals_example() -> None:
    shoe = AngelEyeShoe()
    assert shoe.hear(bytes.fromhex("024F504C4B3032033142")) == b"\x06"
    assert b"d" in shoe.card("7D")[0]


def test_the_electronic_shoe_refuses_the_other_reading_and_the_codec_then_finds_the_right_one() -> (
    None
):
    shoe = AngelEyeShoe()
    assert shoe.hear(angel_eye.host_command("LK01", with_stx=False)) == b"\x15\x02"
    codec = angel_eye.AngelEye()
    codec.order("unlock")
    assert shoe.hear(codec.data_to_send()) == b"\x06"


def test_an_order_that_comes_in_pieces_is_answered_when_it_is_whole() -> None:
    shoe, order = AngelEyeShoe(), angel_eye.host_command("LK02")
    assert shoe.hear(order[:4]) == b""
    assert shoe.hear(order[4:]) == b"\x06"


def test_the_error_mode_ends_by_the_hosts_order_or_by_the_dealers_hand_but_once() -> None:
    shoe = AngelEyeShoe()
    shoe.jam()
    reply = shoe.hear(angel_eye.host_command("EC00"))
    assert reply.startswith(b"\x06\x05")
    assert shoe.cleared() == []


def test_the_scanner_repeats_marked_as_repeat_until_the_host_acknowledges() -> None:
    scanner = SsiScanner({"7D": "7D"})
    (sent,) = scanner.card("7D")
    assert scanner.hear(ssi.ASK_RESEND) == ssi.decode_data("7D", retransmit=True) != sent
    assert scanner.again() == ssi.decode_data("7D", retransmit=True)
    assert scanner.hear(ssi.ACKNOWLEDGE) == b""
    assert scanner.again() == b""
