"""What the dealer's screen shows, made from the controller's view alone.

`screen` turns a `TableView` and the controller's time into a `Screen`: one
instruction, the hands, the deadline as time left, the halt, the buttons. Words
are named, never spoken: the page says them in its language (`words/`).
Pure: no clock, no I/O, no rule of the game; points come from the controller.
"""

from enum import StrEnum
from typing import Final

import msgspec

from controller.contract.cards import HALF_POINTS, WILD, Card, points
from controller.contract.commands import Exit
from controller.contract.incidents import Incident
from controller.contract.readings import OPEN_RUNGS, Rung
from controller.contract.state import (
    HaltView,
    HandView,
    Phase,
    Players,
    ReaderView,
    Reason,
    TableView,
    What,
)
from controller.display.buttons import Button, buttons, window
from controller.display.details import Detail, explain
from controller.display.results import ResultLine, SideBet, perfect_pair, result_lines, to_do
from controller.display.seats import SeatPanel, money, seat_panels

_MS: Final = 1_000_000
_SECOND: Final = 1_000_000_000
SOUND: Final = frozenset({Rung.OPENED, Rung.VALID, Rung.READING})
"""Rungs of a reader that needs nobody; on any other the screen says what to do."""


class Tone(StrEnum):
    """What kind of instruction it is; the page gives each a shape as well as a colour."""

    ACT = "act"
    """The hands move: burn, deal, pay, change the deck."""
    WAIT = "wait"
    """The hands rest."""
    HALT = "halt"
    """Nothing moves until a person takes an exit."""


class Lengths(msgspec.Struct, frozen=True):
    """How long each window lasts by configuration, in seconds: the whole of the deadline's bar."""

    betting: float
    decision: float
    grace: float
    results: float


class Deadline(msgspec.Struct, frozen=True):
    """An end to wait for. `key` changes when the end itself does, `left_ms` runs down."""

    key: str
    left_ms: int
    whole_ms: int


class Instruction(msgspec.Struct, frozen=True):
    """The one thing to do, as names of words: `say` in very large ones, `note` below."""

    say: str
    note: str
    tone: Tone
    n: int = 0
    of: int = 0


class HandOnFelt(msgspec.Struct, frozen=True):
    """A hand as drawn: the cards, the points as people write them, what the wild card is now."""

    cards: tuple[Card, ...]
    points: str
    royal: bool
    wild: str


class ReaderLine(msgspec.Struct, frozen=True):
    """What a reader says: its rung, in words, and whether a card drawn now would be read."""

    reader: str
    rung: Rung
    ready: bool
    trouble: bool
    """Somebody must do something about it; the words say what, by the rung."""
    detail: Detail


class DeckLine(msgspec.Struct, frozen=True):
    """The deck in the shoe."""

    name: str
    out: int
    remaining: int
    locked: bool


class HaltPanel(msgspec.Struct, frozen=True, kw_only=True):
    """Why the table stands still. `last` is hand and place, by name."""

    incident: Incident
    phase: Phase
    last_hand: str
    last_seat: str
    last_place: str
    last_card: Card | None
    """Its face, unless it is hidden."""
    card: Card | None
    held: int
    count: bool
    passed: bool
    """A card that was not read, then one that was: it has been passed again already."""
    waits_for_server: bool
    detail: Detail


class Screen(msgspec.Struct, frozen=True, kw_only=True):
    """Everything on the page. `key` changes whenever the buttons mean something else."""

    key: str
    phase: Phase
    round: int
    window: int
    instruction: Instruction
    deadline: Deadline | None
    position: HandOnFelt
    dealer: HandOnFelt
    players: Players
    still_in: int
    deck: DeckLine | None
    readers: tuple[ReaderLine, ...]
    results: tuple[ResultLine, ...]
    pp: SideBet | None
    """Partita Perfetta, when it is settled and somebody has it."""
    seats: tuple[SeatPanel, ...]
    pot: str
    halt: HaltPanel | None
    stopping: bool
    buttons: tuple[Button, ...]


