"""Games of one shared position, as the table deals them: counts of players, no seats.

What such a game is stands in its own two functions, `next_step` and `settle`; how
its rounds move is the same for all of them (`live.deal`, `close`, `choose`). This
joins the two into a `Game`.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from controller.contract.commands import Bets, SeatBets, Why
from controller.contract.facts import (
    BetsTaken,
    CardCounted,
    DecisionsTaken,
    EpochOpened,
    PlayersClosed,
    RoundSettled,
)
from controller.contract.seats import HouseRules
from controller.contract.state import Hand, HandView, Players, Result, TableView
from controller.rules import live
from controller.rules.game import Ending, Place
from controller.rules.hand import half_points, is_royal
from controller.rules.live import Round
from controller.rules.steps import Step


class SharedPosition:
    """A game of one position, by its rules."""

    def __init__(
        self,
        next_step: Callable[[Round], Step],
        settle: Callable[[Round], tuple[Result, ...]],
        most_cards: Callable[[int], int],
    ) -> None:
        self.next_step = next_step
        self.seated = False
        self._settle = settle
        self._most_cards = most_cards

    def complaint(self, _burn: int, _house: HouseRules | None) -> str:
        return ""

    def most_cards(self, burn: int, _house: HouseRules | None) -> int:
        return self._most_cards(burn)

    def bets(
        self, _opening: EpochOpened, _bank: int, window: int, asked: Bets | SeatBets
    ) -> BetsTaken | Why:
        if not isinstance(asked, Bets):
            return Why.NOT_NOW
        if asked.pp > asked.main or asked.mdp > asked.main:
            return Why.COUNTS
        return BetsTaken(window=window, main=asked.main, pp=asked.pp, mdp=asked.mdp)

    def begin(self, opening: EpochOpened, taken: BetsTaken) -> Round:
        """Without bets the round is dealt as for one player without side bets."""
        plain = 1 if taken.for_nobody else taken.main - taken.mdp
        return Round(burn=opening.burn, plain=plain, mdp=taken.mdp)

    def place(self, game: Round, hand: Hand) -> Place:
        if hand is Hand.BURN:
            return Place(1 + game.burned)
        return Place(1 + len(game.position if hand is Hand.POSITION else game.dealer))

    def after(self, game: Round, fact: Any) -> Round:
        if isinstance(fact, CardCounted):
            return live.deal(game, fact.hand, fact.card)
        if isinstance(fact, PlayersClosed):
            return live.close(game, fact.closings)
        if isinstance(fact, DecisionsTaken):
            return live.choose(game, fact.plain, fact.mdp)
        raise ValueError(f"{type(fact).__name__} moves no round of one position")

    def shown(self, view: TableView, game: Round, fact: Any) -> dict[str, Any]:
        if isinstance(fact, CardCounted):
            if fact.hand is Hand.POSITION:
                return {"position": _hand_view(game.position)}
            if fact.hand is Hand.DEALER:
                return {"dealer": _hand_view(game.dealer)}
            return {"burned": game.burned}
        if isinstance(fact, BetsTaken):
            plain = fact.main - fact.mdp
            players = Players(fact.main, fact.pp, fact.mdp, plain, fact.mdp)
            return {"players": players, "for_nobody": fact.for_nobody}
        plain = 0 if view.for_nobody else game.plain
        players = replace(view.players, plain=plain, mdp=game.mdp)
        return {"players": players, "closed": game.closed}

    def settled(self, view: TableView, game: Round, next_at: int) -> Ending:
        return Ending(
            RoundSettled(
                round=view.round,
                position=game.position,
                dealer=game.dealer,
                dealer_half_points=half_points(game.dealer),
                results=self._settle(game),
                pp_returns=live.perfect_pair(game),
                for_nobody=view.for_nobody,
                next_at=next_at,
            )
        )


def _hand_view(cards: tuple[str, ...]) -> HandView:
    return HandView(cards, half_points(cards), is_royal(cards))
