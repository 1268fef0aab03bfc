"""Rounds dealt at once in one process: the inputs of a whole table, with a manual clock.

`Play` is dealer, reader and game server of a table that is given as a function from an
input to what was decided. So the same rounds go through the bare state machine
and through the journal. No answer, card or count depends on the time.
"""

import random
from collections.abc import Callable
from itertools import count
from typing import Final

from controller.contract.cards import DECK
from controller.contract.commands import (
    Bets,
    CloseDeck,
    Command,
    Counts,
    Decisions,
    Do,
    OpenDeck,
    OpenTable,
    Role,
)
from controller.contract.facts import EpochOpened
from controller.contract.inputs import Body, Input, Start, Tick
from controller.contract.readings import Hello, ReaderStatus, Reading, ReadingKind, Rung
from controller.contract.state import Phase, TableView, What
from controller.rules.bound import most_cards
from controller.table.machine import deadline
from controller.table.state import TableState

Take = Callable[[Input], TableState]

_S: Final = 1_000_000_000
_CARD_NS: Final = _S // 2
_PLAYERS: Final = 12
_PP: Final = 5
_MDP: Final = 4
_RAW: Final = b"\x051D\x81\xb8\x037E"
"""As long as a real report."""
CARD_DUE: Final = frozenset({Phase.BURN, Phase.DEAL})


def opening() -> EpochOpened:
    """The live table's times, under a name of its own."""
    return EpochOpened(
        epoch="00000000000001-bench",
        boot="bench",
        version="bench",
        rules="bench",
        table="bench",
        environment="test",
        game="live",
        burn=1,
        no_bets="deal",
        most_cards=most_cards(1),
        betting=15 * _S,
        decision=8 * _S,
        grace=1 * _S,
        results=5 * _S,
        resume_at_least=3 * _S,
        clock="synced",
        torn="",
    )


class Play:
    """A table that is dealt on as fast as `take` decides."""

    def __init__(self, take: Take, seed: int = 1) -> None:
        self._take = take
        self._random = random.Random(seed)
        self._ids = count(1)
        self._n = count(1)
        self._decks = count(1)
        self._cards: list[str] = []
        self.now = 1_000 * _S
        self.inputs = 0
        self.state = TableState()
        self.give(Start(opening()))
        self.give(Hello(reader="shoe", session="s", boot="bench"))
        self.give(ReaderStatus(reader="shoe", session="s", rung=Rung.READING))
        self._command(OpenTable(), Role.DEALER)

    @property
    def view(self) -> TableView:
        return self.state.view

    def give(self, body: Body) -> None:
        self._give(Input(self.now, self.now, body))

    def rounds(self, number: int) -> None:
        """Deal until so many more rounds are settled."""
        for _ in range(number):
            self.step()
            while self.view.phase is not Phase.RESULT:
                self.step()

    def step(self) -> None:
        """The next input, whoever owes it."""
        view = self.view
        if view.phase in CARD_DUE:
            self._card()
        elif view.move.what is What.CHANGE_DECK:
            self._change_deck()
        elif view.phase is Phase.BETTING and view.window and view.window.shut:
            bets = Bets(main=_PLAYERS, pp=_PP, mdp=_MDP, rules=view.rules)
            self._command(bets, Role.SERVER)
        elif view.phase is Phase.DECISION:
            self._command(self._decisions(), Role.SERVER)
        else:
            self._wait()

    def _give(self, asked: Input) -> None:
        self.inputs += 1
        self.state = self._take(asked)

    def _wait(self) -> None:
        due = deadline(self.state)
        if due is None:
            raise RuntimeError(f"the table waits for nothing: {self.view.phase}, {self.view.halt}")
        self.now = max(self.now, due[0])
        self._give(Input(due[0], self.now, Tick(due[1])))

    def _card(self) -> None:
        self.now += _CARD_NS
        reading = Reading(
            reader="shoe",
            session="s",
            n=next(self._n),
            kind=ReadingKind.CARD,
            stamp=self.now,
            utc=self.now,
            card=self._cards.pop(),
            raw=_RAW,
            device_seq="1",
        )
        self.give(reading)

    def _change_deck(self) -> None:
        if self.view.deck is not None:
            self._command(CloseDeck(), Role.DEALER)
        self._cards = self._random.sample(DECK, len(DECK))
        self._command(OpenDeck(f"deck-{next(self._decks)}"), Role.DEALER)

    def _decisions(self) -> Decisions:
        players = self.view.players
        hit, mdp = self._random.randint(0, players.plain), self._random.randint(0, players.mdp)
        return Decisions(
            plain=Counts(hit=hit, stand=players.plain - hit),
            mdp=Counts(hit=mdp, stand=players.mdp - mdp),
        )

    def _command(self, do: Do, role: Role) -> None:
        window = self.view.window
        command = Command(
            id=f"{next(self._ids):032x}",
            epoch=self.state.epoch,
            role=role,
            who="bench",
            window=window.seq if window and role is Role.SERVER else 0,
            issued=self.now,
            do=do,
        )
        self.give(command)
