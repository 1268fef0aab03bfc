"""`mazziere controller`: the one writer of the table's truth.

The loop, and nothing else: take what has come, in the order of its stamps; for
each, decide → journal → apply → publish → acknowledge. One thread, one sleep.
What is decided lives in `controller.table`, what is durable in
`controller.journal`; a restart folds the facts and never decides again.

A journal that does not take a write stops the table: the beats say so, no fact
follows, and the process stays, to say so.
"""

import gc
import os
import secrets
from pathlib import Path
from typing import Any, Final

import click
import msgspec
import structlog

from controller.contract.commands import Answer, Command, Verdict, Why
from controller.contract.facts import (
    Halted,
    Resumed,
    RoundSettled,
    RoundVoided,
)
from controller.contract.inputs import Body, Disk, Input, Start, Tick
from controller.contract.readings import (
    Ack,
    FromReader,
    ReaderStatus,
    Reading,
    Rung,
    ToReader,
    Welcome,
)
from controller.contract.state import Phase
from controller.contract.wire import AnswerMessage, GetReplay, GetSnapshot, Replay, Request
from controller.journal.segments import Journal
from controller.opening import opening
from controller.publisher import Publisher
from controller.replays import Replays
from controller.runtime import log
from controller.runtime.bus import POLLIN, Bus, Poller, drain, send
from controller.runtime.bus_directory import held_bus
from controller.runtime.clock import NANOSECONDS, Clock, ClockHealth, SystemClock
from controller.runtime.config import Config
from controller.runtime.daemon import Daemon
from controller.runtime.options import config_option
from controller.sockets import NotUnderstood, Sockets, decoded
from controller.table.draft import Draft
from controller.table.machine import deadline, is_known, leaves_hole, tag_of
from controller.truth import Truth

READER_SILENT_NS: Final = 3 * NANOSECONDS
"""A reader speaks once a second; after three it is taken for dead."""
_CHECK_NS: Final = 5 * NANOSECONDS
"""How often an idle journal is proved writable and the disk is looked at."""
_QUIET: Final = frozenset({Phase.CLOSED, Phase.WAITING, Phase.RESULT, Phase.VOIDED})
"""Phases in which a pause of some milliseconds disturbs nobody."""
_MIB: Final = 1 << 20
_ACK_MS: Final = 1
_LOGGED: Final = (Halted, Resumed, RoundSettled, RoundVoided)

_log = structlog.get_logger()


