"""Where the bus's sockets may be: never over a file, never over another controller's."""

import os
import socket
import stat
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from controller.runtime import config
from controller.runtime.bus import Bus
from controller.runtime.bus_directory import held_bus
from controller.runtime.config import KeyFault
from controller.runtime.exits import ExitCode, Refusal


@pytest.fixture
def bus() -> Iterator[Bus]:
    made = Bus()
    yield made
    made.close()


@pytest.fixture
def short_path() -> Iterator[Path]:
    """A socket's path has 107 bytes at most."""
    with TemporaryDirectory(prefix="bus-") as name:
        yield Path(name)


def refused(bus: Bus, endpoint: str, why: str) -> None:
    with pytest.raises(Refusal, match=why) as caught:
        bus.router(endpoint)
    assert endpoint in caught.value.message
    assert caught.value.exit_code is ExitCode.CONFIGURATION


def test_a_file_where_a_socket_should_be_is_refused_and_left(bus: Bus, short_path: Path) -> None:
    (short_path / "table.toml").write_text("mine")
    (short_path / "link").symlink_to("nowhere")
    for name in ("table.toml", "link"):
        refused(bus, f"ipc://{short_path}/{name}", "no socket stands there")
    assert (short_path / "table.toml").read_text() == "mine"
    assert (short_path / "link").is_symlink()


def test_a_socket_elsewhere_that_another_serves_is_named_by_its_key(
    bus: Bus, short_path: Path
) -> None:
    endpoint = f"ipc://{short_path}/readers"
    places = config.Bus(directory=str(short_path / "own"), readers=endpoint)
    serving = bus.router(endpoint)
    before = os.stat(short_path / "readers").st_ino
    with pytest.raises(KeyFault, match=r"bus\.readers: another program serves"), held_bus(places):
        pass
    assert os.stat(short_path / "readers").st_ino == before
    assert not serving.closed


def test_a_socket_that_a_killed_controller_left_is_taken_over(bus: Bus, short_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(short_path / "readers"))
        left.listen()
    bus.router(f"ipc://{short_path}/readers")


def test_an_address_in_use_or_without_a_directory_is_refused(bus: Bus, short_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        refused(bus, f"tcp://127.0.0.1:{taken.getsockname()[1]}", "in use")
    refused(bus, f"ipc://{short_path}/none/readers", "Cannot listen on")


def test_the_bus_directory_is_made_and_held_by_one_alone(short_path: Path) -> None:
    directory = short_path / "run" / "bus"
    with held_bus(config.Bus(directory=str(directory))):
        assert stat.S_IMODE(directory.stat().st_mode) & 0o007 == 0
        with (
            pytest.raises(KeyFault, match=r"bus\.directory: .* in use by another controller"),
            held_bus(config.Bus(directory=str(directory))),
        ):
            pass
    with held_bus(config.Bus(directory=str(directory))):
        pass


@pytest.mark.parametrize("place", ["file", "file/bus", "/proc/bus-of-ours"])
def test_a_bus_directory_that_cannot_be_made_is_named_by_its_key(
    short_path: Path, place: str
) -> None:
    (short_path / "file").write_bytes(b"")
    with (
        pytest.raises(KeyFault, match=r"bus\.directory: no sockets can be made in"),
        held_bus(config.Bus(directory=str(short_path / place))),
    ):
        pass
