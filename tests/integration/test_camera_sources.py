"""The grabber as it is, with its real child process, before every kind of source."""

import os
import select
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.contract.readings import Rung
from controller.runtime.clock import SystemClock
from drivers.camera.frame import Frame, Image, Mode
from drivers.camera.grabber import Grabber, Patience
from simulators.picture_server import PictureServer

SECOND = 1_000_000_000
PATIENCE = 20.0
ASKED = Mode(1920, 1080, 30.0, "MJPG")


def numbered(n: int) -> Image:
    """A picture that shows its number as n of sixteen bars."""
    picture = np.full((240, 320, 3), 60, np.uint8)
    picture[:, : n * 20] = 220
    return picture


def number_of(image: Image) -> int:
    return round(float((image[120, :, 1] > 128).sum()) / 20)


class Watch:
    """Turns a grabber until something is so."""

    def __init__(self, address: str, opening: float = 8.0, reading: float = 1.0) -> None:
        patience = Patience(
            opening=round(opening * SECOND),
            reading=round(reading * SECOND),
            retry_first=SECOND // 20,
            retry_most=SECOND // 5,
        )
        self.grabber = Grabber(address, ASKED, patience, SystemClock())
        self.frames: list[Frame] = []
        self.ages: list[int] = []
        self.rungs: list[Rung] = []

    def until(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > deadline:
                pytest.fail(f"not in {PATIENCE} s: {self.grabber.rung} {self.grabber.detail}")
            self.turn()

    def turn(self) -> None:
        frame = self.grabber.turn()
        if frame is not None:
            self.frames.append(frame)
            self.ages.append(time.monotonic_ns() - frame.stamp)
        if self.rungs[-1:] != [self.grabber.rung]:
            self.rungs.append(self.grabber.rung)
        select.select(self.grabber.fds(), [], [], 0.02)

    def until_frames(self, count: int) -> None:
        goal = len(self.frames) + count
        self.until(lambda: len(self.frames) >= goal)

    def until_shows(self, number: int) -> None:
        self.until(lambda: bool(self.frames) and number_of(self.frames[-1].image) == number)

    def until_rung(self, rung: Rung) -> None:
        self.until(lambda: self.grabber.rung is rung)


@pytest.fixture
def watch() -> Iterator[Callable[..., Watch]]:
    made: list[Watch] = []

    def make(address: str, **times: float) -> Watch:
        made.append(Watch(address, **times))
        return made[-1]

    yield make
    for one in made:
        one.grabber.close()


def save(path: Path, picture: Image) -> None:
    beside = path.with_name("new.png")
    cv2.imwrite(str(beside), picture)
    os.replace(beside, path)


def test_a_picture_file_is_shown_and_shown_anew_when_it_is_replaced(
    watch: Callable[..., Watch], tmp_path: Path
) -> None:
    file = tmp_path / "picture.png"
    save(file, numbered(3))
    seen = watch(f"file://{file}")
    seen.until_shows(3)
    save(file, numbered(7))
    seen.until_shows(7)
    assert seen.grabber.opened is not None
    assert not seen.grabber.opened.live


def test_a_folder_is_shown_in_order_and_its_last_picture_stays(
    watch: Callable[..., Watch], tmp_path: Path
) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    for n in range(1, 6):
        cv2.imwrite(str(folder / f"{n:03}.png"), numbered(n))
    seen = watch(f"folder://{folder}?fps=20")
    seen.until_shows(5)
    shown = [number_of(frame.image) for frame in seen.frames]
    assert shown == sorted(shown)
    cv2.imwrite(str(folder / "006.png"), numbered(6))
    seen.until_shows(6)


def film(path: Path, frames: int, fps: float = 30.0) -> None:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), fps, (320, 240))
    assert writer.isOpened()
    for n in range(frames):
        writer.write(numbered(n % 16))
    writer.release()


def test_a_film_ends_and_is_opened_again_with_pauses_and_without_a_storm_of_reads(
    watch: Callable[..., Watch], tmp_path: Path
) -> None:
    film(tmp_path / "film.avi", 15)
    seen = watch(f"video://{tmp_path}/film.avi")
    seen.until(lambda: seen.grabber.openings == 2)
    assert "is over" in seen.grabber.detail or Rung.ABSENT in seen.rungs
    assert 3 <= len(seen.frames) <= 20


def test_the_newest_picture_of_a_server_comes_and_its_age_is_known(
    watch: Callable[..., Watch],
) -> None:
    with PictureServer() as server:
        server.show(numbered(4))
        seen = watch(server.address)
        seen.until_frames(20)
        assert number_of(seen.frames[-1].image) == 4
        assert sorted(seen.ages)[10] < SECOND // 5
        server.show(numbered(9))
        seen.until_shows(9)


