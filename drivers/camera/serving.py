"""The camera's pictures for others on this PC, while the daemon holds the device.

A socket in the bus directory speaks `frame_wire`; calibration reads it as the
source `unix://…`. Which picture may be seen is the daemon's to say. A listener that is slow gets
fewer pictures, one that is gone is dropped; nothing here ever waits.
"""

import os
import socket
from contextlib import suppress
from pathlib import Path
from typing import Final

import cv2

from drivers.camera.frame import Image
from drivers.camera.frame_wire import packed

MOST_LISTENERS: Final = 4
EVERY_NS: Final = 100_000_000
"""Ten pictures a second are enough to set up a camera by."""
AGAIN_NS: Final = 5_000_000_000
_QUALITY: Final = 90


class Serving:
    """The listening socket and who listens; call `offer` with each new picture."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._socket: socket.socket | None = None
        self._listeners: dict[socket.socket, bytes] = {}
        self._due = self._open_at = 0
        self.problem = ""

    def open(self) -> None:
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
        try:
            # Only a socket nobody serves any more can be there: one daemon a reader.
            self._path.unlink(missing_ok=True)
            listening.bind(str(self._path))
            os.chmod(self._path, 0o660)
            listening.listen(MOST_LISTENERS)
        except OSError as error:
            listening.close()
            self.problem = f"no pictures can be served at {self._path}: {error.strerror}"
            return
        self._socket, self.problem = listening, ""

    def offer(self, image: Image, stamp: int) -> None:
        """This is the newest picture; whoever has taken the one before gets it."""
        if self._socket is None and stamp >= self._open_at:
            self._open_at = stamp + AGAIN_NS
            self.open()
        self._accept()
        free = [listener for listener, left in self._listeners.items() if not left]
        if free and stamp >= self._due:
            self._due = stamp + EVERY_NS
            _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
            message = packed(data.tobytes(), stamp)
            for listener in free:
                self._listeners[listener] = message
        for listener in list(self._listeners):
            self._send(listener)

    def close(self) -> None:
        for listener in [*self._listeners, self._socket]:
            if listener is not None:
                listener.close()
        self._listeners.clear()
        if self._socket is not None:
            with suppress(OSError):
                self._path.unlink()
            self._socket = None

    def _accept(self) -> None:
        while self._socket is not None:
            try:
                listener, _ = self._socket.accept()
            except OSError:
                return
            listener.setblocking(False)
            if len(self._listeners) >= MOST_LISTENERS:
                listener.close()
            else:
                self._listeners[listener] = b""

    def _send(self, listener: socket.socket) -> None:
        left = self._listeners[listener]
        try:
            while left:
                left = left[listener.send(left) :]
        except BlockingIOError:
            pass
        except OSError:
            listener.close()
            del self._listeners[listener]
            return
        self._listeners[listener] = left
