"""Any history at all: cards, people, servers, readers and restarts in an order nobody would choose.

What must hold after every step stands in the invariants; what must hold of a
whole history is checked at its end: it decides again to the same facts.
"""

import random
from typing import Any

import msgspec
from accounting import FACE, Inventory, check_result
from felt import MS, Felt, S, through_json
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from controller.contract.audience import Audience, for_audience
from controller.contract.cards import DECK
from controller.contract.commands import (
    Bets,
    CloseDeck,
    CloseTable,
    Command,
    Counts,
    Decisions,
    Exit,
    OpenDeck,
    OpenTable,
    Role,
    StopAfterRound,
    Verdict,
    Void,
)
from controller.contract.facts import (
    AnyFact,
    EpochOpened,
    ReadingId,
    RoundSettled,
)
from controller.contract.inputs import Disk, Input
from controller.contract.readings import Reading, ReadingKind, Rung
from controller.contract.state import Phase
from controller.table.apply import apply
from controller.table.machine import deadline, decide
from controller.table.state import TableState

CARD_KINDS = (
    ReadingKind.NO_READ,
    ReadingKind.FOREIGN,
    ReadingKind.STALE,
    ReadingKind.OUT_OF_GAME,
)


LINE_KINDS = (
    ReadingKind.GAP,
    ReadingKind.REOPENED,
    ReadingKind.RESTARTED,
    ReadingKind.CUT_CARD,
    ReadingKind.FAULT,
    ReadingKind.FAULT_CLEARED,
    ReadingKind.COVERED,
    ReadingKind.GONE,
)


