"""Options that all calibrations share: who made it, with which device, where it goes."""

import getpass
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from calibration.board import SQUARE_MM

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
