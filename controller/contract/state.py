"""What everyone may know of the table: the view that is published with every fact.

`TableView` holds no hidden face: burns are a number, held cards are a number.
It is complete, so a screen or a server needs nothing else to show the table.
The controller's private state (hidden faces, answered commands) is
`controller.table.state`. Times are CLOCK_MONOTONIC ns of the controller; a
client gets its offset from the `now` of any message.
"""

from enum import StrEnum

import msgspec
from msgspec import UNSET, UnsetType

from controller.contract.cards import Card
from controller.contract.commands import Exit, Role
from controller.contract.incidents import Incident
from controller.contract.readings import Rung
from controller.contract.seats import Seated


class Phase(StrEnum):
    """Where the table stands."""

    CLOSED = "closed"
    """Not in play."""
    WAITING = "waiting"
    """Open, but a deck or the reader is missing (the move says which)."""
    BETTING = "betting"
    """Players bet, or the game server's count of bets is awaited."""
    BURN = "burn"
    """A burn card is due."""
    DEAL = "deal"
    """A card to a hand is due."""
    DECISION = "decision"
    """Players choose, or the game server's count of choices is awaited."""
    RESULT = "result"
    """The round is settled; pay and clear."""
    VOIDED = "voided"
    """The round is void; return bets and clear."""
    HALTED = "halted"
    """Stopped by an incident; a person must take an exit."""


class Hand(StrEnum):
    """Where a card goes."""

    BURN = "burn"
    POSITION = "position"
    DEALER = "dealer"
    SEAT = "seat"


class What(StrEnum):
    """The one thing that happens next at the table."""

    OPEN_TABLE = "open_table"
    CHANGE_DECK = "change_deck"
    DRAW_REST = "draw_rest"
    WAIT_READER = "wait_reader"
    WAIT_BETS = "wait_bets"
    WAIT_DECISIONS = "wait_decisions"
    WAIT_TURN = "wait_turn"
    BURN = "burn"
    DEAL_POSITION = "deal_position"
    DEAL_DEALER = "deal_dealer"
    DEAL_SEAT = "deal_seat"
    DEAL_BANK = "deal_bank"
    PAY = "pay"
    RETURN_BETS = "return_bets"
    RESOLVE = "resolve"


class Reason(StrEnum):
    """Why a card is due: the rule that asks for it."""

    NONE = ""
    FIRST = "first"
    UP_CARD = "up_card"
    WILD_ALONE = "wild_alone"
    UP_WILD = "up_wild"
    BELOW_UP = "below_up"
    TIE_AT_FIVE = "tie_at_five"
    HIT = "hit"
    DRAW_TO_FIVE = "draw_to_five"
    FACE_DOWN = "face_down"
    FIGURE_ALONE = "figure_alone"
    DRAW_TO_THREE = "draw_to_three"
    DRAW_TO_SEVEN_AND_HALF = "draw_to_seven_and_half"
    SEAT_FIRST = "seat_first"
    SEAT_AGAIN = "seat_again"
    SEAT_HIT = "seat_hit"


