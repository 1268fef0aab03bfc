"""A person takes an exit of the halt: checked, carried out, and the table goes on.

Counts must agree with the journal to the card; what does not agree is refused,
and the only way left is to void. Cards that were held are set aside, named, or
judged again in the order they came.
"""

from collections.abc import Callable

from controller.contract.cards import Card
from controller.contract.commands import Command, Exit, Resolve, Role, Void, Why
from controller.contract.facts import CardSetAside, DeckLocked, Resumed, RoundVoided, WindowMoved
from controller.contract.incidents import INCIDENTS, ROLE_OF, Incident
from controller.contract.readings import Reading, ReadingKind
from controller.contract.state import HaltView, Phase
from controller.table.cards import count_card
from controller.table.draft import Draft
from controller.table.halts import DUE, LIVE, ON_FELT, frozen_pause, frozen_window
from controller.table.rounds import close_drawn_out, next_round
from controller.table.state import Halt, Held

Judge = Callable[[Draft, Reading], None]
"""How a reading is judged in the present phase (`machine.judge`)."""


def resolve(draft: Draft, command: Command, judge: Judge) -> Why:
    """Carry the exit out, or say why not (then nothing has changed)."""
    halt, view, asked = draft.state.halt, draft.state.view.halt, command.do
    if halt is None or view is None or command.window != view.seq:
        return Why.STALE
    if not isinstance(asked, Resolve):
        return Why.NOT_NOW
    refusal = _refusal(draft, command, asked, halt, view)
    if refusal is not Why.NONE:
        return refusal
    if asked.exit is Exit.VOID:
        void(draft, command.who, asked.reason or view.incident.value)
        return Why.NONE
    trial = draft.fork()
    if view.count and _out_differs(draft, asked):
        lock(trial, view.incident)
    _carry_out(trial, command, asked, halt.held, judge)
    if view.count and halt.phase in ON_FELT and asked.felt != _on_felt(trial):
        return Why.COUNTS
    draft.adopt(trial)
    return Why.NONE


def _refusal(draft: Draft, command: Command, asked: Resolve, halt: Halt, view: HaltView) -> Why:
    if asked.exit is Exit.ANSWERED or asked.exit not in {way.exit for way in view.exits}:
        return Why.NO_SUCH_EXIT
    if command.role not in (ROLE_OF[asked.exit], Role.SUPERVISOR):
        return Why.NOT_YOURS
    if asked.exit is Exit.VOID:
        return Why.NONE
    if halt.phase in ON_FELT and not draft.state.reader_ready:
        return Why.READER
    if asked.exit is Exit.NAME_IT and not _may_be(draft, asked.card):
        return Why.CARD
    differs = asked.out is None or (_out_differs(draft, asked) and not _confirms(command, halt))
    return Why.COUNTS if view.count and draft.state.deck and differs else Why.NONE


def _out_differs(draft: Draft, asked: Resolve) -> bool:
    deck, halt = draft.state.view.deck, draft.state.halt
    if deck is None or halt is None or asked.out is None:
        return False
    once_more = asked.exit is Exit.SAME_CARD or (
        asked.exit is Exit.SCAN_AGAIN and len(halt.held) == 2
    )
    return asked.out != deck.out - once_more


def _confirms(command: Command, halt: Halt) -> bool:
    """With no round to void, a supervisor confirms what was counted; it costs the deck."""
    return halt.phase not in LIVE and command.role is Role.SUPERVISOR


def _may_be(draft: Draft, card: Card | None) -> bool:
    deck = draft.state.deck
    return card is not None and deck is not None and card not in deck.seen


def _on_felt(after: Draft) -> int:
    """The cards in the hands once the exit is taken, and those it brought into question again.

    Of the latter, as many as burns are still due lie in the discards.
    """
    state = after.state
    if state.halt is None or state.game is None:
        return state.felt
    return state.felt + max(0, len(state.halt.held) - state.burns_due)


