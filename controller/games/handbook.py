"""`mazziere rules GAME`: the dealer's handbook, made from the rules that run the table.

The chapters are in words/*.toml; their tables are computed in
`controller.games.tables` and their numbers here. So the handbook cannot say
what the table does not do.
"""

import re
import textwrap
from collections.abc import Iterator
from typing import Final

import click

from controller.contract.cards import DECK, RANKS, points
from controller.games.options import game_argument, language_option
from controller.games.tables import TABLES, Asked, laid_out
from controller.games.vocabulary import Language, Section, load
from controller.rules import live, rng
from controller.rules.catalogue import GAMES
from controller.rules.odds_tree import grow
from controller.rules.odds_value import most_cards
from controller.rules.side_bets import STRAIGHTS

WIDTH: Final = 96
_NUMBERED: Final = re.compile(r"\d+\. ")


@click.command(name="rules", short_help="The dealer's handbook of a game.")
@game_argument
@language_option
def command(game: str, lang: Language) -> None:
    """The dealer's handbook of GAME, made from the rules that run the table."""
    click.echo(handbook(game, lang))


def handbook(game: str, language: Language) -> str:
    words = load(language)
    rules = GAMES[game].rules
    asked = Asked(rules, words, language, grow(rules))
    numbers = _numbers(asked)
    lines = [words.word[f"name_{game}"].upper()]
    for n, section in enumerate(words.handbook[game], 1):
        lines += ["", f"{n}. {section.title}", *_chapter(section, asked, numbers)]
    return "\n".join(lines)


def _chapter(section: Section, asked: Asked, numbers: dict[str, str]) -> Iterator[str]:
    for paragraph in section.text.format(**numbers).strip().splitlines():
        indent = "   " if _NUMBERED.match(paragraph) else ""
        yield from textwrap.wrap(paragraph, WIDTH, subsequent_indent=indent)
    for table in section.tables:
        yield ""
        yield from laid_out([*TABLES[table](asked)])


def _numbers(asked: Asked) -> dict[str, str]:
    """Every number that a chapter's text may use."""
    word = asked.words.word
    *most, last = (points(up) for up in sorted(live.AUTO_WIN_UP_CARDS))
    straights = sorted((sorted(ranks, key=RANKS.index) for ranks in STRAIGHTS), key=_first)
    return {
        "deck": str(len(DECK)),
        "most": str(most_cards(asked.rounds)),
        "auto_win_up_cards": f"{', '.join(most)} {word['or']} {last}",
        "dealer_stands": points(live.DEALER_STANDS),
        "dealer_stands_rng": points(rng.DEALER_STANDS),
        "dealer_chases_rng": points(rng.DEALER_STANDS_AGAINST_SEVEN_AND_HALF),
        "legend": word["legend"],
        "straights": ", ".join(map("-".join, straights)),
    }


def _first(ranks: list[str]) -> int:
    return RANKS.index(ranks[0])
