"""Which buttons the screen offers, and the command that each one stands for.

A press names a button of the screen it was made on; it becomes a command only
if the screen of *now* still offers that button for the same halt and round, so
a late or doubled tap cannot act on what came after.
What is not here: whether the table accepts the command (the controller decides)
and how a press is held, retried and answered (`server`, `page/`).
"""

from enum import StrEnum
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from controller.contract.cards import Card
from controller.contract.commands import (
    Choose,
    CloseDeck,
    CloseTable,
    Count,
    Do,
    Exit,
    OpenDeck,
    OpenTable,
    Resolve,
    Role,
    StopAfterRound,
    Void,
)
from controller.contract.seats import Choice
from controller.contract.state import HaltView, Phase, TableView, What

VOID_REASON: Final = "voided at the table"
"""The page asks no reason yet; a void must have one."""


class Act(StrEnum):
    """What a button does."""

    OPEN_TABLE = "open_table"
    CLOSE_TABLE = "close_table"
    STOP_AFTER_ROUND = "stop_after_round"
    KEEP_PLAYING = "keep_playing"
    NEW_DECK = "new_deck"
    CLOSE_DECK = "close_deck"
    COUNT_OUT = "count_out"
    VOID = "void"
    RESOLVE = "resolve"
    CHOOSE = "choose"


class Button(msgspec.Struct, frozen=True, kw_only=True):
    """One button. `id` is its name on this screen; `hold` must be pressed for a while."""

    id: str
    act: Act
    exit: Exit | None = None
    choice: Choice | None = None
    role: Role = Role.DEALER
    hold: bool = False
    count: bool = False
    """Ask for the cards on the felt and out of the shoe first."""
    name_card: bool = False
    """Ask which card it is first."""
    primary: bool = False
    """It is what the instruction asks for."""


class Press(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the page sends: `id` is unique to the press and stays the same when it is sent again."""

    id: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
    button: str
    window: int = 0
    round: int = 0
    felt: Count | None = None
    out: Count | None = None
    card: Card | None = None


class Asked(msgspec.Struct, frozen=True):
    """A press as a command, ready to be sent."""

    do: Do
    role: Role
    window: int = 0


_BETWEEN: Final = frozenset({Phase.CLOSED, Phase.WAITING})
_IN_PLAY: Final = frozenset({Phase.BETTING, Phase.BURN, Phase.DEAL, Phase.DECISION})
_STOPPABLE: Final = _IN_PLAY | {Phase.RESULT, Phase.VOIDED}


def buttons(view: TableView) -> tuple[Button, ...]:
    """What a person may press now; in a halt its exits and nothing else."""
    if view.halt is not None:
        return tuple(_exits(view.halt))
    return (*_turn_buttons(view), *_table_buttons(view), *_deck_buttons(view), *_void_button(view))


def window(view: TableView) -> int:
    """The window that a press on this screen answers."""
    return view.halt.seq if view.halt is not None else 0


def ask(press: Press, view: TableView, new_deck: str) -> Asked | None:
    """The command behind a press; None if the screen of now does not offer that any more."""
    button = next((b for b in buttons(view) if b.id == press.button), None)
    if button is None or press.window != window(view):
        return None
    if button.act is Act.VOID and press.round != view.round:
        return None
    if button.choice is not None:
        return _chosen(view, button.choice)
    return Asked(_do(button, press, new_deck), button.role, press.window)


def _exits(halt: HaltView) -> list[Button]:
    return [
        Button(
            id=f"resolve.{way.exit}",
            act=Act.RESOLVE,
            exit=way.exit,
            role=way.role,
            hold=way.role is Role.SUPERVISOR,
            count=halt.count and way.exit is not Exit.VOID,
            name_card=way.exit is Exit.NAME_IT,
        )
        for way in halt.exits
        if way.role is not Role.SERVER
    ]


def _button(
    act: Act, role: Role = Role.DEALER, *, hold: bool = False, primary: bool = False
) -> Button:
    return Button(id=act.value, act=act, role=role, hold=hold, primary=primary)


def _turn_buttons(view: TableView) -> list[Button]:
    """The options of the seat whose turn it is; each belongs to this very turn."""
    if view.move.what is not What.WAIT_TURN or view.window is None or not view.seated:
        return []
    turn = f"{Act.CHOOSE}.{view.window.seq}"
    return [
        Button(id=f"{turn}.{choice}", act=Act.CHOOSE, choice=choice, primary=True)
        for choice in view.seated.options
    ]


def _chosen(view: TableView, choice: Choice) -> Asked | None:
    if view.window is None or not view.seated:
        return None
    return Asked(Choose(seat=view.seated.turn, choice=choice), Role.DEALER, view.window.seq)


def _table_buttons(view: TableView) -> list[Button]:
    if view.phase is Phase.CLOSED:
        return [_button(Act.OPEN_TABLE, primary=view.move.what is What.OPEN_TABLE)]
    if view.phase is Phase.WAITING:
        return [_button(Act.CLOSE_TABLE)]
    if view.phase in _STOPPABLE:
        return [_button(Act.KEEP_PLAYING if view.stop_after_round else Act.STOP_AFTER_ROUND)]
    return []


def _deck_buttons(view: TableView) -> list[Button]:
    if view.phase not in _BETWEEN:
        return []
    due = view.move.what is What.CHANGE_DECK
    if view.deck is None:
        return [_button(Act.NEW_DECK, primary=due)]
    close = _button(Act.CLOSE_DECK, hold=True, primary=due)
    if view.deck.drawing_out or view.deck.remaining == 0:
        return [close]
    return [close, _button(Act.COUNT_OUT, hold=True)]


def _void_button(view: TableView) -> list[Button]:
    in_play = view.phase in _IN_PLAY
    return [_button(Act.VOID, Role.SUPERVISOR, hold=True)] if in_play else []


def _do(button: Button, press: Press, new_deck: str) -> Do:
    plain: dict[Act, Do] = {
        Act.OPEN_TABLE: OpenTable(),
        Act.CLOSE_TABLE: CloseTable(),
        Act.STOP_AFTER_ROUND: StopAfterRound(on=True),
        Act.KEEP_PLAYING: StopAfterRound(on=False),
        Act.NEW_DECK: OpenDeck(deck=new_deck),
        Act.CLOSE_DECK: CloseDeck(),
        Act.COUNT_OUT: CloseDeck(count_out=True),
        Act.VOID: Void(reason=VOID_REASON, round=press.round),
    }
    if button.exit is None:
        return plain[button.act]
    reason = VOID_REASON if button.exit is Exit.VOID else ""
    return Resolve(exit=button.exit, felt=press.felt, out=press.out, card=press.card, reason=reason)
