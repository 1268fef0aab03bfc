"""A real browser on the real display process, before a stand-in table on the real wire."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.browser.kiosk import ARGS, CHROMIUM, DisplayProcess
from tests.browser.stand_in_table import StandInTable


@pytest.fixture(scope="module")  # no longer: its event loop runs in the tests' own thread
def browser() -> Iterator[Browser]:
    if not Path(CHROMIUM).exists():
        pytest.skip(f"no chromium at {CHROMIUM}: apt-get install chromium fonts-dejavu-core")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield browser
        browser.close()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[StandInTable]:
    with StandInTable(tmp_path) as table:
        yield table


@pytest.fixture
def display(tmp_path: Path, table: StandInTable) -> Iterator[DisplayProcess]:
    with DisplayProcess(tmp_path) as display:
        yield display


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, has_touch=True)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext, display: DisplayProcess) -> Page:
    page = context.new_page()
    page.goto(display.url)
    page.wait_for_selector("main:not([inert])")
    return page
