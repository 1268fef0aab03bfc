"""Whatever comes on its sockets, the controller stays and takes no part of it for true."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
import zmq

from controller.contract.readings import Reading, ReadingKind
from controller.contract.wire import Snapshot
from tests.integration.test_controller_crashes import CONFIG

GARBAGE: list[list[bytes]] = [
    [b"\xff\x00\x80"],
    [b"", b"", b"{}"],
    [b"{}"],
    [b"[]"],
    [b'{"a":' * 2_000],
    [b'{"type":"get_replay","first":9223372036854775808}'],
    [b'{"type":"get_replay","first":-1}'],
    [b'{"type":"get_replay","first":4000000000000000000}'],
    [b'{"type":"get_snapshot","audience":"everybody"}'],
    [b'{"type":"hello","x":' + b"[" * 2_000],
    [b'{"type":"command","id":"a","epoch":"' + b"e" * 900_000 + b'"}'],
    [os.urandom(100_000)],
]


@pytest.fixture
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("g")


@pytest.fixture
def controller(directory: Path) -> Iterator["subprocess.Popen[bytes]"]:
    config = directory / "table.toml"
    config.write_text(CONFIG.format(directory))
    mazziere = Path(sys.executable).with_name("mazziere")
    with (directory / "log").open("wb") as log:
        process = subprocess.Popen([mazziere, "controller", "--config", config], stderr=log)
    yield process
    process.terminate()
    assert process.wait(10) == 0


def ask(directory: Path, name: str, *frames: bytes) -> bytes | None:
    """One message, and the reply if one comes."""
    context = zmq.Context()
    try:
        peer = context.socket(zmq.DEALER)
        peer.linger = 500
        peer.connect(f"ipc://{directory}/{name}")
        peer.send_multipart(frames)
        return peer.recv_multipart()[-1] if peer.poll(700) else None
    finally:
        context.destroy(linger=500)


def snapshot(directory: Path) -> Snapshot:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        reply = ask(directory, "requests", b'{"type":"get_snapshot"}')
        if reply is not None:
            return msgspec.json.decode(reply, type=Snapshot)
    pytest.fail("the controller does not answer")


def test_garbage_on_any_socket_is_refused_and_survived(
    controller: "subprocess.Popen[bytes]", directory: Path
) -> None:
    before = snapshot(directory)
    for frames in GARBAGE:
        for name in ("requests", "readers"):
            ask(directory, name, *frames)
    for name in ("requests", "readers"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as raw:
            raw.connect(f"{directory}/{name}")
            raw.sendall(os.urandom(10_000))
    after = snapshot(directory)
    assert controller.poll() is None
    assert (after.epoch, after.seq) == (before.epoch, before.seq)


def test_a_reader_that_is_not_configured_deals_no_card(
    controller: "subprocess.Popen[bytes]", directory: Path
) -> None:
    before = snapshot(directory)
    reading = Reading(
        reader="stranger", session="s", n=1, kind=ReadingKind.CARD, stamp=1, utc=1, card="7D"
    )
    assert ask(directory, "readers", msgspec.json.encode(reading)) is None, "no acknowledgement"
    assert snapshot(directory).seq == before.seq
