"""`mazziere journal …`: read a journal, never write it.

Commands only; the work is in `verify`, `show` and `ledger`.
"""

import sys
from pathlib import Path

import click

from controller.journal.directory import present_segments
from controller.journal.format import DIGEST
from controller.journal.verify import Verified, verify

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


@command.command(name="verify")
@_DIRECTORY
@click.option("--head", callback=_head, metavar="HASH", help="A head that the journal must hold.")
@click.option("--allow-torn-tail", is_flag=True, help="Accept a last record that is not whole.")
def verify_command(directory: Path, head: bytes | None, allow_torn_tail: bool) -> None:
    """Check every byte of every record in DIR and name the first bad one.

    Ends with exit code 5 if anything is damaged or missing. A heartbeat's head
    hash, given with --head, also proves that nothing was cut off at the end.
    """
    verified = _verify_with_progress(directory, head, allow_torn_tail)
    click.echo(f"ok: {verified.count} records, head {verified.head.hex()}")
    if verified.torn:
        click.echo(f"allowed: {verified.torn}")


def _verify_with_progress(directory: Path, head: bytes | None, allow: bool) -> Verified:
    if not sys.stderr.isatty():
        return verify(directory, seen=head, allow_torn_tail=allow)
    total = len(present_segments(directory))
    with click.progressbar(length=total, label="verifying", file=sys.stderr) as bar:
        return verify(
            directory, seen=head, allow_torn_tail=allow, on_segment=lambda _: bar.update(1)
        )
