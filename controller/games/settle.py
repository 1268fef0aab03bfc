"""`mazziere settle GAME`: rounds in, one JSON object a line; what each comes to, out.

Reading and writing only; a round is played in `controller.games.played` and
told by `controller.games.settlement`.
"""

from collections.abc import Iterator
from io import BufferedReader
from typing import Any, Final

import click
import msgspec

from controller.games.options import game_argument, language_option
from controller.games.played import Misplayed, Played
from controller.games.settlement import Line, settlement
from controller.games.vocabulary import Language, Words, explain, load
from controller.rules.catalogue import GAMES, Rules
from controller.runtime.exits import ExitCode, Refusal

LONGEST_LINE: Final = 64 * 1024
"""Bytes; a round of forty cards with all that an answer adds is far below it."""


@click.command(short_help="Settle rounds given as JSON lines.")
@game_argument
@click.argument("rounds", metavar="[FILE]", type=click.File("rb"), default="-")
@click.option("--explain", "explained", is_flag=True, help="Say which rule made each step.")
@language_option
def command(game: str, rounds: BufferedReader, explained: bool, lang: Language) -> None:
    """Settle rounds of GAME, one JSON object a line, from FILE or standard input.

    A line holds `deal_order` (cards as they left the shoe, burns left out),
    `decisions` (H or S, in the order asked), `mdp_placed`, and if wanted `stakes`
    (`main`, `pp`, `mdp`) and an `id` of yours. A line that is no round of this
    game gets an error object with its number; the others are still settled, and
    the exit code is then 2.
    """
    answer = _Answer(game, load(lang) if explained else None)
    lines = refused = 0
    for number, raw in enumerate(_lines(rounds), 1):
        if raw is None or raw.strip():
            told = answer.to(number, raw)
            lines += 1
            refused += "error" in told
            click.echo(msgspec.json.encode(told))
    if refused:
        raise Refusal(
            f"{refused} of {lines} lines could not be settled; their error objects say why",
            ExitCode.USAGE,
        )


def _lines(rounds: BufferedReader) -> Iterator[bytes | None]:
    """Line after line; None stands for one that is too long to be kept in memory."""
    while line := rounds.readline(LONGEST_LINE + 1):
        if len(line) <= LONGEST_LINE or line.endswith(b"\n"):
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = rounds.readline(LONGEST_LINE)
        yield None


class _Answer:
    """Settles line after line of one game."""

    def __init__(self, game: str, words: Words | None) -> None:
        self._game = game
        self._rules: Rules = GAMES[game].rules
        self._words = words

    def to(self, number: int, raw: bytes | None) -> dict[str, Any]:
        if raw is None:
            return {"line": number, "error": f"it is longer than {LONGEST_LINE} bytes"}
        try:
            line = msgspec.json.decode(raw, type=Line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            return {"line": number, "error": str(error) or "nested too deeply"}
        named = {"line": number, **({} if line.id is None else {"id": line.id})}
        if line.game not in (None, self._game):
            return {**named, "error": f"this is a round of {line.game!r}, not of {self._game}"}
        try:
            played, told = settlement(self._rules, line)
        except Misplayed as error:
            return {**named, "error": str(error)}
        self._explain(played, told)
        return {**named, "game": self._game, **told}

    def _explain(self, played: Played, told: dict[str, Any]) -> None:
        if self._words is None:
            return
        (result,) = self._rules.settle(played.game)
        for step, taken in zip(told["steps"], played.steps, strict=True):
            step["why"] = explain(self._words, taken, result)
