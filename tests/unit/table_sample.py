"""A seeded sample of rounds at the running table's own core, and how far it lies from the odds.

Every round is dealt from a fresh deck by the real `decide` and `apply`. One player
without Mano di Poker plays the main bet for the most, and has Partita Perfetta;
another has Mano di Poker and always takes a second card.
"""

import random
from collections.abc import Callable
from fractions import Fraction
from math import sqrt
from statistics import fmean, variance

from felt import Felt

from controller.contract.cards import DECK, Card
from controller.contract.commands import Counts, Decisions
from controller.contract.state import Phase
from controller.rules import live
from controller.rules.odds_tree import KIND_OF, KINDS, grow
from controller.rules.odds_value import Valuation

Player = Callable[[tuple[Card, ...], Card], bool]
"""Hit, with these cards against this up card?"""


def best_player() -> Player:
    valuation = Valuation()
    valuation.total(grow(live))
    hits = {(choice.position, choice.shown): hit for choice, hit in valuation.hits.items()}

    def player(position: tuple[Card, ...], up: Card) -> bool:
        kinds = tuple(sorted(KINDS[KIND_OF[card]] for card in position))
        return hits[kinds, (KINDS[KIND_OF[up]],)]

    return player


def sample(rounds: int, seed: int) -> dict[str, list[float]]:
    """What each bet returned, round by round, in stakes."""
    rng, player = random.Random(seed), best_player()
    returned: dict[str, list[float]] = {"main": [], "pp": [], "mdp": []}
    for _ in range(rounds):
        felt = _dealt(rng.sample(DECK, len(DECK)), player)
        view = felt.state.view
        (plain,) = (result for result in view.results if result.plain)
        (mdp,) = (result for result in view.results if result.mdp)
        assert plain.main_halves is not None
        returned["main"].append(plain.main_halves / 2)
        returned["pp"].append(view.pp_returns)
        returned["mdp"].append(mdp.mdp_returns)
    return returned


def _dealt(deck: list[Card], player: Player) -> Felt:
    felt = Felt().open()
    felt.bets(main=2, pp=1, mdp=1)
    cards = iter(deck)
    while felt.phase in (Phase.DEAL, Phase.DECISION):
        if felt.phase is Phase.DEAL:
            felt.card(next(cards))
        else:
            _choose(felt, player)
    assert felt.phase is Phase.RESULT
    return felt


def _choose(felt: Felt, player: Player) -> None:
    view = felt.state.view
    position, up = view.position.cards, view.dealer.cards[0]
    hit = int(view.players.plain > 0 and player(position, up))
    second = int(view.players.mdp > 0 and len(position) == 1)
    counts = Counts(hit, view.players.plain - hit), Counts(second, view.players.mdp - second)
    felt.server(Decisions(plain=counts[0], mdp=counts[1]))


def z_score(returned: list[float], exact: Fraction) -> float:
    return (fmean(returned) - float(exact)) / sqrt(variance(returned) / len(returned))
