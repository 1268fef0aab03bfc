"""The non-live finish returns exactly what the live table returns; and when it would not."""

from fractions import Fraction
from math import factorial

import pytest
from nonlive_sample import returned
from nonlive_value import (
    Crowd,
    Situation,
    asked,
    composition,
    finished,
    live_value,
    seconded,
)
from table_sample import z_score

from controller.contract.cards import DECK, Card
from controller.contract.commands import Counts
from controller.rules import live, nonlive
from controller.rules.live import Round
from controller.rules.odds import prove
from controller.rules.odds_tree import grow
from controller.rules.odds_value import Valuation

SOME = ("KS", "QC", "2D", "7B", "5C", "4C", "JD", "6S")
"""What an earlier round of the same deck has shown."""
MANY = (*SOME, "AC", "3D", "KB", "7D", "2C", "5B", "QS", "6D", "JC", "4B")
SITUATIONS = [
    Situation(("6B",), "JB", MANY),
    Situation(("4S",), "3S", MANY, burns=1),
    Situation(("2S", "AS"), "AB", MANY, burns=2),
    Situation(("KD", "5S"), "QB", MANY, burns=1),
    Situation(("5S",), "4D", SOME),
    Situation(("3C", "AD"), "2B", SOME, burns=1),
    Situation(("JS", "3B", "AD"), "3C", SOME, burns=2),
    Situation(("5S", "AB"), "4D"),
    Situation(("6S",), "JS", burns=1),
]


@pytest.mark.parametrize("at", SITUATIONS)
def test_from_here_on_the_finish_is_worth_what_the_live_table_is(at: Situation) -> None:
    """With the burns really out of the shoe there, and shuffled in again here."""
    assert finished(at) == live_value(at) == seconded(at)


def test_striking_a_burn_out_of_the_shuffle_would_not_be_the_live_game() -> None:
    """It holds for the burns on the whole, and for no single one: so none may be told apart."""
    at = Situation(("6B",), "JB", MANY)
    left = nonlive.unseen(at.exposed)
    struck = {finished(at._replace(earlier=(*MANY, burned))) for burned in left}
    assert len(struck) > 1


def test_forgetting_what_earlier_rounds_have_shown_would_not_be_the_live_game() -> None:
    at = Situation(("6B",), "JB", MANY)
    assert finished(at._replace(earlier=())) != live_value(at)


@pytest.mark.parametrize(
    ("position", "up", "unseen"),
    [
        (("5S",), "JS", ("KD", "QC", "AC", "2C", "2S", "3D", "4C", "5D", "6C", "7D", "7S", "AS")),
        (("4D", "AB"), "AS", ("QC", "JC", "2C", "3D", "3S", "4C", "5D", "6C", "7D", "7S", "6S")),
    ],
)
def test_what_others_draw_first_does_not_change_what_the_dealer_s_cards_are_worth(
    position: tuple[Card, ...], up: Card, unseen: tuple[Card, ...]
) -> None:
    """Alone the dealer draws at once; at the table only when the others are through."""
    game = Round(position=position, dealer=(up,), plain=2)
    left, depth = composition(unseen), len(position)
    others = live.choose(game, Counts(hit=1, stand=1), Counts())
    alone = live.choose(game, Counts(stand=2), Counts())
    assert Crowd().value(others, left, depth) == Crowd().value(alone, left, depth)


def test_left_at_the_first_choice_it_is_the_whole_game_too_but_not_before_it() -> None:
    """Who is dealt to anew only if the live cards led to a choice has chosen among live cards.

    The live text carries over what lay there at the moment of disconnection. Lost in
    the choice itself, that is fair on the whole; lost before any card, it returns
    97.15 %: the live cards that win at once stay with the live round, and so do those
    that lose, but a hand that was worth more than the average is dealt again.
    """
    root, valuation, orders = grow(live), Valuation(), factorial(len(DECK))
    main = Fraction(valuation.total(root).halves, 2 * orders)
    split = asked(root, valuation)
    never, chance = Fraction(split.never_halves, 2 * orders), Fraction(split.orders, orders)
    assert never + Fraction(split.halves, 2 * orders) == main
    assert f"{float(100 * chance):.2f}" == "67.46"
    assert f"{float(100 * (never + chance * main)):.2f}" == "97.15"


def test_a_sample_of_players_who_leave_at_their_first_choice_agrees_with_the_odds() -> None:
    """Two rounds of a deck with burns, at the running table; the finish from a seeded stream."""
    assert abs(z_score(returned(300, seed=2), prove(live).main)) < 4
