"""RNG 7 e Mezzo, held to the sentences of its rules page."""

from collections.abc import Sequence
from itertools import permutations

import pytest

from controller.contract.cards import DECK, HALF_POINTS, WILD
from controller.contract.state import ClosedBy, Hand, Outcome, Reason
from controller.games.played import Played, play
from controller.rules import rng
from controller.rules.live import Round
from controller.rules.steps import Close, Deal, Decide

FIGURES = [card for card in DECK if card[0] in "JQK"]
NUMBERS = [card for card in DECK if card not in FIGURES]


def _played(deal_order: str, decisions: str = "", *, mdp: bool = False) -> Played:
    return play(rng, deal_order.split(), [*decisions], mdp=mdp)


def _dealer_draws(played: Played) -> list[Reason]:
    deals = [taken.step for taken in played.steps if isinstance(taken.step, Deal)]
    return [step.reason for step in deals[1:] if step.hand is Hand.DEALER][1:]


def _outcome(played: Played) -> tuple[Outcome, int | None]:
    (result,) = rng.settle(played.game)
    return result.outcome, result.main_halves


def test_both_first_cards_come_face_down_the_player_s_first() -> None:
    first, second = (taken.step for taken in _played("5S 4C", "S").steps[:2])
    assert first == Deal(Hand.POSITION, Reason.FIRST, face_down=True)
    assert second == Deal(Hand.DEALER, Reason.FACE_DOWN, face_down=True)


@pytest.mark.parametrize("figure", FIGURES)
def test_a_figure_alone_gets_one_card_without_a_choice(figure: str) -> None:
    game = Round(plain=1, position=(figure,), dealer=("4C",))
    assert rng.next_step(game) == Deal(Hand.POSITION, Reason.FIGURE_ALONE)


@pytest.mark.parametrize("number", NUMBERS)
def test_any_other_first_card_leaves_the_choice(number: str) -> None:
    assert rng.next_step(Round(plain=1, position=(number,), dealer=("JC",))) == Decide(1, 0)


def test_the_player_may_go_on_until_seven_and_a_half() -> None:
    played = _played("AS 7C AD AC 2S 2D JD KB", "HHHHH")
    assert played.game.position == ("AS", "AD", "AC", "2S", "2D", "JD")
    assert played.game.closed[0].by is ClosedBy.SEVEN_AND_HALF


def test_a_bust_player_loses_and_the_dealer_draws_nothing_though_a_figure_must() -> None:
    played = _played("7S JC 6S", "H")
    assert _outcome(played) == (Outcome.PLAYER_BUST, 0)
    assert played.game.dealer == ("JC",)


@pytest.mark.parametrize(
    ("deal_order", "reasons"),
    [
        ("5S 3C", []),
        ("5S 2C AD", [Reason.DRAW_TO_THREE]),
        ("5S 2C JD QD", [Reason.DRAW_TO_THREE] * 2),
        ("5S JC 2D 5D", [Reason.FIGURE_ALONE, Reason.DRAW_TO_THREE]),
        ("5S KD AS", [Reason.FIGURE_ALONE]),
    ],
)
def test_against_less_than_seven_and_a_half_the_dealer_draws_to_three(
    deal_order: str, reasons: Sequence[Reason]
) -> None:
    assert _dealer_draws(_played(deal_order, "S")) == reasons


def test_against_seven_and_a_half_the_dealer_draws_on_even_from_seven() -> None:
    played = _played("JS 7C 7S 6C")
    assert _dealer_draws(played) == [Reason.DRAW_TO_SEVEN_AND_HALF]
    assert _outcome(played) == (Outcome.DEALER_BUST, 4)


def test_a_tie_loses_even_at_seven_and_a_half() -> None:
    assert _outcome(_played("JS 7C 7S JC")) == (Outcome.TIE, 0)
    assert _outcome(_played("6S 6C", "S")) == (Outcome.TIE, 0)


@pytest.mark.parametrize("dealer", ["7C JC", "3S 4C JB", "7C 7D", "JC 7D"])
def test_a_royal_returns_three_whatever_the_dealer_has(dealer: str) -> None:
    first, *more = dealer.split()
    assert _outcome(_played(f"KD {first} QS {' '.join(more)}")) == (Outcome.ROYAL, 6)


def test_seven_and_a_half_of_three_cards_with_the_wild_card_is_no_royal() -> None:
    assert _outcome(_played("4S 7C KD JS 2D", "HH")) == (Outcome.DEALER_BUST, 4)


def test_the_dealer_s_seven_and_a_half_with_the_wild_card_only_ties() -> None:
    assert _outcome(_played("JS KD 7S JC")) == (Outcome.TIE, 0)


def test_a_second_card_that_busts_can_still_win_mano_di_poker_and_none_cannot() -> None:
    (bust,) = rng.settle(_played("7S 6C 5D", "H", mdp=True).game)
    assert (bust.outcome, bust.mdp_returns) == (Outcome.PLAYER_BUST, 6)
    (stood,) = rng.settle(_played("7S 7C", "S", mdp=True).game)
    assert stood.mdp_returns == 0


@pytest.mark.parametrize("mdp", [False, True])
def test_mano_di_poker_never_changes_what_comes_next(mdp: bool) -> None:
    for first, hidden in permutations(DECK, 2):
        game = Round(plain=int(not mdp), mdp=int(mdp), position=(first,), dealer=(hidden,))
        step = rng.next_step(game)
        if HALF_POINTS[first] > 1:
            assert step == Decide(int(not mdp), int(mdp))
        else:
            assert isinstance(step, Deal)


def test_the_wild_card_stops_the_hand_where_it_makes_seven_and_a_half() -> None:
    step = rng.next_step(Round(plain=1, position=("JS", WILD), dealer=("4C",)))
    assert isinstance(step, Close)
    assert step.closings[0].by is ClosedBy.SEVEN_AND_HALF
