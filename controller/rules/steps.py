"""What a game can answer to "what is the next step?".

The table does each step and asks again: it waits for a card (`Burn`, `Deal`),
opens a decision window (`Decide`), notes players whose hand is closed by the
rules (`Close`), or settles (`Settle`).
"""

from typing import NamedTuple, TypeAlias

from controller.contract.state import Closing, Hand, Reason


class Burn(NamedTuple):
    """A card face down to the discards: number `n` of `of`."""

    n: int
    of: int


class Deal(NamedTuple):
    """A card to a hand, and the rule that asks for it.

    Face down, only the hand's own player may see it until the rules turn it.
    """

    hand: Hand
    reason: Reason
    face_down: bool = False


class Decide(NamedTuple):
    """Players still in choose Hit or Stand."""

    plain: int
    mdp: int


class Close(NamedTuple):
    """The rules close these players' hand; no card moves."""

    closings: tuple[Closing, ...]


class Settle(NamedTuple):
    """The round is over."""


Step: TypeAlias = Burn | Deal | Decide | Close | Settle
