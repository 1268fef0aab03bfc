"""Kill the controller at any line between a card's first byte and its acknowledgement.

One scripted round (burn, deal, hit, dealer's draw) is dealt by a person who
follows the view, a reader that keeps what is not acknowledged, and a server that
resends. Wherever the controller dies, the round ends with the same result, every
card is in the journal once, and nothing was published that the journal lacks.
"""

import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import msgspec
import pytest

from controller.client import AnswerGot, Changed, Endpoints, Follower
from controller.contract.audience import Audience, for_audience
from controller.contract.commands import (
    Bets,
    Counts,
    Decisions,
    Exit,
    OpenDeck,
    OpenTable,
    Resolve,
    Role,
    StopAfterRound,
)
from controller.contract.facts import (
    CardCounted,
    RoundSettled,
)
from controller.contract.readings import Ack, Hello, ReaderStatus, Reading, ReadingKind, Rung
from controller.contract.state import Phase, TableView
from controller.journal.audit import audit
from controller.journal.entries import entries
from controller.runtime.bus import Bus, connect_reader
from controller.runtime.clock import SystemClock

DRAWN = ("2B", "7S", "3C", "JD", "4C")
"""A burn, then: 7 against 3, a hit to 7½, the dealer's 7."""

CONFIG = """
[table]
id = "T1"
environment = "test"
[game]
burn = 1
[bus]
directory = "{0}"
heartbeat = 0.1
[times]
betting = 0.15
decision = 5.0
grace = 5.0
results = 0.1
resume_at_least = 0.1
[journal]
directory = "{0}/journal"
low_disk_mib = 1
[shoe]
spool = "{0}/spool"
[display]
stale_after = 0.5
"""


class Table:
    """Reader, dealer and game server around a controller that may die once."""

    def __init__(self, directory: Path, kill_at: int) -> None:
        self.config = directory / "table.toml"
        self.config.write_text(CONFIG.format(directory))
        self.directory = directory
        self.clock = SystemClock()
        self.bus = Bus()
        ops, requests = f"ipc://{directory}/ops", f"ipc://{directory}/requests"
        self.follower = Follower(
            self.bus, Endpoints(ops, requests), audience=Audience.OPS, clock=self.clock
        )
        self.reader = connect_reader(f"ipc://{directory}/readers", "shoe")
        self.unacknowledged: list[Reading] = []
        self.published: dict[int, object] = {}
        self.drawn = 0
        self.lines = 0
        self.deaths = 0
        self.asked: set[object] = set()
        self.keys = count()
        self.told_at = 0.0
        self.process = self.start(kill_at)

    def start(self, kill_at: int) -> "subprocess.Popen[str]":
        harness = Path(__file__).with_name("crashing.py")
        return subprocess.Popen(
            [sys.executable, harness, str(kill_at), self.config],
            stdout=subprocess.PIPE,
            stderr=(self.directory / "log").open("ab"),
            text=True,
        )

    def deal_one_round(self) -> None:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                self.deaths += 1
                assert self.deaths == 1, (self.directory / "log").read_text()[-2000:]
                self.process = self.start(0)
            self.hear()
            self.tell()
            view = self.follower.view
            if view is not None and self.follower.live:
                if view.phase is Phase.CLOSED and view.round == 1:
                    return
                self.act(view)
        pytest.fail(f"the round did not end: {self.follower.view}")

    def hear(self) -> None:
        for event in self.follower.step(10):
            if isinstance(event, Changed):
                self.published[event.message.seq] = event.message.fact
            if isinstance(event, AnswerGot) and event.answer.verdict != "done":
                # It did not survive, or came twice: look at the view and decide again.
                self.asked.clear()
        for message in self.reader.receive():
            if isinstance(message, Ack):
                self.unacknowledged = [r for r in self.unacknowledged if r.n > message.n]

    def tell(self) -> None:
        if time.monotonic() - self.told_at < 0.1:
            return
        self.told_at = time.monotonic()
        self.reader.send(Hello(reader="shoe", session="s1", boot="b"))
        for reading in self.unacknowledged:
            self.reader.send(reading)
        self.reader.send(ReaderStatus(reader="shoe", session="s1", rung=Rung.READING))

    def act(self, view: TableView) -> None:
        """What the people at the table and the game server do when they see this view."""
        if view.phase is Phase.CLOSED:
            self.once("open", OpenTable(), Role.DEALER)
        elif view.phase is Phase.WAITING and view.deck is None:
            self.once("deck", OpenDeck("deck-1"), Role.DEALER)
        elif view.phase is Phase.BETTING and view.window and view.window.shut:
            self.once("stop", StopAfterRound(), Role.DEALER)
            bets = Bets(main=1, rules=view.rules)
            self.once(("bets", view.window.seq), bets, Role.SERVER, view.window.seq)
        elif view.phase is Phase.DECISION and view.window:
            hit = Decisions(plain=Counts(hit=1))
            self.once(("hit", view.window.seq), hit, Role.SERVER, view.window.seq)
        elif view.phase in (Phase.BURN, Phase.DEAL):
            self.draw(view)
        elif view.phase is Phase.HALTED and view.halt:
            self.resolve(view)

    def draw(self, view: TableView) -> None:
        """One card, when everything drawn so far is seen to lie where it belongs."""
        if self.drawn == view.burned + len(view.position.cards) + len(view.dealer.cards):
            self.drawn += 1
            reading = Reading(
                reader="shoe", session="s1", n=self.drawn, kind=ReadingKind.CARD,
                stamp=self.clock.mono(), utc=self.clock.utc(), card=DRAWN[self.drawn - 1],
            )  # fmt: skip
            self.unacknowledged.append(reading)
            self.reader.send(reading)

    def resolve(self, view: TableView) -> None:
        """A person counts what has really left the shoe; a card still on its way comes first."""
        assert view.halt is not None
        if self.unacknowledged:
            return
        way = Exit.PLAY_HELD if view.halt.held else Exit.GO_ON
        felt = max(0, self.drawn - 1)
        counted = Resolve(exit=way, felt=felt, out=self.drawn)
        self.once(("resolve", view.halt.seq, view.halt.held), counted, Role.DEALER, view.halt.seq)

    def once(self, key: object, do: object, role: Role, window: int = 0) -> None:
        key = (self.follower.epoch, key)
        if key not in self.asked:
            self.asked.add(key)
            self.follower.send(do, role=role, who="somebody", window=window)  # type: ignore[arg-type]

    def stop(self) -> None:
        self.process.terminate()
        out, _ = self.process.communicate(timeout=10)
        self.lines = int(out or 0)
        self.follower.close()
        self.reader.close()
        self.bus.close()