class Move(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the dealer does next; `n` of `of` for burns, `n` alone is a seat."""

    what: What
    reason: Reason = Reason.NONE
    n: int = 0
    of: int = 0
    face_down: bool = False
    """The card stays face down: no face of it may be shown."""


class ClosedBy(StrEnum):
    """Why players receive no more cards."""

    STAND = "stand"
    LEFT = "left"
    AUTO_WIN = "auto_win"
    SEVEN_AND_HALF = "seven_and_half"
    BUST = "bust"


class Closing(msgspec.Struct, frozen=True):
    """Players whose hand is closed: the first `depth` cards of the position."""

    depth: int
    by: ClosedBy
    plain: int = 0
    mdp: int = 0


class Outcome(StrEnum):
    """How a main bet ends."""

    ROYAL = "royal"
    AUTO_WIN = "auto_win"
    PLAYER_BUST = "player_bust"
    DEALER_BUST = "dealer_bust"
    HIGHER = "higher"
    PUSH = "push"
    TIE_AT_FIVE = "tie5"
    TIE = "tie"
    """Where the rules give a tie to the dealer."""
    DEALER_ROYAL = "dealer_royal"
    LOWER = "lower"
    NON_LIVE = "non_live"
    """The player left: the main bet is finished in the non-live game."""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What one closing's players receive.

    `main_halves` is what the main bet returns, in halves of the stake (5 is a
    Royal's 2.5; None while unfinished: NON_LIVE); `mdp_returns` what Mano di
    Poker returns, in stakes.
    """

    depth: int
    by: ClosedBy
    plain: int
    mdp: int
    half_points: int
    outcome: Outcome
    main_halves: int | None
    mdp_returns: int


class HandView(msgspec.Struct, frozen=True):
    """A hand as it lies on the felt."""

    cards: tuple[Card, ...] = ()
    half_points: int = 0
    royal: bool = False


class Players(msgspec.Struct, frozen=True):
    """Counts, never names. `plain` and `mdp` are still in."""

    main: int = 0
    pp: int = 0
    with_mdp: int = 0
    plain: int = 0
    mdp: int = 0


class Window(msgspec.Struct, frozen=True):
    """A betting or decision window: players act until one end, counts arrive until the other."""

    seq: int
    players_until: int
    summary_until: int
    shut: bool = False
    """`players_until` has passed: the game server's count is awaited."""


class DeckView(msgspec.Struct, frozen=True):
    """The deck in the shoe: how many are out, how many surely remain."""

    deck: str
    out: int = 0
    remaining: int = 40
    unknown: int = 0
    locked: bool = False
    """No further round may be dealt from it."""
    drawing_out: bool = False


class ExitView(msgspec.Struct, frozen=True):
    """A way out of the halt and the least role that may take it."""

    exit: Exit
    role: Role


class HaltView(msgspec.Struct, frozen=True, kw_only=True):
    """Why the table stands still, what was counted last, and the ways out."""

    incident: Incident
    seq: int
    """The window that `Resolve` answers: the last fact that changed the halt (a card came, the
    exits are others), so that nobody takes an exit of a halt that was not the one they saw."""
    phase: Phase
    """The phase that was interrupted."""
    exits: tuple[ExitView, ...]
    count: bool
    """Felt and deck must be counted to go on."""
    last: str
    """The last card counted, as hand and place (`position 2`; empty: none in this round)."""
    last_card: Card | None = None
    """Its face, unless it is hidden."""
    held: int = 0
    """Readings that came during the halt and wait for a person's word."""
    card: Card | None = None
    """The card in question, where its face is no secret."""
    detail: str = ""


class ReaderView(msgspec.Struct, frozen=True):
    """A card reader as the controller knows it."""

    reader: str
    session: str = ""
    rung: Rung = Rung.ABSENT
    detail: str = ""


class TableView(msgspec.Struct, frozen=True, kw_only=True):
    """The whole table, fit for every eye."""

    phase: Phase = Phase.CLOSED
    move: Move = Move(What.OPEN_TABLE)
    round: int = 0
    rules: str = ""
    deck: DeckView | None = None
    stop_after_round: bool = False
    window: Window | None = None
    players: Players = Players()
    for_nobody: bool = False
    """Dealt without bets: the one player of `closed` and `results` is nobody."""
    burned: int = 0
    position: HandView = HandView()
    dealer: HandView = HandView()
    closed: tuple[Closing, ...] = ()
    results: tuple[Result, ...] = ()
    pp_returns: int = 0
    next_at: int = 0
    """When the pause after a result ends."""
    halt: HaltView | None = None
    readers: tuple[ReaderView, ...] = ()
    seated: Seated | UnsetType = UNSET
    """Of a game with seats; absent where all players share one position."""
