"""The games there are, by name, and what every one of them answers.

A game is a file and a line here: in `DEALT` if a table deals it, in `GAMES` if it
has one position and its returns are to be proved. One with a round of its own
adds that to `AnyRound`, so that a checkpoint can hold it.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from controller.contract.state import Result
from controller.rules import bound, game, live, rng, traditional, traditional_hands
from controller.rules.live import Round
from controller.rules.shared import SharedPosition
from controller.rules.steps import Step
from controller.rules.traditional_table import Traditional


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

DEALT: Final[Mapping[str, game.Game[Any]]] = MappingProxyType(
    {
        live.NAME: SharedPosition(live.next_step, live.settle, bound.most_cards),
        traditional.NAME: Traditional(),
    }
)
"""Those that a table deals."""

AnyRound: TypeAlias = live.Round | traditional_hands.Round
"""What the table keeps of a round in play."""
