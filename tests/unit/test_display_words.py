"""Both languages are complete: whatever the controller can say, the screen has a word for."""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from controller.contract.cards import RANKS, SUITS
from controller.contract.commands import Exit, Role, Why
from controller.contract.incidents import Incident
from controller.contract.readings import Rung
from controller.contract.seats import Choice, SeatOutcome
from controller.contract.state import Hand, Outcome, Phase, Reason, What
from controller.display import vocabulary
from controller.display.buttons import Act
from controller.display.details import KNOWN
from controller.display.view import SOUND
from controller.display.vocabulary import LANGUAGES, Language, Words
from drivers.shoe import angel_eye

PAGE = Path(vocabulary.__file__).parent / "page"


def sections(words: Words) -> dict[str, Iterable[str]]:
    settled = {"for_nobody", "take_bets", "nothing_to_pay"}
    said_by_hand = {"burn_of", "wait_server"} | settled
    notes = {f"reason_{reason}" for reason in Reason if reason}
    shut = {"wait_bets_shut", "wait_decisions_shut", "wait_turn_shut"}
    return {
        "say": set(What) | said_by_hand,
        "note": set(What) | notes | shut | settled,
        "phase": set(Phase),
        "button": set(Act) - {Act.RESOLVE},
        "choice": set(Choice),
        "exit": set(Exit),
        "exit_note": set(Exit),
        "why": {why for why in Why if why} | {"no_answer", "not_live"},
        "rung": set(Rung),
        "rung_do": set(Rung) - SOUND,
        "detail": KNOWN,
        "french_suit": angel_eye.SUITS.values(),
        "role": set(Role),
        "environment": {"live", "test", "training"},
        "hand": set(Hand),
        "outcome": set(Outcome),
        "seat_outcome": set(SeatOutcome),
        "rank": set(RANKS),
        "suit": set(SUITS),
        "incident": set(Incident),
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_word_of_the_contract_is_said_and_no_other(language: Language) -> None:
    words = vocabulary.load(language)
    for section, names in sections(words).items():
        assert set(getattr(words, section)) == {str(name) for name in names}, section


def test_both_languages_say_the_same_things_with_the_same_numbers() -> None:
    italian, english = vocabulary.load("it"), vocabulary.load("en")
    for section in Words.__struct_fields__:
        if section == "incident":
            continue
        it, en = getattr(italian, section), getattr(english, section)
        assert it.keys() == en.keys(), section
        for name in it:
            places = [sorted(re.findall(r"{\w+}", text)) for text in (it[name], en[name])]
            assert places[0] == places[1], f"{section}.{name}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_is_empty_but_those_that_are_never_shown(language: Language) -> None:
    words = vocabulary.load(language)
    silent = {("note", "resolve"), ("exit_note", "answered")}
    for section in Words.__struct_fields__:
        for name, text in getattr(words, section).items():
            said = text if isinstance(text, str) else text.title and text.do
            assert said or (section, name) in silent, f"{section}.{name}"


def test_the_page_uses_just_the_words_of_its_section() -> None:
    source = "".join(path.read_text("utf-8") for path in PAGE.glob("*.js"))
    used = set(re.findall(r"words\.page\.(\w+)", source))
    assert used == set(vocabulary.load("it").page)


def test_the_page_itself_holds_no_word_of_any_language() -> None:
    said = re.compile(r">\s*[A-Za-zÀ-ÿ]{2,}[^<]*<")
    body = (PAGE / "index.html").read_text("utf-8").partition("<body")[2]
    assert not said.search(body)
