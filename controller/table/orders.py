"""Commands before and after the grid: one id, one effect, one answer.

A command that was answered is answered the same again; one from another epoch,
past its time to live, or by a role that may not, has no effect. What a command
does in a phase lives in the handler that the grid names.
"""

from collections.abc import Callable
from hashlib import sha256
from typing import Final

import msgspec

from controller.contract.commands import (
    Answer,
    Bets,
    Choose,
    Command,
    Decisions,
    Resolve,
    Role,
    SeatBets,
    Verdict,
    Void,
    Why,
)
from controller.contract.facts import Answered
from controller.table.draft import Draft

_RETRY: Final = frozenset({Why.HALTED, Why.EARLY, Why.READER})
"""Reasons that pass: the same command may be sent again."""

_UNTOLD: Final = frozenset({Why.FACE_DOWN})
"""Reasons that are told to the asker alone: a fact would give a face-down card away."""

_TEXT: Final[dict[Why, str]] = {
    Why.STALE: "the window it answers is not open; take the present state and decide again",
    Why.EXPIRED: "its time to live is over; take the present state and decide again",
    Why.EPOCH: "the controller has restarted; take a snapshot and decide again",
    Why.CONFLICT: "this id was used for something else; every command needs its own",
    Why.NOT_NOW: "the present phase does not take it",
    Why.NOT_YOURS: "another role must do this",
    Why.RULES: "the rules hash differs from the opening fact's; no bet is taken",
    Why.COUNTS: "the numbers do not agree with the journal's",
    Why.NO_SUCH_EXIT: "this halt has no such way out",
    Why.SEAT: "it is another seat's turn, or the seat may not do this",
    Why.FACE_DOWN: "the seat's face-down card does not allow it; choose otherwise",
    Why.CARD: "name one of the forty that has not been out in this deck",
    Why.DECK: "a deck of this name was opened before; every deck needs its own",
    Why.HALTED: "the table is halted; send it again when it goes on",
    Why.EARLY: "players may still act; send it again when they may not",
    Why.READER: "the card reader is not ready; send it again when it is",
}


def order(draft: Draft, command: Command, act: Callable[[Draft, Command], Why]) -> None:
    """Judge `command`; `act` is what the present phase does with it."""
    body = digest(command)
    known = draft.state.answers.get(command.id)
    if known is not None:
        draft.answer = known.answer if known.body == body else _refused(command, Why.CONFLICT)
        return
    why = _not_admitted(draft, command)
    if why is Why.NONE:
        why = act(draft, command)
    if why in _RETRY:
        draft.answer = Answer(id=command.id, verdict=Verdict.RETRY, why=why, text=_TEXT[why])
        return
    if why in _UNTOLD:
        draft.answer = _refused(command, why)
        return
    draft.answer = _done(draft, command) if why is Why.NONE else _refused(command, why)
    draft.add(
        Answered(
            command=command.id,
            body=body,
            role=command.role,
            who=command.who,
            what=str(command.do.__struct_config__.tag),
            answer=draft.answer,
        )
    )


def _not_admitted(draft: Draft, command: Command) -> Why:
    if command.epoch != draft.state.epoch:
        return Why.EPOCH
    if draft.stamp - command.issued > command.ttl:
        return Why.EXPIRED
    return Why.NONE if command.role in _roles(command) else Why.NOT_YOURS


def _roles(command: Command) -> tuple[Role, ...]:
    """Who may ask this at all; the exits of a halt have roles of their own."""
    if isinstance(command.do, Bets | Decisions):
        return (Role.SERVER,)
    if isinstance(command.do, SeatBets | Choose):
        return (Role.SERVER, Role.DEALER)
    if isinstance(command.do, Void):
        return (Role.SUPERVISOR,)
    return (Role.DEALER, Role.SUPERVISOR)


_ANSWERS: Final = (Bets, Decisions, SeatBets, Choose, Resolve)
"""Commands that answer a window, or a halt."""


def not_now(_draft: Draft, command: Command) -> Why:
    """The phase does not take it: what answers a window has come too late."""
    return Why.STALE if isinstance(command.do, _ANSWERS) else Why.NOT_NOW


def digest(command: Command) -> str:
    """What was asked, whoever's clock or epoch it was sent under."""
    asked = (command.role, command.who, command.window, command.do)
    return sha256(msgspec.json.encode(asked)).hexdigest()[:32]


def _done(draft: Draft, command: Command) -> Answer:
    return Answer(id=command.id, verdict=Verdict.DONE, seq=draft.state.seq)


def _refused(command: Command, why: Why) -> Answer:
    return Answer(id=command.id, verdict=Verdict.REFUSED, why=why, text=_TEXT[why])
