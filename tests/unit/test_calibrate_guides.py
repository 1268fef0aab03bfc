"""Guided calibration: what the guides ask for, step by step, and the page that shows it."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import aiohttp
import cv2
import numpy as np
import pytest
from aiohttp import web

from calibration.board import Board
from calibration.deck_guide import LOOKS, DeckGuide
from calibration.guide import Button, Points, Say
from calibration.lens import Lens, NotCalibrated
from calibration.lens_guide import WANTED, LensGuide
from calibration.live import Live
from calibration.table import Table
from calibration.table_guide import TableGuide
from controller.contract.cards import DECK
from controller.contract.readings import Region
from drivers.camera.found import Quad
from drivers.camera.frame import Image
from drivers.camera.look import Look
from tests.unit.seen_board import BENT, POSES, SIZE, STRAIGHT, seen_board

FELT = np.full((SIZE[1], SIZE[0], 3), (60, 100, 40), np.uint8)
SQUARE: Points = ((100.0, 100.0), (500.0, 100.0), (500.0, 300.0), (100.0, 300.0))


def moved(points: Points, x: float, y: float) -> Points:
    return tuple((px + x, py + y) for px, py in points)


class SavedLens:
    """Where a guide puts its lens."""

    def __init__(self) -> None:
        self.lens: Lens | None = None

    def __call__(self, lens: Lens, size: tuple[int, int]) -> str:
        self.lens = lens
        return "saved"


@pytest.fixture(scope="module")
def views() -> list[Image]:
    return [seen_board(turn, at, BENT) for turn, at in POSES]


def test_the_lens_guide_takes_each_still_view_once_and_saves_what_it_found(
    views: list[Image],
) -> None:
    saved = SavedLens()
    guide = LensGuide(Board(), saved)
    guide.see(views[0])
    assert "0 of" in guide.say().sentence, "the board must be held still first"
    for view in views:
        for _ in range(4):
            shown = guide.see(view)
            assert shown.shape == view.shape
    assert f"{len(views)} of {WANTED}" in guide.say().sentence
    guide.do("finish", ())
    assert guide.say().done
    assert saved.lens is not None
    assert saved.lens.bend[0] == pytest.approx(-0.18, abs=0.03)


def test_the_lens_guide_says_what_is_missing_and_goes_on(views: list[Image]) -> None:
    saved = SavedLens()
    guide = LensGuide(Board(), saved)
    for _ in range(3):
        guide.see(views[0])
    guide.do("finish", ())
    say = guide.say()
    assert not say.done
    assert "at least 8" in say.problem
    assert [button.do for button in say.buttons] == ["again"]
    guide.do("again", ())
    assert "0 of" in guide.say().sentence


class SavedTable:
    """Where a guide puts its table."""

    def __init__(self) -> None:
        self.table: Table | None = None

    def __call__(self, table: Table, size: tuple[int, int], empty: Look) -> str:
        self.table = table
        return "saved"


def test_the_table_guide_asks_for_board_felt_and_regions_and_saves_them() -> None:
    saved = SavedTable()
    guide = TableGuide(Board(), None, saved)
    guide.see(FELT)
    guide.do("board", ())
    assert "too little of the board" in guide.say().problem
    guide.see(seen_board((0, 0, 0), (0, 0, 700), STRAIGHT))
    guide.do("board", ())
    assert "Take everything off" in guide.say().sentence
    guide.see(FELT)
    guide.do("empty", ())
    for region, points in (("position", SQUARE), ("dealer", moved(SQUARE, 0, 300))):
        assert region in guide.say().sentence
        guide.do("region", points)
    guide.do("region", moved(SQUARE, 500, 0))
    assert {button.do for button in guide.say().buttons} == {"region", "again", "none"}
    guide.do("none", ())
    guide.do("finish", ())
    assert guide.say().done
    assert saved.table is not None
    assert [place.region for place in saved.table.places] == [
        Region.POSITION, Region.DEALER, Region.BURN,
    ]  # fmt: skip


def test_the_table_guide_refuses_regions_that_overlap_and_lets_them_be_done_again() -> None:
    guide = TableGuide(Board(), None, SavedTable())
    guide.see(seen_board((0, 0, 0), (0, 0, 700), STRAIGHT))
    guide.do("board", ())
    guide.do("empty", ())
    guide.do("none", ())
    assert "position" in guide.say().sentence, "a position must be"
    for _ in range(2):
        guide.do("region", SQUARE)
    for _ in range(2):
        guide.do("none", ())
    guide.do("finish", ())
    assert "overlap" in guide.say().problem
    assert not guide.say().done
    guide.do("again", ())
    assert "Lay the board" in guide.say().sentence


def a_card(x: int) -> Image:
    picture = FELT.copy()
    picture[200:400, x : x + 120] = 240
    return picture


def white_place(image: Image) -> Quad | None:
    rows, columns = np.nonzero(image[..., 0] > 200)
    if not len(rows):
        return None
    left, right, top, bottom = columns.min(), columns.max(), rows.min(), rows.max()
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)


class SavedDeck:
    """Takes what a guide collected; refuses while it is told to."""

    def __init__(self) -> None:
        self.cards: list[str] = []
        self.refuses = "the 4D is blurred"

    def __call__(self, pictures: Mapping[str, Image]) -> str:
        if self.refuses:
            raise NotCalibrated(self.refuses)
        self.cards = list(pictures)
        return "saved"


def lay(guide: DeckGuide, x: int = 300) -> None:
    guide.see(FELT)
    for _ in range(LOOKS):
        guide.see(a_card(x))


def test_the_deck_guide_takes_each_card_once_in_the_order_asked() -> None:
    saved = SavedDeck()
    guide = DeckGuide(white_place, saved)
    for n, card in enumerate(DECK):
        assert f"({card})" in guide.say().sentence
        lay(guide)
        guide.see(a_card(300))
        assert guide.say().sentence.startswith(f"{n + 1} taken"), "once, however long it lies"
        guide.see(FELT)
    guide.do("finish", ())
    assert guide.say().problem == saved.refuses
    saved.refuses = ""
    guide.do("finish", ())
    assert guide.say().done
    assert saved.cards == list(DECK)


def test_a_card_in_motion_is_not_taken_and_the_last_one_can_be_taken_again() -> None:
    guide = DeckGuide(white_place, SavedDeck())
    for x in range(0, 800, 40):
        guide.see(a_card(x))
    assert guide.say().sentence.startswith("0 of")
    lay(guide)
    lay(guide)
    assert guide.say().sentence.startswith("2 taken")
    guide.do("back_one", ())
    guide.see(FELT)
    assert "(2D)" in guide.say().sentence


class Counting:
    """A guide that is done when its button was pressed with a point."""

    def __init__(self) -> None:
        self.points: Points = ()

    def see(self, image: Image) -> Image:
        return image

    def do(self, what: str, points: Points) -> None:
        self.points = points

    def say(self) -> Say:
        return Say("press", buttons=(Button("go", "Go", 1),), done=bool(self.points))


async def pressed(live: Live, guide: Counting) -> None:
    """A whole visit of the page, on a port of its own."""
    runner = web.AppRunner(live.application())
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    url, own = f"http://127.0.0.1:{port}", {"Origin": f"http://127.0.0.1:{port}"}
    watch = asyncio.create_task(live.watch())
    async with aiohttp.ClientSession() as browser:
        async with browser.get(f"{url}/", headers={"Host": "evil.example"}) as answer:
            assert answer.status == 403
        for page in ("/", "/page/page.js", "/page/style.css", "/state"):
            async with browser.get(url + page) as answer:
                assert answer.status == 200
                assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        await until_picture(browser, f"{url}/picture.jpg")
        press = {"do": "go", "points": [[0.5, 0.25]]}
        for headers in ({}, {"Origin": "http://evil.example"}):
            async with browser.post(f"{url}/do", json=press, headers=headers) as answer:
                assert answer.status == 403
        async with browser.post(f"{url}/do", json={"do": 1}, headers=own) as answer:
            assert answer.status == 400
        assert guide.points == ()
        async with browser.post(f"{url}/do", json=press, headers=own) as answer:
            assert (await answer.json())["done"]
    await asyncio.wait_for(watch, 20)
    await runner.cleanup()


async def until_picture(browser: aiohttp.ClientSession, url: str) -> None:
    for _ in range(200):
        async with browser.get(url) as answer:
            if answer.status == 200:
                image = cv2.imdecode(np.frombuffer(await answer.read(), np.uint8), 1)
                assert image is not None
                assert image.shape == FELT.shape
                return
        await asyncio.sleep(0.1)
    pytest.fail("no picture came")


def test_the_page_shows_the_camera_and_hands_presses_on_to_nobody_else(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "felt.png"), FELT)
    guide = Counting()

    async def visit() -> None:
        await pressed(Live(guide, f"file://{tmp_path}/felt.png"), guide)

    asyncio.run(visit())
    assert guide.points == ((0.5 * SIZE[0], 0.25 * SIZE[1]),)
