"""`python -m tests.browser.screens [DIR]`: a picture of every scene, language and kiosk size.

The pictures are for people to look at; nothing compares them.
"""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from controller.display.vocabulary import LANGUAGES
from tests.browser.kiosk import ARGS, CHROMIUM, DisplayProcess
from tests.browser.scenes import SCENES
from tests.browser.stand_in_table import StandInTable

SIZES = ((1920, 1080), (1280, 800), (1024, 768))


def take_all(table: StandInTable, browser: Browser, url: str, out: Path, only: str) -> None:
    for width, height in SIZES:
        for language in LANGUAGES:
            page = browser.new_page(viewport={"width": width, "height": height})
            page.goto(f"{url}?lang={language}")
            for name, scene in SCENES.items():
                if only in name:
                    table.show(scene(table.now()))
                    shown = f'main[data-seq="{table.seq}"]:not([inert]):not([data-dead])'
                    page.wait_for_selector(shown)
                    page.screenshot(path=out / f"{name}-{language}-{width}.png")
            _pads(table, page, out / f"pad-{language}-{width}.png")
            page.close()


def _pads(table: StandInTable, page, out: Path) -> None:  # type: ignore[no-untyped-def]
    for name, exit_ in (("halt_restarted", "go_on"), ("halt_unread", "name_it")):
        table.show(SCENES[name](table.now()))
        page.wait_for_selector(f'main[data-seq="{table.seq}"]')
        page.click(f'main:not([data-dead]) [data-tap="button.resolve.{exit_}"]')
        page.wait_for_selector("main:not([data-dead]) .pad")
        for key in ("digit.1", "digit.2") if exit_ == "go_on" else ("rank.Q", "suit.B"):
            page.click(f'[data-tap="pad.{key}"]')
        page.screenshot(path=out.with_name(f"{exit_}-{out.name}"))


def take_others(browser: Browser, out: Path) -> None:
    """What a scene cannot show: the bands of each environment, old news, a stopped journal."""
    for environment in ("live", "test", "training"):
        with (
            tempfile.TemporaryDirectory() as directory,
            StandInTable(Path(directory), environment=environment) as table,
            DisplayProcess(Path(directory)) as display,
        ):
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.goto(display.url)
            table.show(SCENES["decision"](table.now()))
            page.wait_for_selector(f'main[data-seq="{table.seq}"]:not([inert])')
            page.screenshot(path=out / f"band-{environment}.png")
            table.failed = "Cannot write the journal: No space left on device"
            page.wait_for_selector(".cover.failed")
            page.screenshot(path=out / "journal-failed.png")
            table.failed, table.silent = "", True
            page.wait_for_selector("#not-live")
            page.screenshot(path=out / "not-live.png")
            page.close()


def main(out: Path, only: str = "") -> None:
    out.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as directory,
        StandInTable(Path(directory)) as table,
        DisplayProcess(Path(directory)) as display,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        take_all(table, browser, display.url, out, only)
        take_others(browser, out)
        browser.close()
    print(f"The pictures are in {out}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "screens"), *sys.argv[2:3])
