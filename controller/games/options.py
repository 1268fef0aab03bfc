"""What the commands about games share: the game's name, and the language."""

from typing import Final

import click

from controller.games.vocabulary import LANGUAGES
from controller.rules.catalogue import GAMES

game_argument: Final = click.argument("game", metavar="GAME", type=click.Choice(sorted(GAMES)))
language_option: Final = click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    default="en",
    show_default=True,
    help="The language of the words.",
)
