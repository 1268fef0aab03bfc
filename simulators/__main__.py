"""`python -m simulators`: a whole table on this machine, dealt by simulated people.

Options only; the table is put together in `simulators.table`.
"""

import socket
import sys
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Final, NoReturn

import click

from controller.runtime.clock import SystemClock
from controller.runtime.config import Display
from controller.runtime.exits import Refusal
from drivers.shoe.profile import BUNDLED, Protocol
from simulators.faults import NAMES, chosen
from simulators.setup import Place, Wishes
from simulators.table import Table

_HOST: Final = "127.0.0.1"
_HELP: Final = """\
Run a whole simulated table: shoe on a pseudo-terminal, dealer, game server with
players, and the real daemons as child processes. Ctrl-C ends all of them.
"""


def _faults(context: click.Context, option: click.Parameter, value: str) -> tuple[str, ...]:
    try:
        return chosen(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def _directory(given: Path | None) -> Path:
    return given or Path("run") / f"table-{datetime.now():%Y%m%d-%H%M%S}"


def _port(given: int | None) -> int:
    """The one that was asked for; else the usual one, or any if that is taken."""
    if given is not None:
        return given
    for port in (Display().port, 0):
        with closing(socket.socket()) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((_HOST, port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise click.UsageError("no port is free for the dealer's screen; use --no-display")


@click.command(help=_HELP, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--rounds", type=click.IntRange(1), help="Stop after so many rounds.")
@click.option(
    "--speed",
    type=click.FloatRange(0.1, 1000),
    default=1.0,
    show_default=True,
    help="Dealing and timers so many times faster.",
)
@click.option(
    "--seed", type=int, default=1, show_default=True, help="Of cards, players and faults."
)
@click.option(
    "--burn",
    type=click.IntRange(0, 5),
    default=0,
    show_default=True,
    help="Cards burned in each round.",
)
@click.option("--players", type=click.IntRange(0, 10_000), default=5, show_default=True)
@click.option(
    "--dir",
    "directory",
    type=click.Path(file_okay=False, path_type=Path),
    help="State, journal and logs  [default: run/table-DATE-TIME]",
)
@click.option("--display/--no-display", default=True, help="With or without the dealer's screen.")
@click.option("--port", type=click.IntRange(1, 65535), help="Of the dealer's screen.")
@click.option(
    "--protocol",
    type=click.Choice(BUNDLED),
    default="angel-eye",
    show_default=True,
    help="What the shoe speaks.",
)
@click.option(
    "--faults",
    callback=_faults,
    default="",
    metavar="LIST",
    help=f"Comma list of: all {' '.join(NAMES)} (all: all but the kills).",
)
def main(
    rounds: int | None, speed: float, seed: int, burn: int, players: int, directory: Path | None,
    display: bool, port: int | None, protocol: Protocol, faults: tuple[str, ...],
) -> None:  # fmt: skip
    if "kill_display" in faults and not display:
        raise click.UsageError("kill_display needs a display: drop --no-display")
    wishes = Wishes(
        rounds=rounds, speed=speed, seed=seed, burn=burn, players=players,
        directory=_directory(directory), display=display, port=_port(port),
        protocol=protocol, faults=faults,
    )  # fmt: skip
    try:
        place = Place(wishes)
    except OSError as error:
        what = f"{error.filename}: {error.strerror}"
        raise click.UsageError(f"{what}; choose another --dir") from error
    try:
        _banner(wishes, place)
        sys.exit(Table(wishes, place, SystemClock(), click.echo).run())
    except Refusal as refusal:
        _end(refusal)
    finally:
        place.remove_bus()


def _banner(wishes: Wishes, place: Place) -> None:
    click.echo(f"  table     {place.config.table.id}, {wishes.protocol} shoe on {place.link}")
    click.echo(f"  files     {place.directory} (journal, logs, table.toml)")
    if wishes.display:
        click.echo(f"  screen    http://{_HOST}:{wishes.port}/")
    click.echo(f"  faults    {' '.join(wishes.faults) or 'none'}")
    click.echo("")


def _end(refusal: Refusal) -> NoReturn:
    click.echo(f"simulators: {refusal.message}", err=True)
    sys.exit(int(refusal.exit_code))


if __name__ == "__main__":
    main()
