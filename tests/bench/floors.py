"""The floors: the way of a card without Mazziere in it, two processes like ours.

`python -m tests.bench.floors KIND PART …` is one of the two. `reader` takes what the
pty gives and hands it on; `writer` makes it durable (pwrite and fdatasync into
a file that was filled with zeros) and publishes as many bytes as a state has.

bare   unix sockets, blocking reads
zmq    DEALER → ROUTER, then PUB, both ipc; blocking reads
thin   the same with structs: a reading decoded and checked, a real journal record, a
       view encoded; still nothing decided
"""

import os
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec
import zmq

from controller.contract.facts import ReadingId, ReadingNoted
from controller.contract.inputs import Input, Record
from controller.contract.readings import FromReader, Reading, ReadingKind
from controller.contract.state import TableView
from controller.contract.wire import FACT_TOPIC, FactMessage
from controller.journal.segments import Journal

KINDS: Final = ("bare", "zmq", "thin")
FRAME_BYTES: Final = 8
"""One copy of an Angel Eye card report."""
_OTHER_COPIES: Final = 2 * FRAME_BYTES
"""They come as one read, and are nothing new."""
RECORD_BYTES: Final = 640
MESSAGE_BYTES: Final = 900
"""As a card's record and its published state have them."""
_FILE_BYTES: Final = 8 << 20


def frames(device: str) -> Iterator[bytes]:
    """Every first copy that comes on the line, for ever."""
    line = os.open(device, os.O_RDWR | os.O_NOCTTY)
    while True:
        data = os.read(line, 4_096)
        if len(data) != _OTHER_COPIES:
            yield data[-FRAME_BYTES:]


class File:
    """A file filled with zeros ahead, one record after the other."""

    def __init__(self, path: Path) -> None:
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        os.pwrite(self._fd, bytes(_FILE_BYTES), 0)
        os.fsync(self._fd)
        self._offset = 0

    def append(self, record: bytes) -> None:
        os.pwrite(self._fd, record, self._offset)
        os.fdatasync(self._fd)
        self._offset = (self._offset + len(record)) % (_FILE_BYTES - RECORD_BYTES)


def bare_reader(device: str, inward: str) -> None:
    hop = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    _connect(hop, inward)
    for frame in frames(device):
        hop.send(frame)


def bare_writer(inward: str, outward: str, directory: Path) -> None:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listener.bind(inward)
    listener.listen()
    state = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    _connect(state, outward)
    hop, _ = listener.accept()
    file, record, message = File(directory / "floor"), b"r" * RECORD_BYTES, b"m" * MESSAGE_BYTES
    while hop.recv(FRAME_BYTES):
        file.append(record)
        state.send(message)


def zmq_reader(device: str, inward: str) -> None:
    hop = zmq.Context().socket(zmq.DEALER)
    hop.connect(f"ipc://{inward}")
    for frame in frames(device):
        hop.send(frame)


def zmq_writer(inward: str, outward: str, directory: Path) -> None:
    hop, state = _bound(inward, outward)
    file, record, message = File(directory / "floor"), b"r" * RECORD_BYTES, b"m" * MESSAGE_BYTES
    while hop.recv_multipart():
        file.append(record)
        state.send_multipart((FACT_TOPIC, message))


def thin_reader(device: str, inward: str) -> None:
    hop = zmq.Context().socket(zmq.DEALER)
    hop.connect(f"ipc://{inward}")
    encode = msgspec.json.Encoder().encode
    for n, frame in enumerate(frames(device), 1):
        now = time.monotonic_ns()
        reading = Reading(
            reader="shoe",
            session="thin",
            n=n,
            kind=ReadingKind.CARD,
            stamp=now,
            utc=time.time_ns(),
            raw=frame,
        )
        hop.send(encode(reading))


def thin_writer(inward: str, outward: str, directory: Path) -> None:
    hop, state = _bound(inward, outward)
    journal = Journal.open(directory)
    decode = msgspec.json.Decoder(FromReader).decode
    encode = msgspec.json.Encoder().encode
    view = TableView()
    while True:
        _, body = hop.recv_multipart()
        reading = decode(body)
        now, utc = time.monotonic_ns(), time.time_ns()
        assert isinstance(reading, Reading)
        fact = ReadingNoted(
            kind=reading.kind, reading=ReadingId(reading.reader, reading.session, reading.n)
        )
        asked = Input(reading.stamp, now, reading)
        record = Record(epoch="thin", seq=reading.n, mono=now, utc=utc, input=asked, facts=(fact,))
        journal.append(encode(record))
        told = FactMessage(
            table="bench", environment="test", epoch="thin", seq=reading.n,
            now=now, utc=utc, at=now, fact=fact, view=view,
        )  # fmt: skip
        state.send_multipart((FACT_TOPIC, encode(told)))


def _bound(inward: str, outward: str) -> "tuple[zmq.Socket[bytes], zmq.Socket[bytes]]":
    context = zmq.Context()
    hop, state = context.socket(zmq.ROUTER), context.socket(zmq.PUB)
    hop.bind(f"ipc://{inward}")
    state.bind(f"ipc://{outward}")
    return hop, state


def _connect(connection: socket.socket, path: str) -> None:
    """The other process may not listen yet."""
    deadline = time.monotonic() + 10
    while True:
        try:
            connection.connect(path)
        except (FileNotFoundError, ConnectionRefusedError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return


def main(kind: str, part: str, *places: str) -> None:
    run = globals()[f"{kind}_{part}"]
    if part == "reader":
        run(*places)
    else:
        inward, outward, directory = places
        run(inward, outward, Path(directory))


if __name__ == "__main__":
    main(*sys.argv[1:])
