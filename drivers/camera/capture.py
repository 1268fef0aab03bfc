"""The one door to cv2.VideoCapture: cameras by Video4Linux, and films.

A camera is asked for MJPG first, then size, then pace (in another order drivers
fall back to a slow mode), and what it granted is read back: whoever owns the
ladder compares. Its frames are handed on as the JPEG pictures that they are.
What is not here: the other sources (`sources`), the process around them (`grab`).
"""

import os
import stat
import time
from typing import Final

import cv2
import numpy as np

from drivers.camera.frame import Coding, Mode, Opened, Packet
from drivers.camera.source import SourceLost, Why

FAILURES: Final = 5
"""Reads in a row that give nothing before the camera counts as lost."""
_BUFFERS: Final = 1
_MS: Final = 1_000_000


class V4l2Source:
    """A camera by a stable path; the number behind it may be another each time."""

    def __init__(self, path: str, asked: Mode) -> None:
        self._path = path
        _check_device(path)
        # The path is a link; what it points to changes with each plug.
        self._capture = cv2.VideoCapture(os.path.realpath(path), cv2.CAP_V4L2)
        if not self._capture.isOpened():
            raise SourceLost(
                Why.REFUSED, f"{path} cannot be opened: another program has it, or it is no camera"
            )
        self.opened = Opened(_negotiate(self._capture, asked), live=True)
        self._failures = 0

    def read(self) -> Packet | None:
        done, points = self._capture.read()
        if not done or points is None:
            self._failures += 1
            if self._failures >= FAILURES or not os.path.exists(self._path):
                raise SourceLost(Why.BROKEN, f"{self._path} delivers no picture: check its cable")
            return None
        self._failures = 0
        made = round(self._capture.get(cv2.CAP_PROP_POS_MSEC) * _MS)
        return _packet(np.ascontiguousarray(points, np.uint8), made)

    def close(self) -> None:
        self._capture.release()


class VideoSource:
    """A film, at its own pace; its end is an end."""

    def __init__(self, path: str) -> None:
        if not os.path.exists(path):
            raise SourceLost(Why.GONE, f"there is no film {path}")
        self._path = path
        self._capture = cv2.VideoCapture(path, cv2.CAP_FFMPEG)
        if not self._capture.isOpened():
            raise SourceLost(Why.REFUSED, f"{path} is no film that can be read")
        fps = self._capture.get(cv2.CAP_PROP_FPS)
        self._step = 1 / fps if 0 < fps <= 240 else 1 / 30
        self.opened = Opened(_granted(self._capture), live=True)
        self._due = time.monotonic()

    def read(self) -> Packet | None:
        done, points = self._capture.read()
        if not done or points is None:
            raise SourceLost(Why.BROKEN, f"the film {self._path} is over")
        self._due += self._step
        time.sleep(max(0.0, self._due - time.monotonic()))
        return _packet(np.ascontiguousarray(points, np.uint8), time.monotonic_ns())

    def close(self) -> None:
        self._capture.release()


def _check_device(path: str) -> None:
    """A camera is a character device; anything else might block for ever at its opening."""
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        raise SourceLost(Why.GONE, f"there is no camera at {path}") from error
    if not stat.S_ISCHR(mode):
        raise SourceLost(Why.REFUSED, f"{path} is no camera: it is not a device")
    if not os.access(path, os.R_OK | os.W_OK):
        raise SourceLost(
            Why.REFUSED, f"no permission for {path}: the daemon must be in the group video"
        )


def _negotiate(capture: cv2.VideoCapture, asked: Mode) -> Mode:
    fourcc = cv2.VideoWriter.fourcc(*asked.fourcc) if asked.fourcc else 0
    wishes = (
        (cv2.CAP_PROP_FOURCC, fourcc),
        (cv2.CAP_PROP_FRAME_WIDTH, asked.width),
        (cv2.CAP_PROP_FRAME_HEIGHT, asked.height),
        (cv2.CAP_PROP_FPS, asked.fps),
        (cv2.CAP_PROP_BUFFERSIZE, _BUFFERS),
        (cv2.CAP_PROP_CONVERT_RGB, 0),
    )
    for name, wish in wishes:
        if wish:
            capture.set(name, wish)
    granted = _granted(capture)
    # Only JPEG is handed on undecoded; in any other mode OpenCV makes the picture.
    capture.set(cv2.CAP_PROP_CONVERT_RGB, 0 if granted.fourcc == "MJPG" else 1)
    return granted


def _granted(capture: cv2.VideoCapture) -> Mode:
    code = int(capture.get(cv2.CAP_PROP_FOURCC))
    letters = bytes((code >> shift) & 0xFF for shift in (0, 8, 16, 24))
    return Mode(
        width=int(capture.get(cv2.CAP_PROP_FRAME_WIDTH)),
        height=int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT)),
        fps=float(capture.get(cv2.CAP_PROP_FPS)),
        fourcc=letters.decode("ascii", "replace").strip("\0 "),
    )


def _packet(points: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], made: int) -> Packet:
    if points.ndim == 3 and points.shape[2] == 3:
        height, width = points.shape[:2]
        return Packet(points.tobytes(), Coding.BGR, width, height, made)
    return Packet(points.tobytes(), made=made)
