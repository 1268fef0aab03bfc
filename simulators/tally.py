"""The result of a round worked out anew, player by player, from cards and choices alone.

It shares nothing with `controller.rules`: it follows one player through the
round as the game's help describes it, in half points, and is compared with what
the table published. Slow, plain and written twice on purpose.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from controller.contract.cards import Card
from controller.contract.facts import RoundSettled
from simulators.policy import Choice

_VALUES: Final[dict[str, int]] = {"J": 1, "Q": 1, "K": 1, "A": 2} | {
    str(n): 2 * n for n in range(2, 8)
}
_MATTA: Final = "KD"
_RUNS: Final = ("23A", "234", "345", "456", "567", "JKQ")


class Seat(msgspec.Struct):
    """One player in one round: the side bets, and the choice made at each depth."""

    pp: bool
    mdp: bool
    choices: dict[int, Choice] = {}

    @property
    def gone(self) -> bool:
        """Stood or left: makes no further choice."""
        return any(choice is not Choice.HIT for choice in self.choices.values())


class Share(NamedTuple):
    """What one player gets: the main bet's halves (None: unfinished), and Mano di Poker's."""

    depth: int
    halves: int | None
    mdp: int | None


def worth(hand: Sequence[Card]) -> int:
    """The hand in half points: the matta tries every card's value and keeps the best."""
    rest: int = sum(_VALUES[card[0]] for card in hand if card != _MATTA)
    if _MATTA not in hand:
        return rest
    if rest == 0:
        return 1
    tries: list[int] = [rest + value for value in (1, *range(2, 15, 2))]
    fitting: list[int] = [points for points in tries if points <= 15]
    return max(fitting) if fitting else min(tries)


def royal(hand: Sequence[Card]) -> bool:
    others = [card for card in hand if card != _MATTA]
    return len(hand) == 2 and len(others) == 1 and others[0][0] in "7JQK"


def drawn_by_itself(hand: Sequence[Card], up: Card) -> bool:
    """Whether the position gets a card before anybody is asked."""
    if list(hand) == [_MATTA] or (up == _MATTA and worth(hand) < 14):
        return True
    return worth(hand) < worth([up]) or worth(hand) == worth([up]) == 10


def walk(seat: Seat, position: Sequence[Card], up: Card) -> tuple[int, str]:
    """The depth at which this player's hand closed, and how."""
    for depth in range(1, len(position) + 1):
        hand = position[:depth]
        points = worth(hand)
        if points > 15:
            return depth, "bust"
        if drawn_by_itself(hand, up):
            continue
        if worth([up]) in (10, 12, 14) and points > worth([up]) and (depth > 1 or not seat.mdp):
            return depth, "paid"
        if points == 15:
            return depth, "stands"
        choice = seat.choices.get(depth, Choice.SILENT)
        if choice is Choice.LEFT:
            return depth, "left"
        if choice is not Choice.HIT:
            return depth, "stands"
    return len(position), "waiting"


def share(seat: Seat, position: Sequence[Card], dealer: Sequence[Card]) -> Share:
    depth, how = walk(seat, position, dealer[0])
    held = position if how == "left" else position[:depth]
    poker = poker_hand(held, dealer[0]) if seat.mdp else None
    return Share(depth, main_bet(position[:depth], dealer, how), poker)


def main_bet(hand: Sequence[Card], dealer: Sequence[Card], how: str) -> int | None:
    if how in ("left", "waiting"):
        return None
    if royal(hand):
        return 5
    mine, other = worth(hand), worth(dealer)
    if how == "bust":
        return 0
    if how == "paid" or other > 15:
        return 4
    if royal(dealer) or mine < other or mine == other == 10:
        return 0
    return 4 if mine > other else 2


def poker_hand(hand: Sequence[Card], up: Card) -> int:
    """What Mano di Poker returns, in stakes."""
    if len(hand) < 2:
        return 0
    three = (*hand[:2], up)
    ranks = "".join(sorted(card[0] for card in three))
    flush = len({card[1] for card in three}) == 1
    if flush and ranks in _RUNS:
        return 151 if ranks == "JKQ" else 76
    if len(set(ranks)) == 1:
        return 51
    return 7 if flush else 6 if ranks in _RUNS else 0


def pair(first: Card, up: Card) -> int:
    """What Partita Perfetta returns, in stakes."""
    if first[0] != up[0]:
        return 0
    return 56 if first[0] == "7" else 11 if first[0] in "JQK" else 6


def differences(settled: RoundSettled, seats: Sequence[Seat]) -> str:
    """What the table published and this tally does not find; empty if they agree."""
    mine: Counter[Share] = Counter(share(s, settled.position, settled.dealer) for s in seats)
    theirs: Counter[Share] = Counter()
    for result in settled.results:
        theirs[Share(result.depth, result.main_halves, None)] += result.plain
        theirs[Share(result.depth, result.main_halves, result.mdp_returns)] += result.mdp
    theirs = +theirs
    if mine != theirs:
        return f"round {settled.round}: paid {dict(theirs)}, due {dict(mine)}"
    due = pair(settled.position[0], settled.dealer[0])
    if settled.pp_returns != due:
        return f"round {settled.round}: Partita Perfetta paid {settled.pp_returns}, due {due}"
    return ""