def _carry_out(
    draft: Draft, command: Command, asked: Resolve, held: tuple[Held, ...], judge: Judge
) -> None:
    resume(draft, asked.exit, command, asked)
    if asked.exit is Exit.SET_ASIDE:
        for card in held:
            _set_aside(draft, card)
        close_drawn_out(draft)
    elif asked.exit is Exit.SCAN_AGAIN and len(held) == 2:
        judge(draft, _reading(held[1], draft.stamp, held[1].kind, held[1].card))
    elif asked.exit is Exit.NAME_IT:
        named = _reading(held[0], draft.stamp, ReadingKind.CARD, asked.card)
        count_card(draft, named, source="manual")
    elif asked.exit is Exit.PLAY_HELD:
        for card in held:
            judge(draft, _reading(card, draft.stamp, card.kind, card.card))
    if draft.state.view.phase is Phase.WAITING:
        next_round(draft)


def resume(draft: Draft, way: Exit, command: Command, asked: Resolve | None = None) -> None:
    """The interrupted phase holds again; its window, pause or due card counts from now."""
    state = draft.state
    halt, view = state.halt, state.view.halt
    if halt is None or view is None:
        raise ValueError("there is no halt to leave")
    ends = frozen_window(state, draft.at)
    draft.add(
        Resumed(
            incident=view.incident,
            exit=way,
            role=command.role,
            who=command.who,
            felt=asked.felt if asked else None,
            out=asked.out if asked else None,
            reason=asked.reason if asked else "",
            next_at=frozen_pause(state, draft.at),
        )
    )
    if ends is not None:
        draft.add(WindowMoved(players_until=ends[0], summary_until=ends[1]))
    if halt.phase in DUE:
        draft.move(halt.move)


def _set_aside(draft: Draft, held: Held) -> None:
    """To the discards. A face that is out already, or foreign, is no face: the card is unknown.

    With such a card in it the deck is not the forty that it should be.
    """
    known = _may_be(draft, held.card)
    draft.add(CardSetAside(card=held.card if known else None, reading=held.reading))
    if held.kind is ReadingKind.FOREIGN:
        lock(draft, Incident.FOREIGN_CARD)
    elif held.card is not None and not known:
        lock(draft, Incident.REPEATED_CARD)


def lock(draft: Draft, why: Incident) -> None:
    """The deck in the shoe, if there is one, serves no further round."""
    deck = draft.state.view.deck
    if deck is not None and not deck.locked:
        draft.add(DeckLocked(deck=deck.deck, why=why.value))


def _reading(held: Held, stamp: int, kind: ReadingKind, card: Card | None) -> Reading:
    """What was held, as if it came now: it was not drawn early, a person says."""
    reader, session, n = held.reading.reader, held.reading.session, held.reading.n
    return Reading(
        reader=reader,
        session=session,
        n=n,
        kind=kind if kind is not ReadingKind.STALE else ReadingKind.CARD,
        stamp=stamp,
        utc=held.utc,
        card=card,
        code=held.code,
    )


def void_asked(draft: Draft, command: Command) -> Why:
    """A supervisor voids the round in play, halted or not."""
    halt = draft.state.halt
    if not isinstance(command.do, Void) or (halt is not None and halt.phase not in LIVE):
        return Why.NOT_NOW
    if command.do.round != draft.state.view.round:
        return Why.STALE
    void(draft, command.who, command.do.reason)
    return Why.NONE


def void(draft: Draft, who: str, reason: str) -> None:
    """The round ends without a result; what was held goes to the discards."""
    state = draft.state
    held = state.halt.held if state.halt else ()
    incident = state.view.halt.incident if state.view.halt else None
    draft.add(
        RoundVoided(
            round=state.view.round,
            reason=reason,
            who=who,
            next_at=draft.at + state.rules.results,
        )
    )
    for card in held:
        _set_aside(draft, card)
    if incident is not None and INCIDENTS[incident].locks:
        lock(draft, incident)
