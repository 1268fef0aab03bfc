"""Fingers on the dealer's screen: one press, one effect, and never on the wrong screen."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page

from controller.contract.commands import (
    Answer,
    Command,
    Exit,
    Resolve,
    Role,
    StopAfterRound,
    Verdict,
    Void,
    Why,
)
from controller.contract.incidents import INCIDENTS, ROLE_OF, Incident
from controller.contract.state import HandView
from controller.display.vocabulary import LANGUAGES, Language, load
from tests.browser.kiosk import FITS, DisplayProcess, until
from tests.browser.scenes import FULL, halted
from tests.browser.stand_in_table import StandInTable

pytestmark = pytest.mark.browser

ALIVE = "main:not([inert]):not([data-dead])"
"""Fingers count: the screen is live and its dead time is over."""
SET_ASIDE = '[data-tap="button.resolve.set_aside"]'
OPACITY = "Number(getComputedStyle(document.querySelector('.button')).opacity)"
STOP = '[data-tap="button.stop_after_round"]'


@pytest.fixture
def show(page: Page, table: StandInTable) -> Callable[[object], None]:
    """Bring a view to the screen and wait until fingers count again."""

    def shown(view: object) -> None:
        table.show(view)  # type: ignore[arg-type]
        page.wait_for_selector(f'{ALIVE}[data-seq="{table.seq}"]')

    return shown


def middle(page: Page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def hold(page: Page, selector: str, enough: Callable[[], bool]) -> None:
    page.mouse.move(*middle(page, selector))
    page.mouse.down()
    until(lambda: page.evaluate("true") and enough(), 4, "held long enough")
    page.mouse.up()


def test_a_double_tap_is_one_command(
    page: Page, table: StandInTable, show: Callable[[object], None]
) -> None:
    show(halted(Incident.EXTRA_CARD, seq=77, held=1))
    place = middle(page, SET_ASIDE)
    page.touchscreen.tap(*place)
    page.touchscreen.tap(*place)
    until(lambda: bool(table.arrivals), 3, "the command")
    page.wait_for_selector(".button.done")
    (command,) = table.arrivals
    assert (command.do, command.role, command.window, command.epoch) == (
        Resolve(exit=Exit.SET_ASIDE), Role.DEALER, 77, "e1",
    )  # fmt: skip


def test_the_second_tap_does_not_reach_the_screen_that_follows(
    page: Page, table: StandInTable, show: Callable[[object], None]
) -> None:
    show(halted(Incident.EXTRA_CARD, seq=77, held=1))
    place = middle(page, SET_ASIDE)
    page.touchscreen.tap(*place)
    until(lambda: bool(table.arrivals), 3, "the command")
    table.show(halted(Incident.EXTRA_CARD, seq=90, held=1))
    page.wait_for_selector(f'main[data-seq="{table.seq}"]')
    page.touchscreen.tap(*place)  # within the dead time
    page.wait_for_selector(ALIVE)
    assert [command.window for command in table.arrivals] == [77]
    page.touchscreen.tap(*place)
    until(lambda: len(table.arrivals) == 2, 3, "a tap after the dead time counts")


def test_while_no_tap_counts_the_buttons_look_so_and_the_language_can_be_switched(
    page: Page, table: StandInTable, show: Callable[[object], None]
) -> None:
    show(FULL)
    bright = page.evaluate(OPACITY)
    language = middle(page, ".language")
    # Freeze the page's clock within the dead time, so that a slow machine cannot leave it.
    page.evaluate("() => { const now = performance.now(); performance.now = () => now; }")
    table.show(halted(Incident.EXTRA_CARD, seq=77, held=1))
    page.wait_for_selector(f'main.halt[data-dead][data-seq="{table.seq}"]')
    assert page.evaluate(OPACITY) < bright / 2
    page.touchscreen.tap(*language)
    page.wait_for_function("document.documentElement.lang === 'en'")
    page.touchscreen.tap(*middle(page, SET_ASIDE))
    assert page.evaluate("document.querySelector('.button.sending')") is None
    assert table.arrivals == []


def test_a_lost_answer_is_asked_for_again_under_the_same_id(
    page: Page, table: StandInTable, show: Callable[[object], None]
) -> None:
    show(FULL)
    table.lose_answers = True
    page.tap(STOP)
    page.wait_for_selector(".button.sending")
    assert load("it").page["sending"] in page.inner_text(".button.sending")
    until(lambda: len(table.arrivals) >= 3, 4, "sent again")
    table.lose_answers = False
    page.wait_for_selector(".button.done")
    assert [command.do for command in table.effects] == [StopAfterRound(on=True)]


def test_a_press_outlives_a_restart_of_the_display(
    page: Page, table: StandInTable, display: DisplayProcess, show: Callable[[object], None]
) -> None:
    show(FULL)
    table.lose_answers = True
    page.tap(STOP)
    until(lambda: bool(table.arrivals), 3, "the command")
    display.kill()
    table.lose_answers = False
    display.start()
    page.wait_for_selector(".button.done")
    assert len(table.effects) == 1


def test_a_refusal_says_why_and_a_new_press_is_a_new_command(
    page: Page, table: StandInTable, show: Callable[[object], None]
) -> None:
    def refuse(command: Command) -> Answer:
        return Answer(id=command.id, verdict=Verdict.REFUSED, why=Why.NOT_NOW)

    table.answer = refuse
    show(FULL)
    page.tap(STOP)
    said = page.wait_for_selector(".button.failed").inner_text()
    assert load("it").page["not_done"] in said
    assert load("it").why["not_now"] in said
    page.tap(STOP)
    until(lambda: len(table.effects) == 2, 3, "a second command")


def test_no_answer_at_all_is_said(
    page: Page, table: StandInTable, show: Callable[[object], None]
) -> None:
    show(FULL)
    table.lose_answers = True
    page.tap(STOP)
    said = page.wait_for_selector(".button.failed", timeout=9_000).inner_text()
    assert load("it").why["no_answer"] in said
    assert len(table.effects) == 1


def test_a_void_needs_a_second_and_a_half_of_holding(
    page: Page, table: StandInTable, show: Callable[[object], None]
) -> None:
    show(FULL)
    button = '[data-hold="button.void"]'
    held = f"getComputedStyle(document.querySelector('{button}')).getPropertyValue('--held')"
    hold(page, button, lambda: float(page.evaluate(held) or 0) > 0.5)
    until(lambda: float(page.evaluate(held) or 0) == 0, 2, "let go")
    assert table.arrivals == []
    hold(page, button, lambda: bool(table.arrivals))
    (command,) = table.arrivals
    assert isinstance(command.do, Void)
    assert command.role is Role.SUPERVISOR


def test_a_hold_survives_a_card_being_counted_meanwhile(
    page: Page, table: StandInTable, show: Callable[[object], None]
) -> None:
    show(FULL)
    page.mouse.move(*middle(page, '[data-hold="button.void"]'))
    page.mouse.down()
    table.show(replace(FULL, position=HandView(("2D", "QC", "AS", "3B"), 13)))
    page.wait_for_selector(f'main[data-seq="{table.seq}"]')
    until(lambda: bool(table.arrivals), 4, "the void")
    page.mouse.up()


def test_a_halt_that_needs_a_count_takes_it_from_the_pad(
    page: Page, table: StandInTable, show: Callable[[object], None]
) -> None:
    show(halted(Incident.READER_LOST, seq=78))
    page.tap('[data-tap="button.resolve.go_on"]')
    page.wait_for_selector(ALIVE)
    assert page.evaluate(FITS) == []
    confirm = '[data-tap="send.resolve.go_on"]'
    assert page.locator(confirm).is_disabled()
    for key in ("digit.4", "field.out", "digit.1", "digit.9", "erase", "digit.2"):
        page.tap(f'[data-tap="pad.{key}"]')
    assert page.inner_text("#count-felt") == "4"
    assert page.inner_text("#count-out") == "12"
    page.tap(confirm)
    until(lambda: bool(table.arrivals), 3, "the command")
    assert table.arrivals[0].do == Resolve(exit=Exit.GO_ON, felt=4, out=12)
    assert table.arrivals[0].window == 78


def test_a_wrong_count_is_said_and_can_be_counted_again(
    page: Page, table: StandInTable, show: Callable[[object], None]
) -> None:
    def refuse(command: Command) -> Answer:
        return Answer(id=command.id, verdict=Verdict.REFUSED, why=Why.COUNTS)

    table.answer = refuse
    show(halted(Incident.READER_LOST))
    page.tap('[data-tap="button.resolve.go_on"]')
    page.wait_for_selector(ALIVE)
    for key in ("digit.4", "field.out", "digit.9"):
        page.tap(f'[data-tap="pad.{key}"]')
    page.tap('[data-tap="send.resolve.go_on"]')
    said = page.wait_for_selector(".button.failed").inner_text()
    assert load("it").why["counts"] in said
    assert page.inner_text("#count-felt") == "4"


def test_the_decks_own_count_is_hidden_while_it_is_to_be_counted(
    page: Page, show: Callable[[object], None]
) -> None:
    show(halted(Incident.READER_LOST))
    assert page.locator(".item.deck").count() == 0
    show(halted(Incident.EXTRA_CARD))
    assert page.locator(".item.deck").count() == 1


def test_a_supervisor_names_a_card_by_rank_then_suit_and_holds(
    page: Page, table: StandInTable, show: Callable[[object], None]
) -> None:
    show(halted(Incident.UNREAD_CARD, seq=79, held=1))
    page.tap('[data-tap="button.resolve.name_it"]')
    page.wait_for_selector(ALIVE)
    page.tap('[data-tap="pad.rank.Q"]')
    page.tap('[data-tap="pad.suit.B"]')
    assert page.locator(".chosen .card").get_attribute("aria-label") == "Cavallo di bastoni"
    hold(page, '[data-hold="send.resolve.name_it"]', lambda: bool(table.arrivals))
    (command,) = table.arrivals
    assert command.do == Resolve(exit=Exit.NAME_IT, card="QB")
    assert (command.role, command.window) == (Role.SUPERVISOR, 79)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_incident_says_its_title_what_to_do_what_was_counted_last_and_its_exits(
    language: Language, page: Page, table: StandInTable, display: DisplayProcess
) -> None:
    words = load(language)
    page.goto(f"{display.url}?lang={language}")
    for incident in Incident:
        table.show(halted(incident))
        page.wait_for_selector(f'main.halt[data-seq="{table.seq}"]')
        says = words.incident[incident]
        assert page.inner_text("main h1") == says.title
        assert page.inner_text(".do") == says.do
        assert page.inner_text(".item.last b").startswith(f"{words.hand['position']}, ")
        offered = page.locator(".exits .button b").all_inner_texts()
        exits = [way for way in INCIDENTS[incident].exits if ROLE_OF[way] is not Role.SERVER]
        assert offered == [words.exit[way] for way in exits]