class Histories(RuleBasedStateMachine):
    """One table, and everybody who can do something to it."""

    @initialize(
        seed=st.integers(0, 10_000),
        burn=st.integers(0, 2),
        no_bets=st.sampled_from(["deal", "skip"]),
    )
    def begin(self, seed: int, burn: int, no_bets: str) -> None:
        self.rng = random.Random(seed)
        self.felt = Felt(burn=burn, no_bets=no_bets)
        self.inventory = Inventory()
        self.told = 0
        self.shoe: list[str] = []
        self.sessions = 1
        self.sent: list[Reading | Command] = []
        self.felt.reader_up()

    # --- what is right

    @rule(times=st.integers(1, 6))
    def everybody_does_what_is_right(self, times: int) -> None:
        for _ in range(times):
            self._right_thing()

    @rule(times=st.integers(4, 20))
    def a_long_stretch_goes_well(self, times: int) -> None:
        self.everybody_does_what_is_right(times)

    def _right_thing(self) -> None:
        felt, view = self.felt, self.felt.state.view
        if not felt.state.reader_ready:
            felt.reader_at(Rung.READING)
        match view.phase:
            case Phase.CLOSED:
                felt.command(OpenTable())
            case Phase.WAITING:
                self._new_deck()
            case Phase.BETTING:
                self._bet(self.rng.randrange(5))
            case Phase.BURN | Phase.DEAL:
                self._draw()
            case Phase.DECISION:
                self._choose()
            case Phase.RESULT | Phase.VOIDED:
                felt.wait(max(0, view.next_at - felt.now))
            case Phase.HALTED:
                self._leave(self.rng)

    def _new_deck(self) -> None:
        if self.felt.state.deck is not None:
            self.felt.command(CloseDeck())
        name = f"deck-{next(self.felt.decks)}"
        if self.felt.command(OpenDeck(name)).verdict is Verdict.DONE:
            self.shoe = self.rng.sample(DECK, 40)

    def _draw(self) -> None:
        """The next card of the shoe; a deck in which a face is twice, now and then."""
        card = self.shoe.pop() if self.shoe else self.rng.choice(DECK)
        self.felt.now += 100 * MS
        self._send(self.felt.reading(ReadingKind.CARD, card))

    def _send(self, reading: Reading) -> None:
        self.felt.give(reading, stamp=reading.stamp)
        self.sent.append(reading)

    def _bet(self, main: int) -> None:
        window = self.felt.state.view.window
        if window is not None:
            self.felt.wait(max(0, window.players_until - self.felt.now))
            some = self.rng.randint(0, main)
            self.felt.server(
                Bets(main=main, pp=some, mdp=main - some, rules=self.felt.state.view.rules)
            )

    def _choose(self) -> None:
        players, window = self.felt.state.view.players, self.felt.state.view.window
        counts = [self._some(n) for n in (players.plain, players.mdp)]
        if self.rng.random() < 0.5 and window is not None:
            self.felt.wait(max(0, window.players_until - self.felt.now))
        self.felt.server(Decisions(plain=counts[0], mdp=counts[1]))

    def _some(self, players: int) -> Counts:
        hit = self.rng.randint(0, players)
        left = self.rng.randint(0, players - hit) if self.rng.random() < 0.3 else 0
        return Counts(hit, players - hit - left, left)

    def _leave(self, rng: random.Random) -> None:
        view = self.felt.state.view
        assert view.halt is not None
        if Exit.ANSWERED in {way.exit for way in view.halt.exits} and rng.random() < 0.7:
            self.the_server_answers()
            return
        ways = [way.exit for way in view.halt.exits if way.exit is not Exit.ANSWERED]
        others = [way for way in ways if way is not Exit.VOID]
        way = rng.choice(others or ways)
        told: dict[str, Any] = {}
        if way is Exit.NAME_IT and self.felt.state.deck is not None:
            told["card"] = rng.choice([c for c in DECK if c not in self.felt.state.deck.seen])
        answer = self.felt.resolve(way, **told)
        assert answer.verdict is not Verdict.REFUSED, (way, answer, view.halt)

    # --- what is not

    @precondition(lambda self: self.felt.state.deck is not None)
    @rule()
    def a_card_comes_whatever_is_due(self) -> None:
        self._draw()

    @rule(card=st.sampled_from(DECK), ago=st.sampled_from([0, 50 * MS, 20 * S]))
    def any_card_comes_perhaps_from_before(self, card: str, ago: int) -> None:
        reading = self.felt.reading(ReadingKind.CARD, card, ago=ago)
        self._send(reading)

    @rule(kind=st.sampled_from(CARD_KINDS), card=st.sampled_from((None, *DECK)))
    def a_card_passes_that_is_not_plainly_read(self, kind: ReadingKind, card: str | None) -> None:
        face = card if kind in (ReadingKind.STALE, ReadingKind.OUT_OF_GAME) else None
        code = "8H" if kind is ReadingKind.FOREIGN else ""
        self._send(self.felt.reading(kind, face, code=code))

    @rule(kind=st.sampled_from(LINE_KINDS))
    def something_happens_on_the_line(self, kind: ReadingKind) -> None:
        self._send(self.felt.reading(kind, missing=2 * (kind is ReadingKind.GAP)))

    @rule(rung=st.sampled_from(list(Rung)))
    def the_readers_line_changes(self, rung: Rung) -> None:
        self.felt.reader_at(rung)

    @rule()
    def the_reader_restarts(self) -> None:
        self.sessions += 1
        self.felt.reader_restarts(f"s{self.sessions}")

    @rule(ms=st.sampled_from([1, 500, 1_000, 8_000, 60_000]))
    def time_passes(self, ms: int) -> None:
        self.felt.wait(ms * MS)

    @rule(
        do=st.sampled_from(
            [
                OpenTable(),
                CloseTable(),
                StopAfterRound(),
                StopAfterRound(on=False),
                CloseDeck(),
                CloseDeck(count_out=True),
                OpenDeck("deck-1"),
            ]
        )
    )
    def a_dealer_presses_anything(self, do: Any) -> None:
        self.felt.command(do)

    @rule()
    def a_supervisor_voids(self) -> None:
        self.felt.supervisor(Void("a whim", self.felt.state.view.round))

    @rule(main=st.integers(0, 3), hit=st.integers(0, 3))
    def the_server_says_anything(self, main: int, hit: int) -> None:
        self.felt.server(Bets(main=main, mdp=hit, rules=self.felt.state.view.rules))
        self.felt.server(Decisions(plain=Counts(hit=hit), mdp=Counts(left=main)))

    @precondition(lambda self: self.felt.phase is Phase.HALTED)
    @rule(seed=st.integers(0, 99))
    def a_person_takes_some_exit(self, seed: int) -> None:
        if self.felt.state.reader_ready:
            self._leave(random.Random(seed))

    @rule(
        changes=st.sampled_from(
            [{}, {}, {}, {"boot": "another"}, {"torn": "9 bytes"}, {"rules": "r2"}]
        )
    )
    def the_controller_restarts(self, changes: dict[str, str]) -> None:
        self.felt.restart(**changes)

    @precondition(lambda self: self.felt.state.view.window is not None)
    @rule(answers=st.booleans())
    def the_server_is_silent_and_perhaps_comes_back(self, answers: bool) -> None:
        self.felt.wait(60_000 * MS)
        if answers:
            self.the_server_answers()

    def the_server_answers(self) -> None:
        view = self.felt.state.view
        halted = view.halt.phase if view.halt else view.phase
        answer = Bets(main=2, mdp=1, rules=view.rules)
        self.felt.server(answer if halted is Phase.BETTING else Decisions())

    @precondition(lambda self: self.felt.phase in (Phase.BURN, Phase.DEAL))
    @rule()
    def a_card_is_not_read_and_goes_through_again(self) -> None:
        self._send(self.felt.reading(ReadingKind.NO_READ))
        if self.felt.state.reader_ready:
            self.felt.resolve(Exit.SCAN_AGAIN)
            self._draw()

    @rule(full=st.integers(0, 5))
    def the_disk_fills(self, full: int) -> None:
        if full == 5:
            self.felt.give(Disk(1))

    @precondition(lambda self: self.sent)
    @rule(n=st.integers(0, 1_000))
    def something_is_sent_again(self, n: int) -> None:
        again = self.sent[n % len(self.sent)]
        assert isinstance(again, Reading)
        before = self.felt.state
        draft = decide(before, Input(again.stamp, self.felt.now, again))
        assert draft.facts == []
        assert draft.state == before

    # --- what holds always

    @invariant()
    def every_card_is_accounted_for_once(self) -> None:
        self._catch_up()
        state = self.felt.state
        if state.deck is not None:
            held = len(state.halt.held) if state.halt else 0
            assert state.deck.counted + held == len(self.inventory.out)
            assert state.view.deck is not None
            assert state.view.deck.out == len(self.inventory.out)
            assert len(set(state.deck.seen)) == len(state.deck.seen), "no face twice"

    def _catch_up(self) -> None:
        for fact in self.felt.facts[self.told :]:
            self._hear(fact)
        self.told = len(self.felt.facts)

    def _hear(self, fact: AnyFact) -> None:
        shown = [msgspec.json.encode(for_audience(fact, who)).decode() for who in Audience]
        if isinstance(fact, EpochOpened):
            shown = []  # it names the wild card of the house, and no card of a deck
        self.inventory.hear(fact)
        for text in shown:
            leaked = set(FACE.findall(text)) & self.inventory.secret
            assert not leaked, f"{leaked} must not be shown: {text}"
        if isinstance(fact, RoundSettled):
            check_result(self.felt.facts, fact)

    @invariant()
    def the_view_shows_no_hidden_face(self) -> None:
        self._catch_up()
        shown = msgspec.json.encode(self.felt.state.view).decode()
        assert not set(FACE.findall(shown)) & self.inventory.secret

    @invariant()
    def facts_are_numbered_without_a_hole_and_the_state_survives_a_checkpoint(self) -> None:
        assert self.felt.state.seq == len(self.felt.facts)
        through_json(self.felt.state)

    @invariant()
    def no_timer_runs_in_a_halt_and_every_halt_has_a_way_out_for_a_person(self) -> None:
        view = self.felt.state.view
        assert (view.phase is Phase.HALTED) == (view.halt is not None)
        assert (view.halt is None) == (self.felt.state.halt is None)
        if view.halt is not None:
            assert deadline(self.felt.state) is None
            assert [way for way in view.halt.exits if way.role is not Role.SERVER]

    @invariant()
    def each_reading_was_told_before_it_was_acknowledged(self) -> None:
        self._catch_up()
        for reading in self.sent[-3:]:
            assert isinstance(reading, Reading)
            known = ReadingId(reading.reader, reading.session, reading.n)
            assert known in self.inventory.first

    def teardown(self) -> None:
        """An audit: the recorded inputs lead to the recorded facts, which fold to the state."""
        if not hasattr(self, "felt"):
            return
        state, folded, again = TableState(), TableState(), []
        for asked in self.felt.inputs:
            draft = decide(state, asked)
            again += draft.facts
            state = draft.state
        for fact in self.felt.facts:
            folded = apply(folded, fact)
        assert again == self.felt.facts
        assert state == folded == self.felt.state


TestHistories = Histories.TestCase
TestHistories.settings = settings(max_examples=60, stateful_step_count=50, deadline=None)
