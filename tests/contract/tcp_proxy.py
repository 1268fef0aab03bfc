"""A TCP proxy that can become a black hole, for half-open connections.

`ipc://` cannot be half-open, TCP can: a switch dies, both ends keep their socket
and nothing arrives. While `black_hole` is on, every connection (old and new) is
accepted and kept, and nothing is ever forwarded on it, not even after `heal`:
only connections made after that work. Runs in one thread until `close`.
"""

import contextlib
import selectors
import socket
from threading import Thread


class TcpProxy:
    """Forwards a local port to another one."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._selector = selectors.DefaultSelector()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._stop, stopping = socket.socketpair()
        self._selector.register(stopping, selectors.EVENT_READ)
        self._stopping = stopping
        self._hole = False
        self.swallowed = 0
        """Connections that were made in vain."""
        self._peer: dict[socket.socket, socket.socket | None] = {}
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def black_hole(self) -> None:
        self._hole = True

    def heal(self) -> None:
        self._hole = False

    def close(self) -> None:
        self._stop.close()
        self._thread.join()

    def _run(self) -> None:
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is self._stopping:
                    self._close_all()
                    return
                if key.fileobj is self._listener:
                    self._accept()
                elif isinstance(key.fileobj, socket.socket):
                    self._forward(key.fileobj)

    def _accept(self) -> None:
        near, _ = self._listener.accept()
        self._selector.register(near, selectors.EVENT_READ)
        self._peer[near] = None
        if self._hole:
            self.swallowed += 1
        else:
            far = socket.create_connection(("127.0.0.1", self._target))
            self._selector.register(far, selectors.EVENT_READ)
            self._peer[near], self._peer[far] = far, near

    def _forward(self, side: socket.socket) -> None:
        if side not in self._peer:
            return  # closed with its peer a moment ago
        try:
            data = side.recv(65_536)
        except OSError:
            data = b""
        if self._hole:
            self._kill(side)
        peer = self._peer[side]
        if not data:
            self._drop(side)
        elif peer is not None:
            with contextlib.suppress(OSError):
                peer.sendall(data)

    def _kill(self, side: socket.socket) -> None:
        """From now on this connection swallows everything."""
        peer = self._peer[side]
        self._peer[side] = None
        if peer is not None:
            self._peer[peer] = None

    def _drop(self, side: socket.socket) -> None:
        peer = self._peer.pop(side)
        self._selector.unregister(side)
        side.close()
        if peer is not None:
            self._drop_alone(peer)

    def _drop_alone(self, side: socket.socket) -> None:
        self._peer[side] = None
        self._drop(side)

    def _close_all(self) -> None:
        for side in [self._listener, self._stopping, *self._peer]:
            side.close()
        self._selector.close()
