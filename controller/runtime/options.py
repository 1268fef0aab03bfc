"""Options that several commands share.

A daemon's command is decorated with `config_option` and receives the checked
`Config`; a wrong file ends the command with one sentence before it starts.
"""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, Final

import click

from controller.runtime.config import KeyFault, load, located

DEFAULT_CONFIG: Final = Path("/etc/mazziere/table.toml")


def config_option(command: Callable[..., None]) -> Callable[..., None]:
    """Adds `--config FILE` and passes the loaded `Config` as the first argument."""

    @click.option(
        "--config",
        "config_path",
        type=click.Path(path_type=Path, readable=False),
        default=DEFAULT_CONFIG,
        show_default=True,
        metavar="FILE",
        help="The table's configuration; systemd/table.example.toml explains every key.",
    )
    @wraps(command)
    def with_config(*args: Any, config_path: Path, **options: Any) -> None:
        try:
            command(load(config_path), *args, **options)
        except KeyFault as fault:
            raise located(fault, config_path) from fault

    return with_config
