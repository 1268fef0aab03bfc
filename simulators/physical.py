"""The physical truth: which card lies where, whatever any program believes.

The shoe's deck, the felt, the discards; and a log of every card that left the
shoe, by deck, which the audit holds against the journal. A dealer who counts
"by hand" counts here, never in a view.
What is not here: what the cards mean, and who is told of them.
"""

import random
from collections import Counter
from typing import Final

from controller.contract.cards import DECK
from controller.contract.state import TableView

STRANGERS: Final = ("8D", "9C", "8S", "9B")
"""Cards of other decks that find their way into a shoe."""


class Physical:
    """One table's cards. A card's name is its code; a stranger's is one of `STRANGERS`."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self.deck = ""
        self.shoe: list[str] = []
        self.felt: list[str] = []
        self.discards: list[str] = []
        self.face_down: dict[int, str] = {}
        """Seat → its first card, which only who sits there looks at."""
        self.drawn: dict[str, list[str]] = {}
        """Deck → its cards in the order in which they left the shoe."""

    @property
    def out(self) -> int:
        """How many cards have left the shoe in this deck."""
        return len(self.drawn.get(self.deck, ()))

    def load(self, deck: str) -> None:
        """A new shuffled deck; all previous cards are removed."""
        self.deck = deck
        self.shoe = list(DECK)
        self._rng.shuffle(self.shoe)
        self.felt, self.discards = [], []
        self.drawn[deck] = []

    def unload(self) -> None:
        """The deck leaves the table, with everything that was drawn from it."""
        self.deck = ""
        self.shoe, self.felt, self.discards = [], [], []

    def slip_in_stranger(self) -> None:
        """A card of another deck lies on top."""
        self.shoe.append(self._rng.choice(STRANGERS))

    def draw(self) -> str | None:
        """The top card comes out and lies on the felt; None from an empty shoe."""
        if not self.shoe:
            return None
        card = self.shoe.pop()
        self.drawn[self.deck].append(card)
        self.felt.append(card)
        return card

    def discard(self, card: str) -> None:
        self.felt.remove(card)
        self.discards.append(card)

    def lay_down(self, card: str, seat: int) -> None:
        """A first card, face down; one that it replaces was burned."""
        before = self.face_down.get(seat)
        if before in self.felt and before != card:
            self.discard(before)
        self.face_down[seat] = card

    def surplus(self, view: TableView) -> list[str]:
        """Cards on the felt that the screen does not account for, as faces or as backs."""
        hands = view.seated.hands if view.seated else ()
        seats = (card for hand in hands for card in hand.cards)
        expected = Counter((*view.position.cards, *view.dealer.cards, *seats))
        down = sum(hand.down for hand in hands)
        beyond = []
        for card in self.felt:
            if expected[card] > 0:
                expected[card] -= 1
            else:
                beyond.append(card)
        return beyond[down:]

    def clear_felt(self) -> None:
        self.discards += self.felt
        self.felt, self.face_down = [], {}
