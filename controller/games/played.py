"""One player's round, played again from its cards and decisions by the game's own rules.

`play` takes the cards in the order in which they left the shoe, burns left out,
and answers with every step that the rules asked for; whatever does not fit is
`Misplayed`, with the place where it went wrong.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from controller.contract.cards import FACES, Card, points
from controller.contract.commands import Counts
from controller.rules.catalogue import Rules
from controller.rules.hand import half_points
from controller.rules.live import Round, choose, close, deal
from controller.rules.steps import Close, Deal, Settle, Step

HIT: Final = "H"
STAND: Final = "S"


class Misplayed(ValueError):  # noqa: N818 - the word of a card table
    """These cards and decisions are no round of this game."""


class Taken(NamedTuple):
    """A step that was taken: the round before it, and the card or the decision that came."""

    before: Round
    step: Step
    card: Card | None = None
    decision: str = ""


class Played(NamedTuple):
    """A whole round, and how it came about."""

    game: Round
    steps: tuple[Taken, ...]
    cards_used: int


def play(
    rules: Rules,
    deal_order: Sequence[Card],
    decisions: Sequence[str],
    *,
    mdp: bool = False,
) -> Played:
    """The round to its end; every card and every decision is used, or it is `Misplayed`."""
    _check(deal_order, decisions)
    table = _Replay(deal_order, decisions)
    game = Round(plain=int(not mdp), mdp=int(mdp))
    while not isinstance(step := rules.next_step(game), Settle):
        game = table.take(game, step)
    table.nothing_is_left()
    return Played(game, (*table.taken, Taken(game, step)), len(deal_order))


def _check(deal_order: Sequence[Card], decisions: Sequence[str]) -> None:
    seen: set[Card] = set()
    for n, card in enumerate(deal_order, 1):
        if card not in FACES:
            raise Misplayed(
                f"card {n}, {card!r}, is none of the forty: rank A 2-7 J Q K, then suit D C S B"
            )
        if card in seen:
            raise Misplayed(f"card {n}, {card}, has already been dealt; a deck has it once")
        seen.add(card)
    for n, decision in enumerate(decisions, 1):
        if decision not in (HIT, STAND):
            raise Misplayed(f"decision {n}, {decision!r}, is neither H (hit) nor S (stand)")


class _Replay:
    """Hands out the cards and decisions as the rules ask for them."""

    def __init__(self, deal_order: Sequence[Card], decisions: Sequence[str]) -> None:
        self._cards, self._decisions = deal_order, decisions
        self._dealt = self._decided = 0
        self.taken: list[Taken] = []

    def take(self, game: Round, step: Step) -> Round:
        if isinstance(step, Close):
            self.taken.append(Taken(game, step))
            return close(game, step.closings)
        if isinstance(step, Deal):
            card = self._next_card(step)
            self.taken.append(Taken(game, step, card))
            return deal(game, step.hand, card)
        decision = self._next_decision(game)
        self.taken.append(Taken(game, step, decision=decision))
        hit = int(decision == HIT)
        return choose(game, Counts(hit=hit * game.plain), Counts(hit=hit * game.mdp))

    def nothing_is_left(self) -> None:
        if self._dealt < len(self._cards):
            first = self._cards[self._dealt]
            raise Misplayed(
                f"the round ends after card {self._dealt}; card {self._dealt + 1}, {first}, "
                "is one too many"
            )
        if self._decided < len(self._decisions):
            raise Misplayed(
                f"decision {self._decided + 1} is one too many: the player is asked no further"
            )

    def _next_card(self, step: Deal) -> Card:
        if self._dealt == len(self._cards):
            raise Misplayed(
                f"card {self._dealt + 1} is missing: "
                f"one to the {step.hand} ({step.reason}) comes next"
            )
        self._dealt += 1
        return self._cards[self._dealt - 1]

    def _next_decision(self, game: Round) -> str:
        if self._decided == len(self._decisions):
            raise Misplayed(
                f"decision {self._decided + 1} is missing: the player has "
                f"{points(half_points(game.position))} in {', '.join(game.position)}"
            )
        self._decided += 1
        return self._decisions[self._decided - 1]
