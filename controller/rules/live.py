"""Live Sette e Mezzo, as its rules page says it: one shared position against the dealer.

`next_step` is the whole order of the game; `settle` the whole pay table.
Players are counts in two cohorts, without and with Mano di Poker (`plain`,
`mdp`), because one automatic ending treats them differently. Numbers in
brackets are the steps of the rules page.
"""

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from controller.contract.cards import HALF_POINTS, WILD, Card
from controller.contract.commands import Counts
from controller.contract.state import ClosedBy, Closing, Hand, Outcome, Reason, Result
from controller.rules.hand import FIVE, SEVEN, SEVEN_AND_HALF, half_points, is_royal
from controller.rules.side_bets import mano_di_poker, partita_perfetta
from controller.rules.steps import Burn, Close, Deal, Decide, Settle, Step

NAME: Final = "live"
DEALER_STANDS: Final = FIVE
AUTO_WIN_UP_CARDS: Final = frozenset({10, 12, 14})
"""Up cards that make the dealer stand at once: 5, 6 and 7, in half points."""

ROYAL_RETURNS: Final = 5
WIN_RETURNS: Final = 4
PUSH_RETURNS: Final = 2
"""What the main bet returns, in halves of the stake."""


class Round(msgspec.Struct, frozen=True, tag="shared"):
    """A round in play: the cards in dealing order, who is still in, who is closed and why.

    `decided` is the depth at which the players last chose: who is still in
    after choosing has hit.
    """

    burn: int = 0
    burned: int = 0
    position: tuple[Card, ...] = ()
    dealer: tuple[Card, ...] = ()
    plain: int = 0
    mdp: int = 0
    closed: tuple[Closing, ...] = ()
    decided: int = 0


def next_step(game: Round) -> Step:
    if game.burned < game.burn:  # [2]
        return Burn(game.burned + 1, game.burn)
    if not game.position:  # [3]
        return Deal(Hand.POSITION, Reason.FIRST)
    if not game.dealer:
        return Deal(Hand.DEALER, Reason.UP_CARD)
    if game.plain or game.mdp:
        return _position_step(game)
    if _dealer_must_draw(game):  # [7]
        return Deal(Hand.DEALER, Reason.DRAW_TO_FIVE)
    return Settle()


def _position_step(game: Round) -> Step:
    points = half_points(game.position)
    if points > SEVEN_AND_HALF:
        return _close(game, ClosedBy.BUST, game.plain, game.mdp)
    reason = automatic_card(game.position, game.dealer[0])
    if reason:  # [4]
        return Deal(Hand.POSITION, reason)
    plain, mdp = _automatic_winners(game, points)
    if plain or mdp:  # [5]
        return _close(game, ClosedBy.AUTO_WIN, plain, mdp)
    if points == SEVEN_AND_HALF:  # [6] 7½ never acts
        return _close(game, ClosedBy.SEVEN_AND_HALF, game.plain, game.mdp)
    if game.decided == len(game.position):
        return Deal(Hand.POSITION, Reason.HIT)
    return Decide(game.plain, game.mdp)


def _close(game: Round, by: ClosedBy, plain: int, mdp: int) -> Close:
    return Close((Closing(len(game.position), by, plain, mdp),))


def automatic_card(position: Sequence[Card], up: Card) -> Reason:
    """[4] The rule that gives the position a card before any choice; NONE if there is none."""
    points, against = half_points(position), HALF_POINTS[up]
    if len(position) == 1 and position[0] == WILD:
        return Reason.WILD_ALONE
    if up == WILD and points < SEVEN:
        return Reason.UP_WILD
    if points < against:
        return Reason.BELOW_UP
    if points == against == FIVE:
        return Reason.TIE_AT_FIVE
    return Reason.NONE


def _automatic_winners(game: Round, points: int) -> tuple[int, int]:
    """[5] Who wins at once: without Mano di Poker on any depth, with it from two cards on."""
    against = HALF_POINTS[game.dealer[0]]
    if against not in AUTO_WIN_UP_CARDS or points <= against:
        return 0, 0
    return game.plain, game.mdp if len(game.position) >= 2 else 0


