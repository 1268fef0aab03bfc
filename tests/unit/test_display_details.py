"""Codes of readers and of the system: every one that is known has words, none is hidden."""

from pathlib import Path

import pytest

from controller.contract.incidents import Incident
from controller.contract.readings import ReadingKind, Rung
from controller.display import vocabulary
from controller.display.details import KNOWN, Detail, explain
from controller.journal.recovery import TornTail
from drivers.shoe import angel_eye
from drivers.shoe.codec import DAMAGED, Report
from drivers.shoe.ladder import Ladder

NO_READ_CODES = (DAMAGED, "unexpected_text", "unreadable_text", "no_read")
TOLD_DURING_A_HALT = (
    ReadingKind.GAP, ReadingKind.REOPENED, ReadingKind.RESTARTED, ReadingKind.FAULT,
    ReadingKind.FAULT_CLEARED, ReadingKind.STALE, ReadingKind.OUT_OF_GAME,
)  # fmt: skip


@pytest.mark.parametrize("code", [*angel_eye.FAULTS.values(), *NO_READ_CODES])
def test_every_code_of_a_shoe_has_words_alone_and_behind_its_kind(code: str) -> None:
    assert explain(code).name == code
    assert explain(f"fault {code}").name == code


@pytest.mark.parametrize("code", angel_eye.FAULTS.values())
def test_a_readers_sentence_of_its_error_mode_has_the_faults_words(code: str) -> None:
    ladder = Ladder()
    ladder.saw(Report(kind=ReadingKind.FAULT, code=code, raw=b"", at=0))
    assert ladder.rung is Rung.FAULT
    assert explain(ladder.detail).name == code


@pytest.mark.parametrize("kind", TOLD_DURING_A_HALT)
def test_what_comes_during_a_halt_has_words(kind: ReadingKind) -> None:
    told = explain(f"{kind.value} {3 if kind is ReadingKind.GAP else ''}")
    assert told.name == kind
    assert told.n == (3 if kind is ReadingKind.GAP else 0)


def test_lost_readings_a_cut_journal_and_a_strange_card_are_told_with_their_numbers() -> None:
    torn = TornTail(
        segment="000004.journal", offset=90112, index=4711, size=117, kept=Path("4711.torn"),
        published=True,
    )  # fmt: skip
    assert explain("2", Incident.CARDS_MISSING) == Detail("2", "gap", 2)
    assert (explain(str(torn)).name, explain(str(torn)).n) == ("cut", 4711)
    eight = explain("diamond-8", Incident.FOREIGN_CARD)
    assert (eight.name, eight.n, eight.suit) == ("french_card", 8, "diamond")


def test_restarts_and_other_rules_are_told() -> None:
    assert explain("shoe restarted").name == "reader_restarted"
    assert explain("restarted").name == "restarted"
    assert explain("rules or configuration changed").name == "rules_changed"


@pytest.mark.parametrize("text", ["", "unlisted_X", "error_9", "/dev/shoe is gone", "7D"])
def test_what_is_not_known_stays_as_it_came(text: str) -> None:
    assert explain(text) == Detail(text)


def test_no_word_of_a_detail_can_be_left_unsaid_for_want_of_what_it_names() -> None:
    for language in vocabulary.LANGUAGES:
        words = vocabulary.load(language)
        for name in KNOWN - {"gap", "cut", "french_card"}:
            assert "{" not in words.detail[name]
