"""`mazziere calibrate history`: who saved a profile, when, for which device."""

import hashlib
from datetime import UTC, datetime
from pathlib import Path

import click

from calibration.shelf import history

_NS = 1_000_000_000


@click.command("history", short_help="Tell who saved a profile, and when.")
@click.argument(
    "profile", metavar="P", type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
def command(profile: Path) -> None:
    """Tell who saved the profile P, when and for which device, oldest first."""
    saved = history(profile)
    for one in saved:
        made = one.made
        when = datetime.fromtimestamp(made.utc / _NS, UTC).isoformat(timespec="seconds")
        click.echo(f"{made.number:4}  {when}  {made.who}  {made.device}".rstrip())
    if not saved or saved[-1].sha256 != hashlib.sha256(profile.read_bytes()).hexdigest():
        click.echo("what is there now was not saved by a calibration")
