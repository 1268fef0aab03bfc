"""`python -m simulators`: a whole table on this machine, dealt by simulated people.

Options only; the table is put together in `simulators.table`.
"""

import socket
import sys
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Final, Literal, NoReturn

import click

from controller.contract.seats import Variant
from controller.rules.catalogue import DEALT
from controller.rules.traditional_house import FEWEST_SEATS, MOST_SEATS
from controller.runtime.clock import SystemClock
from controller.runtime.config import Display
from controller.runtime.exits import Refusal
from drivers.shoe.profile import BUNDLED, Protocol
from simulators.by_hand import HOW
from simulators.faults import KILLS, NAMES, NONE, chosen
from simulators.setup import Place, Wishes
from simulators.table import Table

_HOST: Final = "127.0.0.1"
_SIMULATED: Final = click.Choice(["simulated", "none"])
_LIST: Final = "list"
_HELP: Final = """\
Run a whole table on this machine: a simulated shoe on a pseudo-terminal, a dealer and a
game server with players, around the real daemons as child processes. Ctrl-C ends all of them.

Through make: make run ARGS="--rounds 20 --speed 50"
"""
_FAULTS_HELP: Final = """\
What goes wrong meanwhile, by names with commas between: none, all (all but the kills), or some
of those that --faults list explains.\
"""


def _list_of_faults() -> str:
    rows = {NONE: "nothing goes wrong", "all": f"all of these but {' '.join(KILLS)}", **NAMES}
    return "\n".join(f"{name:<16} {what}" for name, what in rows.items())


