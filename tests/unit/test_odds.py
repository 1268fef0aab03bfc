"""The published returns come out of the rules that run the table, and out of a second writing."""

import random
from fractions import Fraction
from itertools import combinations
from math import factorial, sqrt

import pytest
import slow_odds
from table_sample import sample, z_score

from controller.contract.cards import DECK
from controller.contract.state import Outcome
from controller.rules import live, rng
from controller.rules.bound import most_cards
from controller.rules.catalogue import GAMES, Rules
from controller.rules.hand import half_points
from controller.rules.odds import Odds, main_return_after_burn, prove
from controller.rules.odds_score import scores
from controller.rules.odds_tree import FORTY, Composition, grow
from controller.rules.odds_value import Deck, Valuation, burned
from controller.rules.side_bets import mano_di_poker

GRAPHS = {live: grow(live), rng: grow(rng)}
SLOW = {live: slow_odds.Live, rng: slow_odds.Rng}
VALUES: list[slow_odds.Value] = [*slow_odds.CARDS, "*"]


@pytest.fixture(scope="module")
def proved() -> dict[str, Odds]:
    return {name: prove(game.rules) for name, game in GAMES.items()}


@pytest.mark.parametrize("game", GAMES)
def test_each_published_return_is_met_to_its_last_digit(game: str, proved: dict[str, Odds]) -> None:
    odds, published = proved[game], GAMES[game].published
    exact = (odds.main, odds.partita_perfetta, odds.mano_di_poker.always_second_card.mano_di_poker)
    assert tuple(f"{float(100 * x):.2f}" for x in exact) == published


def test_the_exact_fractions_are_those_that_were_once_proved(proved: dict[str, Odds]) -> None:
    assert proved["live"].main == Fraction(129835374596609, 130732371432000)
    assert proved["rng"].main == Fraction(4099063827798161, 4118069700108000)
    for odds in proved.values():
        assert odds.partita_perfetta == Fraction(25, 26)
        assert odds.mano_di_poker.always_second_card.mano_di_poker == Fraction(183, 190)


@pytest.mark.parametrize("rules", [live, rng])
def test_on_small_decks_the_second_writing_returns_the_same_fraction(rules: Rules) -> None:
    deal, compared = random.Random(40), 0
    while compared < 12:
        deck = tuple(deal.randint(0, min(3, n)) for n in FORTY)
        if sum(deck) > 12:
            continue
        assert _ours(rules, deck) == _slow(rules, deck)
        compared += _slow(rules, deck) is not None


def _ours(rules: Rules, deck: Composition) -> Fraction | None:
    try:
        halves = Valuation([Deck(deck)]).total(GRAPHS[rules]).halves
    except ValueError:
        return None
    return Fraction(halves, 2 * factorial(sum(deck)))


def _slow(rules: Rules, deck: Composition) -> Fraction | None:
    cards = tuple(value for value, n in zip(VALUES, deck, strict=True) for _ in range(n))
    try:
        return SLOW[rules]().returns(cards)
    except ValueError:
        return None


def test_every_three_cards_pay_in_mano_di_poker_what_the_second_writing_pays() -> None:
    for cards in combinations(DECK, 3):
        odds = slow_odds.poker_pays(cards)
        assert mano_di_poker(*cards) == (odds + 1 if odds else 0)


def test_a_sample_at_the_running_table_lies_near_the_odds(proved: dict[str, Odds]) -> None:
    odds, returned = proved["live"], sample(300, seed=7)
    mdp = odds.mano_di_poker.always_second_card.mano_di_poker
    assert abs(z_score(returned["main"], odds.main)) < 3.5
    assert abs(z_score(returned["pp"], odds.partita_perfetta)) < 3.5
    assert abs(z_score(returned["mdp"], mdp)) < 3.5


@pytest.mark.parametrize("rules", [live, rng])
def test_an_unseen_burn_of_one_card_leaves_the_very_fraction(rules: Rules) -> None:
    assert main_return_after_burn(rules, 1) == main_return_after_burn(rules, 0)


