"""What people and servers ask of the table, and what they are answered.

A command carries the window it answers (the seq of the fact that opened it), so
that it can never act on another round; the epoch its sender follows, so that
what was queued while the controller was away is refused; and an id, so that the
same command sent twice has one effect and one answer.
Whether a command is allowed *now* is not decided here: see `controller.table`.
"""

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from controller.contract.cards import Card
from controller.contract.seats import Cents, Choice, Seat, SeatStake

Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Name = Annotated[str, Meta(min_length=1, max_length=80)]


class Role(StrEnum):
    """Who may ask. On `ipc://` the socket's file mode is the guard and the role is declared."""

    SERVER = "server"
    DEALER = "dealer"
    SUPERVISOR = "supervisor"


class Exit(StrEnum):
    """The ways out of a halt. Which are open, and to whom, the halt itself lists."""

    GO_ON = "go_on"
    """Felt and deck were counted and agree: continue where it stopped."""
    SCAN_AGAIN = "scan_again"
    """The card that was not read goes through the reader once more."""
    SET_ASIDE = "set_aside"
    """The cards in question go to the discards, unused; continue where it stopped."""
    PLAY_HELD = "play_held"
    """The cards that came during the halt lie where they belong: count them, in order."""
    NAME_IT = "name_it"
    """A supervisor names the card that was not read."""
    SAME_CARD = "same_card"
    """The reading was no further card: one that is out already was read once more."""
    VOID = "void"
    """The round is void; all bets are returned."""
    ANSWERED = "answered"
    """The game server answered the window it was silent on. Not for people."""


class OpenTable(
    msgspec.Struct, frozen=True, tag="open_table", tag_field="do", forbid_unknown_fields=True
):
    """Begin to play: betting opens as soon as deck and reader allow."""


class CloseTable(
    msgspec.Struct, frozen=True, tag="close_table", tag_field="do", forbid_unknown_fields=True
):
    """Stop now; only between rounds."""


class StopAfterRound(
    msgspec.Struct, frozen=True, tag="stop_after_round", tag_field="do", forbid_unknown_fields=True
):
    """Close the table when the present round has ended (`on` false takes it back)."""

    on: bool = True


class OpenDeck(
    msgspec.Struct, frozen=True, tag="open_deck", tag_field="do", forbid_unknown_fields=True
):
    """A new shuffled deck of forty is in the shoe; `deck` is its unique name."""

    deck: Name


class CloseDeck(
    msgspec.Struct, frozen=True, tag="close_deck", tag_field="do", forbid_unknown_fields=True
):
    """The deck is taken out; with `count_out` its rest is first drawn through the reader."""

    count_out: bool = False


class Bets(
    msgspec.Struct,
    frozen=True,
    tag="bets",
    tag_field="do",
    forbid_unknown_fields=True,
    kw_only=True,
):
    """The game server's count once betting has ended.

    `main` players have a main bet; of these `pp` also have Partita Perfetta and
    `mdp` Mano di Poker. `rules` is the hash from the opening fact.
    """

    main: Count
    pp: Count = 0
    mdp: Count = 0
    rules: Annotated[str, Meta(max_length=128)]


