"""The promise held against the physical truth: each card that left the shoe is one entry.

Fed with every published fact in order. When a deck is closed its entries are
compared with what really left the shoe: as many, the same faces, in the same
order, none twice. Only of a deck that the table itself locked, or whose count
the dealer found wrong, cards may be missing: that is a loss, but not a silent one.
What is not here: the results (`simulators.game_server`), the bytes on the disk
(`mazziere journal verify`).
"""

from collections import Counter
from collections.abc import Container, Sequence

from controller.contract.facts import (
    CardCounted,
    CardSetAside,
    DeckClosed,
    DeckLocked,
    DeckOpened,
    ReadingId,
)
from controller.contract.wire import FactMessage
from simulators.physical import Physical


class Audit:
    """Listens to one table; `complaints` is what it found."""

    def __init__(self, physical: Physical, doubtful: Container[str]) -> None:
        self._physical = physical
        self._doubtful = doubtful
        self._seq: int | None = None
        self._readings: set[ReadingId] = set()
        self._faces: list[str] = []
        self._entries = 0
        self._locked = False
        self.complaints: list[str] = []
        self.decks = 0
        self.cards = 0
        self.lost = 0
        """Cards that were never read, each in a deck that was taken out for it."""

    def hear(self, message: FactMessage) -> None:
        if self._seq is not None and message.seq != self._seq + 1:
            self.complaints.append(f"fact {message.seq} came after fact {self._seq}")
        self._seq = message.seq
        fact = message.fact
        if isinstance(fact, DeckOpened):
            self._begin()
        elif isinstance(fact, CardCounted | CardSetAside):
            self._enter(fact)
        elif isinstance(fact, DeckLocked):
            self._locked = True
        elif isinstance(fact, DeckClosed) and fact.deck in self._physical.drawn:
            self._compare(fact, self._physical.drawn[fact.deck])

    def _begin(self) -> None:
        self._readings, self._faces = set(), []
        self._entries, self._locked = 0, False
        self.decks += 1

    def _enter(self, fact: CardCounted | CardSetAside) -> None:
        self._entries += 1
        self.cards += 1
        if fact.reading in self._readings:
            self.complaints.append(f"reading {fact.reading.n} was entered twice: {fact}")
        self._readings.add(fact.reading)
        if isinstance(fact, CardCounted) and fact.card is not None:
            self._faces.append(fact.card)

    def _compare(self, closed: DeckClosed, drawn: Sequence[str]) -> None:
        deck = closed.deck
        if closed.seen + closed.unknown != self._entries:
            self.complaints.append(
                f"deck {deck}: closed with {closed.seen} seen and {closed.unknown} unknown, "
                f"but {self._entries} were entered"
            )
        if self._locked or deck in self._doubtful:
            self.lost += max(0, len(drawn) - self._entries)
        elif self._entries != len(drawn):
            self.complaints.append(
                f"deck {deck}: {len(drawn)} cards left the shoe, {self._entries} were entered"
            )
        invented = Counter([*self._faces, *closed.hidden]) - Counter(drawn)
        if invented:
            self.complaints.append(f"deck {deck}: {' '.join(invented)} never left the shoe")
        elif not _in_order(self._faces, drawn):
            self.complaints.append(f"deck {deck}: the cards were entered in another order")


def _in_order(some: Sequence[str], whole: Sequence[str]) -> bool:
    rest = iter(whole)
    return all(card in rest for card in some)
