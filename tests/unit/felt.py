"""A table in one process, with a manual clock: what the tests of the pure core deal on.

Not a mock: it feeds the real `decide` with the inputs that the daemons would
bring, and folds the facts as a restart would.
"""

from collections.abc import Iterable
from copy import copy
from itertools import count

import msgspec
from msgspec.structs import replace

from controller.contract.commands import (
    Answer,
    Bets,
    Choose,
    Command,
    Counts,
    Decisions,
    Do,
    Exit,
    OpenDeck,
    OpenTable,
    Resolve,
    Role,
    SeatBets,
)
from controller.contract.facts import AnyFact, EpochOpened
from controller.contract.incidents import ROLE_OF
from controller.contract.inputs import Body, Input, Start, Tick
from controller.contract.readings import Hello, ReaderStatus, Reading, ReadingKind, Rung
from controller.contract.seats import Choice, SeatStake
from controller.contract.state import Phase
from controller.rules.catalogue import DEALT
from controller.table.apply import apply
from controller.table.machine import deadline, decide
from controller.table.state import TableState

MS = 1_000_000
S = 1_000 * MS


def opening(epoch: str = "1", boot: str = "boot", **changes: object) -> EpochOpened:
    told: dict[str, object] = {
        "epoch": epoch,
        "boot": boot,
        "version": "test",
        "rules": "r1",
        "table": "T1",
        "environment": "test",
        "game": "live",
        "burn": 0,
        "no_bets": "deal",
        "betting": 15 * S,
        "decision": 8 * S,
        "grace": 1 * S,
        "results": 5 * S,
        "resume_at_least": 3 * S,
        "clock": "synced",
    }
    told.update(changes)
    most = DEALT[str(told["game"])].most_cards
    told.setdefault("most_cards", min(most(told["burn"], told.get("house")), 40))  # type: ignore[arg-type]
    return EpochOpened(**told)  # type: ignore[arg-type]


_STATE = msgspec.json.Decoder(TableState)


def through_json(state: TableState) -> TableState:
    """Written into a checkpoint and read back; it must be the same."""
    back = _STATE.decode(msgspec.json.encode(state))
    assert back == state
    return back