class Counts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the players of one cohort chose: each of them once."""

    hit: Count = 0
    stand: Count = 0
    left: Count = 0

    @property
    def total(self) -> int:
        return self.hit + self.stand + self.left


class Decisions(
    msgspec.Struct,
    frozen=True,
    tag="decisions",
    tag_field="do",
    forbid_unknown_fields=True,
    kw_only=True,
):
    """The game server's count for one decision window, by cohort.

    `plain` are the players without Mano di Poker, `mdp` those with it. Who is
    in no count of a delivered command stands.
    """

    plain: Counts = Counts()
    mdp: Counts = Counts()


class SeatBets(
    msgspec.Struct,
    frozen=True,
    tag="seat_bets",
    tag_field="do",
    forbid_unknown_fields=True,
    kw_only=True,
):
    """The bets of a table with seats: who is not named sits this round out.

    `ante` is what the bank puts into the pot, where it plays for one; `rules`
    is the hash from the opening fact.
    """

    stakes: Annotated[tuple[SeatStake, ...], Meta(max_length=11)] = ()
    ante: Cents = 0
    rules: str


class Choose(
    msgspec.Struct,
    frozen=True,
    tag="choose",
    tag_field="do",
    forbid_unknown_fields=True,
    kw_only=True,
):
    """What the seat whose turn it is does. Its silence is Stand."""

    seat: Seat
    choice: Choice


class Resolve(
    msgspec.Struct,
    frozen=True,
    tag="resolve",
    tag_field="do",
    forbid_unknown_fields=True,
    kw_only=True,
):
    """A person takes one of the halt's exits.

    `felt` cards lie on the felt and `out` have left the shoe in this deck, as
    counted by hand where the halt asks for it: a card that is named or played
    lies there (unless it is a burn), one set aside or scanned again does not.
    `card` names a face (NAME_IT).
    """

    exit: Exit
    felt: Count | None = None
    out: Count | None = None
    card: Card | None = None
    reason: Annotated[str, Meta(max_length=200)] = ""


class Void(msgspec.Struct, frozen=True, tag="void", tag_field="do", forbid_unknown_fields=True):
    """Void the round in play, whatever its phase; all bets are returned.

    `round` is the one that is meant: come too late, it voids no other.
    """

    reason: Annotated[str, Meta(min_length=1, max_length=200)]
    round: Annotated[int, Meta(ge=1, le=2**62)]


Do = (
    OpenTable
    | CloseTable
    | StopAfterRound
    | OpenDeck
    | CloseDeck
    | Bets
    | Decisions
    | SeatBets
    | Choose
    | Resolve
    | Void
)


class Command(msgspec.Struct, frozen=True, kw_only=True, tag="command", forbid_unknown_fields=True):
    """One request to change something.

    `issued` is the sender's estimate of the controller's monotonic clock (ns),
    `ttl` how long after it the command may still act (ns). `window` is 0 for
    commands that answer none.
    """

    id: Name
    epoch: Annotated[str, Meta(max_length=64)]
    role: Role
    who: Name
    window: Annotated[int, Meta(ge=0, le=2**62)] = 0
    issued: Annotated[int, Meta(ge=-(2**62), le=2**62)]
    ttl: Annotated[int, Meta(gt=0, le=2**62)] = 5_000_000_000
    do: Do


class Verdict(StrEnum):
    """How a command ended."""

    DONE = "done"
    REFUSED = "refused"
    """Had no effect and never will under this id."""
    RETRY = "retry"
    """Had no effect *yet*: send the same command again later."""


class Why(StrEnum):
    """Why a command was not done."""

    NONE = ""
    STALE = "stale"
    """Its window is closed or is not the one open now."""
    EXPIRED = "expired"
    """Its time to live was over."""
    EPOCH = "epoch"
    """It was meant for another run of the controller."""
    CONFLICT = "conflict"
    """Its id was used before with another content."""
    NOT_NOW = "not_now"
    """The present phase does not take it."""
    NOT_YOURS = "not_yours"
    """The role may not."""
    RULES = "rules"
    """The rules hash differs: no bet is taken."""
    COUNTS = "counts"
    """The counts are impossible: more than there are, or not what the journal holds."""
    NO_SUCH_EXIT = "no_such_exit"
    """The halt does not offer this way out."""
    SEAT = "seat"
    """It is another seat's turn, or the seat may not do this."""
    FACE_DOWN = "face_down"
    """The seat's face-down card does not allow it; told to nobody but the asker."""
    CARD = "card"
    """A card must be named and this one cannot be it."""
    DECK = "deck"
    """The deck's name was used before."""
    HALTED = "halted"
    """The table is halted (RETRY)."""
    EARLY = "early"
    """Players may still act (RETRY)."""
    READER = "reader"
    """The card reader is not ready (RETRY)."""
    UNREADABLE = "unreadable"
    """Not a command of this contract."""
    JOURNAL = "journal"
    """The journal cannot be written: the table has stopped."""


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag="answer", omit_defaults=True):
    """The one answer to a command id; sent after it is durable. `seq` is its last fact's."""

    id: str
    verdict: Verdict
    why: Why = Why.NONE
    seq: int = 0
    text: str = ""
    """What to do about it, in English, for logs and engineers."""
