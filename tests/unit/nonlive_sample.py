"""A seeded sample of players who are gone at their first choice and finish off the table.

Two rounds are dealt from each deck, with burns, by the real `decide` and `apply`;
another player stays and plays on. Who is never asked has the live result.
"""

import random

from felt import Felt, S
from table_sample import Player, best_player

from controller.contract.cards import DECK
from controller.contract.commands import Counts, Decisions
from controller.contract.state import ClosedBy, Phase
from controller.rules import live, nonlive
from controller.rules.shuffle import SEED_BYTES, Stream
from controller.rules.steps import Decide, Settle


def returned(decks: int, seed: int) -> list[float]:
    """What each round's main bet returned, in stakes."""
    rng, player = random.Random(seed), best_player()
    return [
        halves / 2
        for _ in range(decks)
        for halves in _two_rounds(rng, player, burn=rng.randint(0, 2))
    ]


def _two_rounds(rng: random.Random, player: Player, burn: int) -> list[int]:
    felt, cards = Felt(burn=burn).open(), iter(rng.sample(DECK, len(DECK)))
    halves = []
    for _ in range(2):
        felt.bets(main=2)
        finished = None
        while felt.phase is not Phase.RESULT:
            if felt.phase is Phase.DECISION:
                if finished is None:
                    finished = _off_the_table(felt, player, rng.randbytes(SEED_BYTES))
                    _leave(felt, player)
                else:
                    _stay(felt, player)
            else:
                felt.card(next(cards))
        halves.append(_live_halves(felt) if finished is None else finished)
        felt.wait(5 * S)
    return halves


def _leave(felt: Felt, player: Player) -> None:
    hit = int(_hits(felt, player))
    felt.server(Decisions(plain=Counts(hit=hit, stand=1 - hit, left=1)))


def _stay(felt: Felt, player: Player) -> None:
    hit = int(_hits(felt, player))
    felt.server(Decisions(plain=Counts(hit=hit, stand=1 - hit)))


def _hits(felt: Felt, player: Player) -> bool:
    view = felt.state.view
    return player(view.position.cards, view.dealer.cards[0])


def _live_halves(felt: Felt) -> int:
    (result,) = felt.state.view.results
    assert result.by is not ClosedBy.LEFT
    assert result.main_halves is not None
    return result.main_halves


def _off_the_table(felt: Felt, player: Player, seed: bytes) -> int:
    deck, game = felt.state.deck, felt.state.game
    assert deck is not None
    assert game is not None
    exposed = [card for card in deck.seen if card not in deck.hidden]
    finish = nonlive.begin(nonlive.alone(game, mdp=False), exposed, Stream(seed).below)
    while not isinstance(step := live.next_step(finish.game), Settle):
        hand = finish.game.position
        hit = isinstance(step, Decide) and player(hand, finish.game.dealer[0])
        finish = nonlive.take(finish, step, hit=hit)
    (result,) = live.settle(finish.game)
    assert result.main_halves is not None
    return result.main_halves
