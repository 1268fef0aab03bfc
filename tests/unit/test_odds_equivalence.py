"""What the odds call equal, the rules cannot tell apart; else the odds would prove another game."""

from collections import defaultdict
from itertools import combinations_with_replacement

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.contract.cards import DECK, Card
from controller.contract.commands import Counts
from controller.contract.state import Hand
from controller.games.played import play
from controller.rules import live, rng
from controller.rules.catalogue import Rules
from controller.rules.hand import half_points, is_royal
from controller.rules.live import Round, choose, close, deal
from controller.rules.odds_tree import KIND_OF, KINDS, UNSEEN
from controller.rules.steps import Close, Deal, Decide, Settle, Step

GAMES = st.sampled_from([live, rng])
DECKS = st.permutations(DECK)
HANDS: defaultdict[tuple[int, bool], list[tuple[Card, ...]]] = defaultdict(list)
for _size in range(1, 5):
    for _hand in combinations_with_replacement(KINDS, _size):
        HANDS[half_points(_hand), is_royal(_hand)].append(_hand)
HITS = st.lists(st.booleans(), min_size=20, max_size=20)


def _of_a_kind(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple(KINDS[KIND_OF[card]] for card in cards)


def _rounds(rules: Rules, deck: list[Card], hits: list[bool], mdp: bool) -> list[Round]:
    """The round after each of its steps."""
    game = Round(plain=int(not mdp), mdp=int(mdp))
    cards, choices, rounds = iter(deck), iter(hits), []
    while not isinstance(step := rules.next_step(game), Settle):
        if isinstance(step, Deal):
            game = deal(game, step.hand, next(cards))
        elif isinstance(step, Close):
            game = close(game, step.closings)
        else:
            hit = int(next(choices))
            game = choose(game, Counts(hit * game.plain), Counts(hit * game.mdp))
        rounds.append(game)
    return rounds


def _main(rules: Rules, game: Round) -> tuple[Step, object]:
    """What comes next, and how the main bet would end; side bets are weighed with their suits."""
    step = rules.next_step(game)
    if not isinstance(step, Settle):
        return step, None
    (result,) = rules.settle(game)
    return step, (result.outcome, result.main_halves)


@settings(max_examples=150, deadline=None)
@given(GAMES, DECKS, HITS, st.booleans())
def test_cards_that_count_alike_are_one_to_the_main_bet(
    rules: Rules, deck: list[Card], hits: list[bool], mdp: bool
) -> None:
    for game in _rounds(rules, deck, hits, mdp):
        alike = replace(game, position=_of_a_kind(game.position), dealer=_of_a_kind(game.dealer))
        assert _main(rules, alike) == _main(rules, game)


@settings(max_examples=150, deadline=None)
@given(GAMES, DECKS, HITS, st.booleans(), st.randoms(use_true_random=False))
def test_the_order_of_a_hand_does_not_matter_nor_what_was_chosen_before(
    rules: Rules, deck: list[Card], hits: list[bool], mdp: bool, shuffle: st.DataObject
) -> None:
    for game in _rounds(rules, deck, hits, mdp):
        position, more = list(game.position), list(game.dealer[1:])
        shuffle.shuffle(position)
        shuffle.shuffle(more)
        now = len(position)
        other = replace(
            game,
            position=tuple(position),
            dealer=(*game.dealer[:1], *more),
            decided=now if game.decided == now else 0,
        )
        assert _main(rules, other) == _main(rules, game)


@settings(max_examples=150, deadline=None)
@given(GAMES, DECKS, HITS, st.booleans(), st.data())
def test_closed_hands_of_one_standing_have_the_same_future(
    rules: Rules, deck: list[Card], hits: list[bool], mdp: bool, data: st.DataObject
) -> None:
    game = next(game for game in _rounds(rules, deck, hits, mdp) if game.closed)
    standing = half_points(game.position), is_royal(game.position)
    other = data.draw(st.sampled_from(HANDS[standing]))
    (closing,) = game.closed
    twin = replace(game, position=other, closed=(replace(closing, depth=len(other)),))
    for card in deck:
        assert _main(rules, twin) == _main(rules, game)
        if isinstance(rules.next_step(game), Settle):
            return
        game, twin = (deal(each, Hand.DEALER, card) for each in (game, twin))


@settings(max_examples=60, deadline=None)
@given(DECKS, HITS, st.booleans())
def test_in_rng_nothing_looks_at_the_dealer_s_card_while_the_player_is_in(
    deck: list[Card], hits: list[bool], mdp: bool
) -> None:
    for game in _rounds(rng, deck, hits, mdp):
        if game.dealer and not game.closed:
            hidden = replace(game, dealer=(UNSEEN,))
            assert rng.next_step(hidden) == rng.next_step(game)


def test_a_decision_is_asked_of_the_player_only_before_the_hand_is_closed() -> None:
    played = play(live, ["5S", "4C", "AB"], ["S"])
    asked = [taken.before for taken in played.steps if isinstance(taken.step, Decide)]
    assert [game.closed for game in asked] == [()]
