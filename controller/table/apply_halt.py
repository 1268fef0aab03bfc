"""What facts change in a halt: what it froze, what it holds, its ways out.

Rule for this file, as for `apply.py`: it never decides.
"""

from typing import Final

from msgspec.structs import replace

from controller.contract.facts import (
    CardHeld,
    HaltChanged,
    Halted,
    Resumed,
)
from controller.contract.state import HaltView, Move, Phase, What
from controller.table.apply_deck import with_deck
from controller.table.state import Changes, Halt, Held, TableState, showing


def _halted(state: TableState, fact: Halted) -> TableState:
    halt = Halt(fact.phase, state.view.move, fact.at, only_void=fact.only_void)
    view = HaltView(
        incident=fact.incident,
        seq=state.seq + 1,
        phase=fact.phase,
        exits=fact.exits,
        count=fact.count,
        last=fact.last,
        last_card=fact.last_card,
        card=fact.card,
        detail=fact.detail,
    )
    return showing(
        replace(state, halt=halt), phase=Phase.HALTED, move=Move(What.RESOLVE), halt=view
    )


def _halt(state: TableState) -> tuple[Halt, HaltView]:
    if state.halt is None or state.view.halt is None:
        raise ValueError("this fact needs a halt, and there is none")
    return state.halt, state.view.halt


def _halt_changed(state: TableState, fact: HaltChanged) -> TableState:
    halt, view = _halt(state)
    changed = replace(
        view,
        seq=state.seq + 1,
        exits=fact.exits,
        count=fact.count,
        detail=fact.detail,
    )
    return showing(replace(state, halt=replace(halt, only_void=fact.only_void)), halt=changed)


def _card_held(state: TableState, fact: CardHeld) -> TableState:
    halt, view = _halt(state)
    held = Held(fact.reading, fact.kind, fact.card, fact.code, fact.stamp, fact.utc)
    halt = replace(halt, held=(*halt.held, held))
    state = replace(state.taking(fact.reading), halt=halt)
    state = showing(state, halt=replace(view, seq=state.seq + 1, held=len(halt.held)))
    return with_deck(state, state.deck) if state.deck else state


def _resumed(state: TableState, fact: Resumed) -> TableState:
    halt, _ = _halt(state)
    state = showing(
        replace(state, halt=None),
        phase=halt.phase,
        move=halt.move,
        halt=None,
        next_at=fact.next_at,
    )
    return with_deck(state, state.deck) if state.deck else state


HALT: Final[Changes] = {
    Halted: _halted,
    HaltChanged: _halt_changed,
    CardHeld: _card_held,
    Resumed: _resumed,
}
"""Facts of a halt."""
