"""The contract between a game and the table that deals it.

A game's round is a frozen value that only the game understands; the table keeps
it, asks `next_step` after everything that happens, does what that says, and
hands the fact it wrote down back to `after`. What stands in `Game` is all that the
table knows of any game: see ARCHITECTURE.md for one in twenty lines.
"""

from typing import Any, NamedTuple, Protocol, TypeVar

import msgspec

from controller.contract.commands import Bets, SeatBets, Why
from controller.contract.facts import BetsTaken, EpochOpened, RoundSettled
from controller.contract.seat_facts import SeatBetsTaken, SeatsSettled
from controller.contract.seats import HouseRules
from controller.contract.state import Hand, TableView
from controller.rules.steps import Step

R = TypeVar("R")
"""A game's own round."""


class Place(msgspec.Struct, frozen=True, gc=False):
    """Where the next card of a hand lies: its number there, and whose hand it is."""

    number: int
    seat: int = 0
    second: bool = False
    face_down: bool = False


class Ending(NamedTuple):
    """The result; who has the bank next; why the deck must be shuffled first, if it must."""

    fact: RoundSettled | SeatsSettled
    bank: int = 0
    royal: bool = False
    shuffle: str = ""


class Game(Protocol[R]):
    """What every game answers to the table; pure."""

    seated: bool
    """Everyone has a hand of their own: the opening fact has the rules of the house."""

    def complaint(self, burn: int, house: HouseRules | None, /) -> str:
        """Why a table so configured cannot be dealt, as `key: what`; empty if it can."""

    def most_cards(self, burn: int, house: HouseRules | None, /) -> int:
        """The most cards that any round can use, burns included."""

    def bets(
        self, opening: EpochOpened, bank: int, window: int, asked: Bets | SeatBets, /
    ) -> BetsTaken | SeatBetsTaken | Why:
        """The bets as a fact, or why they cannot be taken."""

    def begin(self, opening: EpochOpened, taken: Any, /) -> R:
        """The round of these bets, before its first card."""

    def next_step(self, game: R, /) -> Step:
        """The one thing that comes next in this round."""

    def place(self, game: R, hand: Hand, /) -> Place:
        """Where the card that is due lies."""

    def after(self, game: R, fact: Any, /) -> R:
        """The round after a fact that moved it: a card, a choice, a closed or shown hand."""

    def shown(self, view: TableView, game: R, fact: Any, /) -> dict[str, Any]:
        """What of the view is other after that fact; never a face that lies face down."""

    def settled(self, view: TableView, game: R, next_at: int, /) -> Ending:
        """The result, once the next step is Settle."""