def _dealer_must_draw(game: Round) -> bool:
    """[7] To 5 or more, if anyone stands on a hand that is neither bust nor already paid."""
    stands = any(c.by in (ClosedBy.STAND, ClosedBy.SEVEN_AND_HALF) for c in game.closed)
    return stands and half_points(game.dealer) < DEALER_STANDS


def deal(game: Round, hand: Hand, card: Card | None) -> Round:
    """`card` has come to `hand`; a burned card needs no face."""
    if hand is Hand.BURN:
        return replace(game, burned=game.burned + 1)
    if card is None:
        raise ValueError(f"a card to the {hand} must have a face")
    if hand is Hand.POSITION:
        return replace(game, position=(*game.position, card))
    return replace(game, dealer=(*game.dealer, card))


def close(game: Round, closings: tuple[Closing, ...]) -> Round:
    """These players are out of the action."""
    return replace(
        game,
        plain=game.plain - sum(c.plain for c in closings),
        mdp=game.mdp - sum(c.mdp for c in closings),
        closed=(*game.closed, *closings),
    )


def choose(game: Round, plain: Counts, mdp: Counts) -> Round:
    """[6] The players' choices; who is in no count stands."""
    depth = len(game.position)
    standing = (game.plain - plain.hit - plain.left, game.mdp - mdp.hit - mdp.left)
    closings = (
        Closing(depth, ClosedBy.STAND, *standing),
        Closing(depth, ClosedBy.LEFT, plain.left, mdp.left),
    )
    closed = close(game, tuple(c for c in closings if c.plain or c.mdp))
    return replace(closed, decided=depth)


def settle(game: Round) -> tuple[Result, ...]:
    """[8] What each closing's players receive."""
    return tuple(_settle_one(game, closing) for closing in game.closed)


def _settle_one(game: Round, closing: Closing) -> Result:
    hand = game.position[: closing.depth]
    outcome, halves = main_bet(hand, closing.by, game.dealer)
    return Result(
        depth=closing.depth,
        by=closing.by,
        plain=closing.plain,
        mdp=closing.mdp,
        half_points=half_points(hand),
        outcome=outcome,
        main_halves=halves,
        mdp_returns=_mdp_returns(game, closing),
    )


def _mdp_returns(game: Round, closing: Closing) -> int:
    """Lost without a second card; who left follows the live round, whatever they held."""
    depth = len(game.position) if closing.by is ClosedBy.LEFT else closing.depth
    if depth < 2:
        return 0
    first, second = game.position[:2]
    return mano_di_poker(first, second, game.dealer[0])


def main_bet(
    hand: Sequence[Card], by: ClosedBy, dealer: Sequence[Card]
) -> tuple[Outcome, int | None]:
    """The outcome of a main bet and what it returns, in halves of the stake."""
    if by is ClosedBy.LEFT:
        return Outcome.NON_LIVE, None
    points, against = half_points(hand), half_points(dealer)
    if is_royal(hand):
        return Outcome.ROYAL, ROYAL_RETURNS
    if points > SEVEN_AND_HALF:
        return Outcome.PLAYER_BUST, 0
    if by is ClosedBy.AUTO_WIN:
        return Outcome.AUTO_WIN, WIN_RETURNS
    if against > SEVEN_AND_HALF:
        return Outcome.DEALER_BUST, WIN_RETURNS
    if is_royal(dealer):
        return Outcome.DEALER_ROYAL, 0
    if points > against:
        return Outcome.HIGHER, WIN_RETURNS
    if points < against:
        return Outcome.LOWER, 0
    return (Outcome.TIE_AT_FIVE, 0) if points == FIVE else (Outcome.PUSH, PUSH_RETURNS)


def perfect_pair(game: Round) -> int:
    """What Partita Perfetta returns, in stakes."""
    return partita_perfetta(game.position[0], game.dealer[0])
