"""How people with seats bet and choose: simple, seeded, sometimes silent, sometimes wrong.

A player sees the own first card, which lies face down on the felt; when it is
time to choose is the game server's business (`simulators.seat_server`).
"""

import random
from typing import Final, NamedTuple

from controller.contract.seats import Choice, HouseRules

HIT_BELOW: Final = (8, 9, 10, 11, 12, 14)
"""Half points under which a seat hits; each has one of these."""


class Manners(NamedTuple):
    """The chances of one seat."""

    hit_below: int
    plays: float = 0.9
    silent: float = 0.04
    takes_option: float = 0.7
    tries_in_vain: float = 0.03


class SeatPlayer:
    """One person at the table, with manners of their own."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._manners = Manners(rng.choice(HIT_BELOW))

    def bet(self, house: HouseRules) -> int:
        """Cents; 0: sits this round out."""
        if self._rng.random() >= self._manners.plays:
            return 0
        return self._rng.randint(house.stake_least, house.stake_most)

    def ante(self, house: HouseRules) -> int:
        return self._rng.randint(house.stake_least, 3 * house.stake_most)

    def choose(
        self, points: int, options: tuple[Choice, ...], allowed: frozenset[Choice]
    ) -> Choice | None:
        """None: says nothing. Now and then somebody asks for what the cards do not allow."""
        chance, manners = self._rng.random(), self._manners
        more = [choice for choice in options if choice not in (Choice.HIT, Choice.STAND)]
        if chance < manners.silent:
            return None
        if more and chance < manners.silent + manners.tries_in_vain:
            return more[0]
        for choice in more:
            if choice in allowed and self._rng.random() < manners.takes_option:
                return choice
        return Choice.HIT if points < manners.hit_below else Choice.STAND
