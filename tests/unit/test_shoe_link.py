"""The link: bytes through a real pty, and every failure as one lost link with its reason."""

import errno
import os
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial

from drivers import link as link_module
from drivers.link import Link, LinkLost, Reason, check_device, open_link
from tests.unit.pty_shoe import PtyShoe


@pytest.fixture
def shoe(tmp_path: Path) -> Iterator[PtyShoe]:
    device = PtyShoe(tmp_path / "shoe")
    device.plug()
    yield device
    device.unplug()


def fds() -> int:
    return len(os.listdir("/proc/self/fd"))


def test_openings_that_fail_leak_no_descriptor(shoe: PtyShoe, tmp_path: Path) -> None:
    held = open_link(str(shoe.path), 9600)
    plain = tmp_path / "plain"
    plain.write_text("no terminal")
    before = fds()
    for device in (str(shoe.path), str(plain), str(tmp_path), str(tmp_path / "nothing")):
        for _ in range(5):
            with pytest.raises(LinkLost):
                open_link(device, 9600)
    assert fds() == before
    held.close()


def test_a_full_line_that_nobody_reads_neither_blocks_nor_grows(shoe: PtyShoe) -> None:
    link = open_link(str(shoe.path), 9600)
    for _ in range(100):
        link.write(b"x" * 4096)
    assert len(link._unsent) <= link_module.MOST_UNSENT
    link.close()


def test_all_256_bytes_pass_the_line_unchanged_in_both_directions(shoe: PtyShoe) -> None:
    link = open_link(str(shoe.path), 9600)
    everything = bytes(range(256))
    shoe.send(everything)
    assert link.read() == everything
    assert link.read() == b""
    link.write(everything)
    assert shoe.heard() == everything
    link.close()


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (serial.SerialException("device reports readiness to read but returned no data"), "broken"),
        (OSError(errno.EIO, "Input/output error"), "broken"),
        (OSError(errno.ENODEV, "No such device"), "gone"),
        (OSError(errno.ENXIO, "No such device"), "gone"),
        (termios.error(errno.EIO, "Input/output error"), "broken"),
        (TypeError("an integer is required (got type NoneType)"), "broken"),
        (ValueError("file descriptor cannot be a negative integer"), "broken"),
        (PermissionError(errno.EACCES, "Permission denied"), "denied"),
        (OSError(errno.EBUSY, "Device or resource busy"), "taken"),
        (RuntimeError("of a kind that nobody thought of"), "broken"),
    ],
)
@pytest.mark.parametrize("doing", ["read", "write", "open"])
def test_every_exception_becomes_one_lost_link_with_its_reason(
    shoe: PtyShoe, error: Exception, reason: str, doing: str
) -> None:
    with (
        pytest.raises(LinkLost) as lost,
        link_module._choke_point(str(shoe.path), doing),
    ):
        raise error
    assert lost.value.reason is Reason(reason)
    assert lost.value.__cause__ is error


def test_a_line_that_ended_says_whether_the_device_is_still_there(shoe: PtyShoe) -> None:
    link = open_link(str(shoe.path), 9600)
    shoe.unplug()
    with pytest.raises(LinkLost) as lost:
        link.read()
    assert lost.value.reason is Reason.GONE
    link.close()
    link.close()


@pytest.mark.parametrize("device", ["/dev/x", "socket://10.0.0.1:4001", "socket://[::1]:4001"])
def test_paths_and_socket_urls_are_devices(device: str) -> None:
    check_device(device)


@pytest.mark.parametrize(
    "device", ["ttyUSB0", "COM1", "rfc2217://h:1", "socket://h", "socket://:1"]
)
def test_anything_else_is_no_device(device: str) -> None:
    with pytest.raises(ValueError, match="neither an absolute path"):
        check_device(device)


def test_a_link_is_closed_even_if_its_close_fails() -> None:
    read_end, write_end = os.pipe()

    def fail() -> None:
        raise termios.error(errno.EIO, "Input/output error")

    Link("/dev/x", read_end, fail).close()
    os.close(read_end)
    os.close(write_end)
