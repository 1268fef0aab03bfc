"""Opening and closing of table and deck, starts of the controller, readers coming and going, disk.

Commands answer with a `Why`; NONE is done.
"""

from controller.contract.commands import CloseDeck, Command, OpenDeck, StopAfterRound, Why
from controller.contract.facts import (
    DeckClosed,
    DeckDrawingOut,
    DeckOpened,
    DiskLow,
    ReaderChanged,
    ReaderSession,
    StopAsked,
    TableClosed,
    TableOpened,
)
from controller.contract.incidents import Incident
from controller.contract.inputs import Disk, Start
from controller.contract.readings import OPEN_RUNGS, Hello, ReaderStatus, Rung
from controller.contract.state import Move, Phase, What
from controller.table.draft import Draft
from controller.table.halts import LIVE, ON_FELT, changed, halt, worsen
from controller.table.rounds import next_round


def open_table(draft: Draft, command: Command) -> Why:
    draft.add(TableOpened(who=command.who))
    next_round(draft)
    return Why.NONE


def close_table(draft: Draft, command: Command) -> Why:
    draft.add(TableClosed(who=command.who))
    return Why.NONE


def stop_after_round(draft: Draft, command: Command) -> Why:
    on = isinstance(command.do, StopAfterRound) and command.do.on
    draft.add(StopAsked(on=on, who=command.who))
    _if_waiting(draft)
    return Why.NONE


def open_deck(draft: Draft, command: Command) -> Why:
    if draft.state.deck is not None or not isinstance(command.do, OpenDeck):
        return Why.NOT_NOW
    if command.do.deck in draft.state.decks:
        return Why.DECK
    draft.add(DeckOpened(deck=command.do.deck, who=command.who, since=draft.stamp))
    _if_waiting(draft)
    return Why.NONE


def close_deck(draft: Draft, command: Command) -> Why:
    deck = draft.state.deck
    if deck is None or not isinstance(command.do, CloseDeck):
        return Why.NOT_NOW
    if command.do.count_out and deck.remaining:
        draft.add(DeckDrawingOut(deck=deck.deck, who=command.who))
        if draft.state.view.phase is Phase.WAITING:
            draft.move(Move(What.DRAW_REST))
        return Why.NONE
    draft.add(
        DeckClosed(
            deck=deck.deck,
            seen=len(deck.seen),
            unknown=deck.unknown,
            counted_out=deck.remaining == 0,
            hidden=deck.hidden,
            who=command.who,
        )
    )
    _if_waiting(draft)
    return Why.NONE


def _if_waiting(draft: Draft) -> None:
    """What was missing may be there now."""
    if draft.state.view.phase is Phase.WAITING:
        next_round(draft)


def start(draft: Draft, started: Start) -> None:
    """The controller started: go on only where nothing can have been missed."""
    before, opening = draft.state, started.opening
    draft.add(opening)
    if before.opening is None:
        return
    same_boot = before.opening.boot == opening.boot
    changed_rules = before.opening.rules != opening.rules
    only_void = changed_rules and _interrupted(before.view.phase, draft) in LIVE
    detail = "rules or configuration changed" if only_void else opening.torn
    if draft.state.halt is not None:
        worsen(draft, detail or "restarted")
        if only_void:
            changed(draft, detail=detail, void=True)
    elif opening.torn:
        halt(draft, Incident.TORN_TAIL, detail=detail, only_void=only_void)
    elif before.view.phase in ON_FELT or only_void or not (same_boot or before.deck is None):
        halt(draft, Incident.RESTARTED, detail=detail, only_void=only_void)


def _interrupted(phase: Phase, draft: Draft) -> Phase:
    return draft.state.halt.phase if draft.state.halt else phase


def reader_session(draft: Draft, hello: Hello) -> None:
    """A reader's process started: what the one before missed cannot be known."""
    draft.add(
        ReaderSession(
            reader=hello.reader, session=hello.session, boot=hello.boot, first=hello.first
        )
    )
    if draft.state.view.phase in ON_FELT:
        halt(draft, Incident.READER_RESTARTED)
    else:
        worsen(draft, f"{hello.reader} restarted")


def reader_down(draft: Draft, status: ReaderStatus) -> None:
    _reader_changed(draft, status)
    if draft.state.view.phase in ON_FELT and not draft.state.reader_ready:
        lost = Incident.READER_FAULT if status.rung is Rung.FAULT else Incident.READER_LOST
        halt(draft, lost, detail=status.detail)


def reader_up(draft: Draft, status: ReaderStatus) -> None:
    _reader_changed(draft, status)
    if draft.state.view.move == Move(What.WAIT_READER):
        next_round(draft)


def _reader_changed(draft: Draft, status: ReaderStatus) -> None:
    draft.add(
        ReaderChanged(
            reader=status.reader, session=status.session, rung=status.rung, detail=status.detail
        )
    )


def is_up(status: ReaderStatus) -> bool:
    return status.rung in OPEN_RUNGS


def disk(draft: Draft, disk: Disk) -> None:
    """The journal's disk is filling: no further round."""
    draft.add(DiskLow(free_mib=disk.free_mib))
    _if_waiting(draft)
