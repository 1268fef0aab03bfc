"""`mazziere finish DIR`: a disconnected player's main bet, finished off the table.

Reading and writing only: whether there is a bet to finish is said by
`controller.games.unfinished`, the record made by `controller.games.finishing`,
and its words by `controller.games.finish_text`.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO

import click
import msgspec

from controller.games.finish_text import text
from controller.games.finishing import Entry, Record
from controller.games.options import language_option
from controller.games.played import HIT, STAND
from controller.games.seed import fresh, kept_in, parse
from controller.games.unfinished import Verdict, unfinished
from controller.games.vocabulary import Language, Words, load
from controller.journal.moment import table_at
from controller.journal.when import when_given, when_options
from controller.runtime.exits import ExitCode, Refusal


def _seed(_context: click.Context, _option: click.Parameter, value: str | None) -> bytes | None:
    try:
        return None if value is None else parse(value)
    except ValueError as error:
        raise click.BadParameter(f"{error}; give 64 hexadecimal digits") from error


def _decisions(_context: click.Context, _option: click.Parameter, value: str) -> str:
    if set(value) - {HIT, STAND}:
        raise click.BadParameter(f"{value!r}: give only H (hit) and S (stand), like HHS")
    return value


@click.command(short_help="Finish a disconnected player's main bet off the table.")
@click.argument(
    "directory", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path)
)
@click.option("--round", "number", type=int, required=True, metavar="N", help="The live round.")
@when_options
@click.option("--mdp", is_flag=True, help="The player had placed Mano di Poker.")
@click.option(
    "--decisions", callback=_decisions, default="", metavar="HS…", help="The player's choices."
)
@click.option(
    "--seed-file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Keep the seed here (made if missing), so that a finish broken off can go on.",
)
@click.option(
    "--seed-hex", "given", callback=_seed, metavar="HEX", help="Deal a recorded finish again."
)
@click.option("--json", "as_json", is_flag=True, help="JSON lines out, and in for the choices.")
@language_option
def command(
    directory: Path,
    number: int,
    seq: int | None,
    at: int | None,
    mono: int | None,
    mdp: bool,
    decisions: str,
    seed_file: Path | None,
    given: bytes | None,
    as_json: bool,
    lang: Language,
) -> None:
    """Finish the main bet of a player who lost the connection in round N of the journal in DIR.

    The moment of the disconnection is a fact's seq (--seq), a time (--at) or the
    controller's monotonic clock (--mono). Only the cards that then lay on the table
    are carried over; the others come from a fresh shuffle of all faces that this
    deck had not shown. The side bets follow the live round.

    Choices not in --decisions are read from standard input, one a line: H or S, or
    {"decision": "H"}. Every line written is an entry of the audit record; the last
    names the seed, with which anyone deals the same cards. Without a file or a
    seed given the seed comes from the operating system. Where there is nothing to
    finish, one entry says why and no card is dealt.
    """
    if seed_file and given:
        raise click.UsageError("The seed comes from --seed-file or from --seed-hex, not from both")
    words = load(lang)
    table = table_at(directory, number, when_given(seq, at, mono))
    bet = unfinished(table, mdp=mdp)
    record = Record(table, bet, words, mdp=mdp)
    say = _say(words, as_json=as_json)
    say(record.opening(number))
    if bet.verdict is Verdict.DEAL:
        say(record.shuffle(given or (kept_in(seed_file) if seed_file else fresh())))
        _deal(record, decisions, say, words, sys.stdin)


def _say(words: Words, *, as_json: bool) -> Callable[[Entry], None]:
    def said(entry: Entry) -> None:
        click.echo(msgspec.json.encode(entry) if as_json else "\n".join(text(words, entry)))

    return said


def _deal(
    record: Record, decisions: str, say: Callable[[Entry], None], words: Words, more: TextIO
) -> None:
    """Step by step to the end; what is asked is answered from `decisions`, then from `more`.

    What is left of `decisions` was not asked for and changes nothing: a result that
    is dealt stands, and must not look like a failure that invites another deal.
    """
    given, used = iter(decisions), ""
    for entry in record.go_on():
        say(entry)
    while record.asks:
        say(record.question())
        answer = next(given, "") or _answer(more, say, words, used)
        used += answer
        for entry in record.go_on(answer):
            say(entry)


def _answer(more: TextIO, say: Callable[[Entry], None], words: Words, used: str) -> str:
    """The next choice; a line that is none costs only itself. No line more is no Stand."""
    for line in _lines(more):
        answer = _choice(line)
        if answer:
            return answer
        said = words.finish["no_decision"].format(given=line[:80])
        say({"type": "error", "error": said})
    raise Refusal(
        "The player is asked and no choice came; the bet stays open. With the same --seed-file "
        f"and --decisions {used or '...'} and the next choice it goes on from here",
        ExitCode.USAGE,
    )


def _lines(more: TextIO) -> Iterator[str]:
    while line := more.readline():
        if line.strip():
            yield line.strip()


def _choice(line: str) -> str:
    """H or S, bare or as JSON; empty if it is neither."""
    if line in (HIT, STAND):
        return line
    try:
        told = msgspec.json.decode(line)
    except msgspec.DecodeError:
        return ""
    choice = told.get("decision") if isinstance(told, dict) else told
    return str(choice) if choice in (HIT, STAND) else ""
