"""The handbook says what the rules do, in every cell and in both languages."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement

import pytest
from click.testing import CliRunner

from controller.cli import main
from controller.contract.cards import DECK, WILD, points
from controller.contract.incidents import INCIDENTS
from controller.contract.state import ClosedBy, Closing, Outcome, Reason
from controller.games.handbook import handbook
from controller.games.tables import TABLES
from controller.games.vocabulary import LANGUAGES, Language, load
from controller.rules import live, rng
from controller.rules.bound import most_cards
from controller.rules.catalogue import GAMES, Rules
from controller.rules.hand import half_points, is_royal
from controller.rules.live import Round
from controller.rules.odds_tree import KINDS
from controller.rules.side_bets import mano_di_poker, partita_perfetta
from controller.rules.steps import Close, Deal, Decide

UPS = dict(zip(["fig", "A", "2", "3", "4", "5", "6", "7", "KD"], KINDS, strict=True))
HANDS = [
    hand
    for size in range(1, 5)
    for hand in combinations_with_replacement(KINDS, size)
    if hand.count(WILD) < 2
]
"""Every hand of up to four cards, for the main bet."""


_printed = cache(handbook)


def _chapter(game: str, language: Language, table: str) -> list[list[str]]:
    """The rows of a table as they are printed, without its heading."""
    chapters = load(language).handbook[game]
    n = next(n for n, chapter in enumerate(chapters, 1) if table in chapter.tables)
    place = chapters[n - 1].tables.index(table)
    _, _, body = _printed(game, language).partition(f"\n{n}. {chapters[n - 1].title}\n")
    blocks = body.strip("\n").split("\n\n")
    rows = blocks[1 + place].splitlines()[1:]
    return [re.split(r"\s{3,}", row.strip()) for row in rows]


def _sign(rules: Rules, game: Round, language: Language) -> str:
    word, step = load(language).word, rules.next_step(game)
    if isinstance(step, Deal):
        return word["draws"]
    if isinstance(step, Decide):
        return word["choice"]
    assert isinstance(step, Close)
    by = step.closings[0].by
    return word[{"auto_win": "wins", "seven_and_half": "stops", "bust": "bust"}[by]]


def _name(hand: tuple[str, ...], language: Language) -> str:
    return load(language).word["wild_alone"] if hand == (WILD,) else points(half_points(hand))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_position_does_next_is_printed_for_every_hand_and_up_card(
    language: Language,
) -> None:
    printed = {row[0]: row[1:] for row in _chapter("live", language, "turns")}
    for hand in HANDS:
        if half_points(hand) <= 16:
            cells = dict(zip(UPS, printed[_name(hand, language)], strict=True))
            for shown, up in UPS.items():
                game = Round(plain=1, position=hand, dealer=(up,))
                assert cells[shown] == _sign(live, game, language), (hand, up)


def test_mano_di_poker_differs_only_where_the_handbook_says_so() -> None:
    printed = {row[0]: row[1:] for row in _chapter("live", "en", "turns_mdp")}
    for hand in HANDS:
        for shown, up in UPS.items():
            plain = Round(plain=1, position=hand, dealer=(up,))
            with_mdp = Round(mdp=1, position=hand, dealer=(up,))
            sign = _sign(live, with_mdp, "en")
            if len(hand) == 1 and shown in "567":
                assert sign == printed[_name(hand, "en")]["567".index(shown)]
            else:
                assert sign == _sign(live, plain, "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_rng_player_s_hand_does_next_is_printed_for_every_hand(
    language: Language,
) -> None:
    printed = dict(_chapter("rng", language, "turns_alone"))
    for hand in HANDS:
        if half_points(hand) <= 16:
            game = Round(plain=1, position=hand, dealer=("4C",))
            assert printed[_name(hand, language)] == _sign(rng, game, language)


def _draws(rules: Rules, position: tuple[str, ...], dealer: tuple[str, ...]) -> str:
    by = ClosedBy.BUST if half_points(position) > 15 else ClosedBy.STAND
    closed = (Closing(len(position), by, plain=1),)
    step = rules.next_step(Round(position=position, dealer=dealer, closed=closed))
    return "draws" if isinstance(step, Deal) else "stands"


def test_what_the_dealer_s_hand_does_is_printed_for_every_hand() -> None:
    printed_live = dict(_chapter("live", "en", "dealer_live"))
    printed_rng = {row[0]: row[1:] for row in _chapter("rng", "en", "dealer_rng")}
    players = [("6S",), ("7S", "JS"), ("7S", "AS")]
    for dealer in HANDS:
        if half_points(dealer) <= 15:
            score = points(half_points(dealer))
            assert printed_live[score] == _draws(live, ("6S",), dealer)
            assert printed_rng[score] == [_draws(rng, player, dealer) for player in players]


def test_the_wild_card_is_printed_for_every_hand_it_can_join() -> None:
    printed = dict(_chapter("live", "en", "wild"))
    for hand in HANDS:
        if WILD not in hand and half_points(hand) <= 15:
            counted = printed[points(half_points(hand))].removesuffix(" (x)")
            assert counted == points(half_points((*hand, WILD)))
    assert printed["-"] == points(half_points((WILD,)))


@pytest.mark.parametrize("game", GAMES)
def test_the_cards_that_make_a_royal_are_all_printed_and_no_other(game: str) -> None:
    ((cards,),) = _chapter(game, "en", "royal")
    assert set(cards.split()) == {c for c in DECK if c != WILD and is_royal((c, WILD))}


@pytest.mark.parametrize("game", GAMES)
def test_the_side_bets_pay_what_is_printed(game: str) -> None:
    for ranks, pays in _chapter(game, "en", "pp"):
        for rank in ranks.split():
            assert f"{partita_perfetta(f'{rank}S', f'{rank}B') - 1}:1" == pays
    for _, cards, pays in _chapter(game, "it", "mdp"):
        first, second, up = cards.split()
        odds = mano_di_poker(first, second, up) - 1
        assert pays == (f"{odds}:1" if odds > 0 else "persa")


@pytest.mark.parametrize(
    ("game", "pays"),
    [
        ("live", {"2½": 1, "2": 3, "1": 1, "0": 4}),
        ("rng", {"3": 1, "2": 2, "0": 3}),
    ],
)
def test_what_the_main_bet_returns_is_printed_for_each_way_it_can_end(
    game: str, pays: dict[str, int]
) -> None:
    rows = _chapter(game, "en", "returns")
    returns = [row[1] for row in rows]
    assert {paid: returns.count(paid) for paid in returns} == pays
    halves = {"½": 0.5}
    for _, paid, of_ten in rows:
        stake = sum(halves.get(c, 0) or float(c) for c in paid)
        assert float(of_ten) == 10 * stake


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_deck_must_hold_the_longest_round(language: Language) -> None:
    assert f" {most_cards()} " in _printed("live", language)
    assert " 19 " in _printed("rng", language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_halt_of_the_table_is_in_the_handbook(language: Language) -> None:
    text = _printed("live", language)
    for row in INCIDENTS.values():
        title, do = row.say.it if language == "it" else row.say.en
        assert title in text
        assert do in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_step_and_each_end_has_its_sentence_and_each_game_its_handbook(
    language: Language,
) -> None:
    words = load(language)
    assert set(words.reason) == {reason.value for reason in Reason if reason}
    assert set(words.outcome) == {end.value for end in Outcome} - {"non_live"}
    assert set(words.closed) == {"auto_win", "seven_and_half", "bust"}
    assert set(words.handbook) == set(GAMES)
    assert {f"name_{game}" for game in GAMES} <= set(words.word)
    used = {table for game in words.handbook.values() for part in game for table in part.tables}
    assert used == set(TABLES)


def _sentences(language: Language) -> Iterator[tuple[str, list[str]]]:
    words = load(language)
    for section in ("reason", "closed", "decision", "outcome", "word"):
        for name, text in getattr(words, section).items():
            yield f"{section}.{name}", sorted(re.findall(r"{\w+}", text))
    for game, chapters in words.handbook.items():
        for n, chapter in enumerate(chapters):
            numbers = sorted(re.findall(r"{\w+}", chapter.text))
            yield f"{game}.{n}", [*chapter.tables, *numbers]


def test_both_languages_say_the_same_things_with_the_same_numbers() -> None:
    assert dict(_sentences("it")) == dict(_sentences("en"))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_command_prints_it_within_a_page_s_width(game: str, language: Language) -> None:
    run = CliRunner().invoke(main, ["rules", game, "--lang", language])
    assert run.exit_code == 0
    assert run.stdout.rstrip("\n") == _printed(game, language)
    assert "{" not in run.stdout
    assert max(map(len, run.stdout.splitlines())) <= 120
