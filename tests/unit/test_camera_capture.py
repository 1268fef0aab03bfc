"""How a camera is asked for its mode, what its frames are, and how its end is told."""

from typing import ClassVar

import cv2
import numpy as np
import pytest

from drivers.camera.capture import FAILURES, V4l2Source
from drivers.camera.frame import Coding, Frame, Mode, decode
from drivers.camera.mode import PACE_NS, Pace, mode_problem
from drivers.camera.source import SourceLost, Why

ASKED = Mode(1920, 1080, 30.0, "MJPG")
PICTURE = np.random.default_rng(1).integers(0, 255, (120, 160, 3)).astype(np.uint8)


class Device:
    """The library's end of a camera: notes what it is asked, grants what a test says."""

    granted: ClassVar[Mode] = ASKED
    opens: ClassVar[bool] = True
    reads: ClassVar["list[np.ndarray | None]"] = []
    made: ClassVar[float] = 0.0
    asked: ClassVar[list[tuple[int, float]]] = []

    def __init__(self, path: str, backend: int) -> None:
        assert backend == cv2.CAP_V4L2
        Device.asked = []

    def isOpened(self) -> bool:
        return self.opens

    def set(self, name: int, value: float) -> bool:
        self.asked.append((name, value))
        return False

    def get(self, name: int) -> float:
        mode = self.granted
        fourcc = cv2.VideoWriter.fourcc(*mode.fourcc.ljust(4))
        return {
            cv2.CAP_PROP_FOURCC: float(fourcc),
            cv2.CAP_PROP_FRAME_WIDTH: float(mode.width),
            cv2.CAP_PROP_FRAME_HEIGHT: float(mode.height),
            cv2.CAP_PROP_FPS: mode.fps,
            cv2.CAP_PROP_POS_MSEC: self.made,
        }[name]

    def read(self) -> "tuple[bool, np.ndarray | None]":
        picture = self.reads.pop(0) if self.reads else None
        return picture is not None, picture

    def release(self) -> None:
        return


@pytest.fixture(autouse=True)
def _device(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library's camera is ours; `/dev/null` is a character device that we may open."""
    monkeypatch.setattr(cv2, "VideoCapture", Device)
    for name, value in (("granted", ASKED), ("opens", True), ("reads", []), ("made", 0.0)):
        monkeypatch.setattr(Device, name, value)


def test_the_format_is_asked_before_the_size_and_the_size_before_the_pace() -> None:
    source = V4l2Source("/dev/null", ASKED)
    names = [name for name, _ in Device.asked]
    order = [cv2.CAP_PROP_FOURCC, cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FPS]
    assert sorted(order, key=names.index) == order
    assert source.opened.mode == ASKED
    assert source.opened.live


@pytest.mark.parametrize(("fourcc", "converted"), [("MJPG", 0), ("YUYV", 1)])
def test_only_jpeg_is_handed_on_undecoded(fourcc: str, converted: int) -> None:
    Device.granted = Mode(640, 480, 30.0, fourcc)
    V4l2Source("/dev/null", ASKED)
    assert [value for name, value in Device.asked if name == cv2.CAP_PROP_CONVERT_RGB][-1] == (
        converted
    )


def test_a_frame_is_the_jpeg_or_the_points_with_the_driver_s_time() -> None:
    jpeg = np.frombuffer(cv2.imencode(".jpg", PICTURE)[1].tobytes() + bytes(100), np.uint8)
    Device.reads, Device.made = [jpeg[None], PICTURE], 1234.5
    source = V4l2Source("/dev/null", ASKED)
    encoded, bare = source.read(), source.read()
    assert encoded is not None
    assert bare is not None
    assert (encoded.coding, encoded.made) == (Coding.ENCODED, 1_234_500_000)
    assert decode(encoded.data, encoded.coding).shape == PICTURE.shape
    assert (decode(bare.data, bare.coding, bare.width, bare.height) == PICTURE).all()


def test_some_failed_reads_are_borne_and_many_are_the_end() -> None:
    source = V4l2Source("/dev/null", ASKED)
    for _ in range(FAILURES - 1):
        assert source.read() is None
    with pytest.raises(SourceLost) as lost:
        source.read()
    assert lost.value.why is Why.BROKEN


def test_a_device_that_does_not_open_is_refused() -> None:
    Device.opens = False
    with pytest.raises(SourceLost, match="another program has it") as lost:
        V4l2Source("/dev/null", ASKED)
    assert lost.value.why is Why.REFUSED


@pytest.mark.parametrize(
    ("granted", "says"),
    [
        (ASKED, ""),
        (Mode(), ""),
        (Mode(640, 480, 30.0, "MJPG"), "640x480 instead of 1920x1080"),
        (Mode(1920, 1080, 30.0, "YUYV"), "YUYV instead of MJPG"),
        (Mode(1920, 1080, 5.0, "MJPG"), "5 pictures a second instead of 30"),
    ],
)
def test_a_wrong_mode_is_told(granted: Mode, says: str) -> None:
    problem = mode_problem(ASKED, granted)
    assert says in problem
    assert bool(problem) == bool(says)


@pytest.mark.parametrize(("fps", "is_slow"), [(30, False), (25, False), (6, True)])
def test_the_real_pace_is_measured(fps: int, is_slow: bool) -> None:
    pace = Pace(asked=30.0)
    for n in range(10 * fps):
        pace.note(Frame(n, n * 1_000_000_000 // fps, PICTURE, n))
    assert pace.is_slow is is_slow
    assert PACE_NS < 10_000_000_000
    pace.begin()
    assert not pace.is_slow
