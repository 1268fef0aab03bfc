"""`mazziere journal …`: read a journal, never write it.

Commands only; the work is in `verify`, `audit`, `timeline`, `moment` and `ledger`.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from controller.journal.audit import audit
from controller.journal.directory import present_segments
from controller.journal.entries import Entry, Placing, Told, entries, without_hidden
from controller.journal.errors import StillsMissing
from controller.journal.format import DIGEST
from controller.journal.ledger import build
from controller.journal.moment import table_at, told
from controller.journal.stills import check_stills
from controller.journal.timeline import lines, table_lines
from controller.journal.verify import Verified, verify
from controller.journal.when import when_given, when_options

_DIRECTORY = click.argument(
    "directory", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path)
)


def _head(context: click.Context, option: click.Parameter, value: str | None) -> bytes | None:
    """The head as heartbeats show it: 64 hexadecimal digits."""
    if value is None:
        return None
    try:
        head = bytes.fromhex(value)
    except ValueError:
        head = b""
    if len(head) != DIGEST:
        raise click.BadParameter(f"{value!r} is not a head: give its 64 hexadecimal digits")
    return head


@click.group(name="journal")
def command() -> None:
    """Verify, show and query a table's journal."""


@command.command(name="verify", short_help="Check every record, name the first bad one.")
@_DIRECTORY
@click.option("--head", callback=_head, metavar="HASH", help="A head that the journal must hold.")
@click.option("--allow-torn-tail", is_flag=True, help="Accept a last record that is not whole.")
@click.option(
    "--stills",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Check the camera's stills in this directory too.",
)
def verify_command(
    directory: Path, head: bytes | None, allow_torn_tail: bool, stills: Path | None
) -> None:
    """Check every byte of every record in DIR and name the first bad one.

    Ends with exit code 5 if anything is damaged or missing. A heartbeat's head
    hash, given with --head, also proves that nothing was cut off at the end.
    With --stills every picture that a record names must be there, unaltered.
    """
    verified = _verify_with_progress(directory, head, allow_torn_tail)
    click.echo(f"ok: {verified.count} records, head {verified.head.hex()}")
    if verified.torn:
        click.echo(f"allowed: {verified.torn}")
    if stills is not None:
        _verify_stills(directory, stills, allow_torn_tail)


def _verify_stills(directory: Path, stills: Path, allow_torn_tail: bool) -> None:
    checked = check_stills(directory, stills, allow_torn_tail=allow_torn_tail)
    for bad in checked.bad:
        click.echo(f"record {bad.index}: still {bad.digest} {bad.what}")
    click.echo(f"stills: {checked.whole} whole, {checked.expired} expired, {len(checked.bad)} bad")
    if checked.bad:
        raise StillsMissing(stills, len(checked.bad))


def _verify_with_progress(directory: Path, head: bytes | None, allow: bool) -> Verified:
    if not sys.stderr.isatty():
        return verify(directory, seen=head, allow_torn_tail=allow)
    total = len(present_segments(directory))
    with click.progressbar(length=total, label="verifying", file=sys.stderr) as bar:
        return verify(
            directory, seen=head, allow_torn_tail=allow, on_segment=lambda _: bar.update(1)
        )


@command.command(short_help="Tell what happened, round by round.")
@_DIRECTORY
@click.option("--round", "number", type=int, metavar="N", help="Only round N.")
@click.option("--json", "as_json", is_flag=True, help="Whole records, one JSON object a line.")
@click.option("--reveal", is_flag=True, help="Show hidden faces and raw bytes too (for an audit).")
def show(directory: Path, number: int | None, as_json: bool, reveal: bool) -> None:
    """Tell what happened, round by round: times, cards, decisions, halts."""
    found = 0
    for entry, facts in _told(directory, number, reveal):
        found += 1
        if as_json:
            click.echo(_as_json(entry))
        for line in [] if as_json else lines(facts):
            click.echo(line)
    if number is not None and not found:
        raise click.BadParameter(_no_round(directory, number), param_hint="--round")


def _no_round(directory: Path, number: int) -> str:
    placing = Placing()
    rounds = {one.round for entry in entries(directory) for one in placing.told(entry)} - {0}
    held = f"it holds {min(rounds)} to {max(rounds)}" if rounds else "it holds none"
    return f"the journal holds no round {number}: {held}"


def _told(directory: Path, number: int | None, reveal: bool) -> Iterator[tuple[Entry, list[Told]]]:
    """Each record with those of its facts that were asked for."""
    placing = Placing()
    for whole in entries(directory):
        entry = whole if reveal else Entry(whole.stored, without_hidden(whole.record))
        facts = [one for one in placing.told(entry) if number in (None, one.round)]
        if facts or number is None:
            yield entry, facts


def _as_json(entry: Entry) -> str:
    stored = entry.stored
    place = {"index": stored.index, "segment": stored.segment, "offset": stored.offset}
    shown = {**place, "digest": stored.digest.hex(), "record": entry.record}
    return msgspec.json.encode(shown).decode()


@command.command(name="at", short_help="The cards on the table at one moment of a round.")
@_DIRECTORY
@click.option("--round", "number", type=int, required=True, metavar="N", help="The round.")
@when_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def at_command(
    directory: Path,
    number: int,
    seq: int | None,
    at: int | None,
    mono: int | None,
    as_json: bool,
) -> None:
    """Tell which cards lay on the table at one moment of round N, and all that its deck had shown.

    Burned faces and those set aside were shown to nobody and are not told.
    """
    table = table_at(directory, number, when_given(seq, at, mono))
    if as_json:
        click.echo(msgspec.json.encode({"round": number, **told(table)}))
    else:
        click.echo("\n".join(table_lines(table)))


@command.command(short_help="Rebuild the SQLite ledger.")
@_DIRECTORY
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where to put it (default: ledger.sqlite in DIR).",
)
def ledger(directory: Path, out: Path | None) -> None:
    """Rebuild the SQLite ledger from the journal in DIR, whole, for queries."""
    place = out or directory / "ledger.sqlite"
    count = build(directory, place)
    click.echo(f"ok: {count} records in {place}")


@command.command(name="audit", short_help="Decide everything again and compare.")
@_DIRECTORY
@click.option("--allow-torn-tail", is_flag=True, help="Accept an end that is not whole.")
def audit_command(directory: Path, allow_torn_tail: bool) -> None:
    """Decide every recorded input in DIR again: the facts must be the same, bit for bit.

    The journal is verified first. Ends with exit code 5 at the first record that differs.
    """
    _verify_with_progress(directory, None, allow_torn_tail)
    agreed = audit(directory)
    click.echo(f"ok: {agreed} inputs decided again, all to the same facts")
