"""How simulated players bet and choose: simple, seeded, and sometimes silent or gone.

A player is a few chances and a threshold. Which choices the table asks for is
the game server's business (`simulators.game_server`).
"""

import random
from enum import StrEnum
from typing import Final, NamedTuple

HIT_BELOW: Final = (8, 9, 10, 11, 12)
"""Half points under which a player hits; each player has one of these."""


class Choice(StrEnum):
    """What a player does in a decision window; a silent one stands at the deadline."""

    HIT = "hit"
    STAND = "stand"
    LEFT = "left"
    SILENT = "silent"


class Habits(NamedTuple):
    """The chances of one player."""

    hit_below: int
    plays: float = 0.9
    partita_perfetta: float = 0.3
    mano_di_poker: float = 0.4
    leaves: float = 0.03
    silent: float = 0.04


class Bet(NamedTuple):
    """What a player puts down for a round."""

    pp: bool
    mdp: bool


class Player:
    """One player, with habits of their own."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._habits = Habits(rng.choice(HIT_BELOW))

    def bet(self) -> Bet | None:
        """None: sits this round out."""
        chance = self._rng.random
        if chance() >= self._habits.plays:
            return None
        pp = chance() < self._habits.partita_perfetta
        return Bet(pp, chance() < self._habits.mano_di_poker)

    def choose(self, half_points: int) -> Choice:
        chance = self._rng.random()
        if chance < self._habits.leaves:
            return Choice.LEFT
        if chance < self._habits.leaves + self._habits.silent:
            return Choice.SILENT
        return Choice.HIT if half_points < self._habits.hit_below else Choice.STAND
