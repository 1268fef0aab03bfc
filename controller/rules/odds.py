"""The exact odds of a game, proved from the rules that deal it.

What `mazziere rtp` prints: `prove` gathers it. How: the graph of all rounds
(`odds_tree`), every order of the cards counted over it (`odds_value`), the best
play by score alone (`odds_score`) and the side bets (`odds_side`).
"""

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from math import factorial
from typing import Final, NamedTuple

from controller.contract.cards import DECK, Card
from controller.contract.state import Outcome
from controller.rules.catalogue import Rules
from controller.rules.odds_score import Scores, Strategy, best_by_score, scores
from controller.rules.odds_side import (
    Hands,
    Pair,
    always_second_card,
    mano_di_poker_with,
    partita_perfetta_return,
)
from controller.rules.odds_tree import KINDS, Choice, grow
from controller.rules.odds_value import OUTCOMES, Valuation, burned

_ORDERS: Final = factorial(len(DECK))


class Advice(NamedTuple):
    """What to do at one score against one card shown, and the hands that do the other thing."""

    scores: Scores
    shown: tuple[Card, ...]
    hit: bool
    """The best play of one who knows only the scores."""
    differs: tuple[tuple[Card, ...], ...]
    """One card stands for all of its kind (`odds_tree.KINDS`)."""


class ManoDiPoker(NamedTuple):
    """Its return by how the first choice is made, each time beside the main bet's."""

    always_second_card: Pair
    best_for_main: Pair
    best_for_both: Pair
    stake: Fraction
    """On Mano di Poker, for each 1 on the main bet: what `best_for_both` is the best of."""


class Odds(NamedTuple):
    """Everything that is proved of a game; fractions of a stake, or of all rounds."""

    main: Fraction
    outcomes: Mapping[Outcome, Fraction]
    partita_perfetta: Fraction
    mano_di_poker: ManoDiPoker
    by_score: Fraction
    mean_cards: Fraction
    most_cards: int
    strategy: tuple[Advice, ...]


def prove(rules: Rules, stake: Fraction = Fraction(1)) -> Odds:
    root = grow(rules)
    valuation = Valuation()
    whole = valuation.total(root)
    by_score, strategy = best_by_score(root, valuation)
    return Odds(
        main=Fraction(whole.halves, 2 * _ORDERS),
        outcomes={
            outcome: Fraction(orders, _ORDERS)
            for outcome, orders in zip(OUTCOMES, whole.orders, strict=True)
            if orders
        },
        partita_perfetta=partita_perfetta_return(),
        mano_di_poker=_mano_di_poker(rules, stake),
        by_score=Fraction(by_score, 2 * _ORDERS),
        mean_cards=Fraction(whole.cards, _ORDERS),
        most_cards=valuation.longest,
        strategy=tuple(_advice(valuation.hits, strategy)),
    )


def main_return_after_burn(rules: Rules, n: int) -> Fraction:
    """The main bet's return, every burn of n unseen cards really taken out of the deck.

    Some hundred decks from three cards on, and each weighs the whole graph.
    """
    return Fraction(Valuation(burned(n)).total(grow(rules)).halves, 2 * _ORDERS)


def _mano_di_poker(rules: Rules, stake: Fraction) -> ManoDiPoker:
    root, valuation, hands = grow(rules, mdp=True), Valuation(), Hands.dealt()
    return ManoDiPoker(
        always_second_card(root, valuation, hands),
        mano_di_poker_with(root, valuation, hands),
        mano_di_poker_with(root, valuation, hands, stake),
        stake,
    )


def _advice(hits: Mapping[Choice, bool], strategy: Strategy) -> list[Advice]:
    """By the dealer's card, then by score; in a row, the hands with the fewest cards first."""
    others: defaultdict[tuple[Scores, tuple[Card, ...]], list[tuple[Card, ...]]] = defaultdict(list)
    for choice, hit in hits.items():
        row = others[scores(choice), choice.shown]
        if hit != strategy[scores(choice)]:
            row.append(tuple(sorted(choice.position, key=KINDS.index)))
    rows = [
        Advice(at, shown, strategy[at], tuple(sorted(hands, key=lambda hand: (len(hand), hand))))
        for (at, shown), hands in others.items()
    ]
    return sorted(rows, key=lambda row: ([KINDS.index(card) for card in row.shown], row.scores.own))
