"""From one step of the game to the next, and from round to round.

`advance` asks the game what comes next and does it until something must be
waited for: a card, the players, or the end of the pause. `next_round` opens
betting, or says what is missing for it.
"""

from collections.abc import Callable
from typing import Any, Final

from controller.contract.commands import Counts
from controller.contract.facts import (
    BettingOpened,
    DecisionOpened,
    DecisionsTaken,
    DeckClosed,
    DeckLocked,
    PlayersClosed,
    RoundVoided,
    TableClosed,
)
from controller.contract.incidents import Incident
from controller.contract.seat_facts import BankPassed, HandShown, PotPaid, TurnOpened
from controller.contract.state import Hand, Move, What
from controller.rules.steps import Burn, Close, Deal, Decide, Pay, Settle, Show, Turn
from controller.table.draft import Draft
from controller.table.halts import halt
from controller.table.state import TableState


def advance(draft: Draft) -> None:
    """Take every step of the game that needs nobody; stop at the first that does."""
    while (state := draft.state).game is not None:
        step = state.dealt.next_step(state.game)
        if not _STEPS[type(step)](draft, step):
            return


def _close(draft: Draft, step: Close) -> bool:
    draft.add(PlayersClosed(closings=step.closings))
    return True


def _show(draft: Draft, step: Show) -> bool:
    seat, second, cards, points = step
    draft.add(HandShown(seat=seat, second=second, cards=cards, half_points=points))
    return True


def _pay(draft: Draft, step: Pay) -> bool:
    draft.add(PotPaid(result=step.result, pot=step.pot))
    return True


def _await_card(draft: Draft, step: Burn | Deal) -> bool:
    if draft.state.rules.house is not None and _deck_is_out(draft.state):
        until = draft.at + draft.state.rules.results
        voided = draft.state.view.round
        draft.add(RoundVoided(round=voided, reason="deck_out", who="house rules", next_at=until))
        return False
    draft.move(_move_for(step))
    if not draft.state.reader_ready:
        halt(draft, Incident.READER_LOST)
    return False


def _deck_is_out(state: TableState) -> bool:
    """No card is left, and the house says what happens then."""
    house, deck = state.rules.house, state.deck
    return (
        house is not None and house.deck_out == "void" and deck is not None and not deck.remaining
    )


def _move_for(step: Burn | Deal) -> Move:
    if isinstance(step, Burn):
        return Move(What.BURN, n=step.n, of=step.of)
    if step.hand is Hand.SEAT:
        what = What.DEAL_BANK if step.bank else What.DEAL_SEAT
        return Move(what, step.reason, n=step.seat, face_down=step.face_down)
    what = What.DEAL_POSITION if step.hand is Hand.POSITION else What.DEAL_DEALER
    return Move(what, step.reason)


def _open_decision(draft: Draft, step: Decide) -> bool:
    if draft.state.view.for_nobody:
        draft.add(DecisionsTaken(window=0, plain=Counts(), mdp=Counts()))
        return True
    until = draft.at + draft.state.rules.decision
    draft.add(
        DecisionOpened(
            players_until=until,
            summary_until=until + draft.state.rules.grace,
            plain=step.plain,
            mdp=step.mdp,
            half_points=draft.state.view.position.half_points,
        )
    )
    return False


def _open_turn(draft: Draft, step: Turn) -> bool:
    until = draft.at + draft.state.rules.decision
    draft.add(
        TurnOpened(
            seat=step.seat,
            second=step.second,
            options=step.options,
            players_until=until,
            summary_until=until + draft.state.rules.grace,
        )
    )
    return False


def _settle(draft: Draft, _step: Settle) -> bool:
    state = draft.state
    ending = state.dealt.settled(state.view, state.game, draft.at + state.rules.results)
    draft.add(ending.fact)
    if ending.bank:
        draft.add(BankPassed(before=state.bank, seat=ending.bank, royal=ending.royal))
    deck = state.view.deck
    if ending.shuffle and deck is not None and not deck.locked:
        draft.add(DeckLocked(deck=deck.deck, why=ending.shuffle))
    return False


_STEPS: Final[dict[type, Callable[[Draft, Any], bool]]] = {
    Burn: _await_card,
    Deal: _await_card,
    Decide: _open_decision,
    Turn: _open_turn,
    Close: _close,
    Show: _show,
    Pay: _pay,
    Settle: _settle,
}
"""Step → what the table does; whether it needs nobody, so that the next one follows."""


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
