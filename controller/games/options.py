"""What the commands about games share: the argument that names a game."""

from typing import Final

import click

from controller.rules.catalogue import GAMES

game_argument: Final = click.argument("game", metavar="GAME", type=click.Choice(sorted(GAMES)))
