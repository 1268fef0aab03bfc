"""What a reading means, phase by phase. Every reading leads to exactly one fact that names it.

A card counts only when one is due, was drawn after it became due, and has not
been out before in this deck. Everything else stops the table and asks.
Which handler serves which phase stands in the grid of `machine.py`.
"""

from typing import Final

from controller.contract.cards import DECK
from controller.contract.facts import CardCounted, CardSetAside, DeckLocked
from controller.contract.incidents import Incident
from controller.contract.readings import Reading
from controller.contract.state import Hand, Phase, What
from controller.table.draft import Draft, id_of
from controller.table.halts import ON_FELT, halt, hold, worsen
from controller.table.rounds import advance, close_drawn_out, next_round

MOST_HELD: Final = len(DECK)
"""A deck has no more cards; a line that babbles has more readings."""

_HAND_OF = {
    What.BURN: Hand.BURN,
    What.DEAL_POSITION: Hand.POSITION,
    What.DEAL_DEALER: Hand.DEALER,
    What.DEAL_SEAT: Hand.SEAT,
    What.DEAL_BANK: Hand.SEAT,
}


def due(draft: Draft, reading: Reading) -> None:
    """A card, and one is due."""
    if not _too_soon(draft, reading):
        count_card(draft, reading, source=reading.reader)


def count_card(draft: Draft, reading: Reading, *, source: str) -> None:
    """Give the card its place, unless it has been out before; then take the next step."""
    deck, game = draft.state.deck, draft.state.game
    if deck is None or game is None or reading.card in deck.seen:
        halt(draft, Incident.REPEATED_CARD, reading)
        return
    hand = _HAND_OF[draft.state.view.move.what]
    place = draft.state.dealt.place(game, hand)
    draft.add(
        CardCounted(
            hand=hand,
            index=place.number,
            card=reading.card,
            reading=id_of(reading),
            source=source,
            stamp=reading.stamp,
            utc=reading.utc,
            seat=place.seat,
            second=place.second,
            face_down=place.face_down,
        )
    )
    advance(draft)


def unread(draft: Draft, reading: Reading) -> None:
    """A card is due, and the one that passed was not read."""
    if not _too_soon(draft, reading):
        halt(draft, Incident.UNREAD_CARD, reading)


def foreign(draft: Draft, reading: Reading) -> None:
    """A card that is none of the forty: the deck itself is wrong."""
    if draft.state.deck is None:
        draft.note(reading)
    else:
        lies_open = draft.state.view.phase is Phase.DEAL and not draft.state.view.move.face_down
        halt(draft, Incident.FOREIGN_CARD, reading, detail=reading.code if lies_open else "")


def _too_soon(draft: Draft, reading: Reading) -> bool:
    """Drawn before it was due, though it is read now: judged by its first byte."""
    if reading.stamp >= draft.state.due_since:
        return False
    first = draft.state.last == ""
    halt(draft, Incident.EARLY_CARD if first else Incident.EXTRA_CARD, reading)
    return True


def early(draft: Draft, reading: Reading) -> None:
    halt(draft, Incident.EARLY_CARD, reading)


def extra(draft: Draft, reading: Reading) -> None:
    halt(draft, Incident.EXTRA_CARD, reading)


def after(draft: Draft, reading: Reading) -> None:
    halt(draft, Incident.AFTER_END, reading)


def stray(draft: Draft, reading: Reading) -> None:
    """No round is open: a test of the reader, the rest of a deck being counted out, or a fault."""
    deck = draft.state.view.deck
    if deck is None:
        draft.note(reading)
    elif deck.drawing_out and reading.card is not None:
        _draw_out(draft, reading)
    else:
        halt(draft, Incident.STRAY_CARD, reading)


def _draw_out(draft: Draft, reading: Reading) -> None:
    deck = draft.state.deck
    if deck is None or reading.card in deck.seen:
        halt(draft, Incident.REPEATED_CARD, reading)
        return
    draft.add(CardSetAside(card=reading.card, reading=id_of(reading), drawn_out=True))
    close_drawn_out(draft)
    if draft.state.deck is None and draft.state.view.phase is Phase.WAITING:
        next_round(draft)


def outside(draft: Draft, reading: Reading) -> None:
    """Drawn while the shoe was locked: never a game card."""
    _halt_with_deck(draft, Incident.OUT_OF_GAME, reading)


def stale(draft: Draft, reading: Reading) -> None:
    """It was waiting in the line when that was opened: nobody knows when it was drawn."""
    _halt_with_deck(draft, Incident.STALE_CARD, reading)


def _halt_with_deck(draft: Draft, incident: Incident, reading: Reading) -> None:
    if draft.state.deck is None:
        draft.note(reading)
    else:
        halt(draft, incident, reading)


def missing(draft: Draft, reading: Reading) -> None:
    """Reports were lost, and with them perhaps cards."""
    draft.note(reading, f"{reading.missing} lost")
    if draft.state.deck is not None:
        halt(draft, Incident.CARDS_MISSING, detail=f"{reading.missing}")


def reopened(draft: Draft, reading: Reading) -> None:
    """The line was away: with cards on the felt nobody knows what passed meanwhile."""
    _halt_with_cards(draft, Incident.LINE_REOPENED, reading)


def device_restarted(draft: Draft, reading: Reading) -> None:
    _halt_with_cards(draft, Incident.DEVICE_RESTARTED, reading)


def fault(draft: Draft, reading: Reading) -> None:
    """The device reads nothing until it is cleared; between rounds the status says enough."""
    _halt_with_cards(draft, Incident.READER_FAULT, reading, detail=reading.code)


def _halt_with_cards(
    draft: Draft, incident: Incident, reading: Reading, *, detail: str = ""
) -> None:
    draft.note(reading, detail)
    if draft.state.view.phase in ON_FELT:
        halt(draft, incident, detail=detail)


def cut_card(draft: Draft, reading: Reading) -> None:
    """The cutting card: the round in play is the deck's last."""
    draft.note(reading)
    deck = draft.state.view.deck
    if deck is not None and not deck.locked:
        draft.add(DeckLocked(deck=deck.deck, why="cut_card"))


def of_another_deck(draft: Draft, reading: Reading) -> None:
    """Drawn before this deck was opened: it is not one of its forty, wherever it lies."""
    why = "drawn before this deck was opened"
    draft.note(reading, why)
    if draft.state.halt is None:
        halt(draft, Incident.STALE_CARD, detail=why)
    else:
        worsen(draft, why)


def note(draft: Draft, reading: Reading) -> None:
    draft.note(reading)


def held(draft: Draft, reading: Reading) -> None:
    """A card during a halt: kept for a person's word, never assigned."""
    halted = draft.state.halt
    if halted is not None and len(halted.held) >= MOST_HELD:
        draft.note(reading, "too many to hold")
        worsen(draft, "more readings than cards")
    else:
        hold(draft, reading)


def held_missing(draft: Draft, reading: Reading) -> None:
    """During a halt something happened on the line that may have cost a card."""
    draft.note(reading, reading.code)
    worsen(draft, f"{reading.kind.value} {reading.missing or reading.code}".strip())
