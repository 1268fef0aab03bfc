"""Betting and decisions: the game server's counts, and the two ends of their window.

Players act until the first end; the server's count may arrive until the second.
A full count of decisions closes the window sooner. No count at all is silence,
and silence halts; the server, once back, answers the same window.
"""

from controller.contract.commands import Bets, Command, Counts, Decisions, Exit, Why
from controller.contract.facts import BetsTaken, DecisionsTaken, PlayersShut, RoundSkipped
from controller.contract.incidents import Incident
from controller.contract.state import Phase, Window
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
    halt(draft, Incident.SERVER_SILENT)


def bets(draft: Draft, command: Command) -> Why:
    """Take the count of bets, or say why not."""
    window, asked = draft.state.view.window, command.do
    if window is None or command.window != window.seq or not isinstance(asked, Bets):
        return Why.STALE
    if asked.rules != draft.state.view.rules:
        return Why.RULES
    if asked.pp > asked.main or asked.mdp > asked.main:
        return Why.COUNTS
    waits = _waits(draft, window, Phase.BETTING)
    if waits is not Why.NONE:
        return waits
    _leave_silence(draft, command)
    draft.add(BetsTaken(window=window.seq, main=asked.main, pp=asked.pp, mdp=asked.mdp))
    if asked.main == 0 and draft.state.rules.no_bets == "skip":
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
