"""A whole simulated table: daemons as children; shoe, dealer and game server in one loop.

No threads: the loop listens to the bus, serves the pty, lets dealer and server
act and carries out the faults that are nobody's act. What each of them does is
in its own module; here they are put together and ended.
"""

import os
import random
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from controller.client import Changed, Endpoints, Event, Follower, Replaced
from controller.contract.audience import Audience
from controller.rules.catalogue import DEALT
from controller.runtime.bus import Bus
from controller.runtime.clock import NANOSECONDS, Clock
from controller.runtime.daemon import Daemon
from controller.runtime.exits import ExitCode, Refusal
from simulators.audit import Audit
from simulators.by_hand import ByHand
from simulators.children import Child, Children, program
from simulators.dealer import Dealer, Shift
from simulators.devices import device
from simulators.drawing import Drawing, Pace
from simulators.faults import Faults
from simulators.game_server import GameServer
from simulators.physical import Physical
from simulators.policy import Player
from simulators.reader_watch import ReaderWatch
from simulators.seat_policy import SeatPlayer
from simulators.seat_server import SeatServer
from simulators.setup import Place, Wishes
from simulators.shoe import Shoe
from simulators.story import Story
from simulators.summary import summary

_LONGEST_WAIT_MS: Final = 20
_LEAST_PATIENCE: Final = 2.5
"""Longer than it takes to see that the controller is silent."""
_STANDSTILL: Final = 90.0
_MUTE: Final = 0.4
"""How much longer than the grace a silent game server says nothing."""


