"""One pass of the deck teaches the shoe its codes; doubled, foreign, missing ones are refused."""

import threading
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from calibration.shoe import Pass, profile_text
from controller.cli import main
from controller.contract.cards import DECK
from controller.contract.readings import ReadingKind
from drivers.shoe.assembler import Draft
from drivers.shoe.profile import parse
from drivers.shoe.profile_file import load_profile
from tests.unit.pty_shoe import PtyShoe

LINE = load_profile("line")


def says(kind: ReadingKind, code: str = "") -> Draft:
    return Draft(kind=kind, stamp=1, code=code)


def passed(code: str) -> Draft:
    return says(ReadingKind.FOREIGN, code)


def begun(count: int) -> Pass:
    learning = Pass({})
    for n in range(count):
        heard = learning.hear(passed(f"X{n:03}"))
        assert heard is not None
        assert heard.learned == DECK[n]
    return learning


def test_forty_codes_in_the_order_asked_are_the_forty_cards() -> None:
    learning = begun(40)
    assert learning.asked is None
    assert learning.codes == {card: f"X{n:03}" for n, card in enumerate(DECK)}


@pytest.mark.parametrize(
    ("draft", "sentence"),
    [
        (passed("X002"), "already the 3D"),
        (passed("10D"), "foreign card"),
        (passed("heart-8"), "foreign card"),
        (says(ReadingKind.NO_READ), "not read; pass the 4D"),
        (says(ReadingKind.STALE, "X9"), "from before"),
        (says(ReadingKind.GAP), "lost"),
        (says(ReadingKind.REOPENED), "away"),
        (says(ReadingKind.OUT_OF_GAME, "X9"), "unlock"),
        (says(ReadingKind.FAULT), "error mode"),
    ],
)
def test_what_teaches_nothing_is_told_and_the_same_card_is_asked_again(
    draft: Draft, sentence: str
) -> None:
    learning = begun(3)
    heard = learning.hear(draft)
    assert heard is not None
    assert heard.learned is None
    assert sentence in heard.sentence
    assert learning.asked == "4D"


def test_a_card_out_of_order_is_noticed_where_the_old_profile_knows_it() -> None:
    learning = Pass(LINE.cards)
    heard = learning.hear(passed("KS"))
    assert heard is not None
    assert "the KS in the profile it starts from" in heard.sentence
    heard = learning.hear(passed("AD"))
    assert heard is not None
    assert heard.learned == "AD"


def test_a_forty_first_card_is_not_of_the_deck() -> None:
    heard = begun(40).hear(passed("X999"))
    assert heard is not None
    assert "forty-first" in heard.sentence


def test_the_cutting_card_is_no_card() -> None:
    assert begun(3).hear(says(ReadingKind.CUT_CARD)) is None


CODES = st.lists(
    st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=4, max_size=4),
    min_size=40,
    max_size=40,
    unique=True,
)


@given(CODES)
def test_whatever_the_codes_the_profile_is_read_back_with_each_of_them(codes: list[str]) -> None:
    line = LINE.line
    base = load_profile("ssi")
    text = profile_text(base, dict(zip(DECK, codes, strict=True)), "title")
    assert parse(text).codes() == dict(zip(DECK, codes, strict=True))
    assert line == LINE.line


@pytest.mark.parametrize("name", ["angel-eye", "ssi", "line"])
def test_a_shipped_profile_written_again_is_the_same_profile(name: str) -> None:
    base = load_profile(name)
    assert parse(profile_text(base, base.codes(), "title")) == base


class Dealer(threading.Thread):
    """Passes codes through a pty as the program asks for cards (it is given time to ask)."""

    def __init__(self, shoe: PtyShoe, codes: list[bytes]) -> None:
        super().__init__(daemon=True)
        self._shoe = shoe
        self._codes = codes
        self.over = threading.Event()

    def run(self) -> None:
        self.over.wait(0.8)  # past the time in which reports are stale
        for code in self._codes:
            self._shoe.send(code + b"\r")
            if self.over.wait(0.01):
                return


def calibrate(tmp_path: Path, codes: list[bytes], *more: str) -> "tuple[int, str]":
    shoe = PtyShoe(tmp_path / "shoe")
    shoe.plug()
    dealer = Dealer(shoe, codes)
    dealer.start()
    try:
        result = CliRunner().invoke(
            main,
            [
                *("calibrate", "shoe", "--profile", "line", "--line", str(tmp_path / "shoe")),
                *("--pattern", "[A-Z0-9]+", "--out", str(tmp_path / "deck.toml"), *more),
            ],
        )
    finally:
        dealer.over.set()
        dealer.join()
        shoe.unplug()
    return result.exit_code, result.output


def test_a_deck_with_its_own_codes_is_learned_at_the_line_and_read_by_the_shoe(
    tmp_path: Path,
) -> None:
    codes = [b"C%03d" % (n * 7) for n in range(40)]
    codes.insert(8, codes[4])
    codes.insert(9, b"NOREAD")
    code, output = calibrate(tmp_path, codes)
    assert code == 0, output
    profile = load_profile(str(tmp_path / "deck.toml"))
    assert profile.codes() == {card: f"C{n * 7:03}" for n, card in enumerate(DECK)}
    assert "already the" in output
    assert "not read" in output


def test_a_pass_that_ends_early_saves_nothing_and_names_what_is_missing(tmp_path: Path) -> None:
    codes = [b"C%03d" % n for n in range(38)]
    begin = time.monotonic()
    code, output = calibrate(tmp_path, codes, "--patience", "2")
    assert code == 4
    assert "no code is known for QB KB" in output
    assert not (tmp_path / "deck.toml").exists()
    assert time.monotonic() - begin < 30
