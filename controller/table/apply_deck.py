"""What facts change in the deck: opened, closed, locked, cards that left it.

Rule for this file, as for `apply.py`: it never decides.
"""

from typing import Any, Final

from msgspec.structs import replace

from controller.contract.facts import (
    CardSetAside,
    DeckClosed,
    DeckDrawingOut,
    DeckLocked,
    DeckOpened,
)
from controller.contract.state import DeckView
from controller.table.state import Changes, Deck, TableState, showing

_DECK_NAMES_KEPT: Final = 64


def with_deck(state: TableState, deck: Deck, **changes: Any) -> TableState:
    """`state` with this inventory, and with these changes in its view."""
    held = len(state.halt.held) if state.halt else 0
    view = replace(
        state.view.deck or DeckView(deck.deck),
        out=deck.counted + held,
        remaining=deck.remaining - held,
        unknown=deck.unknown,
    )
    return showing(replace(state, deck=deck), deck=view, **changes)


def _deck_opened(state: TableState, fact: DeckOpened) -> TableState:
    number = state.deck_number + 1
    opened = replace(
        state,
        decks=(*state.decks, fact.deck)[-_DECK_NAMES_KEPT:],
        deck_number=number,
        answers={key: known for key, known in state.answers.items() if known.deck >= number - 2},
    )
    return with_deck(showing(opened, deck=DeckView(fact.deck)), Deck(fact.deck, since=fact.since))


def _deck_drawing_out(state: TableState, _fact: DeckDrawingOut) -> TableState:
    return showing(state, deck=replace(_deck_view(state), drawing_out=True))


def _deck_closed(state: TableState, _fact: DeckClosed) -> TableState:
    return showing(replace(state, deck=None), deck=None)


def _deck_locked(state: TableState, _fact: DeckLocked) -> TableState:
    return showing(state, deck=replace(_deck_view(state), locked=True))


def _deck_view(state: TableState) -> DeckView:
    if state.view.deck is None:
        raise ValueError("this fact needs a deck, and none is open")
    return state.view.deck


def out_of(deck: Deck, card: str, *, hidden: bool) -> Deck:
    out = replace(deck, seen=(*deck.seen, card))
    return replace(out, hidden=(*deck.hidden, card)) if hidden else out


def turned(deck: Deck, cards: tuple[str, ...]) -> Deck:
    """These lay face down and are shown now."""
    return replace(deck, hidden=tuple(card for card in deck.hidden if card not in cards))


def _card_set_aside(state: TableState, fact: CardSetAside) -> TableState:
    state = state.taking(fact.reading)
    if state.deck is None:
        return state
    if fact.card is None:
        return with_deck(state, replace(state.deck, unknown=state.deck.unknown + 1))
    return with_deck(state, out_of(state.deck, fact.card, hidden=True))


DECK: Final[Changes] = {
    DeckOpened: _deck_opened,
    DeckDrawingOut: _deck_drawing_out,
    DeckClosed: _deck_closed,
    DeckLocked: _deck_locked,
    CardSetAside: _card_set_aside,
}
"""Facts of the deck."""
