"""The sentences about the games, one file per language: `words/it.toml`, `words/en.toml`.

`explain` says in words which rule made a step. A missing or extra word fails a
test; nothing falls back to another language.
"""

from functools import cache
from importlib import resources
from typing import Final, Literal, TypeAlias, get_args

import msgspec

from controller.contract.cards import Card, points
from controller.contract.state import Result
from controller.games.played import Taken
from controller.rules.hand import half_points
from controller.rules.live import Round
from controller.rules.steps import Close, Deal, Decide

Language: TypeAlias = Literal["it", "en"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chapter of a handbook: its text, and the tables that follow it."""

    title: str
    text: str
    tables: tuple[str, ...]


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Every sentence of one language."""

    reason: dict[str, str]
    closed: dict[str, str]
    decision: dict[str, str]
    outcome: dict[str, str]
    finish: dict[str, str]
    word: dict[str, str]
    handbook: dict[str, tuple[Section, ...]]


@cache
def load(language: Language) -> Words:
    text = resources.files(__package__).joinpath("words", f"{language}.toml").read_text("utf-8")
    return msgspec.toml.decode(text, type=Words)


def explain(words: Words, taken: Taken, result: Result | None = None) -> str:
    """The rule that made this step, in words; a `Settle` has a result."""
    step = taken.step
    if isinstance(step, Deal):
        said = words.reason[step.reason]
    elif isinstance(step, Close):
        said = words.closed[step.closings[0].by]
    elif isinstance(step, Decide):
        said = words.decision[taken.decision]
    elif result is not None:
        said = words.outcome[result.outcome]
    else:
        raise ValueError(f"{step} is explained by its result")
    return said.format(**_scores(taken.before))


def _scores(game: Round) -> dict[str, str]:
    return {
        "hand": _points(game.position),
        "up": _points(game.dealer[:1]),
        "dealer": _points(game.dealer),
    }


def _points(cards: tuple[Card, ...]) -> str:
    return points(half_points(cards)) if cards else ""
