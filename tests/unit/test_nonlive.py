"""The non-live finish, pure: a fair shuffle, and only the open cards carried over."""

from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from itertools import product
from math import factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.contract.cards import DECK, Card
from controller.contract.commands import Counts
from controller.contract.state import ClosedBy, Closing, Hand
from controller.rules import live, nonlive
from controller.rules.bound import most_cards
from controller.rules.live import Round
from controller.rules.nonlive import Finish
from controller.rules.shuffle import Stream, commitment, shuffled
from controller.rules.steps import Burn, Close, Deal, Decide, Settle

SEED = bytes(range(32))


def _rows_of_choices(row: tuple[int, ...]) -> Callable[[int], int]:
    """Chance as it is counted through: the next of the row."""
    left = iter(row)
    return lambda n: next(left) % n


def test_every_order_comes_from_exactly_one_row_of_choices() -> None:
    cards = DECK[:5]
    rows = product(*(range(n) for n in range(len(cards), 1, -1)))
    orders = Counter(shuffled(cards, _rows_of_choices(row)) for row in rows)
    assert set(orders.values()) == {1}
    assert len(orders) == factorial(len(cards))


@pytest.mark.parametrize("n", range(1, 41))
def test_each_choice_has_as_many_bytes_as_any_other(n: int) -> None:
    """All 256 bytes, fed once each: what is thrown away makes the rest even."""
    stream = Stream(SEED)
    stream._bytes = iter(range(256))
    fair = Counter(stream.below(n) for _ in range(256 - 256 % n))
    assert set(fair) == set(range(n))
    assert len(set(fair.values())) == 1


def test_the_stream_can_be_redone_with_nothing_but_sha_256() -> None:
    blocks = b"".join(sha256(SEED + n.to_bytes(8, "big")).digest() for n in range(4))
    expected, cards = list(DECK), iter(blocks)
    for place in range(39, 0, -1):
        byte = next(b for b in cards if b < 256 - 256 % (place + 1))
        chosen = byte % (place + 1)
        expected[place], expected[chosen] = expected[chosen], expected[place]
    assert shuffled(DECK, Stream(SEED).below) == tuple(expected)
    assert commitment(SEED) == sha256(SEED).hexdigest()


def test_the_same_seed_deals_the_same_cards_and_another_seed_others() -> None:
    once, again = (shuffled(DECK, Stream(SEED).below) for _ in range(2))
    assert once == again
    assert once != shuffled(DECK, Stream(SEED[::-1]).below)


@pytest.mark.parametrize("size", [0, 16, 31, 33])
def test_a_seed_that_could_not_reach_every_order_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Stream(bytes(size))


IN_PLAY = Round(
    burn=2,
    burned=2,
    position=("2S", "3C"),
    dealer=("4D",),
    plain=4,
    mdp=1,
    closed=(Closing(1, ClosedBy.STAND, plain=3),),
    decided=1,
)


def test_one_player_of_the_cohort_goes_on_and_everybody_else_stays_behind() -> None:
    assert nonlive.alone(IN_PLAY, mdp=False) == Round(
        position=("2S", "3C"), dealer=("4D",), plain=1, decided=1
    )
    assert nonlive.alone(IN_PLAY, mdp=True).mdp == 1


def test_nobody_of_a_cohort_that_is_closed_can_go_on() -> None:
    with pytest.raises(ValueError, match="still in"):
        nonlive.alone(live.close(IN_PLAY, (Closing(2, ClosedBy.BUST, mdp=1),)), mdp=True)


def test_a_burn_is_in_the_shuffle_and_an_open_card_is_not() -> None:
    exposed = ("7C", "KD", *IN_PLAY.position, *IN_PLAY.dealer)
    begun = nonlive.begin(nonlive.alone(IN_PLAY, mdp=False), exposed, Stream(SEED).below)
    assert sorted(begun.rest) == sorted(set(DECK) - set(exposed))
    assert len(begun.rest) == 35


def test_a_card_on_the_table_that_was_not_exposed_is_a_fault_and_not_dealt_twice() -> None:
    with pytest.raises(ValueError, match="3C"):
        nonlive.begin(nonlive.alone(IN_PLAY, mdp=False), ("2S", "4D"), Stream(SEED).below)
    with pytest.raises(ValueError, match="8C"):
        nonlive.unseen(("8C",))


def test_a_hit_that_was_counted_is_dealt_without_asking_again() -> None:
    game = Round(position=("2S",), dealer=("AD",), plain=1)
    assert isinstance(live.next_step(game), Decide)
    step = live.next_step(nonlive.has_hit(game))
    assert isinstance(step, Deal)
    begun = nonlive.begin(nonlive.has_hit(game), ("2S", "AD"), Stream(SEED).below)
    assert nonlive.take(begun, step).game.position == ("2S", begun.rest[0])


def _moments(
    deck: list[Card], burn: int, hits: list[bool], cohorts: tuple[int, int]
) -> list[Round]:
    """A live round of both cohorts after each of its steps; some of those asked hit."""
    game, cards, choices = (
        Round(burn=burn, plain=cohorts[0], mdp=cohorts[1]),
        iter(deck),
        iter(hits),
    )
    moments = [game]
    while not isinstance(step := live.next_step(game), Settle):
        if isinstance(step, Deal):
            game = live.deal(game, step.hand, next(cards))
        elif isinstance(step, Burn):
            next(cards)
            game = live.deal(game, Hand.BURN, None)
        elif isinstance(step, Close):
            game = live.close(game, step.closings)
        else:
            hit = int(next(choices))
            counts = (
                Counts(hit=max(0, n - 1) * hit, stand=min(n, 1)) for n in (game.plain, game.mdp)
            )
            game = live.choose(game, *counts)
        moments.append(game)
    return moments


def _to_the_end(finish: Finish, hits: list[bool]) -> Finish:
    choices = iter(hits)
    while not isinstance(step := live.next_step(finish.game), Settle):
        hit = isinstance(step, Decide) and next(choices)
        finish = nonlive.take(finish, step, hit=hit)
    return finish


@settings(max_examples=120, deadline=None)
@given(
    st.permutations(DECK),
    st.integers(0, 2),
    st.lists(st.booleans(), min_size=20, max_size=20),
    st.binary(min_size=32, max_size=32),
    st.booleans(),
    st.data(),
)
def test_from_any_moment_it_comes_to_a_result_with_no_card_dealt_twice(
    deck: list[Card], burn: int, hits: list[bool], seed: bytes, mdp: bool, data: st.DataObject
) -> None:
    """Also where earlier rounds have used all of the deck but what a round needs."""
    earlier = data.draw(st.integers(0, len(DECK) - most_cards(burn)))
    moments = _moments(deck[earlier:], burn, hits, (3, 2))
    game = data.draw(st.sampled_from([m for m in moments if (m.mdp if mdp else m.plain)]))
    exposed = (*deck[:earlier], *game.position, *game.dealer)
    begun = nonlive.begin(nonlive.alone(game, mdp=mdp), exposed, Stream(seed).below)
    ended = _to_the_end(begun, hits)
    fresh = (*ended.game.position[len(game.position) :], *ended.game.dealer[len(game.dealer) :])
    assert ended.game.position[: len(game.position)] == game.position
    assert ended.game.dealer[: len(game.dealer)] == game.dealer
    assert not set(fresh) & set(exposed)
    assert len(set(fresh)) == len(fresh)
    (result,) = live.settle(ended.game)
    assert result.main_halves is not None
    assert result.by is not ClosedBy.LEFT
