"""The tally of the simulated game server against the rules that run the table."""

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.contract.cards import DECK, Card
from controller.contract.commands import Counts
from controller.contract.facts import RoundSettled
from controller.rules import live
from controller.rules.hand import half_points
from controller.rules.steps import Close, Deal, Decide, Settle
from simulators.policy import Choice
from simulators.tally import Seat, differences

CHOICES = (Choice.HIT, Choice.STAND, Choice.LEFT, Choice.SILENT)


def play(deck: list[Card], seats: list[Seat], choices: st.DataObject) -> RoundSettled:
    """A whole round by the table's own rules, each player choosing as drawn."""
    game = live.Round(
        plain=sum(not seat.mdp for seat in seats), mdp=sum(seat.mdp for seat in seats)
    )
    asked = {False: True, True: True}
    while not isinstance(step := live.next_step(game), Settle):
        if isinstance(step, Deal):
            game = live.deal(game, step.hand, deck.pop())
        elif isinstance(step, Close):
            game = live.close(game, step.closings)
        elif isinstance(step, Decide):
            asked = {False: step.plain > 0, True: step.mdp > 0}
            game = live.choose(game, *choose(game, seats, asked, choices))
    assert game.position
    return RoundSettled(
        round=1,
        position=game.position,
        dealer=game.dealer,
        dealer_half_points=half_points(game.dealer),
        results=live.settle(game),
        pp_returns=live.perfect_pair(game),
        next_at=0,
    )


def choose(
    game: live.Round, seats: list[Seat], asked: dict[bool, bool], choices: st.DataObject
) -> tuple[Counts, Counts]:
    depth = len(game.position)
    for seat in seats:
        if asked[seat.mdp] and not seat.gone:
            seat.choices[depth] = choices.draw(st.sampled_from(CHOICES))
    return count(seats, depth, mdp=False), count(seats, depth, mdp=True)


def count(seats: list[Seat], depth: int, *, mdp: bool) -> Counts:
    chosen = [seat.choices.get(depth) for seat in seats if seat.mdp is mdp]
    return Counts(
        hit=chosen.count(Choice.HIT),
        stand=chosen.count(Choice.STAND),
        left=chosen.count(Choice.LEFT),
    )


@settings(max_examples=300, deadline=None)
@given(
    deck=st.permutations(DECK),
    bets=st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=5),
    choices=st.data(),
)
def test_player_by_player_every_round_comes_to_what_the_table_settles(
    deck: list[Card], bets: list[tuple[bool, bool]], choices: st.DataObject
) -> None:
    seats = [Seat(pp, mdp, {}) for pp, mdp in bets]
    assert differences(play(list(deck), seats, choices), seats) == ""


def test_a_wrong_payment_is_told() -> None:
    settled = RoundSettled(
        round=8,
        position=("7C",),
        dealer=("6S",),
        dealer_half_points=12,
        results=(),
        pp_returns=0,
        next_at=0,
    )
    assert "round 8" in differences(settled, [Seat(pp=False, mdp=False)])