@pytest.mark.parametrize("n", range(4))
def test_the_decks_after_a_burn_hold_every_order_of_the_forty_cards_once(n: int) -> None:
    decks = burned(n)
    assert sum(deck.weight for deck in decks) * factorial(40 - n) == factorial(40)
    assert {sum(deck.cards) for deck in decks} == {40 - n}
    assert len(set(decks)) == len(decks)


@pytest.mark.parametrize("game", GAMES)
def test_the_ways_a_round_ends_are_all_of_them_and_pay_the_return(
    game: str, proved: dict[str, Odds]
) -> None:
    odds = proved[game]
    royal = Fraction(5, 2) if game == "live" else Fraction(3)
    pays = {
        Outcome.ROYAL: royal,
        Outcome.AUTO_WIN: Fraction(2),
        Outcome.HIGHER: Fraction(2),
        Outcome.DEALER_BUST: Fraction(2),
        Outcome.PUSH: Fraction(1),
    }
    assert sum(odds.outcomes.values()) == 1
    paid = [chance * pays.get(name, 0) for name, chance in odds.outcomes.items()]
    assert sum(paid) == odds.main


def test_the_longest_round_is_the_one_for_which_the_table_keeps_cards(
    proved: dict[str, Odds],
) -> None:
    assert proved["live"].most_cards == most_cards() == 18
    assert proved["rng"].most_cards == 19


def test_placing_mano_di_poker_changes_nothing_for_who_plays_the_main_bet_best(
    proved: dict[str, Odds],
) -> None:
    for odds in proved.values():
        assert odds.mano_di_poker.best_for_main.main == odds.main


@pytest.mark.parametrize("game", GAMES)
def test_the_best_play_of_both_bets_is_no_worse_than_either_extreme(
    game: str, proved: dict[str, Odds]
) -> None:
    mdp = proved[game].mano_di_poker
    both = mdp.best_for_both.together(mdp.stake)
    assert both > mdp.always_second_card.together(mdp.stake)
    assert both > mdp.best_for_main.together(mdp.stake)
    assert mdp.best_for_both.main < mdp.best_for_main.main


def test_a_large_enough_stake_makes_mano_di_poker_worth_every_second_card_that_can_win() -> None:
    mdp = prove(live, stake=Fraction(100)).mano_di_poker
    assert mdp.best_for_both.mano_di_poker == mdp.always_second_card.mano_di_poker
    assert mdp.best_for_both.main > mdp.always_second_card.main


@pytest.mark.parametrize("game", GAMES)
def test_no_single_change_makes_the_play_by_score_better(
    game: str, proved: dict[str, Odds]
) -> None:
    root, odds = GRAPHS[GAMES[game].rules], proved[game]
    valuation = Valuation()
    strategy = {row.scores: row.hit for row in odds.strategy}
    best = 2 * factorial(40) * odds.by_score
    for changed in (None, *strategy):
        tried = valuation.choosing(
            lambda choice, _s, _h, changed=changed: strategy[at := scores(choice)] ^ (at == changed)
        )
        worth = tried.total(root).halves
        assert worth == best if changed is None else worth <= best


def test_knowing_the_cards_is_worth_something_live_and_nothing_in_rng(
    proved: dict[str, Odds],
) -> None:
    assert proved["live"].by_score < proved["live"].main
    assert proved["rng"].by_score == proved["rng"].main
    assert not any(row.differs for row in proved["rng"].strategy)


def test_the_hands_that_differ_are_of_the_row_they_stand_in(proved: dict[str, Odds]) -> None:
    rows = [row for row in proved["live"].strategy if row.differs]
    assert len(rows) == 3
    for row in rows:
        assert {half_points(hand) for hand in row.differs} == {row.scores.own}


def test_a_deck_that_can_run_out_in_a_round_is_refused() -> None:
    with pytest.raises(ValueError, match="too small"):
        Valuation([Deck((2, 0, 0, 0, 0, 0, 0, 0, 0))]).total(GRAPHS[live])


def test_the_z_score_is_in_standard_errors() -> None:
    assert z_score([0.0, 2.0] * 50, Fraction(3, 4)) == pytest.approx(0.25 * sqrt(99))
