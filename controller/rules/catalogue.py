"""The games there are, by name, and what every one of them answers.

A game is a file with the two functions of `Rules`, and a line here. What moves
a round (`deal`, `close`, `choose`) is the same for all: `controller.rules.live`.
"""

from types import MappingProxyType
from typing import Final, NamedTuple, Protocol

from controller.contract.state import Result
from controller.rules import live, rng
from controller.rules.live import Round
from controller.rules.steps import Step


class Rules(Protocol):
    """What a game is to everyone who deals, shows or proves it."""

    def next_step(self, game: Round, /) -> Step:
        """The one thing that comes next in this round."""

    def settle(self, game: Round, /) -> tuple[Result, ...]:
        """What each closing's players receive once the next step is Settle."""


class Published(NamedTuple):
    """The returns, in per cent, that the game's own page promises."""

    main: str
    partita_perfetta: str
    mano_di_poker: str


class Game(NamedTuple):
    """A game's rules, and the returns that they must prove."""

    rules: Rules
    published: Published


GAMES: Final = MappingProxyType(
    {
        live.NAME: Game(live, Published("99.31", "96.15", "96.32")),
        rng.NAME: Game(rng, Published("99.54", "96.15", "96.32")),
    }
)