def deal(directory: Path, kill_at: int) -> Table:
    table = Table(directory, kill_at)
    try:
        table.deal_one_round()
    finally:
        table.stop()
    return table


def check(table: Table) -> None:
    """The same result as without a crash, each card once, and nothing said that is not kept."""
    kept: dict[int, object] = {}
    for entry in entries(table.directory / "journal"):
        first = entry.record.seq - len(entry.record.facts) + 1
        kept |= dict(enumerate(entry.record.facts, first))
    assert list(kept) == list(range(1, len(kept) + 1))
    counted = [fact for fact in kept.values() if isinstance(fact, CardCounted)]
    assert [(str(fact.hand), fact.card) for fact in counted] == list(
        zip(("burn", "position", "dealer", "position", "dealer"), DRAWN, strict=True)
    )
    [settled] = [fact for fact in kept.values() if isinstance(fact, RoundSettled)]
    [result] = settled.results
    assert (result.outcome, result.main_halves, result.half_points) == ("higher", 4, 15)
    for seq, fact in table.published.items():
        shown = for_audience(kept[seq], Audience.OPS)  # type: ignore[arg-type]
        assert msgspec.to_builtins(fact) == msgspec.to_builtins(shown)
    audit(table.directory / "journal")


@pytest.fixture
def directory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Short enough for an ipc socket's path."""
    return tmp_path_factory.mktemp("t", numbered=True)


def places(upto: int, of: int) -> list[int]:
    """`of` lines spread over a round: no two in the same turn of a loop."""
    return [1 + (7919 * k) % upto for k in range(of)]


def test_without_a_crash_the_round_is_dealt(directory: Path) -> None:
    table = deal(directory, 0)
    check(table)
    assert table.deaths == 0
    assert table.lines > 1_500, "the lines below would never be reached"


@pytest.mark.parametrize("line", places(1_500, 12))
def test_a_kill_at_this_line_costs_nothing(directory: Path, line: int) -> None:
    table = deal(directory, line)
    check(table)
    assert table.deaths == 1


@pytest.mark.soak
@pytest.mark.parametrize("line", range(1, 1_900, 5))
def test_a_kill_at_any_line_costs_nothing(directory: Path, line: int) -> None:
    check(deal(directory, line))
