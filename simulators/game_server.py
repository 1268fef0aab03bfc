"""A game server with N players, on the public socket: bets and choices as counts.

It keeps what each player did and works the result out anew (`simulators.tally`):
whatever the table publishes must agree. It answers each window once, from what
was decided for that window, however often it has to say it.
What is not here: how players choose (`simulators.policy`).
"""

import random
from collections.abc import Sequence
from typing import Final, NamedTuple

from controller.client import Changed, Event, Follower
from controller.contract.commands import Bets, Counts, Decisions, Role, Verdict, Why
from controller.contract.facts import DecisionsTaken, RoundSettled, RoundVoided
from controller.contract.state import Phase, TableView, Window
from controller.runtime.clock import Clock
from simulators.asking import Asking
from simulators.policy import Choice, Player
from simulators.tally import Seat, differences

_OVERTAKEN: Final = frozenset({Why.STALE, Why.EPOCH, Why.EXPIRED})
"""Refusals that are no fault: the window closed meanwhile, and the facts say by what."""


class Plan(NamedTuple):
    """What the players of one decision window will have chosen, and when the last has."""

    window: int
    depth: int
    choices: tuple[tuple[Seat, Choice], ...]
    at: int

    @property
    def full(self) -> bool:
        return all(choice is not Choice.SILENT for _, choice in self.choices)

    def counts(self, *, mdp: bool) -> Counts:
        chosen = [choice for seat, choice in self.choices if seat.mdp is mdp]
        return Counts(
            hit=chosen.count(Choice.HIT),
            stand=chosen.count(Choice.STAND),
            left=chosen.count(Choice.LEFT),
        )


class GameServer:
    """Follows the table and answers its windows; `complaints` is what it found wrong."""

    def __init__(
        self, follower: Follower, clock: Clock, rng: random.Random, players: Sequence[Player]
    ) -> None:
        self._follower = follower
        self._clock = clock
        self._rng = rng
        self._players = players
        self._asking = Asking(follower, "game-server")
        self._betting = 0
        self._round = 0
        self._seats: list[Seat | None] = []
        self._plan: Plan | None = None
        self._mute_until = 0
        self._checked: set[int] = set()
        self.complaints: list[str] = []
        self.settled = 0
        self.voided = 0

    def mute(self, ns: int) -> None:
        """Say nothing for so long: the table must wait for us."""
        self._mute_until = self._clock.mono() + ns

    def hear(self, event: Event) -> None:
        answer = self._asking.heard(event)
        if answer and answer.verdict is Verdict.REFUSED and answer.why not in _OVERTAKEN:
            self.complaints.append(f"the game server was refused: {answer.why} {answer.text}")
        if isinstance(event, Changed):
            self._note(event.message.fact)

    def act(self) -> None:
        """Answer the open window, if it is time to."""
        view = self._follower.view
        if view is None or view.window is None or not self._follower.live or self._asking.busy:
            return
        if self._clock.mono() < self._mute_until:
            return
        phase = view.halt.phase if view.halt else view.phase
        if phase is Phase.BETTING:
            self._answer_bets(view, view.window)
        elif phase is Phase.DECISION and view.round == self._round:
            self._answer_choices(view, view.window)

    def _answer_bets(self, view: TableView, window: Window) -> None:
        if window.seq != self._betting:
            self._betting, self._round = window.seq, view.round
            placed = [player.bet() for player in self._players]
            self._seats = [Seat(bet.pp, bet.mdp) if bet else None for bet in placed]
        if window.shut:
            seated = [seat for seat in self._seats if seat]
            bets = Bets(
                main=len(seated),
                pp=sum(seat.pp for seat in seated),
                mdp=sum(seat.mdp for seat in seated),
                rules=view.rules,
            )
            self._asking.ask(bets, Role.SERVER, window.seq)

    def _answer_choices(self, view: TableView, window: Window) -> None:
        if self._plan is None or self._plan.window != window.seq:
            self._plan = self._make_plan(view, window)
        plan = self._plan
        if window.shut or (plan.full and self._clock.mono() >= plan.at):
            decisions = Decisions(plain=plan.counts(mdp=False), mdp=plan.counts(mdp=True))
            self._asking.ask(decisions, Role.SERVER, window.seq)

    def _make_plan(self, view: TableView, window: Window) -> Plan:
        still_in = {False: view.players.plain, True: view.players.mdp}
        choices = []
        for seat, player in zip(self._seats, self._players, strict=True):
            if seat and not seat.gone and still_in[seat.mdp]:
                choices.append((seat, player.choose(view.position.half_points)))
        for mdp, count in still_in.items():
            mine = sum(seat.mdp is mdp for seat, _ in choices)
            if mine != count:
                self.complaints.append(
                    f"round {view.round}: {count} players are asked "
                    f"({'with' if mdp else 'without'} Mano di Poker), {mine} are in"
                )
        now = self._clock.mono()
        thinking = self._rng.uniform(0.1, 0.5) * max(0, window.players_until - now)
        depth = len(view.position.cards)
        return Plan(window.seq, depth, tuple(choices), now + round(thinking))

    def _note(self, fact: object) -> None:
        if isinstance(fact, DecisionsTaken):
            self._register(fact)
        elif isinstance(fact, RoundSettled):
            self._check(fact)
        elif isinstance(fact, RoundVoided):
            self.voided += 1

    def _register(self, fact: DecisionsTaken) -> None:
        if not fact.window:
            return  # a round for nobody asks nobody
        plan = self._plan
        if plan is None or plan.window != fact.window:
            self.complaints.append(f"window {fact.window}: choices were taken that nobody sent")
            return
        if (fact.plain, fact.mdp) != (plan.counts(mdp=False), plan.counts(mdp=True)):
            self.complaints.append(f"window {fact.window}: other choices were taken than sent")
        for seat, choice in plan.choices:
            seat.choices[plan.depth] = choice

    def _check(self, fact: RoundSettled) -> None:
        if fact.round in self._checked:
            self.complaints.append(f"round {fact.round} was settled twice")
        self._checked.add(fact.round)
        self.settled += 1
        seats = [seat for seat in self._seats if seat]
        if fact.for_nobody == bool(seats):
            self.complaints.append(f"round {fact.round}: {len(seats)} bets were not dealt for")
        elif seats and (wrong := differences(fact, seats)):
            self.complaints.append(wrong)