class Felt:
    """The table, its clock, and everything that was decided."""

    def __init__(self, **changes: object) -> None:
        self.state = TableState()
        self.now = 1_000 * S
        self.facts: list[AnyFact] = []
        self.inputs: list[Input] = []
        self.session = "s1"
        self.ids = count(1)
        self.n = count(1)
        self.decks = count(1)
        self.give(Start(opening(**changes)))

    def fork(self) -> "Felt":
        """This table twice, to try something on the other one."""
        twin = copy(self)
        twin.facts, twin.inputs = list(self.facts), list(self.inputs)
        twin.ids, twin.n, twin.decks = copy(self.ids), copy(self.n), copy(self.decks)
        return twin

    def restart(self, **changes: object) -> None:
        """The controller is killed and started again: the state comes from its checkpoint."""
        self.state = through_json(self.state)
        before = self.state.rules
        told = {"epoch": str(int(before.epoch) + 1), "torn": "", **changes}
        self._decide(Input(self.now, self.now, Start(replace(before, **told))))

    def give(self, body: Body, *, stamp: int | None = None, at: int | None = None) -> Answer | None:
        """One input, its deadlines first, as the controller's loop does."""
        when = self.now if stamp is None else stamp
        self.fire(when)
        return self._decide(Input(when, self.now if at is None else at, body))

    def _decide(self, asked: Input) -> Answer | None:
        draft = decide(self.state, asked)
        folded = self.state
        for fact in draft.facts:
            folded = apply(folded, fact)
        assert folded == draft.state, "decide and apply must agree"
        self.inputs.append(asked)
        self.facts += draft.facts
        self.state = draft.state
        return draft.answer

    def fire(self, until: int) -> None:
        while (due := deadline(self.state)) is not None and due[0] <= until:
            self._decide(Input(due[0], max(self.now, due[0]), Tick(due[1])))

    def wait(self, ns: int) -> None:
        self.now += ns
        self.fire(self.now)

    # what people, servers and readers say

    def command(
        self, do: Do, role: Role = Role.DEALER, window: int | None = None, name: str | None = None
    ) -> Answer:
        if window is None:
            view = self.state.view
            window = view.halt.seq if view.halt else view.window.seq if view.window else 0
        answer = self.give(
            Command(
                id=name or f"c{next(self.ids)}",
                epoch=self.state.epoch,
                role=role,
                who="someone",
                window=window,
                issued=self.now,
                do=do,
            )
        )
        assert answer is not None
        return answer

    def server(self, do: Do, **more: object) -> Answer:
        window = self.state.view.window
        told = {"window": window.seq if window else 0} | more
        return self.command(do, Role.SERVER, **told)  # type: ignore[arg-type]

    def supervisor(self, do: Do) -> Answer:
        return self.command(do, Role.SUPERVISOR)

    def reading(
        self, kind: ReadingKind, card: str | None = None, *, ago: int = 0, **more: object
    ) -> Reading:
        return Reading(
            reader="shoe",
            session=self.session,
            n=next(self.n),
            kind=kind,
            stamp=self.now - ago,
            utc=0,
            card=card,
            **more,  # type: ignore[arg-type]
        )

    def card(self, card: str, *, ago: int = 0) -> None:
        self.now += 100 * MS
        reading = self.reading(ReadingKind.CARD, card, ago=ago)
        self.give(reading, stamp=reading.stamp)

    def read(self, kind: ReadingKind, card: str | None = None, **more: object) -> None:
        self.now += 100 * MS
        self.give(self.reading(kind, card, **more))

    def reader_up(self) -> None:
        self.give(Hello(reader="shoe", session=self.session, boot="boot"))
        self.reader_at(Rung.READING)

    def reader_at(self, rung: Rung) -> None:
        self.give(ReaderStatus(reader="shoe", session=self.session, rung=rung))

    def reader_restarts(self, session: str) -> None:
        """A new process at the reader; it numbers from 1."""
        self.session, self.n = session, count(1)
        self.give(Hello(reader="shoe", session=session, boot="boot"))

    def resolve(self, way: Exit, role: Role | None = None, **told: object) -> Answer:
        """Take an exit, by the least role that may, with the counts that the journal holds."""
        asked = Resolve(exit=way, **(self.counts(way) | told))  # type: ignore[arg-type]
        return self.command(asked, role or ROLE_OF[way])

    def counts(self, way: Exit) -> dict[str, int]:
        """What a person counts whose felt agrees with the journal."""
        halt, view = self.state.halt, self.state.view
        if halt is None or view.halt is None or not view.halt.count or view.deck is None:
            return {}
        # A held card that is played or named lies on the felt, unless it is a burn.
        burns = self.state.burns_due
        again = way is Exit.SCAN_AGAIN and len(halt.held) == 2
        cards = 1 if again else len(halt.held)
        plays = way in (Exit.PLAY_HELD, Exit.NAME_IT) or again
        played = max(0, cards - burns) if plays else 0
        # What was read once more is no further card.
        return {
            "felt": self.state.felt + played,
            "out": view.deck.out - (again or way is Exit.SAME_CARD),
        }

    # whole stretches

    def open(self) -> "Felt":
        """The table is open, a deck in the shoe, betting open."""
        self.reader_up()
        self.command(OpenTable())
        self.command(OpenDeck(f"deck-{next(self.decks)}"))
        assert self.state.view.phase is Phase.BETTING
        return self

    def bets(self, main: int = 1, pp: int = 0, mdp: int = 0) -> "Felt":
        """Betting ends and the count arrives."""
        self.wait(15 * S)
        self.server(Bets(main=main, pp=pp, mdp=mdp, rules=self.state.view.rules))
        return self

    def cards(self, cards: Iterable[str]) -> "Felt":
        for card in cards:
            self.card(card)
        return self

    def seat_bets(self, stakes: dict[int, int], ante: int = 0) -> "Felt":
        """Betting ends and the bets of the seats arrive."""
        self.wait(15 * S)
        placed = tuple(SeatStake(seat, cents) for seat, cents in stakes.items())
        self.server(SeatBets(stakes=placed, ante=ante, rules=self.state.view.rules))
        return self

    def seat(self, seat: int, choice: Choice) -> Answer:
        return self.server(Choose(seat=seat, choice=choice))

    def choose(self, hit: int = 0, stand: int = 0, left: int = 0) -> Answer:
        return self.server(Decisions(plain=Counts(hit, stand, left)))

    @property
    def phase(self) -> Phase:
        return self.state.view.phase
