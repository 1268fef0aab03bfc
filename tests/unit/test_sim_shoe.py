import os
import select
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.shoe import ssi
from simulators.devices import device
from simulators.faults import Piece
from simulators.manual_clock import ManualClock
from simulators.shoe import Shoe


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def shoe(tmp_path: Path, clock: ManualClock) -> Iterator[Shoe]:
    shoe = Shoe(tmp_path / "shoe", device("ssi"), clock, patience=0.5)
    yield shoe
    shoe.close()


def opened(tmp_path: Path) -> int:
    return os.open(tmp_path / "shoe", os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)


def heard(line: int) -> bytes:
    """All that was said: a pty passes bytes on a moment later."""
    data = b""
    while select.select([line], [], [], 0.1)[0]:
        data += os.read(line, 4096)
    return data


def test_the_line_carries_every_byte_as_it_is(shoe: Shoe, tmp_path: Path) -> None:
    line = opened(tmp_path)
    every = bytes(range(256))
    shoe.say([every])
    assert heard(line) == every
    assert not termios.tcgetattr(line)[3] & (termios.ICANON | termios.ECHO)
    os.close(line)


def test_a_pause_between_two_pieces_is_kept(shoe: Shoe, tmp_path: Path, clock: ManualClock) -> None:
    line = opened(tmp_path)
    shoe.say_pieces([Piece(0, b"one"), Piece(0.01, b"two")])
    assert heard(line) == b"one"
    clock.advance(0.009)
    shoe.serve()
    assert heard(line) == b""
    clock.advance(0.001)
    shoe.serve()
    assert heard(line) == b"two"
    os.close(line)


def test_a_report_without_acknowledgement_is_repeated_three_times_and_given_up(
    shoe: Shoe, tmp_path: Path, clock: ManualClock
) -> None:
    line = opened(tmp_path)
    shoe.say(shoe.device.card("7D"))
    assert heard(line) == ssi.decode_data("7D")
    repeats = []
    for _ in range(6):
        clock.advance(0.5)
        shoe.serve()
        repeats.append(heard(line))
    assert repeats == [ssi.decode_data("7D", retransmit=True)] * 3 + [b""] * 3
    os.close(line)


def test_an_acknowledged_report_is_not_repeated(
    shoe: Shoe, tmp_path: Path, clock: ManualClock
) -> None:
    line = opened(tmp_path)
    shoe.say(shoe.device.card("7D"))
    heard(line)
    os.write(line, ssi.ACKNOWLEDGE)
    for _ in range(1000):
        shoe.serve()
        if not shoe.device.again():
            break
    clock.advance(5)
    shoe.serve()
    assert heard(line) == b""
    os.close(line)


def test_a_pulled_cable_ends_the_line_and_the_new_one_is_found_under_the_old_name(
    shoe: Shoe, tmp_path: Path
) -> None:
    line = opened(tmp_path)
    shoe.unplug()
    assert not (tmp_path / "shoe").exists()
    with pytest.raises(OSError, match="Input/output error"):
        os.read(line, 1) or os.write(line, b"x")
    os.close(line)
    shoe.plug()
    line = opened(tmp_path)
    shoe.say([b"back"])
    assert heard(line) == b"back"
    os.close(line)


def test_what_is_said_into_an_unplugged_line_is_lost(shoe: Shoe, tmp_path: Path) -> None:
    shoe.unplug()
    shoe.serve()
    shoe.plug()
    line = opened(tmp_path)
    shoe.serve()
    assert heard(line) == b""
    os.close(line)
