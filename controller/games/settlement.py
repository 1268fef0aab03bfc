"""What one round comes to: the object that `mazziere settle` writes for a line.

Net is profit on a stake of 1. Mano di Poker is told even if it was not placed:
what it would have come to, unless placing it would have changed the round.
"""

from collections.abc import Iterator, Mapping
from decimal import ROUND_DOWN, Decimal
from fractions import Fraction
from typing import Any, Final

import msgspec

from controller.contract.state import Result
from controller.games.played import Misplayed, Played, Taken, play
from controller.rules.catalogue import Rules
from controller.rules.hand import half_points
from controller.rules.live import perfect_pair
from controller.rules.steps import Close, Deal, Decide

CENT: Final = Decimal("0.01")
LARGEST_STAKE: Final = Decimal(10) ** 12


class Stakes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The amounts bet; a side bet that is not placed is left out."""

    main: Decimal
    pp: Decimal | None = None
    mdp: Decimal | None = None


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One round as it is given.

    The fields from `type` on are those of an answer or of a test vector: they
    may stand in a line, so that both can be fed back, and are not read.
    """

    deal_order: tuple[str, ...]
    decisions: tuple[str, ...] = ()
    mdp_placed: bool | None = None
    stakes: Stakes | None = None
    id: str | int | None = None
    game: str | None = None

    type: Any = None
    line: Any = None
    why: Any = None
    player: Any = None
    dealer: Any = None
    result: Any = None
    main_net: Any = None
    main_return: Any = None
    pp_net: Any = None
    mdp_net: Any = None
    mdp_status: Any = None
    cards_used: Any = None
    steps: Any = None
    amounts: Any = None


def settlement(rules: Rules, line: Line) -> tuple[Played, dict[str, Any]]:
    """The round, and the object that tells it; `Misplayed` says what does not fit."""
    placed = _mdp_placed(line)
    played = play(rules, line.deal_order, line.decisions, mdp=placed)
    (result,) = rules.settle(played.game)
    pp_returns = perfect_pair(played.game)
    mdp_status, mdp_net = _mano_di_poker(rules, line, placed, result)
    halves = result.main_halves or 0
    told: dict[str, Any] = {
        "player": played.game.position,
        "dealer": played.game.dealer,
        "result": result.outcome.value,
        "main_net": number(Fraction(halves, 2) - 1),
        "main_return": number(Fraction(halves, 2)),
        "pp_net": pp_returns - 1,
        "mdp_net": mdp_net,
        "mdp_status": mdp_status,
        "cards_used": played.cards_used,
        "steps": [step(taken) for taken in played.steps],
    }
    if line.stakes is not None:
        main = Fraction(halves, 2)
        returns = {"main": main, "pp": Fraction(pp_returns), "mdp": Fraction(result.mdp_returns)}
        told["amounts"] = _amounts(line.stakes, returns)
    return played, told


def _mdp_placed(line: Line) -> bool:
    if line.stakes is None:
        return bool(line.mdp_placed)
    staked = line.stakes.mdp is not None
    if line.mdp_placed not in (None, staked):
        raise Misplayed(
            f"mdp_placed is {str(line.mdp_placed).lower()}, but stakes has "
            f"{'an' if staked else 'no'} mdp"
        )
    return staked


def _mano_di_poker(
    rules: Rules, line: Line, placed: bool, result: Result
) -> tuple[str, int | None]:
    """Its status and net; where it was not placed, those of the same round with it."""
    if not placed:
        try:
            played = play(rules, line.deal_order, line.decisions, mdp=True)
        except Misplayed:
            return "not_placed_path_differs", None
        (result,) = rules.settle(played.game)
    net = result.mdp_returns - 1
    if result.depth < 2:
        return "not_eligible", net
    return "win" if result.mdp_returns else "lose", net


def number(exact: Fraction) -> int | float:
    """As JSON has it: a return is a multiple of a half."""
    return exact.numerator if exact.denominator == 1 else float(exact)


def _amounts(stakes: Stakes, returns: Mapping[str, Fraction]) -> dict[str, str]:
    """What is paid for each bet, rounded down to the cent, as are the bets themselves."""
    amounts: dict[str, Decimal] = {}
    for bet, returned in returns.items():
        stake: Decimal | None = getattr(stakes, bet)
        if stake is None:
            continue
        if not stake.is_finite() or not CENT <= stake <= LARGEST_STAKE:
            raise Misplayed(f"the stake on {bet} is {stake}; it must be from {CENT} to 10^12")
        bet_down = stake.quantize(CENT, ROUND_DOWN)
        paid = bet_down * returned.numerator / returned.denominator
        amounts[bet] = paid.quantize(CENT, ROUND_DOWN)
    amounts["total"] = sum(amounts.values(), Decimal(0))
    return {bet: str(amount) for bet, amount in amounts.items()}


def step(taken: Taken) -> dict[str, Any]:
    """One step as JSON has it."""
    return dict(_step(taken))


def _step(taken: Taken) -> Iterator[tuple[str, Any]]:
    done = taken.step
    yield "step", type(done).__name__.lower()
    if isinstance(done, Deal):
        yield "card", taken.card
        yield "hand", done.hand.value
        yield "reason", done.reason.value
    elif isinstance(done, Decide):
        yield "half_points", half_points(taken.before.position)
        yield "decision", taken.decision
    elif isinstance(done, Close):
        yield "by", done.closings[0].by.value
        yield "depth", done.closings[0].depth
