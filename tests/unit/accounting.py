"""What the facts tell of cards, secrets and results, kept by a second bookkeeper."""

import re
from collections import Counter
from collections.abc import Iterator

from slow_model import main_return, mdp_return, play, pp_return

from controller.contract.commands import Exit
from controller.contract.facts import (
    AnyFact,
    BetsTaken,
    BettingOpened,
    CardCounted,
    CardHeld,
    CardSetAside,
    DecisionsTaken,
    DeckClosed,
    DeckOpened,
    ReadingId,
    ReadingNoted,
    Resumed,
    RoundSettled,
    RoundVoided,
)
from controller.contract.seat_facts import HandShown
from controller.contract.state import Hand

NAMING = CardCounted | CardHeld | CardSetAside | ReadingNoted


FACE = re.compile(r'"([A2-7JQK][DCSB])"')


class Inventory:
    """What left the shoe, told from the facts alone, and which faces nobody may know."""

    def __init__(self) -> None:
        self.deck = ""
        self.out: set[ReadingId] = set()
        self.held: list[ReadingId] = []
        self.first: dict[ReadingId, int] = {}
        self.ended: dict[ReadingId, str] = {}
        self.open: set[str] = set()
        self.hidden: set[str] = set()

    def hear(self, fact: AnyFact) -> None:
        if isinstance(fact, HandShown):
            self.open |= set(fact.cards)
        if isinstance(fact, DeckOpened):
            self.deck, self.out = fact.deck, set()
            self.open, self.hidden = set(), set()
        elif isinstance(fact, DeckClosed):
            self.deck, self.open, self.hidden = "", set(), set()
        elif isinstance(fact, Resumed) and fact.exit in (Exit.SCAN_AGAIN, Exit.SAME_CARD):
            # Only the first: a second one is that card, passed through once more.
            self.out -= set(self.held[:1])
            self.ended |= dict.fromkeys(self.held[:1], "read again")
        if isinstance(fact, Resumed | RoundVoided):
            self.held = []
        if isinstance(fact, NAMING):
            self._reading(fact)

    def _reading(self, fact: NAMING) -> None:
        if fact.reading not in self.first:
            self.first[fact.reading] = 1
        if isinstance(fact, CardHeld):
            self.held.append(fact.reading)
        elif isinstance(fact, CardCounted | CardSetAside):
            end = self.ended.setdefault(fact.reading, type(fact).__name__)
            assert end == type(fact).__name__, f"{fact.reading} ended twice"
        if isinstance(fact, ReadingNoted):
            return
        if self.deck:
            self.out.add(fact.reading)
        face = fact.card
        if face and isinstance(fact, CardCounted) and not fact.hidden:
            self.open.add(face)
        elif face:
            self.hidden.add(face)

    @property
    def secret(self) -> set[str]:
        return self.hidden - self.open if self.deck else set()


def check_result(facts: list[AnyFact], settled: RoundSettled) -> None:
    """The round once more, each player alone, by the second implementation."""
    start = max(
        n for n, f in enumerate(facts) if isinstance(f, BettingOpened) and f.round == settled.round
    )
    story = facts[start : facts.index(settled, start)]
    (bets,) = (f for f in story if isinstance(f, BetsTaken))
    plain, mdp = (1, 0) if bets.main == 0 else (bets.main - bets.mdp, bets.mdp)
    cards = [f for f in story if isinstance(f, CardCounted)]
    burns = sum(f.hand is Hand.BURN for f in cards)
    chosen = _chosen(story, plain, mdp)
    slow = play(
        [str(f.card) for f in cards],
        plain,
        mdp,
        lambda player, depth: chosen[player, depth],
        burn=burns,
    )
    assert slow.places == [f.hand.value for f in cards]
    assert (tuple(slow.position), tuple(slow.dealer)) == (settled.position, settled.dealer)
    assert pp_return(slow) == settled.pp_returns
    wanted = [
        (p.mdp, len(p.cards), p.why_closed, main_return(p, slow.dealer), mdp_return(slow, p))
        for p in slow.players
    ]
    assert Counter(wanted) == Counter(_paid(settled))


def _paid(settled: RoundSettled) -> Iterator[tuple[object, ...]]:
    for r in settled.results:
        main = None if r.main_halves is None else r.main_halves / 2
        for with_mdp, players in ((False, r.plain), (True, r.mdp)):
            for _ in range(players):
                yield with_mdp, r.depth, r.by.value, main, r.mdp_returns


def _chosen(story: list[AnyFact], plain: int, mdp: int) -> dict[tuple[int, int], str]:
    """Whom each counted choice belongs to: the first who are still in."""
    still_in = {False: list(range(plain)), True: list(range(plain, plain + mdp))}
    chosen: dict[tuple[int, int], str] = {}
    depth = 0
    for fact in story:
        if isinstance(fact, CardCounted) and fact.hand is Hand.POSITION:
            depth = fact.index
        if not isinstance(fact, DecisionsTaken):
            continue
        for cohort, counts in ((False, fact.plain), (True, fact.mdp)):
            players = still_in[cohort]
            for n, player in enumerate(players):
                hit, left = n < counts.hit, n < counts.hit + counts.left
                chosen[player, depth] = "hit" if hit else "left" if left else "stand"
            still_in[cohort] = players[: counts.hit]
    return chosen
