"""RNG 7 e Mezzo, as its rules page says it: one hand against the dealer, forty fresh cards.

`next_step` is the whole order of the game; `settle` the whole pay table. A round
is the same value as at the live table and its moves are the same moves; which
come next is what makes this another game. The dealer's first card lies face down
until the player's hand is closed, so nothing before that may depend on it.
The quotations are the page's own sentences.
"""

from collections.abc import Sequence
from typing import Final

from controller.contract.cards import Card, is_figure
from controller.contract.state import ClosedBy, Closing, Hand, Outcome, Reason, Result
from controller.rules.hand import SEVEN_AND_HALF, half_points, is_bust, is_royal
from controller.rules.live import Round
from controller.rules.side_bets import mano_di_poker
from controller.rules.steps import Close, Deal, Decide, Settle, Step

NAME: Final = "rng"
DEALER_STANDS: Final = 6
"""3, in half points."""
DEALER_STANDS_AGAINST_SEVEN_AND_HALF: Final = SEVEN_AND_HALF

ROYAL_RETURNS: Final = 6
WIN_RETURNS: Final = 4
"""What the main bet returns, in halves of the stake."""


def next_step(game: Round) -> Step:
    """ "Vengono distribuite le carte coperte, una al croupier e una al giocatore." """
    if not game.position:
        return Deal(Hand.POSITION, Reason.FIRST, face_down=True)
    if not game.dealer:
        return Deal(Hand.DEALER, Reason.FACE_DOWN, face_down=True)
    if game.plain or game.mdp:
        return _position_step(game)
    reason = dealer_card(game.position, game.dealer)
    return Deal(Hand.DEALER, reason) if reason else Settle()


def _position_step(game: Round) -> Step:
    """ "Puoi continuare a prendere carta finché il tuo totale non è pari a 7½ o superiore." """
    points = half_points(game.position)
    if points > SEVEN_AND_HALF:
        return _close(game, ClosedBy.BUST)
    if _figure_alone(game.position):
        return Deal(Hand.POSITION, Reason.FIGURE_ALONE)
    if points == SEVEN_AND_HALF:
        return _close(game, ClosedBy.SEVEN_AND_HALF)
    if game.decided == len(game.position):
        return Deal(Hand.POSITION, Reason.HIT)
    return Decide(game.plain, game.mdp)


def _close(game: Round, by: ClosedBy) -> Close:
    return Close((Closing(len(game.position), by, game.plain, game.mdp),))


def _figure_alone(cards: Sequence[Card]) -> bool:
    """ "J, Q o K (incluso il Re di Denari)": a first card that must be added to."""
    return len(cards) == 1 and is_figure(cards[0])


def dealer_card(position: Sequence[Card], dealer: Sequence[Card]) -> Reason:
    """The rule that gives the dealer a card once the player's hand is closed; NONE: stands."""
    if is_bust(position):  # "Se sballi, la mano termina e il croupier non prende carta."
        return Reason.NONE
    if _figure_alone(dealer):
        return Reason.FIGURE_ALONE
    points = half_points(dealer)
    if half_points(position) == SEVEN_AND_HALF:
        below = points < DEALER_STANDS_AGAINST_SEVEN_AND_HALF
        return Reason.DRAW_TO_SEVEN_AND_HALF if below else Reason.NONE
    return Reason.DRAW_TO_THREE if points < DEALER_STANDS else Reason.NONE


def settle(game: Round) -> tuple[Result, ...]:
    """What the player receives; a round has one closing, for it has one player."""
    return tuple(_settle_one(game, closing) for closing in game.closed)


def _settle_one(game: Round, closing: Closing) -> Result:
    outcome, halves = main_bet(game.position, game.dealer)
    return Result(
        depth=closing.depth,
        by=closing.by,
        plain=closing.plain,
        mdp=closing.mdp,
        half_points=half_points(game.position),
        outcome=outcome,
        main_halves=halves,
        mdp_returns=_mdp_returns(game),
    )


def _mdp_returns(game: Round) -> int:
    """ "Se hai deciso di non prendere una seconda carta, non puoi vincere." """
    if len(game.position) < 2:
        return 0
    first, second = game.position[:2]
    return mano_di_poker(first, second, game.dealer[0])


def main_bet(hand: Sequence[Card], dealer: Sequence[Card]) -> tuple[Outcome, int]:
    """The outcome of the main bet and what it returns, in halves of the stake."""
    points, against = half_points(hand), half_points(dealer)
    if is_royal(hand):
        return Outcome.ROYAL, ROYAL_RETURNS
    if points > SEVEN_AND_HALF:
        return Outcome.PLAYER_BUST, 0
    if against > SEVEN_AND_HALF:
        return Outcome.DEALER_BUST, WIN_RETURNS
    if points > against:
        return Outcome.HIGHER, WIN_RETURNS
    return (Outcome.LOWER, 0) if points < against else (Outcome.TIE, 0)
