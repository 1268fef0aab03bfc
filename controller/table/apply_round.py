"""What facts change in a round: windows, bets, cards in their hands, choices, the result.

Rule for this file, as for `apply.py`: it never decides. It calls the game only
to keep its round up to date (`live.deal`, `close`, `choose`).
"""

from typing import Final

from msgspec.structs import replace

from controller.contract.facts import (
    BetsTaken,
    BettingOpened,
    CardCounted,
    DecisionOpened,
    DecisionsTaken,
    MoveDue,
    PlayersClosed,
    PlayersShut,
    RoundSettled,
    RoundSkipped,
    RoundVoided,
    WindowMoved,
)
from controller.contract.state import Hand, HandView, Move, Phase, Players, What, Window
from controller.rules import live
from controller.rules.hand import half_points, is_royal
from controller.table.apply_deck import out_of, with_deck
from controller.table.state import Changes, TableState, showing

_PHASE_OF: Final = {
    What.CHANGE_DECK: Phase.WAITING,
    What.WAIT_READER: Phase.WAITING,
    What.DRAW_REST: Phase.WAITING,
    What.BURN: Phase.BURN,
    What.DEAL_POSITION: Phase.DEAL,
    What.DEAL_DEALER: Phase.DEAL,
}


def cleared(state: TableState) -> TableState:
    """The felt is empty and no round is in play."""
    view = replace(
        state.view,
        window=None,
        players=Players(),
        for_nobody=False,
        burned=0,
        position=HandView(),
        dealer=HandView(),
        closed=(),
        results=(),
        pp_returns=0,
        next_at=0,
    )
    return replace(state, view=view, game=None, last="", last_card=None)


def _move_due(state: TableState, fact: MoveDue) -> TableState:
    phase = _PHASE_OF[fact.move.what]
    moved = replace(state, due_since=fact.since)
    if phase is Phase.WAITING:
        moved = cleared(moved)
    return showing(moved, phase=phase, move=fact.move)


def _betting_opened(state: TableState, fact: BettingOpened) -> TableState:
    return showing(
        cleared(state),
        phase=Phase.BETTING,
        move=Move(What.WAIT_BETS),
        round=fact.round,
        window=Window(state.seq + 1, fact.players_until, fact.summary_until),
    )


def _players_shut(state: TableState, _fact: PlayersShut) -> TableState:
    window = state.view.window
    return showing(state, window=replace(window, shut=True) if window else None)


def _window_moved(state: TableState, fact: WindowMoved) -> TableState:
    window = state.view.window
    if window is None:
        return state
    moved = replace(window, players_until=fact.players_until, summary_until=fact.summary_until)
    return showing(state, window=moved)


def _bets_taken(state: TableState, fact: BetsTaken) -> TableState:
    plain, nobody = fact.main - fact.mdp, fact.main == 0
    game = live.Round(burn=state.rules.burn, plain=1 if nobody else plain, mdp=fact.mdp)
    players = Players(fact.main, fact.pp, fact.mdp, plain, fact.mdp)
    state = replace(state, game=game)
    return showing(state, window=None, players=players, for_nobody=nobody)


def _round_skipped(state: TableState, _fact: RoundSkipped) -> TableState:
    return cleared(state)


def _game(state: TableState) -> live.Round:
    if state.game is None:
        raise ValueError("this fact needs a round in play, and there is none")
    return state.game


def _with_game(state: TableState, game: live.Round) -> TableState:
    plain = 0 if state.view.for_nobody else game.plain
    players = replace(state.view.players, plain=plain, mdp=game.mdp)
    return showing(replace(state, game=game), players=players, closed=game.closed)


def _card_counted(state: TableState, fact: CardCounted) -> TableState:
    state = state.taking(fact.reading)
    game = live.deal(_game(state), fact.hand, fact.card)
    shown = None if fact.hand is Hand.BURN else fact.card
    state = replace(state, game=game, last=f"{fact.hand} {fact.index}", last_card=shown)
    if state.deck is not None and fact.card is not None:
        state = with_deck(state, out_of(state.deck, fact.card, hidden=shown is None))
    if fact.hand is Hand.BURN:
        return showing(state, burned=game.burned)
    if fact.hand is Hand.POSITION:
        return showing(state, position=_hand_view(game.position))
    return showing(state, dealer=_hand_view(game.dealer))


def _hand_view(cards: tuple[str, ...]) -> HandView:
    return HandView(cards, half_points(cards), is_royal(cards))


def _players_closed(state: TableState, fact: PlayersClosed) -> TableState:
    return _with_game(state, live.close(_game(state), fact.closings))


def _decision_opened(state: TableState, fact: DecisionOpened) -> TableState:
    return showing(
        state,
        phase=Phase.DECISION,
        move=Move(What.WAIT_DECISIONS),
        window=Window(state.seq + 1, fact.players_until, fact.summary_until),
    )


def _decisions_taken(state: TableState, fact: DecisionsTaken) -> TableState:
    game = live.choose(_game(state), fact.plain, fact.mdp)
    return showing(_with_game(state, game), window=None)


def _round_settled(state: TableState, fact: RoundSettled) -> TableState:
    return showing(
        state,
        phase=Phase.RESULT,
        move=Move(What.PAY),
        results=fact.results,
        pp_returns=fact.pp_returns,
        next_at=fact.next_at,
    )


def _round_voided(state: TableState, fact: RoundVoided) -> TableState:
    return showing(
        replace(state, halt=None),
        phase=Phase.VOIDED,
        move=Move(What.RETURN_BETS),
        window=None,
        halt=None,
        next_at=fact.next_at,
    )


ROUND: Final[Changes] = {
    MoveDue: _move_due,
    BettingOpened: _betting_opened,
    PlayersShut: _players_shut,
    WindowMoved: _window_moved,
    BetsTaken: _bets_taken,
    RoundSkipped: _round_skipped,
    CardCounted: _card_counted,
    PlayersClosed: _players_closed,
    DecisionOpened: _decision_opened,
    DecisionsTaken: _decisions_taken,
    RoundSettled: _round_settled,
    RoundVoided: _round_voided,
}
"""Facts of a round."""
