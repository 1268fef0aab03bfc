"""The real chain: `mazziere shoe` and `mazziere controller`, started as a service would.

The bench is the rest of the table: it deals, bets and decides, at once. Two
ways to come by a card that is taken:
`Noted`  the table is closed and has no deck: every reading is one fact
`Dealt`  a card of a round: counted, and the next move with it (two to five facts)
"""

import random
import sys
import time
from itertools import count
from pathlib import Path
from typing import Final
from uuid import uuid4

import msgspec
import zmq

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
    Verdict,
)
from controller.contract.facts import CardCounted, ReadingNoted
from controller.contract.readings import Rung
from controller.contract.state import Phase, TableView, What
from controller.contract.wire import AnswerMessage, FactMessage, GetSnapshot, Said, Snapshot
from controller.runtime.config import Bus, Config, Journal, Log, Shoe, Table, Times, load
from simulators.setup import as_toml
from tests.bench.chains import PATIENCE, Chain, subscriber
from tests.bench.line import any_card
from tests.bench.play import CARD_DUE
from tests.bench.scheduling import Scheduling

_AT_ONCE: Final = 0.001
_SETTLED_MS: Final = 50
_PLAYERS: Final = 10


class RealTable(Chain):
    """Both daemons, their subscriber, and a hand for commands."""

    def __init__(self, place: Path, bus: Path, scheduling: Scheduling) -> None:
        super().__init__(place, scheduling)
        bus.mkdir()
        config = self._config(place, bus)
        toml = place / "table.toml"
        toml.write_text(as_toml(config), encoding="utf-8")
        load(toml)
        self._choice = random.Random(1)
        self._encode = msgspec.json.Encoder().encode
        self._decode = msgspec.json.Decoder(Said).decode
        self._taken = 0
        self._state = subscriber(str(bus / "public"))
        self._asking: zmq.Socket[bytes] = zmq.Context.instance().socket(zmq.DEALER)
        self._asking.setsockopt(zmq.LINGER, 0)
        self._asking.setsockopt(zmq.RCVTIMEO, int(PATIENCE * 1_000))
        self._asking.connect(f"ipc://{bus}/requests")
        program = str(Path(sys.executable).with_name("mazziere"))
        self.start(program, "controller", "--config", str(toml))
        self.start(program, "shoe", "--config", str(toml))
        self.view = TableView()
        self.epoch = ""
        self._ready()

    def _config(self, place: Path, bus: Path) -> Config:
        return Config(
            table=Table(id="bench", environment="test"),
            times=Times(
                betting=_AT_ONCE, decision=600, grace=30, results=_AT_ONCE, resume_at_least=_AT_ONCE
            ),
            bus=Bus(directory=str(bus)),
            journal=Journal(directory=str(place / "journal"), low_disk_mib=1),
            shoe=Shoe(device=self.line.path, spool=str(place / "spool"), settle_ms=_SETTLED_MS),
            log=Log(format="json"),
        )

    def _ready(self) -> None:
        """Until the controller answers and the reader's line is open and settled."""
        deadline = time.monotonic() + PATIENCE
        while not any(reader.rung is Rung.OPENED for reader in self.view.readers):
            if time.monotonic() > deadline:
                raise RuntimeError(f"the table does not come up; see {self._place}/*.log")
            self._asking.send(self._encode(GetSnapshot()))
            told = self._decode(self._asking.recv())
            assert isinstance(told, Snapshot)
            self.view, self.epoch = told.view, told.epoch
            time.sleep(0.05)
        time.sleep(4 * _SETTLED_MS / 1_000)
        self._drain()

    def event(self) -> int:
        began = self.line.first_copy(self._next_card())
        taken = False
        while True:
            _, body = self._state.recv_multipart()
            at = time.monotonic_ns()
            fact, view = self._follow(body)
            if isinstance(fact, CardCounted | ReadingNoted) and fact.reading.n > self._taken:
                self._taken, taken = fact.reading.n, True
            if taken and view:
                self.line.other_copies()
                return at - began

    def _next_card(self) -> str:
        return any_card(self._choice)

    def _follow(self, body: bytes) -> tuple[object, bool]:
        """What happened, and whether it brought the state."""
        told = self._decode(body)
        assert isinstance(told, FactMessage)
        if told.view is not None:
            self.view = told.view
        return told.fact, told.view is not None

    def _drain(self) -> None:
        while self._state.poll(0):
            self._follow(self._state.recv_multipart()[1])

    def command(self, do: Do, role: Role, window: int = 0) -> None:
        """Asked until done, and the state that it led to."""
        command = Command(
            id=uuid4().hex,
            epoch=self.epoch,
            role=role,
            who="bench",
            window=window,
            issued=time.monotonic_ns(),
            do=do,
        )
        while True:
            self._asking.send(self._encode(command))
            told = self._decode(self._asking.recv())
            assert isinstance(told, AnswerMessage)
            if told.answer.verdict is Verdict.DONE:
                break
            if told.answer.verdict is Verdict.REFUSED:
                raise RuntimeError(f"{do} was refused: {told.answer.text}")
        self._follow(self._state.recv_multipart()[1])
        self._drain()


class Noted(RealTable):
    """Every reading is one fact."""

    name = "noted"
    what = "real, a reading noted: 1 fact"

    def prepare(self) -> None:
        self._drain()


class Dealt(RealTable):
    """Rounds are dealt."""

    name = "dealt"
    what = "real, a card dealt: 2-5 facts"

    def __init__(self, place: Path, bus: Path, scheduling: Scheduling) -> None:
        self._decks = count(1)
        self._cards: list[str] = []
        super().__init__(place, bus, scheduling)

    def _next_card(self) -> str:
        return self._cards.pop()

    def prepare(self) -> None:
        self._drain()
        while self.view.phase not in CARD_DUE:
            self._play()

    def _play(self) -> None:
        view = self.view
        window = view.window.seq if view.window else 0
        if view.move.what is What.OPEN_TABLE:
            self.command(OpenTable(), Role.DEALER)
        elif view.move.what is What.CHANGE_DECK:
            self._change_deck()
        elif view.phase is Phase.BETTING and view.window and view.window.shut:
            self.command(Bets(main=_PLAYERS, pp=2, mdp=0, rules=view.rules), Role.SERVER, window)
        elif view.phase is Phase.DECISION:
            hit = self._choice.randint(0, view.players.plain)
            counts = Counts(hit=hit, stand=view.players.plain - hit)
            self.command(Decisions(plain=counts), Role.SERVER, window)
        elif view.phase is Phase.HALTED:
            raise RuntimeError(f"the table has halted: {view.halt}")
        else:
            self._follow(self._state.recv_multipart()[1])
            self._drain()

    def _change_deck(self) -> None:
        if self.view.deck is not None:
            self.command(CloseDeck(), Role.DEALER)
        self._cards = self._choice.sample(DECK, len(DECK))
        self.command(OpenDeck(f"deck-{next(self._decks)}"), Role.DEALER)
