"""The controller's whole memory of its table: the published view and what nobody may see.

Frozen, and made of plain values, so that it can be written into the journal as
a checkpoint and read back the same.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec
from msgspec.structs import replace

from controller.contract.cards import DECK, Card
from controller.contract.commands import Answer
from controller.contract.facts import EpochOpened, ReadingId
from controller.contract.readings import OPEN_RUNGS, ReadingKind
from controller.contract.seats import Seated
from controller.contract.state import Move, Phase, TableView
from controller.rules.catalogue import DEALT, AnyRound
from controller.rules.game import Game
from controller.rules.steps import Burn


class Deck(msgspec.Struct, frozen=True):
    """The inventory of the deck in the shoe, hidden faces included."""

    deck: str
    seen: tuple[Card, ...] = ()
    """Every face that has left the shoe, in order."""
    hidden: tuple[Card, ...] = ()
    """Those of `seen` that were burned or set aside, or lie face down."""
    unknown: int = 0
    """Cards that left the shoe and were not identified."""
    since: int = 0
    """A reading whose first byte is older is of the deck before."""

    @property
    def counted(self) -> int:
        return len(self.seen) + self.unknown

    @property
    def remaining(self) -> int:
        """The cards that surely are still in the shoe, if none was lost."""
        return len(DECK) - self.counted


class Held(msgspec.Struct, frozen=True):
    """A reading whose card waits for a person's word."""

    reading: ReadingId
    kind: ReadingKind
    card: Card | None
    code: str
    stamp: int
    utc: int


class Halt(msgspec.Struct, frozen=True):
    """What a halt froze."""

    phase: Phase
    move: Move
    at: int
    held: tuple[Held, ...] = ()
    """Readings in question, the one that caused the halt first."""
    only_void: bool = False
    """The rules changed under the round: nothing else is left."""


class Known(msgspec.Struct, frozen=True):
    """A command that was answered: the digest of what it asked, the answer, and when (in decks)."""

    body: str
    answer: Answer
    deck: int


class TableState(msgspec.Struct, frozen=True, kw_only=True):
    """Everything. `seq` is the last fact's number."""

    view: TableView = TableView()
    seq: int = 0
    opening: EpochOpened | None = None
    game: AnyRound | None = None
    bank: int = 0
    """Whose seat has the bank, where there are seats."""
    due_since: int = 0
    """A card whose first byte is older than this was drawn before it was due."""
    last: str = ""
    last_card: Card | None = None
    deck: Deck | None = None
    decks: tuple[str, ...] = ()
    """Names of the decks opened lately, newest last."""
    deck_number: int = 0
    sessions: dict[str, int] = {}
    """`reader/session` → the last reading taken from it."""
    answers: dict[str, Known] = {}
    """Command id → its answer, for this deck and the one before."""
    halt: Halt | None = None

    @property
    def epoch(self) -> str:
        return self.opening.epoch if self.opening else ""

    @property
    def rules(self) -> EpochOpened:
        """What this epoch opened under: rules, times, limits."""
        if self.opening is None:
            raise RuntimeError("nothing may be decided before the epoch is opened")
        return self.opening

    @property
    def dealt(self) -> Game[Any]:
        """The game of this epoch."""
        return DEALT[self.opening.game if self.opening is not None else ""]

    @property
    def reader_ready(self) -> bool:
        """A card drawn now would be reported."""
        return any(reader.rung in OPEN_RUNGS for reader in self.view.readers)

    @property
    def burns_due(self) -> int:
        """Cards that are yet to be burned before the next is dealt."""
        step = self.dealt.next_step(self.game) if self.game is not None else None
        return step.of - step.n + 1 if isinstance(step, Burn) else 0

    @property
    def felt(self) -> int:
        """Cards in the hands."""
        seated = self.view.seated
        if isinstance(seated, Seated):
            return sum(hand.down + len(hand.cards) for hand in seated.hands)
        return len(self.view.position.cards) + len(self.view.dealer.cards)

    def taking(self, reading: ReadingId) -> "TableState":
        """The reading is known: a resend of it changes nothing."""
        key = session_key(reading.reader, reading.session)
        if reading.n <= self.sessions.get(key, 0):
            return self
        return replace(self, sessions={**self.sessions, key: reading.n})


Changes: TypeAlias = dict[type, Callable[[TableState, Any], TableState]]
"""Fact → what it changes."""


def showing(state: TableState, **changes: Any) -> TableState:
    """`state` with these changes in its view."""
    return replace(state, view=replace(state.view, **changes))


def session_key(reader: str, session: str) -> str:
    return f"{reader}/{session}"
