"""The live game against a second implementation of the same rules page, and its bound."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from slow_model import Choice, Played, main_return, mdp_return, play, pp_return, royal, value

from controller.contract.cards import DECK
from controller.contract.commands import Counts
from controller.contract.state import Hand
from controller.rules import live
from controller.rules.bound import most_cards
from controller.rules.hand import half_points, is_bust, is_royal
from controller.rules.steps import Burn, Close, Deal, Decide, Settle

LONGEST = [
    "KB",
    "QB",
    "JB",
    "KS",
    "QS",
    "JS",
    "KC",
    "QC",
    "JC",
    "QD",
    "JD",
    "KD",
    "AB",
    "AS",
    "AC",
    "AD",
    "2B",
    "2S",
]
"""All figures, all aces, two twos: position to 7½ with somebody standing, then the dealer to 5."""


def _production(
    deck: list[str], plain: int, mdp: int, choice: Choice, burn: int
) -> tuple[Played, live.Round]:
    """The same round through the rules that run the table."""
    game, log, shoe = live.Round(burn=burn, plain=plain, mdp=mdp), Played(), iter(deck)
    choosing = {n: n >= plain for n in range(plain + mdp)}
    while not isinstance(step := live.next_step(game), Settle):
        if isinstance(step, Burn):
            log.places.append("burn")
            next(shoe)
            game = live.deal(game, Hand.BURN, None)
        elif isinstance(step, Deal):
            log.places.append(step.hand.value)
            game = live.deal(game, step.hand, next(shoe))
        elif isinstance(step, Close):
            game = live.close(game, step.closings)
            choosing = _without(choosing, game)
        else:
            game = _chosen(game, step, log, choosing, choice)
    return log, game


def _without(choosing: dict[int, bool], game: live.Round) -> dict[int, bool]:
    """The rules close whole cohorts only."""
    assert game.plain in (0, list(choosing.values()).count(False))
    assert game.mdp in (0, list(choosing.values()).count(True))
    return {n: mdp for n, mdp in choosing.items() if (game.mdp if mdp else game.plain)}


def _chosen(
    game: live.Round, step: Decide, log: Played, choosing: dict[int, bool], choice: Choice
) -> live.Round:
    depth = len(game.position)
    log.asked.append((depth, step.plain, step.mdp))
    made = Counter((mdp, choice(n, depth)) for n, mdp in choosing.items())
    for n in [n for n in choosing if choice(n, depth) != "hit"]:
        del choosing[n]
    counts = [Counts(made[c, "hit"], made[c, "stand"], made[c, "left"]) for c in (False, True)]
    return live.choose(game, *counts)


def _paid(game: live.Round) -> Counter[tuple[object, ...]]:
    paid: Counter[tuple[object, ...]] = Counter()
    for result in live.settle(game):
        halves = result.main_halves
        main = None if halves is None else halves / 2
        paid[result.depth, result.by.value, False, main, None] += result.plain
        paid[result.depth, result.by.value, True, main, result.mdp_returns] += result.mdp
    return +paid


def _paid_slowly(game: Played) -> Counter[tuple[object, ...]]:
    return Counter(
        (
            len(p.cards),
            p.why_closed,
            p.mdp,
            main_return(p, game.dealer),
            mdp_return(game, p) if p.mdp else None,
        )
        for p in game.players
    )


def _choices(seed: int, eager: int) -> Choice:
    def choice(player: int, depth: int) -> str:
        rolled = random.Random(f"{seed}/{player}/{depth}").randrange(10)
        return "hit" if rolled < eager else "left" if rolled == 9 else "stand"

    return choice


def _compare(deck: list[str], plain: int, mdp: int, choice: Choice, burn: int) -> None:
    slow = play(deck, plain, mdp, choice, burn=burn)
    log, game = _production(deck, plain, mdp, choice, burn)
    assert log.places == slow.places
    assert log.asked == slow.asked
    assert (list(game.position), list(game.dealer)) == (slow.position, slow.dealer)
    assert _paid(game) == _paid_slowly(slow)
    assert live.perfect_pair(game) == pp_return(slow)
    assert len(log.places) <= most_cards(burn)


@pytest.mark.parametrize("seed", range(40))
def test_thousands_of_random_rounds_are_played_and_paid_the_same_by_both(seed: int) -> None:
    rng = random.Random(seed)
    for n in range(100):
        deck = rng.sample(DECK, 40)
        plain, mdp = rng.choice([(1, 0), (0, 1), (5, 0), (0, 5), (6, 6), (12, 3)])
        _compare(deck, plain, mdp, _choices(100 * seed + n, rng.randrange(2, 10)), rng.randrange(3))


@settings(max_examples=300, deadline=None)
@given(
    st.permutations(DECK),
    st.integers(0, 8),
    st.integers(0, 8),
    st.integers(0, 1_000),
    st.integers(0, 9),
    st.integers(0, 2),
)
def test_any_deck_and_any_players_agree(
    deck: list[str], plain: int, mdp: int, seed: int, eager: int, burn: int
) -> None:
    if plain + mdp:
        _compare(deck, plain, mdp, _choices(seed, eager), burn)


def test_rare_beginnings_agree_whatever_the_players_do() -> None:
    """Every first card, up card and wild card early on, which random decks seldom bring."""
    rng = random.Random(5)
    for first in DECK:
        for up in DECK:
            if first != up:
                rest = rng.sample([c for c in DECK if c not in (first, up)], 38)
                wild_soon = sorted(rest[:3], key=lambda c: c != "KD") + rest[3:]
                _compare([first, up, *wild_soon], 3, 3, _choices(len(first + up), 6), 0)


def _every_depth(player: int, depth: int) -> str:
    """At every depth somebody stands and somebody hits."""
    return "stand" if player % 12 == depth else "hit"


def _used(deck: list[str]) -> int:
    return len(play(deck, 12, 12, _every_depth).places)


def test_a_round_uses_at_most_eighteen_cards_and_nineteen_with_a_burn() -> None:
    assert (most_cards(), most_cards(1), most_cards(3)) == (18, 19, 21)


def test_a_round_of_eighteen_cards_exists() -> None:
    assert _used(LONGEST) == 18


@pytest.mark.parametrize("seed", range(6))
def test_no_search_finds_a_longer_round_than_the_bound(seed: int) -> None:
    rng = random.Random(seed)
    deck = rng.sample(DECK, 40) if seed % 2 else _small_first(rng)
    best = _used(deck)
    for _ in range(400):
        i, j = rng.randrange(24), rng.randrange(40)
        deck[i], deck[j] = deck[j], deck[i]
        now = _used(deck)
        assert now <= most_cards()
        if now >= best:
            best = now
        else:
            deck[i], deck[j] = deck[j], deck[i]
    assert best > 12, "the search itself must get somewhere"


def _small_first(rng: random.Random) -> list[str]:
    return sorted(rng.sample(DECK, 40), key=lambda card: half_points([card]))


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(DECK), min_size=1, max_size=12, unique=True))
def test_a_hand_counts_the_same_in_half_points_as_tried_out_in_decimals(hand: list[str]) -> None:
    assert half_points(hand) == 2 * value(hand)
    assert is_bust(hand) == (value(hand) > 7.5)
    assert is_royal(hand) == royal(hand)


@pytest.mark.parametrize("hand", [Hand.POSITION, Hand.DEALER])
def test_a_hand_takes_no_card_without_a_face(hand: Hand) -> None:
    with pytest.raises(ValueError, match="must have a face"):
        live.deal(live.Round(), hand, None)
