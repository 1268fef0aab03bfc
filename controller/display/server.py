"""`mazziere display`: serves the dealer's screen on loopback and keeps it alive.

One page, its static files, the words and one WebSocket. Each connection is sent
the whole screen at once, then again at every change and at least twice a second,
so that the page can tell silence from rest. Only this page may speak to it: the
Host must be loopback and a WebSocket must come from our own origin, so no web
page elsewhere can command the table.
What is not here: the table's state (`link`) and what is shown (`view`, `page/`).
"""

import asyncio
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from importlib import resources
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import click
import msgspec
import structlog
from aiohttp import WSMsgType, web

from controller.client import Endpoints, Follower
from controller.contract.audience import Audience
from controller.display import vocabulary
from controller.display.buttons import Press
from controller.display.link import Mailbox, TableLink
from controller.display.view import Lengths
from controller.runtime.bus import Bus
from controller.runtime.clock import SystemClock
from controller.runtime.config import Config
from controller.runtime.daemon import Daemon
from controller.runtime.exits import ExitCode, Refusal
from controller.runtime.log import setup
from controller.runtime.options import config_option

HEARTBEAT: Final = 0.5
"""Seconds between two messages to a page when nothing changes."""
TICK: Final = 0.1
"""Seconds between two looks at the bus when it does not stir by itself."""
_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})
_LARGEST_PRESS: Final = 4096
_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Display:
    """The web side: one page for every connection, all fed by one `TableLink`."""

    def __init__(self, link: TableLink, language: vocabulary.Language) -> None:
        self._link = link
        self._words = msgspec.json.encode(
            {
                "default": language,
                "languages": {name: vocabulary.load(name) for name in vocabulary.LANGUAGES},
            }
        )
        self._sockets: set[web.WebSocketResponse] = set()
        self._encode = msgspec.json.Encoder().encode
        self._decode = msgspec.json.Decoder(Press).decode

    def application(self) -> web.Application:
        app = web.Application(middlewares=[_guard])
        page = Path(str(resources.files(__package__).joinpath("page")))
        app.router.add_get("/", lambda _request: _file(page / "index.html"))
        app.router.add_get("/words.json", self._say)
        app.router.add_get("/ws", self._meet)
        app.router.add_static("/page", page)
        app.on_shutdown.append(self._part)
        return app

    async def _say(self, _request: web.Request) -> web.Response:
        return web.Response(body=self._words, content_type="application/json")

    async def _meet(self, request: web.Request) -> web.WebSocketResponse:
        _require_own_origin(request)
        socket = web.WebSocketResponse(heartbeat=5.0, max_msg_size=_LARGEST_PRESS)
        await socket.prepare(request)
        mailbox = Mailbox()
        self._link.join(mailbox)
        self._sockets.add(socket)
        sender = asyncio.create_task(self._send(socket, mailbox))
        try:
            await self._listen(socket, mailbox)
        finally:
            sender.cancel()
            self._sockets.discard(socket)
            self._link.leave(mailbox)
        return socket

    async def _listen(self, socket: web.WebSocketResponse, mailbox: Mailbox) -> None:
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                continue
            try:
                press = self._decode(message.data)
            except msgspec.DecodeError as error:
                structlog.get_logger().warning("press_unreadable", error=str(error))
                continue
            self._link.press(press, mailbox)

    async def _send(self, socket: web.WebSocketResponse, mailbox: Mailbox) -> None:
        """The snapshot, then whatever comes; the screen is made when it is sent, never before."""
        try:
            while not socket.closed:
                await mailbox.wait(HEARTBEAT)
                while mailbox.answers:
                    await socket.send_str(self._encode(mailbox.answers.popleft()).decode())
                await socket.send_str(self._encode(self._link.message()).decode())
        except ConnectionError:  # the page went away; its reader ends too
            return

    async def _part(self, _app: web.Application) -> None:
        for socket in list(self._sockets):
            await socket.close(code=1001)


async def _file(path: Path) -> web.FileResponse:
    return web.FileResponse(path)


@web.middleware
async def _guard(request: web.Request, handler: Handler) -> web.StreamResponse:
    """A Host that is not loopback is another site's name for us: refuse it."""
    if urlsplit(f"//{request.host}").hostname not in _LOOPBACK:
        raise web.HTTPForbidden(text="This page is served on loopback only.")
    response = await handler(request)
    if not response.prepared:
        response.headers.update(_HEADERS)
    return response


def _require_own_origin(request: web.Request) -> None:
    if request.headers.get("Origin") != f"http://{request.host}":
        raise web.HTTPForbidden(text="Only the dealer's screen may command the table.")


def lengths(config: Config) -> Lengths:
    times = config.times
    return Lengths(times.betting, times.decision, times.grace, times.results)


async def run(config: Config, follower: Follower, daemon: Daemon) -> None:
    """Serve until the daemon is told to stop."""
    table_link = TableLink(
        follower,
        SystemClock(),
        lengths(config),
        table=config.table.id,
        environment=config.table.environment,
        stale_after=config.display.stale_after - TICK,
    )
    runner = web.AppRunner(
        Display(table_link, config.table.language).application(), access_log=None
    )
    await runner.setup()
    try:
        await _bind(runner, config)
        daemon.notifier.ready()
        structlog.get_logger().info("display_ready", url=url(config))
        await _turn(table_link, daemon)
    finally:
        await runner.cleanup()


def url(config: Config) -> str:
    host = config.display.host
    return f"http://{f'[{host}]' if ':' in host else host}:{config.display.port}/"


async def _bind(runner: web.AppRunner, config: Config) -> None:
    host, port = config.display.host, config.display.port
    try:
        await web.TCPSite(runner, host, port).start()
    except OSError as error:
        raise Refusal(
            f"The dealer's screen cannot listen on {host} port {port}: {error.strerror}; "
            "stop what listens there or set another display.port",
            ExitCode.CONFIGURATION,
        ) from error


async def _turn(table_link: TableLink, daemon: Daemon) -> None:
    """Look at the bus whenever it stirs, and every `TICK` since its descriptors are edges."""
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    loop.add_reader(daemon.stop_fd(), stop.set)

    def stir() -> None:
        # A step may make the connections anew: nothing that it closes may stay registered.
        for fd in table_link.fds():
            loop.remove_reader(fd)
        table_link.step()
        for fd in table_link.fds():
            loop.add_reader(fd, stir)

    while not stop.is_set():
        stir()
        daemon.watchdog.progress("bus")
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), TICK)
    for fd in (daemon.stop_fd(), *table_link.fds()):
        loop.remove_reader(fd)


@click.command("display")
@config_option
def command(config: Config) -> None:
    """Serve the dealer's screen on loopback."""
    setup(
        config.log,
        os.environ,
        daemon="display",
        table=config.table.id,
        env=config.table.environment,
    )
    clock = SystemClock()
    bus = Bus()
    follower = Follower(
        bus,
        Endpoints(facts=config.bus.url("ops"), requests=config.bus.url("requests")),
        audience=Audience.OPS,
        clock=clock,
        stale_after=config.display.stale_after - TICK,
    )
    try:
        with Daemon(os.environ, clock, ("bus",)) as daemon:
            asyncio.run(run(config, follower, daemon))
    finally:
        bus.close()
