"""Facts being decided for one input, and the state they lead to.

Handlers add facts; each is applied at once, so that the next one is decided on
what already holds. A draft is thrown away whole or becomes durable whole.
"""

from controller.contract.commands import Answer
from controller.contract.facts import AnyFact, MoveDue, ReadingId, ReadingNoted
from controller.contract.readings import Reading
from controller.contract.state import Move
from controller.table.apply import apply
from controller.table.state import TableState


class Draft:
    """What `decide` returns: facts, the state after them, and an answer if a command was asked."""

    __slots__ = ("answer", "at", "facts", "stamp", "state")

    def __init__(self, state: TableState, *, stamp: int, at: int) -> None:
        self.state = state
        self.stamp = stamp
        self.at = at
        self.facts: list[AnyFact] = []
        self.answer: Answer | None = None

    def add(self, fact: AnyFact) -> None:
        self.facts.append(fact)
        self.state = apply(self.state, fact)

    def note(self, reading: Reading, detail: str = "") -> None:
        """The reading moved no card; the journal has it all the same."""
        self.add(ReadingNoted(kind=reading.kind, reading=id_of(reading), detail=detail))

    def move(self, move: Move) -> None:
        self.add(MoveDue(move=move, since=self.stamp))

    def fork(self) -> "Draft":
        """A copy to try something on."""
        twin = Draft(self.state, stamp=self.stamp, at=self.at)
        twin.facts = list(self.facts)
        return twin

    def adopt(self, twin: "Draft") -> None:
        """What was tried on the copy holds."""
        self.facts, self.state = twin.facts, twin.state


def id_of(reading: Reading) -> ReadingId:
    return ReadingId(reading.reader, reading.session, reading.n)
