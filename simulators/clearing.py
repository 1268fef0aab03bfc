"""How a person clears an incident: which way out to take, counted by hand.

The dealer reads the halt on the screen, looks at the felt and takes the exits
that a truthful person would try, in order; the last resort is a supervisor's
void. What is refused is not asked twice in the same situation.
What is not here: drawing cards (`simulators.dealer`), the exits' rules.
"""

import random
from typing import Final, NamedTuple

from controller.contract.cards import FACES
from controller.contract.commands import Exit, Resolve, Role
from controller.contract.incidents import ROLE_OF, Incident
from controller.contract.state import HaltView, TableView
from simulators.physical import Physical
from simulators.story import in_words

_SURPLUS: Final = (Exit.SET_ASIDE, Exit.GO_ON, Exit.VOID)
_COUNTED: Final = (Exit.PLAY_HELD, Exit.GO_ON, Exit.SET_ASIDE, Exit.VOID)
_STRANGER: Final = (Exit.SET_ASIDE, Exit.VOID)
_UNREAD: Final = ((Exit.SCAN_AGAIN, 0.6), (Exit.SET_ASIDE, 0.2), (Exit.NAME_IT, 0.2))


class Situation(NamedTuple):
    """One halt with its ways out: when these change, a person thinks again."""

    seq: int
    held: int
    exits: tuple[Exit, ...]


def situation(halt: HaltView) -> Situation:
    return Situation(halt.seq, halt.held, tuple(way.exit for way in halt.exits))


class Clearing:
    """Remembers, for the present situation, which ways out are still to be tried."""

    def __init__(self, physical: Physical, rng: random.Random) -> None:
        self._physical = physical
        self._rng = rng
        self._situation: Situation | None = None
        self._left: list[tuple[Exit, Role]] = []

    def next(self, view: TableView, halt: HaltView, card: str) -> tuple[Resolve, Role] | None:
        """The next thing to try, and who does; None when there is nothing to do but wait.

        `card` is the one drawn last: it is in question, if any is.
        """
        now = situation(halt)
        if now != self._situation or not self._left:
            self._situation = now
            order = (*self._read_twice(view), *self._order(halt, card))
            self._left = self._people([way for way in order if way in now.exits])
        if not self._left:
            return None
        way, role = self._left.pop(0)
        return self._resolve(view, halt, way, card), role

    def _read_twice(self, view: TableView) -> tuple[Exit, ...]:
        """One reading more than there are cards out: the same card came again."""
        out = view.deck.out if view.deck else 0
        return (Exit.SAME_CARD,) if self._physical.out == out - 1 else ()

    def _people(self, ways: list[Exit]) -> list[tuple[Exit, Role]]:
        """Where no round can be voided, a supervisor may confirm what the dealer counted."""
        by_least = [(way, ROLE_OF[way]) for way in ways]
        return by_least + [(way, Role.SUPERVISOR) for way in ways if Exit.VOID not in ways]

    def _order(self, halt: HaltView, card: str) -> tuple[Exit, ...]:
        match halt.incident:
            case Incident.SERVER_SILENT:
                # Where a count is asked the server's answer alone ends nothing.
                return (Exit.SET_ASIDE, Exit.GO_ON, *((Exit.VOID,) if halt.count else ()))
            case Incident.UNREAD_CARD:
                return self._unread(card)
            case Incident.FOREIGN_CARD | Incident.REPEATED_CARD:
                known = (Exit.NAME_IT,) if _misread(halt, card) else ()
                return (*known, *_STRANGER)
            case _:
                return _COUNTED if halt.count else _SURPLUS

    def _unread(self, card: str) -> tuple[Exit, ...]:
        if card not in FACES:
            return _STRANGER
        ways = [way for way, _ in _UNREAD]
        first = self._rng.choices(ways, [weight for _, weight in _UNREAD])[0]
        return (first, *(way for way in ways if way is not first), Exit.VOID)

    def _resolve(self, view: TableView, halt: HaltView, way: Exit, card: str) -> Resolve:
        on_felt = len(self._physical.felt)
        if way in (Exit.SET_ASIDE, Exit.SCAN_AGAIN):
            on_felt -= len(self._physical.surplus(view))
        return Resolve(
            exit=way,
            felt=on_felt if halt.count else None,
            out=self._physical.out if halt.count else None,
            card=card if way is Exit.NAME_IT else None,
            reason="" if way is not Exit.VOID else in_words(halt.incident),
        )


def _misread(halt: HaltView, card: str) -> bool:
    """The card on the felt is one of the forty, and not the one the reader says."""
    return card in FACES and card != halt.card