def _faults(context: click.Context, option: click.Parameter, value: str) -> tuple[str, ...]:
    if value.strip() == _LIST:
        click.echo(_list_of_faults())
        context.exit()
    try:
        return chosen(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def _variants(context: click.Context, option: click.Parameter, value: str) -> tuple[Variant, ...]:
    names = [name.strip() for name in value.split(",") if name.strip()]
    unknown = [name for name in names if name not in set(Variant)]
    if unknown:
        raise click.BadParameter(f"there is no variant {unknown[0]!r}: {' '.join(Variant)}")
    return tuple(map(Variant, names))


def _directory(given: Path | None) -> Path:
    return given or Path("run") / f"table-{datetime.now():%Y%m%d-%H%M%S}"


def _port(given: int | None) -> int:
    """The one that was asked for; else the usual one, or any if that is taken."""
    for port in (given,) if given is not None else (Display().port, 0):
        with closing(socket.socket()) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((_HOST, port))
            except OSError as error:
                why = error.strerror
                continue
            return int(probe.getsockname()[1])
    port_said = f"port {given}" if given is not None else "no port"
    raise click.UsageError(
        f"{port_said} cannot be had for the dealer's screen ({why}): "
        "choose another --port, or --no-display"
    )


@click.command(help=_HELP, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--rounds", type=click.IntRange(1), help="Stop after so many rounds  [default: never]"
)
@click.option(
    "--speed",
    type=click.FloatRange(0.1, 1000),
    default=1.0,
    show_default=True,
    help="Dealing and timers so many times faster.",
)
@click.option(
    "--seed",
    type=int,
    default=1,
    show_default=True,
    help="Another seed: other cards, players and faults.",
)
@click.option(
    "--burn",
    type=click.IntRange(0, 5),
    default=0,
    show_default=True,
    help="Cards burned in each round.",
)
@click.option(
    "--game", type=click.Choice(sorted(DEALT)), default="live", show_default=True, help="To deal."
)
@click.option(
    "--seats",
    type=click.IntRange(FEWEST_SEATS, MOST_SEATS),
    default=5,
    show_default=True,
    help="Of a traditional table, the bank among them.",
)
@click.option(
    "--variant",
    "variants",
    callback=_variants,
    default="",
    metavar="LIST",
    help=f"Of a traditional table; comma list of: {' '.join(Variant)}",
)
@click.option(
    "--bank",
    type=click.Choice(["fixed", "passing"]),
    default="passing",
    show_default=True,
    help="Of a traditional table: stays, or goes to the next seat after each round.",
)
@click.option(
    "--players",
    type=click.IntRange(0, 10_000),
    default=5,
    show_default=True,
    help="Simulated players who may bet; with none, rounds are dealt for nobody.",
)
@click.option(
    "--dealer",
    type=_SIMULATED,
    default="simulated",
    show_default=True,
    help="none: you deal, on the screen, and draw with Enter at this terminal.",
)
@click.option(
    "--server",
    type=_SIMULATED,
    default="simulated",
    show_default=True,
    help="none: your own game server connects to the sockets that are printed.",
)
@click.option(
    "--dir",
    "directory",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where journal, logs and table.toml stay  [default: run/table-DATE-TIME]",
)
@click.option(
    "--display/--no-display",
    default=True,
    show_default=True,
    help="With or without the dealer's screen.",
)
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    help=f"Of the dealer's screen  [default: {Display().port}, or any if that is taken]",
)
@click.option(
    "--protocol",
    type=click.Choice(BUNDLED),
    default="angel-eye",
    show_default=True,
    help="What the simulated shoe speaks on its line.",
)
@click.option(
    "--faults",
    callback=_faults,
    default=NONE,
    show_default=True,
    metavar="NAMES",
    help=_FAULTS_HELP,
)
def main(
    rounds: int | None, speed: float, seed: int, burn: int, game: str, seats: int,
    variants: tuple[Variant, ...], bank: Literal["fixed", "passing"], players: int,
    dealer: str, server: str,
    directory: Path | None, display: bool, port: int | None, protocol: Protocol,
    faults: tuple[str, ...],
) -> None:  # fmt: skip
    if "kill_display" in faults and not display:
        raise click.UsageError("kill_display needs a display: drop --no-display")
    if dealer == NONE and not display:
        raise click.UsageError("you cannot deal without the screen: drop --no-display")
    away = {"wrong_order"} if dealer == NONE else set()
    away |= {"silent_server"} if server == NONE else set()
    wishes = Wishes(
        rounds=rounds, speed=speed, seed=seed, burn=burn, players=players,
        directory=_directory(directory), display=display,
        port=_port(port) if display else Display().port,
        protocol=protocol, faults=tuple(name for name in faults if name not in away),
        dealer=dealer != NONE, server=server != NONE,
        game=game, seats=seats, variants=variants, bank=bank,
    )  # fmt: skip
    try:
        place = Place(wishes)
    except Refusal as refusal:
        raise click.UsageError(refusal.message) from refusal
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
    said = {
        "table": f"{place.config.table.id}, {wishes.protocol} shoe on {place.link}",
        "files": f"{place.directory} (journal, logs, table.toml)",
    }
    if DEALT[wishes.game].seated:
        switches = " ".join(wishes.variants) or "no variants"
        said["game"] = f"{wishes.game}, {wishes.seats} seats, bank {wishes.bank}, {switches}"
    if wishes.display:
        said["screen"] = f"http://{_HOST}:{wishes.port}/"
    if not wishes.server:
        bus = place.config.bus
        said["config"] = str(place.toml)
        said["facts"] = bus.url("public")
        said["requests"] = f"{bus.url('requests')} (bets and decisions, as asyncapi.json says)"
    said["faults"] = " ".join(wishes.faults) or NONE
    for name, what in said.items():
        click.echo(f"  {name:<8}  {what}")
    for line in () if wishes.dealer else HOW:
        click.echo(f"  {line}")
    click.echo("")


def _end(refusal: Refusal) -> NoReturn:
    click.echo(f"simulators: {refusal.message}", err=True)
    sys.exit(int(refusal.exit_code))


if __name__ == "__main__":
    main(prog_name="python -m simulators")