class Table:
    """Everything of one table but its daemons; `run` returns the exit code."""

    def __init__(
        self, wishes: Wishes, place: Place, clock: Clock, say: Callable[[str], None]
    ) -> None:
        self._wishes = wishes
        self._place = place
        self._clock = clock
        self._say = say
        self._story = Story(say)
        self._faults = Faults(wishes.faults, self._random("faults"), self._story.fault)
        self._physical = Physical(self._random("deck"))
        self._shoe = Shoe(place.link, device(wishes.protocol), clock)
        self._bus = Bus()
        self._ops = self._follow(Audience.OPS)
        self._public = self._follow(Audience.PUBLIC)
        self._server = self._make_server() if wishes.server else None
        self._dealer = self._make_dealer()
        self._audit = Audit(self._physical, self._dealer.doubtful)
        self._children = Children([self._child(name) for name in self._daemons()], self._story.died)
        self._away = self._random("cable")
        self._replug_at = 0
        self._moved_at = clock.mono()

    def run(self) -> int:
        """Deal until the rounds are over or somebody stops it; then look at the books."""
        self._story.headline(seated=DEALT[self._wishes.game].seated)
        try:
            with Daemon(os.environ, self._clock, ()) as life:
                while not (life.stopping or self._dealer.finished):
                    self._turn()
        finally:
            self._end()
        return self._close_the_books()

    def _turn(self) -> None:
        self._children.tend()
        for event in self._ops.step(self._wait_ms()):
            self._hear(event)
        for event in self._public.step(0):
            if self._server:
                self._server.hear(event)
        self._shoe.serve()
        if self._replug_at and self._clock.mono() >= self._replug_at:
            self._replug_at = 0
            self._shoe.plug()
        self._dealer.act()
        if self._server:
            self._server.act()
        if self._server and self._wishes.dealer:
            self._notice_standstill()

    def _hear(self, event: Event) -> None:
        self._dealer.hear(event)
        if isinstance(event, Replaced):
            self._story.found(event.snapshot.view.halt)
        if not isinstance(event, Changed):
            return
        self._moved_at = self._clock.mono()
        self._audit.hear(event.message)
        self._story.hear(event.message.fact)
        if fault := self._faults.event():
            self._carry_out(fault)

    def _carry_out(self, fault: str) -> None:
        if fault == "unplug" and self._shoe.plugged:
            self._shoe.unplug()
            away = round(self._away.uniform(0.2, 0.8) * NANOSECONDS)
            self._replug_at = self._clock.mono() + away
        elif fault == "wrong_order":
            self._dealer.err()
        elif fault == "silent_server" and self._server:
            silence = self._place.config.times.grace + _MUTE
            self._server.mute(round(silence * NANOSECONDS))
        elif fault.startswith("kill_"):
            self._children.kill(fault.removeprefix("kill_"))

    def _notice_standstill(self) -> None:
        patience = _STANDSTILL + 2 * self._place.config.times.betting
        if self._clock.mono() - self._moved_at > patience * NANOSECONDS:
            view = self._ops.view
            where = f"{view.phase}, {view.move.what}, {view.halt}" if view else "no controller"
            raise Refusal(
                f"The table has stood still for {patience:.0f} s ({where}); "
                f"its logs are in {self._place.directory}",
                ExitCode.UNEXPECTED,
            )

    def _end(self) -> None:
        self._children.end()
        self._shoe.close()
        self._ops.close()
        self._public.close()
        self._bus.close()

    # The books

    def _close_the_books(self) -> int:
        complaints = [*self._audit.complaints, *(self._server.complaints if self._server else ())]
        verified = subprocess.run(
            [str(program()), "journal", "verify", str(self._place.journal)],
            capture_output=True,
            text=True,
            check=False,
        )
        if verified.returncode:
            complaints.append(verified.stderr.strip())
        self._summary(verified.stdout.strip() or "DAMAGED")
        if not complaints:
            return ExitCode.OK
        raise Refusal(
            f"The table does not add up ({len(complaints)} findings): {'; '.join(complaints[:5])}",
            ExitCode.INTEGRITY,
        )

    def _summary(self, journal: str) -> None:
        injected = self._faults.injected
        for line in ("", *summary(self._story, self._audit, self._server, injected, journal)):
            self._say(line)

    # Putting it together

    def _make_server(self) -> GameServer | SeatServer:
        """Of one position or of seats, as the game is."""
        rng, clock, game = self._random("server"), self._clock, self._place.config.game
        if not DEALT[game.name].seated:
            players = [Player(self._random(f"player {n}")) for n in range(self._wishes.players)]
            return GameServer(self._public, clock, rng, players)
        return SeatServer(
            self._public,
            clock,
            rng,
            house=game.house(),
            players={n: SeatPlayer(self._random(f"seat {n}")) for n in range(1, game.seats + 1)},
            physical=self._physical,
        )

    def _make_dealer(self) -> Dealer | ByHand:
        clock, rng, card = self._clock, self._random("dealer"), 1 / self._wishes.speed
        drawing = Drawing(
            self._shoe,
            self._physical,
            self._faults,
            clock=clock,
            rng=rng,
            pace=Pace(card, max(_LEAST_PATIENCE, 3 * card)),
            mended=self._story.mended,
        )
        if not self._wishes.dealer:
            keys, rounds = sys.stdin.fileno(), self._wishes.rounds
            return ByHand(
                self._ops, drawing, self._physical, keys=keys, rounds=rounds, say=self._say
            )
        now = datetime.fromtimestamp(clock.utc() / NANOSECONDS, UTC)
        return Dealer(
            self._ops,
            drawing,
            self._physical,
            ReaderWatch(clock, 2 * self._place.config.shoe.settle_ms / 1000),
            clock=clock,
            rng=rng,
            shift=Shift(f"{now:%Y%m%d-%H%M%S}", self._wishes.rounds, look=card),
            mended=self._story.mended,
        )

    def _follow(self, audience: Audience) -> Follower:
        bus = self._place.config.bus
        endpoints = Endpoints(bus.url(audience.value), bus.url("requests"))
        return Follower(self._bus, endpoints, audience=audience, clock=self._clock)

    def _daemons(self) -> tuple[str, ...]:
        return ("controller", "shoe", "display") if self._wishes.display else ("controller", "shoe")

    def _child(self, name: str) -> Child:
        return Child(name, self._place.toml, self._place.log(name), self._clock)

    def _wait_ms(self) -> int:
        pace = round(200 / self._wishes.speed)
        return min(max(1, pace), _LONGEST_WAIT_MS)

    def _random(self, whose: str) -> random.Random:
        return random.Random(f"{self._wishes.seed} {whose}")
