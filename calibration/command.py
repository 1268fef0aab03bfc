"""`mazziere calibrate …`: the group; each profile has a module of its own."""

import click

from calibration.deck_command import deck_command


@click.group(name="calibrate")
def command() -> None:
    """Make the profiles that the drivers read."""


command.add_command(deck_command)
