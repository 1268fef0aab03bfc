"""Traditional rounds through the rules that run the table, without a table: for comparison."""

import random
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from slow_traditional import Ask, Evening, play

from controller.contract.cards import DECK
from controller.contract.seats import Choice, HouseRules, SeatStake, Variant
from controller.rules import traditional
from controller.rules.steps import Deal, Pay, Settle, Show, Turn
from controller.rules.traditional_hands import Round
from controller.rules.traditional_house import complaint
from controller.rules.traditional_pays import bank_net, next_bank, results, wild_came


class Played(NamedTuple):
    """What a round came to."""

    purse: dict[int, int]
    places: list[tuple[int, bool]]
    shown: set[tuple[int, str]]
    next_bank: int
    shuffle: bool


def houses(seats: int, most: int = 2) -> Iterator[HouseRules]:
    """Every set of up to `most` switches that go together."""
    for n in range(most + 1):
        for variants in combinations(Variant, n):
            house = HouseRules(seats=seats, variants=variants, deck_out="void")
            if not complaint(house):
                yield house


def seeded(seed: int) -> Ask:
    """Choices that depend on nothing but the seed and what everybody knows."""

    def ask(seat: int, second: bool, cards: int, allowed: list[str]) -> str:
        rng = random.Random(f"{seed}/{seat}/{second}/{cards}")
        wish = rng.choice(["burn", "split", "hit", "hit", "stand"])
        return wish if wish in allowed else "hit" if rng.random() < 0.7 else "stand"

    return ask


def produced(
    house: HouseRules, bank: int, deck: list[str], bets: dict[int, int], ask: Ask, ante: int = 0
) -> Played:
    stakes = tuple(SeatStake(seat, cents) for seat, cents in bets.items())
    game, shoe = traditional.begin(house, bank, stakes, ante), iter(deck)
    places: list[tuple[int, bool]] = []
    while not isinstance(step := traditional.next_step(game), Settle):
        if isinstance(step, Deal):
            hand = game.hands[traditional.due(game)]
            assert step.face_down == (not hand.cards)
            assert step.bank == (step.seat == bank)
            places.append((step.seat, hand.second))
            game = traditional.deal(game, next(shoe))
        elif isinstance(step, Show):
            game = traditional.show(game, step.seat, second=step.second)
        elif isinstance(step, Turn):
            game = _answered(game, step, ask)
        elif isinstance(step, Pay):
            game = traditional.pay(game, step)
    shown = {(h.seat, c) for h in (*game.over, *game.hands) if h.shown for c in h.cards}
    return Played(_purse(game), places, shown, next_bank(game).seat, wild_came(game))


def _answered(game: Round, step: Turn, ask: Ask) -> Round:
    assert step.allowed <= set(step.options)
    hand = game.hands[traditional.in_turn(game)]
    allowed = [choice.value for choice in step.options if choice in step.allowed]
    return traditional.choose(game, Choice(ask(step.seat, step.second, len(hand.cards), allowed)))


def _purse(game: Round) -> dict[int, int]:
    purse = dict.fromkeys(range(1, game.house.seats + 1), 0)
    for result in results(game):
        purse[result.seat] += result.net
    purse[game.bank] += bank_net(game)
    return purse


def told(
    house: HouseRules, bank: int, deck: list[str], bets: dict[int, int], ask: Ask, ante: int = 0
) -> Played:
    """The same by the second implementation."""
    switches = {variant.value for variant in house.variants}
    evening = Evening(
        house.seats, bank, switches, house.wild_card, house.burn_rank, house.bank == "passing"
    )
    play(evening, deck, bets, ask, ante)
    e = evening
    return Played(e.purse, e.places, e.shown, e.next_bank, e.shuffle)


def dealt(rng: random.Random, house: HouseRules) -> tuple[int, list[str], dict[int, int], int]:
    """A bank, a deck, bets and an ante; a short deck is dealt on with strangers' cards."""
    bank = rng.randint(1, house.seats)
    others = [seat for seat in range(1, house.seats + 1) if seat != bank]
    betting = rng.sample(others, rng.randint(1, len(others)))
    bets = {seat: rng.randint(100, 10_000) for seat in sorted(betting)}
    ante = rng.randint(1, 20_000) if Variant.POT in house.variants else 0
    return bank, rng.sample(DECK, len(DECK)), bets, ante