def test_after_a_pause_of_the_reader_the_next_picture_is_a_new_one(
    watch: Callable[..., Watch],
) -> None:
    with PictureServer() as server:
        server.show(numbered(4))
        seen = watch(server.address)
        seen.until_frames(5)
        before = server.connections
        seen.until_shows(4)
        select.select([], [], [], 1.0)  # nobody takes a picture for so long
        trigger = time.monotonic_ns()
        server.show(numbered(9))
        seen.until(lambda: seen.frames[-1].stamp > trigger)
        seen.until_shows(9)
        assert server.connections == before


def test_a_server_that_falls_silent_is_a_blocked_read_and_is_opened_anew(
    watch: Callable[..., Watch],
) -> None:
    with PictureServer() as server:
        server.show(numbered(4))
        seen = watch(server.address, reading=0.6)
        seen.until_frames(5)
        server.fall_silent()
        seen.until_rung(Rung.REFUSED)
        assert "delivers no picture" in seen.grabber.detail
        seen.until(lambda: seen.grabber.openings >= 2)


def test_unplug_and_replug_again_and_again_leaks_no_descriptor_and_no_process(
    watch: Callable[..., Watch],
) -> None:
    with PictureServer() as server:
        port = server.port
        server.show(numbered(1))
        seen = watch(server.address)
        seen.until_frames(3)
    descriptors = 0
    for n in range(2, 5):
        seen.until_rung(Rung.ABSENT)
        with PictureServer(port=port) as server:
            server.show(numbered(n))
            seen.until_shows(n)
            descriptors = descriptors or len(os.listdir("/proc/self/fd"))
            assert len(os.listdir("/proc/self/fd")) == descriptors
    seen.grabber.close()
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    grabbers = [
        pid for pid in children if b"camera.grab" in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]
    assert grabbers == []


@pytest.mark.parametrize("scheme", ["video", "file"])
def test_a_dead_camera_that_blocks_its_opener_for_ever_is_given_up(
    watch: Callable[..., Watch], tmp_path: Path, scheme: str
) -> None:
    os.mkfifo(tmp_path / "camera")
    seen = watch(f"{scheme}://{tmp_path}/camera", opening=1.5)
    seen.until_rung(Rung.REFUSED)
    assert "does not answer" in seen.grabber.detail
    assert seen.frames == []


def test_what_is_no_camera_is_refused_at_once(watch: Callable[..., Watch], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "camera")
    seen = watch(str(tmp_path / "camera"))
    seen.until_rung(Rung.REFUSED)
    assert "is not a device" in seen.grabber.detail


def test_a_character_device_that_is_no_camera_is_refused(watch: Callable[..., Watch]) -> None:
    seen = watch("/dev/null")
    seen.until_rung(Rung.REFUSED)
    assert "it is no camera" in seen.grabber.detail


def test_an_absent_camera_starts_no_process(watch: Callable[..., Watch], tmp_path: Path) -> None:
    seen = watch(str(tmp_path / "none"))
    for _ in range(20):
        seen.turn()
        assert seen.grabber.fds() == []
    assert seen.grabber.rung is Rung.ABSENT
    assert "plugged in" in seen.grabber.detail


def test_a_path_that_leads_to_another_device_is_opened_anew(
    watch: Callable[..., Watch], tmp_path: Path
) -> None:
    for n in (2, 5):
        cv2.imwrite(str(tmp_path / f"{n}.png"), numbered(n))
    link = tmp_path / "camera"
    link.symlink_to(tmp_path / "2.png")
    seen = watch(f"file://{link}")
    seen.until_shows(2)
    (tmp_path / "next").symlink_to(tmp_path / "5.png")
    os.replace(tmp_path / "next", link)
    seen.until_shows(5)
    assert seen.grabber.openings == 2


@pytest.mark.parametrize("data", [b"not a picture", b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n"])
def test_what_is_no_picture_is_told_and_survived(
    watch: Callable[..., Watch], tmp_path: Path, data: bytes
) -> None:
    file = tmp_path / "picture.png"
    file.write_bytes(data)
    seen = watch(f"file://{file}")
    seen.until_rung(Rung.BYTES)
    assert "no usable picture" in seen.grabber.detail
    save(file, numbered(3))
    seen.until_shows(3)


def test_somebody_else_s_protocol_on_the_port_is_told(watch: Callable[..., Watch]) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as listening:
        seen = watch(f"socket://127.0.0.1:{listening.getsockname()[1]}")
        seen.turn()
        end, _ = listening.accept()
        with end:
            end.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            seen.until(lambda: "not our protocol" in seen.grabber.detail)
