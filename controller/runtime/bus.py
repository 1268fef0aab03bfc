"""The one door to ZeroMQ: every socket of the house is made here, options first.

The controller binds four sockets, everyone else connects:

| socket   | type   | who connects                | what travels                     |
|----------|--------|-----------------------------|----------------------------------|
| readers  | ROUTER | shoe, camera                | readings in, acknowledgements out |
| public   | XPUB   | game and streaming servers  | facts and beats, public           |
| ops      | XPUB   | display, tools              | facts and beats, ops              |
| requests | ROUTER | everyone                    | commands, snapshot, replay        |

What the messages mean is in `controller.contract`. Nothing here decides
anything; a send never blocks.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec
import zmq

from controller.contract.readings import FromReader, ToReader
from controller.contract.wire import BEAT_TOPIC, FACT_TOPIC
from controller.runtime.exits import ExitCode, Refusal

HEARTBEAT_MS: Final = 500
HEARTBEAT_TIMEOUT_MS: Final = 1_500
HIGH_WATER: Final = 10_000
"""Messages queued for one peer before they are dropped; a dropped fact is seen as a gap."""
MOST_BYTES: Final = 1 << 20
"""The largest message taken from anyone."""

Poller = zmq.Poller
POLLIN: Final = zmq.POLLIN


class Bus:
    """Makes sockets; owns the context they live in."""

    def __init__(self) -> None:
        self._context = zmq.Context()

    def bind(self, kind: int, endpoint: str) -> "zmq.Socket[bytes]":
        socket = self._socket(kind)
        if kind == zmq.ROUTER:
            # A peer that comes back under its old name takes the name over.
            socket.setsockopt(zmq.ROUTER_HANDOVER, 1)
        _check_place(endpoint)
        try:
            socket.bind(endpoint)
        except zmq.ZMQError as error:
            raise _cannot_bind(endpoint, error.strerror) from error
        return socket

    def connect(self, kind: int, endpoint: str, identity: bytes = b"") -> "zmq.Socket[bytes]":
        socket = self._socket(kind)
        if identity:
            socket.setsockopt(zmq.IDENTITY, identity)
        if kind == zmq.DEALER:
            # Nothing is queued for a controller that is not there: it would arrive late.
            socket.setsockopt(zmq.IMMEDIATE, 1)
        socket.connect(endpoint)
        return socket

    def router(self, endpoint: str) -> "zmq.Socket[bytes]":
        return self.bind(zmq.ROUTER, endpoint)

    def publisher(self, endpoint: str) -> "zmq.Socket[bytes]":
        return self.bind(zmq.XPUB, endpoint)

    def subscriber(self, endpoint: str) -> "zmq.Socket[bytes]":
        socket = self.connect(zmq.SUB, endpoint)
        socket.subscribe(FACT_TOPIC)
        socket.subscribe(BEAT_TOPIC)
        return socket

    def dealer(self, endpoint: str, identity: bytes = b"") -> "zmq.Socket[bytes]":
        return self.connect(zmq.DEALER, endpoint, identity)

    def close(self) -> None:
        self._context.destroy(linger=0)

    def _socket(self, kind: int) -> "zmq.Socket[bytes]":
        socket = self._context.socket(kind)
        for option, value in (
            (zmq.LINGER, 0),
            (zmq.SNDHWM, HIGH_WATER),
            (zmq.RCVHWM, HIGH_WATER),
            (zmq.MAXMSGSIZE, MOST_BYTES),
            (zmq.HEARTBEAT_IVL, HEARTBEAT_MS),
            (zmq.HEARTBEAT_TIMEOUT, HEARTBEAT_TIMEOUT_MS),
            (zmq.HEARTBEAT_TTL, HEARTBEAT_TIMEOUT_MS),
            (zmq.RECONNECT_IVL, 50),
            (zmq.RECONNECT_IVL_MAX, 1_000),
        ):
            socket.setsockopt(option, value)
        return socket


def _check_place(endpoint: str) -> None:
    """ZeroMQ removes whatever stands where it binds; only a socket may go."""
    if not endpoint.startswith("ipc://"):
        return
    path = Path(endpoint.removeprefix("ipc://"))
    if os.path.lexists(path) and not path.is_socket():
        raise _cannot_bind(endpoint, "something that is no socket stands there")


def _cannot_bind(endpoint: str, why: str) -> Refusal:
    sentence = f"Cannot listen on {endpoint}: {why}; give this socket another address under [bus]"
    return Refusal(sentence, ExitCode.CONFIGURATION)


def drain(socket: "zmq.Socket[bytes]") -> Iterator[list[bytes]]:
    """Every message that is there now."""
    # Asking first costs a third of being told `Again`, which stays for a peer that goes meanwhile.
    while int(socket.get(zmq.EVENTS)) & zmq.POLLIN:
        try:
            yield socket.recv_multipart(zmq.NOBLOCK)
        except zmq.Again:
            return


def send(socket: "zmq.Socket[bytes]", *frames: bytes) -> bool:
    """Send without waiting. False: there is no peer, or its queue is full."""
    try:
        socket.send_multipart(frames, zmq.NOBLOCK, copy=True)
    except (zmq.Again, zmq.ZMQError):
        return False
    return True


class ReaderSocket:
    """A reader's end of the `readers` socket: structs out, structs in, never blocking."""

    def __init__(self, bus: Bus, endpoint: str, reader: str) -> None:
        self._socket = bus.dealer(endpoint, reader.encode())
        self._encode = msgspec.json.Encoder().encode
        self._decode = msgspec.json.Decoder(ToReader).decode
        self._poller = zmq.Poller()
        self._poller.register(self._socket, zmq.POLLIN)
        self._watched: tuple[int, ...] = ()

    def send(self, message: FromReader) -> bool:
        """False: the controller is not there; the reader keeps what it wanted to say."""
        return send(self._socket, self._encode(message))

    def receive(self) -> Iterator[ToReader]:
        """All that has arrived; what is not of the contract is dropped (a newer controller)."""
        for frames in drain(self._socket):
            try:
                yield self._decode(frames[-1])
            except msgspec.DecodeError:
                continue

    def wait(self, fds: Sequence[int], timeout_ms: int) -> set[int]:
        """Sleep until the controller speaks, one of `fds` is readable, or the time is over.

        Returns the `fds` that are readable (or hung up); call `receive` in any case.
        """
        if tuple(fds) != self._watched:
            self._watch(fds)
        return {ready for ready, _ in self._poller.poll(timeout_ms) if isinstance(ready, int)}

    def _watch(self, fds: Sequence[int]) -> None:
        for fd in self._watched:
            self._poller.unregister(fd)
        for fd in fds:
            self._poller.register(fd, zmq.POLLIN | zmq.POLLERR)
        self._watched = tuple(fds)

    def close(self) -> None:
        self._socket.close(linger=0)


def connect_reader(endpoint: str, reader: str) -> ReaderSocket:
    """The readers' way to the controller, by itself in its own context."""
    return ReaderSocket(Bus(), endpoint, reader)
