"""What a game can answer to "what is the next step?".

The table does each step and asks again: it waits for a card (`Burn`, `Deal`),
opens a decision window (`Decide`, or `Turn` for one seat), notes players whose
hand is closed by the rules (`Close`), turns a hand's face-down card (`Show`),
pays one player from the pot (`Pay`), or settles (`Settle`).
"""

from typing import NamedTuple, TypeAlias

from controller.contract.cards import Card
from controller.contract.seats import Choice, SeatResult
from controller.contract.state import Closing, Hand, Reason


class Burn(NamedTuple):
    """A card face down to the discards: number `n` of `of`."""

    n: int
    of: int


class Deal(NamedTuple):
    """A card to a hand, and the rule that asks for it.

    Face down, only the hand's own player may see it until the rules turn it.
    `seat` is whose hand it is where everyone has one; `bank`: it is the bank's.
    """

    hand: Hand
    reason: Reason
    face_down: bool = False
    seat: int = 0
    bank: bool = False


class Decide(NamedTuple):
    """Players still in choose Hit or Stand."""

    plain: int
    mdp: int


class Close(NamedTuple):
    """The rules close these players' hand; no card moves."""

    closings: tuple[Closing, ...]


class Turn(NamedTuple):
    """One seat chooses among `options`, for its second hand if it has split.

    Which of them its cards allow is in `allowed`: that tells of a card that lies
    face down, so it may be in no fact and in no view.
    """

    seat: int
    second: bool
    options: tuple[Choice, ...]
    allowed: frozenset[Choice]


class Show(NamedTuple):
    """The hand's face-down card is turned; no card moves."""

    seat: int
    second: bool
    cards: tuple[Card, ...]
    half_points: int


class Pay(NamedTuple):
    """One player has played against the bank and is paid; `pot` is what then lies in it."""

    result: SeatResult
    pot: int


class Settle(NamedTuple):
    """The round is over."""


Step: TypeAlias = Burn | Deal | Decide | Close | Turn | Show | Pay | Settle
