"""What happened at the table: the facts that the journal keeps and the bus publishes.

A fact is decided once and never edited; a correction is a new fact. `seq`
numbers facts, +1 each, over the whole life of a table's journal, and every fact
goes to every audience: `controller.contract.audience` strikes out what one may
not see, never the fact itself, so a gap in seq is always a loss.
What is not here: how facts change the state (`controller.table.apply`) and how
they travel (`controller.contract.wire`).
"""

import msgspec

from controller.contract.cards import Card
from controller.contract.commands import Answer, Counts, Exit, Role
from controller.contract.fact import Fact
from controller.contract.incidents import Incident
from controller.contract.readings import ReadingKind, Rung
from controller.contract.seat_facts import AnySeatFact
from controller.contract.seats import HouseRules
from controller.contract.state import Closing, ExitView, Hand, Move, Phase, Result


class ReadingId(msgspec.Struct, frozen=True):
    """Which reading a fact rests on."""

    reader: str
    session: str
    n: int


class EpochOpened(Fact, frozen=True, kw_only=True, tag="epoch_opened"):
    """The controller started: under which rules and configuration everything after stands."""

    epoch: str
    boot: str
    version: str
    rules: str
    """SHA-256 of rules and configuration; the game server's bets must name it."""
    table: str
    environment: str
    game: str
    burn: int
    no_bets: str
    most_cards: int
    """The most cards a round can use, burns included: fewer left, no round."""
    betting: int
    decision: int
    grace: int
    results: int
    resume_at_least: int
    clock: str
    torn: str = ""
    """What recovery cut from the journal's end, in words."""
    house: HouseRules | None = None
    """At a table with seats: how this house plays."""


class TableOpened(Fact, frozen=True, kw_only=True, tag="table_opened"):
    """The table is in play."""

    who: str


class TableClosed(Fact, frozen=True, kw_only=True, tag="table_closed"):
    """The table is out of play."""

    who: str


class StopAsked(Fact, frozen=True, kw_only=True, tag="stop_asked"):
    """The table will close (or, `on` false, will not) when the round has ended."""

    on: bool
    who: str


class DeckOpened(Fact, frozen=True, kw_only=True, tag="deck_opened"):
    """A new deck of forty is in the shoe; what was drawn before `since` is of another."""

    deck: str
    who: str
    since: int = 0


class DeckDrawingOut(Fact, frozen=True, kw_only=True, tag="deck_drawing_out"):
    """The rest of the deck is being drawn through the reader, to be counted."""

    deck: str
    who: str


class DeckClosed(Fact, frozen=True, kw_only=True, tag="deck_closed"):
    """The deck is out. Burned and set-aside faces are no secret any more."""

    deck: str
    seen: int
    unknown: int
    counted_out: bool
    hidden: tuple[Card, ...] = ()
    who: str


class DeckLocked(Fact, frozen=True, kw_only=True, tag="deck_locked"):
    """No further round is dealt from this deck, and why."""

    deck: str
    why: str


class MoveDue(Fact, frozen=True, kw_only=True, tag="move_due"):
    """The one next thing the dealer does; a card whose first byte is before `since` was early."""

    move: Move
    since: int


class BettingOpened(Fact, frozen=True, kw_only=True, tag="betting_opened"):
    """A round begins: players bet until one end, the count of bets arrives until the other."""

    round: int
    players_until: int
    summary_until: int


class PlayersShut(Fact, frozen=True, kw_only=True, tag="players_shut"):
    """Players may act no more in the open window (no more bets, or choices over)."""

    window: int
    at: int


class BetsTaken(Fact, frozen=True, kw_only=True, tag="bets_taken"):
    """The game server's count of bets; the window is closed."""

    window: int
    main: int
    pp: int
    mdp: int

    @property
    def for_nobody(self) -> bool:
        return self.main == 0


class RoundSkipped(Fact, frozen=True, kw_only=True, tag="round_skipped"):
    """Nobody bet and the house skips such rounds."""

    round: int


class CardCounted(Fact, frozen=True, kw_only=True, tag="card_counted"):
    """A card has its place. A face that lies face down is struck out for every audience."""

    hand: Hand
    index: int
    card: Card | None
    reading: ReadingId
    source: str
    """`shoe`, `camera` or `manual`."""
    stamp: int
    utc: int
    seat: int = 0
    second: bool = False
    """It came to the second hand of a split."""
    face_down: bool = False

    @property
    def hidden(self) -> bool:
        return self.face_down or self.hand is Hand.BURN


