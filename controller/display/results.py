"""The result of a round as the screen shows it: who ends how, what each bet returns.

Pure, and no rule of the game: the controller says what returns what, this says it
in lines, and whether anything is paid at all.
"""

import msgspec

from controller.contract.cards import points
from controller.contract.state import ClosedBy, Outcome, Result, TableView


class ResultLine(msgspec.Struct, frozen=True):
    """How the players who closed with the first `depth` cards end."""

    depth: int
    by: ClosedBy
    points: str
    outcome: Outcome
    players: int
    main: str
    """What the main bet returns, in stakes; empty while it is unfinished."""
    mdp: int
    """How many of the players have Mano di Poker, which returns `mdp_returns` stakes."""
    mdp_returns: int


class SideBet(msgspec.Struct, frozen=True):
    """What a side bet returns, in stakes, to all who have it."""

    players: int
    returns: int


def to_do(view: TableView) -> str:
    """What is done about the bets of a settled round: the same name for both lines of words."""
    if view.for_nobody:
        return "for_nobody"
    if view.seated:
        return "pay" if any(r.net > 0 for r in view.seated.results) else "take_bets"
    pair = view.pp_returns if view.players.pp else 0
    if pair or any(r.main_halves or (r.mdp and r.mdp_returns) for r in view.results):
        return "pay"
    away = any(r.main_halves is None for r in view.results)
    return "nothing_to_pay" if away else "take_bets"


def result_lines(view: TableView) -> tuple[ResultLine, ...]:
    """One line a closing; none for a round that was dealt for nobody."""
    return () if view.for_nobody else tuple(_line(result) for result in view.results)


def perfect_pair(view: TableView) -> SideBet | None:
    settled = bool(view.results) and not view.for_nobody
    return SideBet(view.players.pp, view.pp_returns) if settled and view.players.pp else None


def _line(result: Result) -> ResultLine:
    unfinished = result.main_halves is None
    return ResultLine(
        depth=result.depth,
        by=result.by,
        points=points(result.half_points),
        outcome=result.outcome,
        players=result.plain + result.mdp,
        main="" if unfinished else points(result.main_halves or 0),
        mdp=result.mdp,
        mdp_returns=result.mdp_returns,
    )
