"""Options that all calibrations share: who made it, with which device, where it goes."""

import getpass
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from calibration.board import SQUARE_MM
from drivers.camera.address import parse_address

_Command = TypeVar("_Command", bound=Callable[..., Any])


def made_options(command: _Command) -> _Command:
    """Adds `--out`, `--who` and `--device`."""
    for option in (
        click.option(
            "--device", metavar="NAME", default="", help="Which camera or reader it is for."
        ),
        click.option("--who", metavar="NAME", default=None, help="Who calibrates (login name)."),
        click.option(
            "--out",
            required=True,
            metavar="P",
            type=click.Path(dir_okay=False, path_type=Path),
            help="The profile to write; what it replaces is kept under history/.",
        ),
    ):
        command = option(command)
    return command


square_option = click.option(
    "--square-mm",
    type=click.FloatRange(5, 200),
    default=SQUARE_MM,
    show_default=True,
    metavar="MM",
    help="Side of a square of the printed board, as measured.",
)


def who_or_login(who: str | None) -> str:
    return who or getpass.getuser()


def live_options(command: _Command) -> _Command:
    """Adds `--live` and `--port`: guided on a page instead of from files."""
    for option in (
        click.option(
            "--port",
            type=click.IntRange(1024, 65535),
            default=8071,
            show_default=True,
            help="Where the page of --live is served, on loopback.",
        ),
        click.option(
            "--live",
            metavar="ADDRESS",
            help="Guided, with live pictures: unix:///run/mazziere/camera while the camera daemon "
            "runs (and the table is closed), else the camera's own path.",
        ),
    ):
        command = option(command)
    return command


def checked_address(live: str) -> str:
    try:
        parse_address(live)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--live") from error
    return live
