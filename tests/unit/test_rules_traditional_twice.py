"""The traditional game against a second telling of it, switch by switch; its bound; its money."""

import random
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from seats_play import Played, dealt, houses, produced, seeded, told
from slow_traditional import Ask

from controller.contract.cards import DECK
from controller.contract.seats import HouseRules, Variant
from controller.rules.traditional_house import CONFLICTS, NEEDS, complaint, most_cards

HOUSES = list(houses(4))
SMALL = sorted(DECK, key=lambda card: "JQKA234567".index(card[0]))


def both(
    house: HouseRules, bank: int, deck: list[str], bets: dict[int, int], seed: int, ante: int
) -> Played | None:
    """The round by both, who must agree; None where the deck runs out."""
    ask = seeded(seed)
    try:
        slow = told(house, bank, deck, bets, ask, ante)
    except StopIteration:
        with pytest.raises(StopIteration):
            produced(house, bank, deck, bets, ask, ante)
        return None
    fast = produced(house, bank, deck, bets, ask, ante)
    assert fast == slow
    assert sum(fast.purse.values()) == 0, "money is neither made nor lost"
    assert len(fast.places) <= most_cards(house)
    return fast


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: "+".join(house.variants) or "plain")
def test_each_switch_and_each_pair_that_goes_together_is_played_the_same_by_both(
    house: HouseRules,
) -> None:
    rng = random.Random(str(house.variants))
    for n in range(120):
        seats = rng.choice([2, 3, 4, 6])
        passing = rng.choice(["fixed", "passing"])
        wild, burn = rng.choice(["KD", "QC"]), rng.choice(["4", "3"])
        this = replace(house, seats=seats, bank=passing, wild_card=wild, burn_rank=burn)
        bank, deck, bets, ante = dealt(rng, this)
        both(this, bank, deck, bets, n, ante)


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(list(houses(5, most=8))),
    st.permutations(SMALL),
    st.integers(0, 10_000),
    st.booleans(),
)
def test_any_switches_that_go_together_agree(
    house: HouseRules, deck: list[str], seed: int, passing: bool
) -> None:
    house = replace(house, bank="passing" if passing else "fixed")
    bank, _, bets, ante = dealt(random.Random(seed), house)
    both(house, bank, deck, bets, seed, ante)


@pytest.mark.parametrize("beginning", ["7D 7C", "7D KD", "KD JS", "JS 7C", "4D 4C", "JS QS"])
def test_rare_beginnings_agree_for_player_and_bank(beginning: str) -> None:
    first, second = beginning.split()
    rng = random.Random(beginning)
    for house in houses(3, most=8):
        for n in range(4):
            bank, deck, bets, ante = dealt(rng, house)
            rest = [card for card in deck if card not in (first, second)]
            for place in (0, 1, 2):
                rest.insert(place, first if n % 2 else second)
                stacked = [*rest[: place + 1], second if n % 2 else first, *rest[place + 1 :]]
                both(house, bank, list(dict.fromkeys(stacked)), bets, n, ante)
                rest.remove(first if n % 2 else second)


@pytest.mark.parametrize("pair", list(combinations(Variant, 2)), ids="+".join)
def test_a_pair_is_either_dealt_or_refused_with_its_reason(
    pair: tuple[Variant, Variant],
) -> None:
    said = complaint(HouseRules(seats=3, variants=pair))
    reason = CONFLICTS.get(frozenset(pair), "")
    for variant, (others, why) in NEEDS.items():
        if variant in pair and not set(others) & set(pair):
            reason = why
    assert (reason in said) if reason else said == ""


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"seats": 1}, "game.seats"),
        ({"bank_seat": 4}, "game.bank_seat"),
        ({"wild_card": "KS"}, "game.wild_card"),
        ({"stake_least": 200, "stake_most": 100}, "game.stake_least"),
        ({"variants": (Variant.WILD, Variant.WILD)}, "game.variants"),
        ({"variants": (Variant.ROYAL_DOUBLE,)}, "royal_double needs royal or triple"),
        ({"variants": (Variant.POT, Variant.SPLIT)}, "pot and split do not go together"),
        ({"seats": 10}, "game.deck_out: a round of 10 seats may need 41 cards of 40"),
        ({"seats": 10, "deck_out": "void"}, ""),
    ],
)
def test_a_house_that_cannot_be_dealt_is_told_why(changes: dict[str, object], said: str) -> None:
    house = replace(HouseRules(seats=3), **changes)
    assert said in complaint(house)
    assert complaint(house).startswith("game.") == bool(said)


def _longest(seats: int, rng: random.Random) -> int:
    """Everybody hits while they may, from a deck that begins with its small cards."""
    house = HouseRules(seats=seats, deck_out="void")
    deck = SMALL.copy()
    for _ in range(rng.randrange(30)):
        i, j = rng.randrange(40), rng.randrange(40)
        deck[i], deck[j] = deck[j], deck[i]
    bets = dict.fromkeys(range(2, seats + 1), 100)
    try:
        return len(produced(house, 1, deck, bets, lambda *_: "hit").places)
    except StopIteration:
        return len(DECK)


@pytest.mark.parametrize("seats", range(2, 10))
def test_no_round_that_is_found_is_longer_than_the_bound(seats: int) -> None:
    rng = random.Random(seats)
    found = max(_longest(seats, rng) for _ in range(200))
    assert found <= most_cards(HouseRules(seats=seats))


def test_two_seats_can_use_all_the_cards_of_the_bound() -> None:
    """Twelve figures and an ace for the player, who stands; aces, twos and a bust for the bank."""
    figures = [card for card in SMALL if card[0] in "JQK"]
    aces, twos = ([card for card in SMALL if card[0] == rank] for rank in "A2")
    player = [*figures, aces[0]]
    bank = [*aces[1:], *twos[:2], "6D"]
    deck = [player[0], bank[0], *player[1:], *bank[1:]]
    hits = produced(HouseRules(seats=2), 1, deck, {2: 100}, _stands_at_seven())
    assert len(hits.places) == most_cards(HouseRules(seats=2)) == 19


def _stands_at_seven() -> Ask:
    def ask(seat: int, _second: bool, cards: int, _allowed: list[str]) -> str:
        return "stand" if seat == 2 and cards == 13 else "hit"

    return ask
