"""Pictures without a camera: a file, a folder, a socket. And which address is which source.

They are the other side of the wire for tests, simulators and calibration; the
daemon does not know them apart. Files are not *live*: the same picture again is
what they are for, and no fault.
"""

import socket
import time
from pathlib import Path
from typing import Final

from drivers.camera.address import Address, Kind
from drivers.camera.capture import V4l2Source, VideoSource
from drivers.camera.frame import Mode, Opened, Packet
from drivers.camera.frame_wire import Unpacker, WireBroken
from drivers.camera.source import Source, SourceLost, Why

FILE_FPS: Final = 10.0
PICTURES: Final = frozenset({".jpg", ".jpeg", ".png"})
CONNECT_SECONDS: Final = 2.0
SILENCE_SECONDS: Final = 0.5
MOST_WAITING: Final = 64
"""A server that sends without end must not hold us."""
_CHUNK: Final = 1 << 18


def open_source(address: Address, asked: Mode) -> Source:
    """Open what the address names; `SourceLost` if that is not possible now."""
    match address.kind:
        case Kind.DEVICE:
            return V4l2Source(address.path, asked)
        case Kind.VIDEO:
            return VideoSource(address.path)
        case Kind.FILE:
            return FileSource(Path(address.path), FILE_FPS)
        case Kind.FOLDER:
            return FolderSource(Path(address.path), address.fps or FILE_FPS)
        case Kind.SOCKET | Kind.UNIX:
            return SocketSource(address)


class Pace:
    """Waits so that one picture a step is delivered."""

    def __init__(self, fps: float) -> None:
        self._step = 1 / fps
        self._due = time.monotonic()

    def wait(self) -> None:
        self._due = max(self._due + self._step, time.monotonic())
        time.sleep(self._due - time.monotonic())


class FileSource:
    """One picture file, as it is at each look: replace it atomically to show another."""

    def __init__(self, path: Path, fps: float) -> None:
        self._path = path
        self._pace = Pace(fps)
        self.opened = Opened(Mode(fps=fps), live=False)
        _read(path)

    def read(self) -> Packet | None:
        self._pace.wait()
        return Packet(_read(self._path), made=time.monotonic_ns())

    def close(self) -> None:
        return


class FolderSource:
    """The pictures of a folder in the order of their names; then the last one, until more come."""

    def __init__(self, directory: Path, fps: float) -> None:
        self._directory = directory
        self._pace = Pace(fps)
        self._shown = ""
        self.opened = Opened(Mode(fps=fps), live=False)
        if not directory.is_dir():
            raise SourceLost(Why.GONE, f"there is no folder {directory}")

    def read(self) -> Packet | None:
        self._pace.wait()
        names = sorted(p.name for p in self._directory.iterdir() if p.suffix.lower() in PICTURES)
        ahead = [name for name in names if name > self._shown]
        if ahead:
            self._shown = ahead[0]
        if not self._shown:
            return None
        return Packet(_read(self._directory / self._shown), made=time.monotonic_ns())

    def close(self) -> None:
        return


class SocketSource:
    """Pictures from a server that speaks `frame_wire`; of those that wait only the newest."""

    def __init__(self, address: Address) -> None:
        self._name = address.path or f"{address.host}:{address.port}"
        self._unpacker = Unpacker()
        self.opened = Opened(live=True)
        try:
            self._socket = _connect(address)
        except (FileNotFoundError, ConnectionRefusedError) as error:
            raise SourceLost(Why.GONE, f"nobody serves pictures at {self._name}") from error
        except OSError as error:
            raise SourceLost(Why.REFUSED, f"{self._name}: {error.strerror or error}") from error

    def read(self) -> Packet | None:
        packet = self._newest()
        while packet is None:
            if not self._receive(SILENCE_SECONDS):
                return None
            packet = self._newest()
        for _ in range(MOST_WAITING):
            if not self._receive(0):
                break
            packet = self._newest() or packet
        return packet

    def _receive(self, seconds: float) -> bool:
        """Take what comes within `seconds`; False if that is nothing."""
        self._socket.settimeout(seconds)
        try:
            data = self._socket.recv(_CHUNK)
        except (TimeoutError, BlockingIOError):
            return False
        except OSError as error:
            raise SourceLost(Why.BROKEN, f"{self._name}: {error.strerror}") from error
        if not data:
            raise SourceLost(Why.BROKEN, f"{self._name} serves no more pictures")
        self._unpacker.receive_data(data)
        return True

    def close(self) -> None:
        self._socket.close()

    def _newest(self) -> Packet | None:
        newest = None
        try:
            while (packet := self._unpacker.next_packet()) is not None:
                newest = packet
        except WireBroken as broken:
            raise SourceLost(Why.BROKEN, f"{self._name}: {broken}") from broken
        return newest


def _connect(address: Address) -> socket.socket:
    if address.kind is Kind.SOCKET:
        return socket.create_connection((address.host, address.port), CONNECT_SECONDS)
    end = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        end.settimeout(CONNECT_SECONDS)
        end.connect(address.path)
    except OSError:
        end.close()
        raise
    return end


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise SourceLost(Why.GONE, f"there is no picture {path}") from error
    except OSError as error:
        raise SourceLost(Why.REFUSED, f"{path} cannot be read: {error.strerror}") from error