def screen(view: TableView, now: int, lengths: Lengths) -> Screen:
    """The page for `view` at the controller's time `now` (ns)."""
    offered = buttons(view)
    return Screen(
        key=_key(view, offered),
        phase=view.phase,
        round=view.round,
        window=window(view),
        instruction=instruction(view),
        deadline=deadline(view, now, lengths),
        position=_hand(view.position),
        dealer=_hand(view.dealer),
        players=view.players,
        still_in=view.players.plain + view.players.mdp,
        deck=_deck(view),
        readers=tuple(_reader(r) for r in view.readers),
        results=result_lines(view),
        pp=perfect_pair(view),
        seats=seat_panels(view.seated) if view.seated else (),
        pot=money(view.seated.pot) if view.seated and view.seated.pot else "",
        halt=_halt(view.halt),
        stopping=view.stop_after_round,
        buttons=offered,
    )


def instruction(view: TableView) -> Instruction:
    what, reason = view.move.what, view.move.reason
    if view.halt is not None:
        return Instruction("resolve", "", Tone.HALT)
    if what in (What.WAIT_BETS, What.WAIT_DECISIONS):
        shut = view.window is not None and view.window.shut
        return Instruction("wait_server" if shut else what, f"{what}{'_shut' * shut}", Tone.WAIT)
    if what is What.WAIT_TURN:
        shut = view.window is not None and view.window.shut
        return Instruction(what, f"{what}{'_shut' * shut}", Tone.WAIT, view.move.n)
    if what is What.WAIT_READER:
        return Instruction(what, what, Tone.WAIT)
    if what is What.PAY:
        due = to_do(view)
        return Instruction(due, due, Tone.ACT)
    if what is What.BURN and view.move.of > 1:
        return Instruction("burn_of", what, Tone.ACT, view.move.n, view.move.of)
    note = what if reason is Reason.NONE else f"reason_{reason}"
    return Instruction(what, note, Tone.ACT, view.move.n)


def deadline(view: TableView, now: int, lengths: Lengths) -> Deadline | None:
    """The end that is being waited for now; a halt freezes all ends."""
    if view.halt is not None:
        return None
    if view.phase in (Phase.RESULT, Phase.VOIDED):
        return _until(view.next_at, "next", now, lengths.results) if view.next_at else None
    if view.window is None:
        return None
    if view.window.shut:
        return _until(view.window.summary_until, "summary", now, lengths.grace)
    whole = lengths.betting if view.phase is Phase.BETTING else lengths.decision
    return _until(view.window.players_until, "players", now, whole)


def _until(end: int, name: str, now: int, whole: float) -> Deadline:
    return Deadline(f"{name}:{end}", max(0, end - now) // _MS, round(whole * _SECOND) // _MS)


def _key(view: TableView, offered: tuple[Button, ...]) -> str:
    halt = view.halt.seq if view.halt is not None else 0
    return ":".join([view.phase, str(view.round), str(halt), *(b.id for b in offered)])


def _hand(hand: HandView) -> HandOnFelt:
    others = sum(HALF_POINTS[card] for card in hand.cards if card != WILD)
    wild = points(hand.half_points - others) if WILD in hand.cards else ""
    return HandOnFelt(hand.cards, points(hand.half_points), hand.royal, wild)


def _deck(view: TableView) -> DeckLine | None:
    deck = view.deck
    if deck is None:
        return None
    return DeckLine(deck.deck, deck.out, deck.remaining, deck.locked)


def _reader(reader: ReaderView) -> ReaderLine:
    return ReaderLine(
        reader.reader,
        reader.rung,
        ready=reader.rung in OPEN_RUNGS,
        trouble=reader.rung not in SOUND,
        detail=explain(reader.detail),
    )


def _halt(halt: HaltView | None) -> HaltPanel | None:
    if halt is None:
        return None
    hand, *whose, place = halt.last.split(" ") if halt.last else ("", "")
    return HaltPanel(
        incident=halt.incident,
        phase=halt.phase,
        last_hand=hand,
        last_seat=" ".join(whose),
        last_place=place,
        last_card=halt.last_card,
        card=halt.card,
        held=halt.held,
        count=halt.count,
        passed=halt.held > 1 and any(way.exit is Exit.SCAN_AGAIN for way in halt.exits),
        waits_for_server=any(way.exit is Exit.ANSWERED for way in halt.exits),
        detail=explain(halt.detail, halt.incident),
    )