class Authority:
    """The controller between its start and its stop signal."""

    def __init__(
        self,
        config: Config,
        truth: Truth,
        sockets: Sockets,
        publisher: Publisher,
        replays: Replays,
        clock: Clock,
        daemon: Daemon,
    ) -> None:
        self._config = config
        self._truth = truth
        self._sockets = sockets
        self._publisher = publisher
        self._replays = replays
        self._clock = clock
        self._daemon = daemon
        self._health = ClockHealth(clock)
        self._readers = frozenset({config.shoe.reader})
        self._heard: dict[str, tuple[int, str]] = {}
        """Reader → when it spoke last, and in which session."""
        self._waiting: list[tuple[int, Input, bytes]] = []
        """What has come and is not judged yet: order, input, who asked."""
        self._owed: dict[tuple[bytes, str], int] = {}
        """Sender and session → the last reading that is durable and not acknowledged yet."""
        self._beat_ns = round(config.bus.heartbeat * NANOSECONDS)
        self._beat_at = self._check_at = clock.mono()
        self._encode = msgspec.json.Encoder().encode
        self._decode_reader = msgspec.json.Decoder(FromReader).decode
        self._decode_request = msgspec.json.Decoder(Request).decode

    def run(self) -> None:
        poller = Poller()
        everything: list[Any] = [self._sockets.readers, self._sockets.requests]
        for source in (*everything, *self._sockets.facts.values(), self._daemon.stop_fd()):
            poller.register(source, POLLIN)
        while not self._daemon.stopping:
            self._turn({source for source, _ in poller.poll(self._sleep_ms())})

    def _turn(self, ready: set[Any]) -> None:
        self._collect()
        came = len(self._waiting)
        self._judge()
        self._fire(self._clock.mono())
        self._keep_house()
        if self._owed and not came:
            self._acknowledge()
        for socket in ready.intersection(self._sockets.facts.values()):
            for _subscription in drain(socket):
                """Who listens is nobody's business here; the message must be taken all the same."""
        self._daemon.watchdog.progress("loop")

    # --- what has come

    def _collect(self) -> None:
        """Empty every socket before anything is judged, so that order is by stamp alone."""
        order = 0
        for sender, *frames in drain(self._sockets.readers):
            asked = self._from_reader(sender, frames)
            if asked is not None:
                # A reader's own order holds, whatever its stamps say.
                order = max(order, asked.stamp)
                self._waiting.append((order, asked, sender))
        for sender, *frames in drain(self._sockets.requests):
            self._from_client(sender, frames)
        self._waiting.sort(key=lambda waiting: waiting[0])

    def _from_reader(self, sender: bytes, frames: list[bytes]) -> Input | None:
        now = self._clock.mono()
        try:
            said = decoded(self._decode_reader, frames)
        except NotUnderstood as error:
            _log.warning("reader_not_understood", error=str(error))
            return None
        if said.reader not in self._readers:
            _log.warning("reader_not_configured", reader=said.reader)
            return None
        self._heard[said.reader] = (now, said.session)
        if isinstance(said, Reading):
            return Input(min(said.stamp, now), now, said)
        self._to_reader(sender, Welcome(epoch=self._truth.state.epoch))
        return Input(now, now, said)

    def _from_client(self, sender: bytes, frames: list[bytes]) -> None:
        now = self._clock.mono()
        try:
            asked = decoded(self._decode_request, frames)
        except NotUnderstood as error:
            told = Answer(id="", verdict=Verdict.REFUSED, why=Why.UNREADABLE, text=str(error))
            self._answer(sender, told)
            return
        if isinstance(asked, Command):
            self._waiting.append((now, Input(now, now, asked), sender))
        elif isinstance(asked, GetSnapshot):
            self._snapshot(sender, asked)
        else:
            self._replay(sender, asked)

    # --- decide, make durable, say, acknowledge

    def _judge(self) -> None:
        waiting, self._waiting = self._waiting, []
        for _, asked, sender in waiting:
            self._fire(asked.stamp)
            if isinstance(asked.body, Reading):
                self._reading(asked, asked.body, sender)
            else:
                self._ask(asked, sender)

    def _reading(self, asked: Input, reading: Reading, sender: bytes) -> None:
        if leaves_hole(self._truth.state, reading):
            return
        if is_known(self._truth.state, reading) or self._take(asked) is not None:
            debt = sender, reading.session
            self._owed[debt] = max(reading.n, self._owed.get(debt, 0))

    def _acknowledge(self) -> None:
        """When no reading comes any more: waking a reader holds up those who wait for the state."""
        for (sender, session), n in self._owed.items():
            self._to_reader(sender, Ack(session=session, n=n))
        self._owed.clear()

    def _ask(self, asked: Input, sender: bytes) -> None:
        draft = self._take(asked)
        if not isinstance(asked.body, Command):
            return
        failed = self._truth.failed
        stopped = Answer(
            id=asked.body.id,
            verdict=Verdict.RETRY if failed else Verdict.REFUSED,
            why=Why.JOURNAL if failed else Why.UNREADABLE,
            text=failed,
        )
        self._answer(sender, (draft and draft.answer) or stopped)

    def _fire(self, until: int) -> None:
        """Every deadline up to `until`, each with itself as its stamp."""
        while (due := deadline(self._truth.state)) is not None and due[0] <= until:
            at = max(self._clock.mono(), due[0])
            if self._take(Input(due[0], at, Tick(due[1]))) is None:
                return

    def _take(self, asked: Input) -> Draft | None:
        taken = self._truth.take(asked)
        if taken is None:
            return None
        draft, record = taken
        if record is not None:
            first = record.seq - len(record.facts) + 1
            self._publisher.facts(first, asked.at, record.facts, draft.state.view)
            self._replays.remember(record)
            self._log(draft)
        return draft

    def take_own(self, body: Body) -> None:
        """An input of the controller's own: its start, a silent reader, a filling disk."""
        now = self._clock.mono()
        self._take(Input(now, now, body))

    def _log(self, draft: Draft) -> None:
        structlog.contextvars.bind_contextvars(round=draft.state.view.round, seq=draft.state.seq)
        for fact in draft.facts:
            if isinstance(fact, _LOGGED):
                incident = getattr(fact, "incident", None)
                _log.info(tag_of(fact), **({"incident": str(incident)} if incident else {}))

    # --- answers

    def _to_reader(self, sender: bytes, message: ToReader) -> None:
        send(self._sockets.readers, sender, self._encode(message))

    def _answer(self, sender: bytes, answer: Answer) -> None:
        envelope = self._publisher.envelope(self._truth.seq)
        self._reply(sender, AnswerMessage(**envelope, answer=answer))

    def _snapshot(self, sender: bytes, asked: GetSnapshot) -> None:
        state = self._truth.state
        self._reply(sender, self._publisher.snapshot(state.seq, state.view, asked.audience))

    def _replay(self, sender: bytes, asked: GetReplay) -> None:
        """One page; a client asks again while there is more."""
        facts = self._replays.page(max(asked.first, 1), self._truth.seq, asked.audience)
        last = facts[-1].seq if facts else self._truth.seq
        envelope = self._publisher.envelope(last)
        self._reply(sender, Replay(**envelope, facts=facts, more=last < self._truth.seq))

    def _reply(self, sender: bytes, message: AnswerMessage | Replay | Any) -> None:
        send(self._sockets.requests, sender, self._encode(message))

    # --- the house

    def _keep_house(self) -> None:
        now = self._clock.mono()
        self._miss_silent_readers(now)
        if now >= self._check_at:
            self._check_at = now + _CHECK_NS
            self._check_disk()
        if self._truth.state.view.phase in _QUIET:
            self._truth.checkpoint(now)
        if now >= self._beat_at:
            self._beat_at = now + self._beat_ns
            quality = self._health.quality()
            self._publisher.beat(
                self._truth.seq, self._truth.journal.head, str(quality.sync), self._truth.failed
            )

    def _miss_silent_readers(self, now: int) -> None:
        for reader, (heard, session) in list(self._heard.items()):
            if now - heard > READER_SILENT_NS:
                del self._heard[reader]
                detail = "the reader program does not speak; is its service running?"
                self.take_own(
                    ReaderStatus(reader=reader, session=session, rung=Rung.ABSENT, detail=detail)
                )

    def _check_disk(self) -> None:
        view = self._truth.state.view
        if view.phase in _QUIET:
            # What is garbage by now is collected while nobody waits for a card.
            gc.collect()
        self._truth.probe()
        free = self._truth.journal.free_bytes() // _MIB
        stopping = view.stop_after_round or view.phase is Phase.CLOSED
        if free < self._config.journal.low_disk_mib and not stopping:
            self.take_own(Disk(free))

    def _sleep_ms(self) -> int:
        times = [self._beat_at, self._check_at]
        due = deadline(self._truth.state)
        if due is not None and not self._truth.failed:
            times.append(due[0])
        ms = max(0, -(-(min(times) - self._clock.mono()) // 1_000_000))
        return min(ms, _ACK_MS) if self._owed else ms


@click.command("controller")
@config_option
def command(config: Config) -> None:
    """Enforce the game, keep the journal, publish the truth."""
    table = config.table
    log.setup(config.log, os.environ, daemon="controller", table=table.id, env=table.environment)
    os.umask(0o007)
    clock = SystemClock()
    journal = Journal.open(
        Path(config.journal.directory), segment_bytes=config.journal.segment_mib * _MIB
    )
    bus = Bus()
    try:
        held = held_bus(config.bus)
        with held, Daemon(os.environ, clock, ("loop",)) as daemon:
            _serve(config, journal, bus, clock, daemon)
    finally:
        bus.close()
        journal.close()


def _serve(config: Config, journal: Journal, bus: Bus, clock: Clock, daemon: Daemon) -> None:
    truth = Truth(journal, clock.utc)
    opened = opening(
        config,
        clock,
        lambda: secrets.token_hex(3),
        after=truth.state.epoch,
        clock_quality=str(ClockHealth(clock).quality().sync),
        torn=str(journal.torn or ""),
    )
    structlog.contextvars.bind_contextvars(epoch=opened.epoch)
    sockets = Sockets(bus, config)
    publisher = Publisher(dict(sockets.facts), opened, clock)
    replays = Replays(journal.directory, opened.table, opened.environment)
    authority = Authority(config, truth, sockets, publisher, replays, clock, daemon)
    _log.info("controller_started", seq=truth.seq, rules=opened.rules, torn=opened.torn)
    gc.freeze()
    gc.disable()
    authority.take_own(Start(opened))
    daemon.notifier.ready()
    daemon.notifier.status(f"epoch {opened.epoch}")
    authority.run()
    _log.info("controller_stopped", seq=truth.seq)
