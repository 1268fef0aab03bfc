"""`mazziere camera`: the command, and how the daemon is put together; its loop is `loop`."""

import os
import secrets
from functools import partial
from pathlib import Path
from typing import Final

import click
import cv2
import structlog

from controller.client import Endpoints, Follower
from controller.contract.audience import Audience
from controller.contract.state import Phase
from controller.runtime import log
from controller.runtime.bus import Bus, connect_reader
from controller.runtime.clock import NANOSECONDS, Clock, SystemClock, boot_id
from controller.runtime.config import Camera, Config, KeyFault
from controller.runtime.daemon import Daemon
from controller.runtime.options import config_option
from drivers.camera.address import parse_address
from drivers.camera.evidence import Evidence, Keep
from drivers.camera.eye import Eye, Reader
from drivers.camera.grabber import Grabber, Patience
from drivers.camera.loop import CameraLoop, TableNow, asked_mode
from drivers.camera.reading_with import load_reader
from drivers.camera.serving import Serving
from drivers.camera.tracking import Settings
from drivers.reader import Outbox, new_session
from drivers.spool import SessionSpool, open_spool

PARTS: Final = ("loop", "spool")
"""What must move for the watchdog to be fed."""
SETTLE_NS: Final = NANOSECONDS
"""What is seen within so long after the picture began lay there before."""

_MS: Final = 1_000_000
_log = structlog.get_logger()


def table_now(follower: Follower) -> TableNow:
    """As the controller says; nothing while it says nothing."""
    follower.step(0)
    view = follower.view
    if view is None:
        return TableNow()
    return TableNow(view.deck.deck if view.deck else "", view.phase is Phase.CLOSED)


def _patience(config: Camera) -> Patience:
    return Patience(
        opening=_ns(config.open_within),
        reading=_ns(config.blocked_after),
        retry_first=_ns(config.retry_first),
        retry_most=_ns(config.retry_most),
    )


def _settings(config: Camera) -> Settings:
    return Settings(
        agree=config.agree,
        unsure=_ns(config.unsure_after),
        gone=_ns(config.gone_after),
        settle=SETTLE_NS,
    )


def _ns(seconds: float) -> int:
    return round(seconds * NANOSECONDS)


@click.command("camera")
@config_option
def command(config: Config) -> None:
    """Read the cards on the felt, keep a still of each, hand both to the controller."""
    table, camera = config.table, config.camera
    log.setup(config.log, os.environ, daemon="camera", table=table.id, env=table.environment)
    _check_device(camera.device)
    reader = load_reader(Path(camera.deck), Path(camera.table))
    os.umask(0o007)
    cv2.setNumThreads(1)  # the other cores are for those who carry a card
    clock = SystemClock()
    session = new_session(clock, secrets.token_hex(3))
    spool = open_spool(camera.spool, camera.reader, session)
    with Daemon(os.environ, clock, PARTS) as daemon:
        _serve(config, reader, session, spool, daemon, clock)
    spool.close()


def _serve(
    config: Config,
    reader: Reader,
    session: str,
    spool: SessionSpool,
    daemon: Daemon,
    clock: Clock,
) -> None:
    camera = config.camera
    bus, facts = connect_reader(config.bus.url("readers"), camera.reader), Bus()
    endpoints = Endpoints(config.bus.url("ops"), config.bus.url("requests"))
    follower = Follower(facts, endpoints, audience=Audience.OPS, clock=clock)
    grabber = Grabber(camera.device, asked_mode(camera), _patience(camera), clock)
    eye = Eye(reader, _settings(camera), camera.max_age_ms * _MS)
    evidence = Evidence(Path(camera.stills), Keep(camera.keep_days, camera.keep_mib))
    serving = Serving(Path(config.bus.directory) / "camera")
    outbox = Outbox(camera.reader, session, boot_id(), bus, spool, clock)
    evidence.open()
    serving.open()
    _log.info("camera_started", session=session, device=camera.device, left=outbox.unacknowledged)
    now = partial(table_now, follower)
    try:
        CameraLoop(
            camera, session, grabber, eye, evidence, serving, now,
            outbox, spool, bus, daemon, clock,
        ).run()  # fmt: skip
    finally:
        grabber.close()
        serving.close()
        bus.close()
        follower.close()
        facts.close()
        _log.info("camera_stopped", unacknowledged=outbox.unacknowledged)


def _check_device(device: str) -> None:
    try:
        parse_address(device)
    except ValueError as error:
        raise KeyFault("camera.device", str(error)) from error
