"""A frame that waited in a queue is never taken for one that was just made (fault suite 1)."""

from collections import deque

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.runtime.clock import NANOSECONDS
from drivers.camera.frame import Mode, Opened, Packet
from drivers.camera.freshness import QUEUE, Freshness
from drivers.camera.grab import Grab
from drivers.camera.mailbox import Mailbox, make_memory
from simulators.manual_clock import ManualClock

FPS = 30.0
INTERVAL = round(NANOSECONDS / FPS)


class QueueingCamera:
    """A camera whose driver keeps the oldest four frames; each frame carries its index."""

    def __init__(self, clock: ManualClock, says_when: bool) -> None:
        self.opened = Opened(Mode(1920, 1080, FPS, "MJPG"))
        self._clock = clock
        self._says_when = says_when
        self._next_at = clock.mono() + INTERVAL
        self._queue: deque[tuple[int, int]] = deque()
        self.made = 0
        """Index of the frame that was made last."""

    def pause(self, seconds: float) -> None:
        """Nobody reads for so long."""
        self._clock.advance(seconds)
        self._fill()

    def read(self) -> Packet:
        self._fill()
        if not self._queue:
            self._clock.advance(ns=self._next_at - self._clock.mono())
            self._fill()
        index, at = self._queue.popleft()
        return Packet(index.to_bytes(4, "big"), made=at if self._says_when else 0)

    def close(self) -> None:
        return

    def _fill(self) -> None:
        while self._next_at <= self._clock.mono():
            self.made += 1
            if len(self._queue) < QUEUE:
                self._queue.append((self.made, self._next_at))
            self._next_at += INTERVAL


class Rig:
    """A grabber reading such a camera, and the reader's end of its mailbox."""

    def __init__(self, says_when: bool) -> None:
        self.clock = ManualClock()
        self.camera = QueueingCamera(self.clock, says_when)
        mailbox = Mailbox(make_memory())
        self.grab = Grab(self.camera, mailbox, self.clock)
        self._mailbox = mailbox

    def index_after(self, trigger: int) -> int:
        """The burned-in index of the first frame whose stamp is not before `trigger`."""
        for _ in range(100):
            self.grab.step()
            taken = self._mailbox.newest()
            if taken is not None and taken.stamp >= trigger:
                return int.from_bytes(taken.packet.data, "big")
        pytest.fail("no fresh frame came")


@pytest.mark.parametrize("says_when", [True, False])
@pytest.mark.parametrize("pause", [0.0, 0.04, 0.1, 0.2, 0.5, 5.0, 61.0])
def test_a_frame_that_answers_a_trigger_was_made_after_it(pause: float, says_when: bool) -> None:
    rig = Rig(says_when)
    for _ in range(20):
        rig.grab.step()
    rig.camera.pause(pause)
    made, trigger = rig.camera.made, rig.clock.mono()
    assert rig.index_after(trigger) > made


@given(pauses=st.lists(st.floats(0, 0.6), max_size=30), says_when=st.booleans())
def test_no_frame_is_ever_stamped_younger_than_it_is(pauses: list[float], says_when: bool) -> None:
    rig = Rig(says_when)
    for pause in pauses:
        rig.camera.pause(pause)
        made, before = rig.camera.made, rig.clock.mono()
        rig.grab.step()
        taken = rig._mailbox.newest()
        if taken is not None and taken.stamp > before:
            assert int.from_bytes(taken.packet.data, "big") > made


def test_the_pace_of_a_camera_in_dim_light_is_not_taken_for_a_pause() -> None:
    freshness = Freshness(INTERVAL)
    slow = NANOSECONDS // 6
    stamps = [freshness.stamp(n * slow, (n + 1) * slow, 0) for n in range(20)]
    assert stamps[-10:] == [(n + 1) * slow for n in range(10, 20)]


def test_a_sleep_of_the_whole_process_inside_a_read_is_not_taken_for_a_wait() -> None:
    freshness = Freshness(INTERVAL)
    for n in range(10):
        freshness.stamp(n * INTERVAL, (n + 1) * INTERVAL, 0)
    asked, got = 10 * INTERVAL, 10 * INTERVAL + 5 * NANOSECONDS
    assert freshness.stamp(asked, got, 0) is None


@pytest.mark.parametrize("made", [-1, 0, 10**18])
def test_a_driver_s_time_that_cannot_be_is_not_used(made: int) -> None:
    freshness = Freshness(INTERVAL)
    stamps = [
        freshness.stamp(10**12 + n * INTERVAL, 10**12 + (n + 1) * INTERVAL, made) for n in range(9)
    ]
    assert stamps[-1] == 10**12 + 9 * INTERVAL
