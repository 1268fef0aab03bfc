"""The page of a guided calibration: live pictures on loopback, one sentence, a few buttons.

Any browser on the table PC shows it, the dealer's kiosk too; no desktop is needed.
The pictures come from the camera daemon's socket, or from any other address. What
is calibrated is the `Guide`'s business. Only this page may speak to it: the Host
must be loopback, and a press must come from our own origin.
"""

import asyncio
from collections.abc import Awaitable, Callable
from importlib import resources
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import click
import cv2
import msgspec
from aiohttp import web

from calibration.guide import Guide, Points
from controller.runtime.clock import NANOSECONDS, SystemClock
from controller.runtime.exits import ExitCode, Refusal
from drivers.camera.frame import Image, Mode
from drivers.camera.grabber import Grabber, Patience

LOOK: Final = 0.15
"""Seconds between two looks at the newest picture."""
LINGER: Final = 1.0
"""Seconds in which the page can still hear that it is done."""
DAEMON: Final = "unix:///run/mazziere/camera"
_ASKED: Final = Mode(1920, 1080, 30.0, "MJPG")
_PATIENCE: Final = Patience(
    opening=8 * NANOSECONDS,
    reading=3 * NANOSECONDS,
    retry_first=NANOSECONDS // 2,
    retry_most=3 * NANOSECONDS,
)
_PAGE: Final = Path(str(resources.files("calibration").joinpath("page")))
_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})
_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


class Press(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A button of the page, with the points that were clicked in the picture (0 to 1)."""

    do: str
    points: Points = ()


class Live:
    """One guided calibration before one camera."""

    def __init__(self, guide: Guide, address: str) -> None:
        self._guide = guide
        self._grabber = Grabber(address, _ASKED, _PATIENCE, SystemClock())
        self._shown: Image | None = None
        self._turn = asyncio.Lock()  # the guide looks at a picture or hears a press, never both
        self.done = asyncio.Event()

    def application(self) -> web.Application:
        app = web.Application(middlewares=[_guard], client_max_size=1 << 16)
        app.router.add_get("/", self._page)
        app.router.add_static("/page", _PAGE)
        app.router.add_get("/state", self._state)
        app.router.add_get("/picture.jpg", self._picture)
        app.router.add_post("/do", self._do)
        return app

    async def watch(self) -> None:
        """Look at the camera until the guide is done."""
        try:
            while not self._guide.say().done:
                frame = self._grabber.turn()
                if frame is not None:
                    async with self._turn:
                        self._shown = await asyncio.to_thread(self._guide.see, frame.image)
                await asyncio.sleep(LOOK)
        finally:
            self._grabber.close()
        await asyncio.sleep(LINGER)
        self.done.set()

    async def _page(self, _request: web.Request) -> web.FileResponse:
        return web.FileResponse(_PAGE / "index.html")

    async def _state(self, _request: web.Request) -> web.Response:
        say = self._guide.say()
        trouble = self._grabber.detail if self._shown is None else ""
        state = {**msgspec.to_builtins(say), "camera": trouble}
        return web.Response(body=msgspec.json.encode(state), content_type="application/json")

    async def _picture(self, _request: web.Request) -> web.Response:
        if self._shown is None:
            raise web.HTTPNotFound(text="no picture yet")
        _, data = cv2.imencode(".jpg", self._shown, [cv2.IMWRITE_JPEG_QUALITY, 80])
        return web.Response(body=data.tobytes(), content_type="image/jpeg")

    async def _do(self, request: web.Request) -> web.Response:
        try:
            press = msgspec.json.decode(await request.read(), type=Press)
        except msgspec.DecodeError as error:
            raise web.HTTPBadRequest(text=str(error)) from error
        height, width = self._shown.shape[:2] if self._shown is not None else (1, 1)
        points = tuple((x * width, y * height) for x, y in press.points)
        async with self._turn:
            self._guide.do(press.do, points)
        return await self._state(request)


def guide_live(guide: Guide, address: str, port: int) -> str:
    """Serve the page until the guide is done; its last sentence."""
    try:
        asyncio.run(_serve(guide, address, port))
    except KeyboardInterrupt as stop:
        raise Refusal("Ended by hand: nothing is saved", ExitCode.DEVICE) from stop
    return guide.say().sentence


async def _serve(guide: Guide, address: str, port: int) -> None:
    live = Live(guide, address)
    runner = web.AppRunner(live.application(), access_log=None)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, "127.0.0.1", port).start()
        except OSError as error:
            sentence = f"The page cannot be served on port {port}: {error.strerror}; give --port"
            raise Refusal(sentence, ExitCode.CONFIGURATION) from error
        click.echo(f"open http://127.0.0.1:{port} on this PC and follow it")
        await live.watch()
    finally:
        await runner.cleanup()


Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@web.middleware
async def _guard(request: web.Request, handler: Handler) -> web.StreamResponse:
    if urlsplit(f"//{request.host}").hostname not in _LOOPBACK:
        raise web.HTTPForbidden(text="only this PC is served")
    origin = request.headers.get("Origin", "")
    if request.method == "POST" and urlsplit(origin).netloc != request.host:
        raise web.HTTPForbidden(text="only its own page may press")
    response = await handler(request)
    response.headers.update(_HEADERS)
    return response
