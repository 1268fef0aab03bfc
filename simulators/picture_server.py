"""A picture server on the other side of the wire: what a camera would show, sent when told to."""

import socket
import threading
import time
from types import TracebackType
from typing import Self

import cv2

from drivers.camera.frame import Image
from drivers.camera.frame_wire import packed


class PictureServer:
    """Serves one picture after another to whoever connects, at its own pace, in a thread."""

    def __init__(self, fps: float = 30.0, port: int = 0) -> None:
        self._listening = socket.create_server(("127.0.0.1", port))
        self._step = 1 / fps
        self._data = b""
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._silent = threading.Event()
        self._noise = 0
        self.port: int = self._listening.getsockname()[1]
        self.address = f"socket://127.0.0.1:{self.port}"
        self.connections = 0
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        self._listening.close()
        self._thread.join(5)

    def show(self, picture: Image, *, live: bool = True) -> None:
        """From now on this; `live` makes no two frames of it the same, as a camera does."""
        encoded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
        with self._lock:
            self._data, self._live = encoded, live

    def fall_silent(self) -> None:
        """Keep the connection and send nothing."""
        self._silent.set()

    def _serve(self) -> None:
        self._listening.settimeout(0.1)
        while not self._over.is_set():
            try:
                end, _ = self._listening.accept()
            except TimeoutError:
                continue
            except OSError:
                return
            self.connections += 1
            with end:
                self._feed(end)

    def _feed(self, end: socket.socket) -> None:
        end.settimeout(5)
        while not self._over.wait(self._step):
            with self._lock:
                data = self._data
            if not data or self._silent.is_set():
                continue
            try:
                end.sendall(packed(self._varied(data), time.monotonic_ns()))
            except OSError:
                return

    def _varied(self, data: bytes) -> bytes:
        """What comes after the end of a JPEG is no part of the picture."""
        if not self._live:
            return data
        self._noise += 1
        return data + self._noise.to_bytes(8, "big")