class CardSetAside(Fact, frozen=True, kw_only=True, tag="card_set_aside"):
    """A card left the shoe and plays no part; its face is struck out for every audience."""

    card: Card | None
    reading: ReadingId
    drawn_out: bool = False


class ReadingNoted(Fact, frozen=True, kw_only=True, tag="reading_noted"):
    """A reading that moved no card: the journal has it, nothing else changes."""

    kind: ReadingKind
    reading: ReadingId
    detail: str = ""


class PlayersClosed(Fact, frozen=True, kw_only=True, tag="players_closed"):
    """These players receive no more cards."""

    closings: tuple[Closing, ...]


class DecisionOpened(Fact, frozen=True, kw_only=True, tag="decision_opened"):
    """Players still in choose Hit or Stand."""

    players_until: int
    summary_until: int
    plain: int
    mdp: int
    half_points: int


class DecisionsTaken(Fact, frozen=True, kw_only=True, tag="decisions_taken"):
    """The game server's count of choices; the window is closed. Who was in no count stands."""

    window: int
    plain: Counts
    mdp: Counts


class RoundSettled(Fact, frozen=True, kw_only=True, tag="round_settled"):
    """The result, for ever."""

    round: int
    position: tuple[Card, ...]
    dealer: tuple[Card, ...]
    dealer_half_points: int
    results: tuple[Result, ...]
    pp_returns: int
    """What Partita Perfetta returns, in stakes, to all who have it."""
    for_nobody: bool = False
    """Dealt without bets."""
    next_at: int


class RoundVoided(Fact, frozen=True, kw_only=True, tag="round_voided"):
    """The round is void: all bets are returned."""

    round: int
    reason: str
    who: str
    next_at: int


class Halted(Fact, frozen=True, kw_only=True, tag="halted"):
    """The table stands still until a person takes an exit."""

    incident: Incident
    phase: Phase
    exits: tuple[ExitView, ...]
    count: bool
    last: str
    last_card: Card | None = None
    at: int
    card: Card | None = None
    detail: str = ""
    only_void: bool = False
    """The rules changed under the round: it can only be voided."""


class HaltChanged(Fact, frozen=True, kw_only=True, tag="halt_changed"):
    """The exits of the present halt are now these (cards came, a restart happened)."""

    exits: tuple[ExitView, ...]
    count: bool
    detail: str
    only_void: bool = False


class CardHeld(Fact, frozen=True, kw_only=True, tag="card_held"):
    """A reading came during a halt; a person will say what becomes of its card."""

    reading: ReadingId
    kind: ReadingKind
    card: Card | None
    code: str = ""
    stamp: int
    utc: int


class Resumed(Fact, frozen=True, kw_only=True, tag="resumed"):
    """A person took an exit (or the silent server answered): the table moves on."""

    incident: Incident
    exit: Exit
    role: Role
    who: str
    felt: int | None = None
    out: int | None = None
    reason: str = ""
    next_at: int = 0
    """After a result or a void: the new end of the pause."""


class WindowMoved(Fact, frozen=True, kw_only=True, tag="window_moved"):
    """After a halt the open window has these new ends."""

    players_until: int
    summary_until: int


class ReaderChanged(Fact, frozen=True, kw_only=True, tag="reader_changed"):
    """A reader's line is on another rung of the ladder."""

    reader: str
    session: str
    rung: Rung
    detail: str = ""


class ReaderSession(Fact, frozen=True, kw_only=True, tag="reader_session"):
    """A reader process started; its readings are expected from `first` on."""

    reader: str
    session: str
    boot: str
    first: int = 1


class Answered(Fact, frozen=True, kw_only=True, tag="answered"):
    """The answer to a command id, for ever. `body` is the digest of what was asked."""

    command: str
    body: str
    role: Role
    who: str
    what: str
    answer: Answer


class DiskLow(Fact, frozen=True, kw_only=True, tag="disk_low"):
    """The journal's disk is filling: the table stops after this round."""

    free_mib: int


AnyFact = (
    EpochOpened
    | TableOpened
    | TableClosed
    | StopAsked
    | DeckOpened
    | DeckDrawingOut
    | DeckClosed
    | DeckLocked
    | MoveDue
    | BettingOpened
    | PlayersShut
    | BetsTaken
    | RoundSkipped
    | CardCounted
    | CardSetAside
    | ReadingNoted
    | PlayersClosed
    | DecisionOpened
    | DecisionsTaken
    | RoundSettled
    | RoundVoided
    | Halted
    | HaltChanged
    | CardHeld
    | Resumed
    | WindowMoved
    | ReaderChanged
    | ReaderSession
    | Answered
    | DiskLow
    | AnySeatFact
)
