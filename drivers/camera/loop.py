"""The camera daemon between its start and its stop signal.

As the shoe's loop: one thread, one sleep. Each turn takes the newest picture,
lets the eye look at it, keeps the stills, numbers and posts what was noticed,
hears the controller, and tells the status. Nothing a camera does ends it.
The log names kinds and numbers, never a face. How it is put together is `daemon`.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

import structlog

from controller.contract.readings import ReaderStatus, Reading, Rung, ShoeOrder
from controller.runtime.clock import NANOSECONDS, Clock
from controller.runtime.config import Camera
from controller.runtime.daemon import Daemon
from drivers.camera.evidence import Evidence
from drivers.camera.eye import Eye, Noticed
from drivers.camera.frame import Mode
from drivers.camera.grabber import Grabber
from drivers.camera.mode import Pace, mode_problem
from drivers.camera.serving import Serving
from drivers.reader import Outbox, ReaderBus
from drivers.spool import SessionSpool
from drivers.telling import Teller

HOUSE_NS: Final = 600 * NANOSECONDS
"""How often old stills are let go."""
SLOW_SENTENCE: Final = (
    "pictures come too slowly: more light, another USB port, or a lower camera.fps"
)
LONGEST_DETAIL: Final = 500
"""What the contract allows."""

_MS: Final = 1_000_000
_log = structlog.get_logger()


class TableNow(NamedTuple):
    """What of the table concerns a camera: its deck ("" for none or unknown), and if it is shut."""

    deck: str = ""
    closed: bool = False


class CameraLoop:
    """The daemon between its start and its stop signal."""

    def __init__(
        self,
        config: Camera,
        session: str,
        grabber: Grabber,
        eye: Eye,
        evidence: Evidence,
        serving: Serving,
        table: Callable[[], TableNow],
        outbox: Outbox,
        spool: SessionSpool,
        bus: ReaderBus,
        daemon: Daemon,
        clock: Clock,
    ) -> None:
        self._config = config
        self._session = session
        self._grabber = grabber
        self._eye = eye
        self._evidence = evidence
        self._serving = serving
        self._table_now = table
        self._table = TableNow()
        self._outbox = outbox
        self._spool = spool
        self._bus = bus
        self._daemon = daemon
        self._clock = clock
        self._teller = Teller(outbox, daemon.notifier, clock)
        self._pace = Pace(config.fps)
        self._openings = 0
        self._frames = 0
        self._newest = clock.mono()
        self._house_at = clock.mono()

    def run(self) -> None:
        self._outbox.open()
        self._daemon.notifier.ready()
        while not self._daemon.stopping:
            self.turn()
            self._bus.wait([self._daemon.stop_fd(), *self._grabber.fds()], self._sleep_ms())

    def turn(self) -> None:
        """Everything that is to be done now."""
        self._look()
        self._daemon.watchdog.progress("loop")
        self._spool.retry()
        self._daemon.watchdog.progress("spool")
        self._keep_house()
        self._teller.tell(self._status())
        self._outbox.tick()
        for message in self._bus.receive():
            if not isinstance(message, ShoeOrder):
                self._outbox.hear(message)

    # --- pictures

    def _look(self) -> None:
        frame = self._grabber.turn()
        self._follow_source()
        now = self._clock.mono()
        if frame is not None:
            self._frames += 1
            self._newest = now
            self._pace.note(frame)
            for noticed in self._eye.look(frame, now):
                self._post(noticed)
            # Calibration needs the whole picture; a burn may lie there while the table is in play.
            picture = self._eye.seen if self._table.closed else self._eye.shown
            if picture is not None:
                self._serving.offer(picture, frame.stamp)
        elif self._grabber.opened and now - self._newest > self._config.max_age_ms * _MS:
            self._eye.stale()

    def _follow_source(self) -> None:
        opened = self._grabber.opened
        if opened is None:
            self._eye.closed()
        elif self._grabber.openings != self._openings:
            self._openings = self._grabber.openings
            self._newest = self._clock.mono()
            self._pace.begin()
            self._eye.opened(opened)
            _log.info("camera_opened", **_mode_words(opened.mode))

    def _post(self, noticed: Noticed) -> None:
        age = self._clock.mono() - noticed.stamp
        reading = Reading(
            reader=self._config.reader,
            session=self._session,
            n=self._outbox.next_n,
            kind=noticed.kind,
            stamp=noticed.stamp,
            utc=self._clock.utc() - age,
            card=noticed.card,
            region=noticed.region,
            confidence=noticed.confidence,
            sight=noticed.sight,
            still=self._evidence.put(noticed.still) if noticed.still else "",
        )
        self._outbox.post(reading)
        _log.debug("reading_told", kind=str(reading.kind), n=reading.n)

    # --- the house

    def _keep_house(self) -> None:
        before, self._table = self._table, self._table_now()
        if self._table.deck not in ("", before.deck):
            self._evidence.deck(self._table.deck, self._clock.utc())
            self._eye.new_deck()
        if self._clock.mono() >= self._house_at:
            self._house_at = self._clock.mono() + HOUSE_NS
            count = self._evidence.let_go(self._clock.utc())
            if count:
                _log.info("stills_let_go", count=count)

    def _status(self) -> ReaderStatus:
        rung, detail = self._rung()
        also = (self._spool.problem, self._evidence.problem, self._serving.problem)
        return ReaderStatus(
            reader=self._config.reader,
            session=self._session,
            rung=rung,
            detail="; ".join(filter(None, (detail, *also)))[:LONGEST_DETAIL],
            device=self._config.device,
            frames=self._frames,
            rejected=self._grabber.undecodable,
            unacknowledged=self._outbox.unacknowledged,
        )

    def _rung(self) -> tuple[Rung, str]:
        grabber = self._grabber
        if grabber.opened is None or grabber.rung is Rung.BYTES:
            return grabber.rung, grabber.detail
        if self._eye.fault:
            return Rung.FAULT, self._eye.fault
        if grabber.rung is Rung.OPENED:
            return grabber.rung, grabber.detail
        wrong = mode_problem(asked_mode(self._config), grabber.opened.mode)
        slow = SLOW_SENTENCE if self._pace.is_slow and grabber.opened.live else ""
        warnings = [*filter(None, (wrong, slow)), *self._eye.warnings]
        if not self._eye.has_read and not warnings:
            return Rung.VALID, "the picture is good; no card has been read yet"
        return Rung.READING if self._eye.has_read else Rung.VALID, "; ".join(warnings)

    def _sleep_ms(self) -> int:
        times = [self._teller.due_at, self._grabber.wake_at(), self._outbox.resend_at()]
        soonest = min(time for time in times if time is not None)
        return max(0, min(100, -(-(soonest - self._clock.mono()) // _MS)))


def asked_mode(config: Camera) -> Mode:
    return Mode(config.width, config.height, config.fps, "MJPG")


def _mode_words(mode: Mode) -> dict[str, object]:
    return {"size": f"{mode.width}x{mode.height}", "fps": mode.fps, "fourcc": mode.fourcc}
