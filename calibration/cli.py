"""`mazziere calibrate …`: the group; each subcommand is imported when it is called."""

from importlib import import_module
from typing import Final

import click

SUBCOMMANDS: Final = {
    "board": "calibration.board_command:command",
    "lens": "calibration.lens_command:command",
    "table": "calibration.table_command:command",
    "deck": "calibration.deck_command:deck_command",
    "shoe": "calibration.shoe_command:command",
    "history": "calibration.history_command:command",
}
"""Name → where its click command is. A new one is a row here."""


class LazyGroup(click.Group):
    """Imports a subcommand when it is called, for some load OpenCV."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(SUBCOMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        place = SUBCOMMANDS.get(cmd_name)
        if place is None:
            return None
        module, _, name = place.partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command


@click.command(cls=LazyGroup, name="calibrate")
def command() -> None:
    """Make the profiles that the drivers read: lens, table, deck, shoe."""
