"""The dealer's screen in a real browser: what is shown, and what is never shown as live."""

import json
import time
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, BrowserContext, Page

from controller.contract.state import HandView, Move, Phase, What, Window
from controller.display.vocabulary import LANGUAGES, load
from tests.browser.kiosk import FITS, DisplayProcess, until
from tests.browser.scenes import BARE, FULL, SCENES
from tests.browser.screens import SIZES
from tests.browser.stand_in_table import StandInTable

pytestmark = pytest.mark.browser

SLACK = 0.25
"""For a browser on two busy cores; the promise itself is 1.5 s."""


def seen(page: Page, table: StandInTable) -> None:
    page.wait_for_selector(f'main[data-seq="{table.seq}"]:not([inert])')


def is_grey(page: Page) -> bool:
    return page.query_selector("#not-live") is not None


def heading(page: Page) -> str:
    return page.inner_text("main h1")


def bar(page: Page) -> float:
    return float(page.get_attribute(".bar", "data-ms") or "nan")


def window(now: int, left: float) -> Window:
    return Window(5, now + round(left * 1e9), now + round((left + 1) * 1e9))


def test_the_instruction_and_both_hands_are_shown(page: Page, table: StandInTable) -> None:
    table.show(FULL)
    seen(page, table)
    assert heading(page) == "CARTA AL GIOCATORE"
    cards = page.locator(".card").evaluate_all("all => all.map(c => c.ariaLabel)")
    assert cards == ["Due di denari", "Cavallo di coppe", "Asso di spade", "Tre di bastoni"]
    assert page.locator(".points").all_inner_texts() == ["3½", "3"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_scene_fits_every_screen_we_promise_and_can_be_read(
    language: str, browser: Browser, display: DisplayProcess, table: StandInTable
) -> None:
    faults = []
    for width, height in SIZES:
        page = browser.new_page(viewport={"width": width, "height": height})
        page.goto(f"{display.url}?lang={language}")
        for name, scene in SCENES.items():
            table.show(scene(table.now()))
            seen(page, table)
            faults += [f"{name} {width}: {fault}" for fault in page.evaluate(FITS)]
        page.close()
    assert faults == []


def test_the_language_is_switched_on_the_page(page: Page, table: StandInTable) -> None:
    table.show(FULL)
    seen(page, table)
    page.wait_for_selector("main:not([data-dead])")
    page.tap(".language")
    page.wait_for_function("document.documentElement.lang === 'en'")
    assert heading(page) == load("en").say["deal_position"]
    assert "lang=en" in page.url


def test_a_silent_controller_greys_the_page_within_a_second_and_a_half(
    page: Page, table: StandInTable
) -> None:
    table.show(FULL)
    seen(page, table)
    table.silent = True
    assert until(lambda: is_grey(page), 4, "grey") < 1.5 + SLACK
    assert "DATI NON AGGIORNATI" in page.inner_text("#not-live")
    until(lambda: page.inner_text("#age") == "3 s", 4, "the age counts up")
    assert page.evaluate(FITS) == []
    assert page.locator("main[inert]").count() == 1


def test_no_time_runs_down_on_old_news(page: Page, table: StandInTable) -> None:
    table.show(SCENES["betting"](table.now()))
    seen(page, table)
    table.silent = True
    until(lambda: is_grey(page), 4, "grey")
    assert heading(page) == "ATTENDERE – s"


def test_a_silent_server_greys_the_page_within_a_second_and_a_half(
    page: Page, table: StandInTable, display: DisplayProcess
) -> None:
    table.show(FULL)
    seen(page, table)
    display.freeze()
    assert until(lambda: is_grey(page), 4, "grey") < 1.5 + SLACK
    display.thaw()
    until(lambda: not is_grey(page), 5, "live again")


def test_both_falling_silent_one_after_the_other_is_not_counted_twice_as_fresh(
    page: Page, table: StandInTable, display: DisplayProcess
) -> None:
    table.show(FULL)
    seen(page, table)
    table.silent = True
    began = time.monotonic()
    until(lambda: time.monotonic() - began > 0.9, 2, "the first half of the silence")
    assert not is_grey(page)
    display.freeze()
    until(lambda: is_grey(page), 4, "grey")
    assert time.monotonic() - began < 1.5 + SLACK
    display.thaw()


def test_nothing_is_pressed_on_a_grey_page(
    page: Page, table: StandInTable, display: DisplayProcess
) -> None:
    table.show(FULL)
    seen(page, table)
    box = page.locator('[data-tap="button.stop_after_round"]').bounding_box()
    assert box is not None
    display.freeze()
    until(lambda: is_grey(page), 4, "grey")
    page.touchscreen.tap(box["x"] + 20, box["y"] + 20)
    display.thaw()
    until(lambda: not is_grey(page), 5, "live again")
    table.show(BARE)
    seen(page, table)
    assert table.arrivals == []


def test_after_a_restart_a_snapshot_replaces_everything(
    page: Page, table: StandInTable, display: DisplayProcess
) -> None:
    table.show(FULL)
    seen(page, table)
    display.kill()
    until(lambda: is_grey(page), 4, "grey")
    table.show(replace(BARE, phase=Phase.BURN, move=Move(What.BURN, n=1, of=1)))
    display.start()
    seen(page, table)
    assert heading(page) == "BRUCIARE 1 CARTA"
    assert page.locator(".card").count() == 0


def test_a_controller_that_comes_back_under_a_new_epoch_is_followed(
    page: Page, table: StandInTable
) -> None:
    table.show(FULL)
    seen(page, table)
    table.silent = True
    until(lambda: is_grey(page), 4, "grey")
    table.epoch = "e2"
    table.view = replace(FULL, position=HandView(("7C",), 14))
    table.silent = False
    seen(page, table)
    assert page.locator(".position .card").get_attribute("aria-label") == "Sette di coppe"


def test_a_failed_journal_is_said_in_words_and_stops_the_buttons(
    page: Page, table: StandInTable
) -> None:
    table.failed = "No space left on device"
    page.wait_for_selector(".cover.failed")
    assert "REGISTRO FERMO" in page.inner_text(".cover.failed")
    assert page.evaluate(FITS) == []
    assert page.locator("main[inert]").count() == 1


def test_a_second_controller_is_told_to_the_dealer(page: Page, table: StandInTable) -> None:
    table.epoch = "e0"
    page.wait_for_selector(".band .second")


@pytest.mark.parametrize("skew", [-120, 120])
def test_the_deadline_is_right_under_skewed_clocks(
    skew: int, tmp_path: Path, context: BrowserContext
) -> None:
    context.add_init_script(f"const real = Date.now; Date.now = () => real() + {skew * 1000};")
    with StandInTable(tmp_path, ahead=skew * 50) as table, DisplayProcess(tmp_path) as display:
        page = context.new_page()
        page.goto(display.url)
        table.show(replace(BARE, phase=Phase.BETTING, move=Move(What.WAIT_BETS),
                           window=window(table.now(), 9)))  # fmt: skip
        seen(page, table)
        end = table.view.window
        assert end is not None
        shown = float("inf")
        for _ in range(10):
            last = shown
            until(lambda last=last: bar(page) < last - 100, 3, "the bar runs")  # type: ignore[misc]
            before = (end.players_until - table.now()) / 1e6
            shown = bar(page)
            after = (end.players_until - table.now()) / 1e6
            assert after - 250 < shown < before + 250


def test_at_zero_the_page_waits_for_the_controller_to_close(
    page: Page, table: StandInTable
) -> None:
    table.show(replace(BARE, phase=Phase.BETTING, move=Move(What.WAIT_BETS),
                       window=window(table.now(), 0.3)))  # fmt: skip
    seen(page, table)
    until(lambda: heading(page) == "ATTENDERE 0 s", 3, "zero")
    assert page.inner_text(".note") == load("it").note["wait_bets"]


def test_the_page_asks_nothing_of_the_outside_and_breaks_no_rule_of_its_own(
    context: BrowserContext, display: DisplayProcess, table: StandInTable
) -> None:
    page = context.new_page()
    asked, said = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(display.url)
    table.show(FULL)
    seen(page, table)
    assert all(url.startswith(display.url) for url in asked)
    assert said == []


def test_a_page_of_another_origin_cannot_command_the_table(
    context: BrowserContext, display: DisplayProcess, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere.html"
    elsewhere.write_text("<title>elsewhere</title>")
    page = context.new_page()
    page.goto(elsewhere.as_uri())
    address = json.dumps(display.url.replace("http", "ws") + "ws")
    opened = page.evaluate(
        f"new Promise(tell => {{ const s = new WebSocket({address});"
        "s.onopen = () => tell(true); s.onerror = () => tell(false); })"
    )
    assert opened is False


def test_the_display_stops_cleanly_when_it_is_told_to(page: Page, display: DisplayProcess) -> None:
    assert display.stop() == 0
