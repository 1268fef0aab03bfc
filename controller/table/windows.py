"""Betting and decisions: the game server's counts, and the two ends of their window.

Players act until the first end; the server's count may arrive until the second.
A full count of decisions closes the window sooner. No count at all is silence,
and silence halts; the server, once back, answers the same window. A seat's turn
is its own: its choice closes the window, and its silence is Stand.
"""

from controller.contract.commands import (
    Bets,
    Choose,
    Command,
    Counts,
    Decisions,
    Exit,
    SeatBets,
    Why,
)
from controller.contract.facts import DecisionsTaken, PlayersShut, RoundSkipped
from controller.contract.incidents import Incident
from controller.contract.seat_facts import ChoiceTaken
from controller.contract.seats import Choice
from controller.contract.state import Phase, Window
from controller.rules.steps import Step, Turn
from controller.table.draft import Draft
from controller.table.halts import halt
from controller.table.resolving import resume
from controller.table.rounds import advance, next_round


def players_end(draft: Draft) -> None:
    """No more bets, or no more choices: only the server's count is awaited now."""
    window = draft.state.view.window
    if window is not None and not window.shut:
        draft.add(PlayersShut(window=window.seq, at=draft.stamp))


def summary_end(draft: Draft) -> None:
    turn = _asked(draft)
    if isinstance(turn, Turn):
        _choose(draft, turn, Choice.STAND, silent=True)
    else:
        halt(draft, Incident.SERVER_SILENT)


def bets(draft: Draft, command: Command) -> Why:
    """Take the count of bets, or say why not."""
    window, asked = draft.state.view.window, command.do
    if window is None or command.window != window.seq or not isinstance(asked, Bets | SeatBets):
        return Why.STALE
    if asked.rules != draft.state.view.rules:
        return Why.RULES
    state = draft.state
    taken = state.dealt.bets(state.rules, state.bank, window.seq, asked)
    if isinstance(taken, Why):
        return taken
    waits = _waits(draft, window, Phase.BETTING)
    if waits is not Why.NONE:
        return waits
    _leave_silence(draft, command)
    draft.add(taken)
    if taken.for_nobody and draft.state.rules.no_bets == "skip":
        draft.add(RoundSkipped(round=draft.state.view.round))
        next_round(draft)
    else:
        advance(draft)
    return Why.NONE


def decisions(draft: Draft, command: Command) -> Why:
    """Take the count of choices, or say why not."""
    window, asked = draft.state.view.window, command.do
    if window is None or command.window != window.seq or not isinstance(asked, Decisions):
        return Why.STALE
    if draft.state.rules.house is not None:
        return Why.STALE
    players = draft.state.view.players
    if asked.plain.total > players.plain or asked.mdp.total > players.mdp:
        return Why.COUNTS
    full = _is_full(asked.plain, players.plain) and _is_full(asked.mdp, players.mdp)
    waits = _waits(draft, window, Phase.DECISION, full=full)
    if waits is not Why.NONE:
        return waits
    _leave_silence(draft, command)
    draft.add(DecisionsTaken(window=window.seq, plain=asked.plain, mdp=asked.mdp))
    advance(draft)
    return Why.NONE


def choose(draft: Draft, command: Command) -> Why:
    """Take a seat's choice, or say why not; what a face-down card forbids is told to none else."""
    window, asked, turn = draft.state.view.window, command.do, _asked(draft)
    if window is None or command.window != window.seq or not isinstance(asked, Choose):
        return Why.STALE
    if not isinstance(turn, Turn) or asked.seat != turn.seat or asked.choice not in turn.options:
        return Why.SEAT
    if asked.choice not in turn.allowed:
        return Why.FACE_DOWN
    _choose(draft, turn, asked.choice)
    return Why.NONE


def _choose(draft: Draft, turn: Turn, choice: Choice, *, silent: bool = False) -> None:
    window = draft.state.view.window
    draft.add(
        ChoiceTaken(
            window=window.seq if window else 0,
            seat=turn.seat,
            second=turn.second,
            choice=choice,
            silent=silent,
        )
    )
    advance(draft)


def _asked(draft: Draft) -> Step | None:
    """What the game waits for, if a round is in play."""
    state = draft.state
    if state.game is None or (state.halt is not None and state.halt.only_void):
        return None
    return state.dealt.next_step(state.game)


def _is_full(counts: Counts, players: int) -> bool:
    return counts.total == players


def _waits(draft: Draft, window: Window, phase: Phase, *, full: bool = False) -> Why:
    """Why the count of this window cannot be taken yet, if it cannot."""
    view = draft.state.view
    if view.halt is not None:
        answers = Exit.ANSWERED in {way.exit for way in view.halt.exits}
        return Why.NONE if answers and view.halt.phase is phase else Why.HALTED
    if view.phase is not phase:
        return Why.STALE
    return Why.NONE if window.shut or full else Why.EARLY


def _leave_silence(draft: Draft, command: Command) -> None:
    if draft.state.halt is not None:
        resume(draft, Exit.ANSWERED, command)
