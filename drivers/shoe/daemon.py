"""`mazziere shoe`: the loop that owns the port, the spool and the reader's end of the bus.

One thread, one sleep: device, bus and stop signal are waited for together. Each
turn reads the port, numbers and posts what it gave, hears the controller, and
tells the status on change and once a second. Nothing a device does ends it; only
a wrong configuration does, before it has begun.

The log names kinds and numbers, never a face, a code or a byte: a driver cannot
know what is a burn.
"""

import os
import secrets
from functools import partial
from typing import Final

import click
import structlog

from controller.contract.readings import ReaderStatus, Reading, ShoeOrder
from controller.runtime import log
from controller.runtime.bus import connect_reader
from controller.runtime.clock import Clock, SystemClock, boot_id
from controller.runtime.config import Config, KeyFault, Shoe
from controller.runtime.daemon import Daemon
from controller.runtime.options import config_option
from drivers.link import check_device, open_link
from drivers.reader import Outbox, ReaderBus, new_session
from drivers.shoe.assembler import Draft, Timing
from drivers.shoe.port import Port
from drivers.shoe.profile import Profile
from drivers.shoe.profile_file import load_profile
from drivers.spool import SessionSpool, open_spool
from drivers.telling import Teller

PARTS: Final = ("loop", "spool")
"""What must move for the watchdog to be fed."""

TICK_MS: Final = 200
"""The loop turns at least so often, so that it notices when it could not."""
STALLED_NS: Final = 500_000_000
"""Between two turns no more than this may pass: what waited in the line meanwhile has no time."""
LONGEST_CODE: Final = 64
LONGEST_RAW: Final = 4_096
LONGEST_DETAIL: Final = 500
"""What the contract allows; a device may babble, and a line's end is in the ladder's counters."""

_MS: Final = 1_000_000
_log = structlog.get_logger()


class ShoeLoop:
    """The daemon between its start and its stop signal."""

    def __init__(
        self,
        config: Shoe,
        session: str,
        port: Port,
        outbox: Outbox,
        spool: SessionSpool,
        bus: ReaderBus,
        daemon: Daemon,
        clock: Clock,
    ) -> None:
        self._config = config
        self._session = session
        self._port = port
        self._outbox = outbox
        self._spool = spool
        self._bus = bus
        self._daemon = daemon
        self._clock = clock
        self._teller = Teller(outbox, daemon.notifier, clock)

    def run(self) -> None:
        self._outbox.open()
        self._daemon.notifier.ready()
        ready: set[int] = set()
        turned_at = self._clock.mono()
        while not self._daemon.stopping:
            now = self._clock.mono()
            if now - turned_at > STALLED_NS:
                _log.warning("stalled", ms=(now - turned_at) // _MS)
                self._port.doubt(now)
            turned_at = now
            self._turn(ready)
            fds = [self._daemon.stop_fd(), *self._port.fds()]
            ready = self._bus.wait(fds, self._sleep_ms())

    def _turn(self, ready: set[int]) -> None:
        for draft in self._port.turn(ready):
            self._post(draft)
        self._port.answer()
        self._daemon.watchdog.progress("loop")
        self._spool.retry()
        self._daemon.watchdog.progress("spool")
        self._teller.tell(self._status())
        self._outbox.tick()
        # Last, for the bus tells of what has come only once: what our sends let in is heard too.
        for message in self._bus.receive():
            if isinstance(message, ShoeOrder):
                self._order(message.order)
            else:
                self._outbox.hear(message)

    def _post(self, draft: Draft) -> None:
        age = self._clock.mono() - draft.stamp
        reading = Reading(
            reader=self._config.reader,
            session=self._session,
            n=self._outbox.next_n,
            kind=draft.kind,
            stamp=draft.stamp,
            utc=self._clock.utc() - age,
            card=draft.card,
            code=draft.code[:LONGEST_CODE],
            missing=draft.missing,
            raw=draft.raw[:LONGEST_RAW],
            device_seq=draft.device_seq,
        )
        self._outbox.post(reading)
        _log.debug("reading_told", kind=str(reading.kind), n=reading.n)

    def _order(self, order: str) -> None:
        if self._port.order(order):
            _log.info("order_given", order=order)
        else:
            _log.warning("order_not_possible", order=order, rung=str(self._port.ladder.rung))

    def _status(self) -> ReaderStatus:
        ladder = self._port.ladder
        return ReaderStatus(
            reader=self._config.reader,
            session=self._session,
            rung=ladder.rung,
            detail="; ".join(filter(None, (ladder.detail, self._spool.problem)))[:LONGEST_DETAIL],
            device=self._config.device,
            frames=ladder.frames,
            rejected=ladder.rejected,
            repeats=ladder.repeats,
            unacknowledged=self._outbox.unacknowledged,
        )

    def _sleep_ms(self) -> int:
        times = [self._teller.due_at, self._port.wake_at(), self._outbox.resend_at()]
        soonest = min(time for time in times if time is not None)
        return min(max(0, -(-(soonest - self._clock.mono()) // _MS)), TICK_MS)


def timing(config: Shoe) -> Timing:
    return Timing(
        settle=config.settle_ms * _MS,
        quiet=config.quiet_ms * _MS,
        repeat_window=config.repeat_window_ms * _MS,
        retry_first=round(config.retry_first * 1000) * _MS,
        retry_most=round(config.retry_most * 1000) * _MS,
    )


@click.command("shoe")
@config_option
def command(config: Config) -> None:
    """Read the cards that leave the shoe and hand them to the controller."""
    table = config.table
    log.setup(config.log, os.environ, daemon="shoe", table=table.id, env=table.environment)
    profile = load_profile(config.shoe.profile)
    _check_device(config.shoe.device)
    clock = SystemClock()
    session = new_session(clock, secrets.token_hex(3))
    spool = open_spool(config.shoe.spool, config.shoe.reader, session)
    with Daemon(os.environ, clock, PARTS) as daemon:
        _serve(config, profile, session, spool, daemon, clock)
    spool.close()


def _serve(
    config: Config,
    profile: Profile,
    session: str,
    spool: SessionSpool,
    daemon: Daemon,
    clock: Clock,
) -> None:
    shoe = config.shoe
    bus = connect_reader(config.bus.url("readers"), shoe.reader)
    port = Port(partial(open_link, shoe.device, profile.baud), profile, timing(shoe), clock)
    outbox = Outbox(shoe.reader, session, boot_id(), bus, spool, clock)
    if spool.cut_lines:
        _log.warning("spool_cut", lines=spool.cut_lines)
    _log.info("shoe_started", session=session, device=shoe.device, left=outbox.unacknowledged)
    try:
        ShoeLoop(shoe, session, port, outbox, spool, bus, daemon, clock).run()
    finally:
        port.close()
        bus.close()
        _log.info("shoe_stopped", unacknowledged=outbox.unacknowledged)


def _check_device(device: str) -> None:
    try:
        check_device(device)
    except ValueError as error:
        raise KeyFault("shoe.device", str(error)) from error
