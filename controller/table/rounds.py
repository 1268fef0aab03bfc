"""From one step of the game to the next, and from round to round.

`advance` asks the game what comes next and does it until something must be
waited for: a card, the players, or the end of the pause. `next_round` opens
betting, or says what is missing for it.
"""

from controller.contract.commands import Counts
from controller.contract.facts import (
    BettingOpened,
    DecisionOpened,
    DecisionsTaken,
    DeckClosed,
    PlayersClosed,
    RoundSettled,
    TableClosed,
)
from controller.contract.incidents import Incident
from controller.contract.state import Hand, Move, What
from controller.rules import live
from controller.rules.hand import half_points
from controller.rules.steps import Burn, Close, Deal, Decide, Settle, Step
from controller.table.draft import Draft
from controller.table.halts import halt
from controller.table.state import TableState


def advance(draft: Draft) -> None:
    """Take every step of the game that needs nobody; stop at the first that does."""
    while (game := draft.state.game) is not None:
        step = live.next_step(game)
        if isinstance(step, Close):
            draft.add(PlayersClosed(closings=step.closings))
        elif isinstance(step, Decide) and draft.state.view.for_nobody:
            draft.add(DecisionsTaken(window=0, plain=Counts(), mdp=Counts()))
        else:
            _wait_for(draft, game, step)
            return


def _wait_for(draft: Draft, game: live.Round, step: Step) -> None:
    if isinstance(step, Decide):
        _open_decision(draft, game, step)
    elif isinstance(step, Settle):
        _settle(draft, game)
    elif isinstance(step, Burn | Deal):
        draft.move(_move_for(step))
        if not draft.state.reader_ready:
            halt(draft, Incident.READER_LOST)


def _move_for(step: Burn | Deal) -> Move:
    if isinstance(step, Burn):
        return Move(What.BURN, n=step.n, of=step.of)
    what = What.DEAL_POSITION if step.hand is Hand.POSITION else What.DEAL_DEALER
    return Move(what, step.reason)


def _open_decision(draft: Draft, game: live.Round, step: Decide) -> None:
    until = draft.at + draft.state.rules.decision
    draft.add(
        DecisionOpened(
            players_until=until,
            summary_until=until + draft.state.rules.grace,
            plain=step.plain,
            mdp=step.mdp,
            half_points=half_points(game.position),
        )
    )


def _settle(draft: Draft, game: live.Round) -> None:
    draft.add(
        RoundSettled(
            round=draft.state.view.round,
            position=game.position,
            dealer=game.dealer,
            dealer_half_points=half_points(game.dealer),
            results=live.settle(game),
            pp_returns=live.perfect_pair(game),
            for_nobody=draft.state.view.for_nobody,
            next_at=draft.at + draft.state.rules.results,
        )
    )


def next_round(draft: Draft) -> None:
    """Open betting; or close the table, if asked to; or say what is missing."""
    state = draft.state
    if state.view.stop_after_round:
        draft.add(TableClosed(who="stop after this round"))
    elif not deck_suffices(state):
        drawing_out = state.view.deck is not None and state.view.deck.drawing_out
        draft.move(Move(What.DRAW_REST if drawing_out else What.CHANGE_DECK))
    elif not state.reader_ready:
        draft.move(Move(What.WAIT_READER))
    else:
        until = draft.at + state.rules.betting
        draft.add(
            BettingOpened(
                round=state.view.round + 1,
                players_until=until,
                summary_until=until + state.rules.grace,
            )
        )


def deck_suffices(state: TableState) -> bool:
    """As many cards surely remain as the longest round can use, and none is drawn out unused."""
    deck, view = state.deck, state.view.deck
    if deck is None or view is None or view.locked or view.drawing_out:
        return False
    return deck.remaining >= state.rules.most_cards


def close_drawn_out(draft: Draft) -> None:
    """The last card of a deck that is being counted out has come: forty are accounted for."""
    deck, view = draft.state.deck, draft.state.view.deck
    if deck is None or view is None or not view.drawing_out or deck.remaining:
        return
    draft.add(
        DeckClosed(
            deck=deck.deck,
            seen=len(deck.seen),
            unknown=deck.unknown,
            counted_out=True,
            hidden=deck.hidden,
            who="counted out",
        )
    )
