"""The non-live finish: a live main bet goes on off the table, for one player who left.

The game's text: "only the cards that were on the table at the moment of
disconnection are carried over", all others come from a fresh shuffle, and "side
bets are resolved based on the Live game". What comes next and what the bet
returns is asked of `live`; nothing here is a rule of its own but these two:
what is carried over (`begin`) and which cards are shuffled (`unseen`).

Why it returns what the live game returns: to whoever has seen the open cards, the
others - in the shoe, burned or set aside - lie in any order with equal chance,
and so they do after the shuffle. That holds only if `exposed` is every face shown
in this deck, earlier rounds included, and no other: one too few could come
twice, a burned face struck out would tell what it was.
Not here: which moment it was, and whether there is a bet to finish
(`controller.journal.moment`, `controller.games.unfinished`).
"""

from collections.abc import Collection

import msgspec
from msgspec.structs import replace

from controller.contract.cards import DECK, FACES, Card
from controller.contract.commands import Counts
from controller.rules import live
from controller.rules.live import Round
from controller.rules.shuffle import Below, shuffled
from controller.rules.steps import Close, Deal, Decide, Step


class Finish(msgspec.Struct, frozen=True):
    """One player's main bet on its way: the round, and the cards that will come, in order."""

    game: Round
    rest: tuple[Card, ...]


def alone(game: Round, *, mdp: bool) -> Round:
    """The round as it stands for one of those still in: with or without Mano di Poker.

    Who was closed before is another player. A hit that was counted before the
    card came is carried over with the hand. Burns stay behind: nobody saw them.
    """
    if not (game.mdp if mdp else game.plain):
        raise ValueError("nobody of this cohort is still in: there is no bet to finish")
    return Round(
        position=game.position,
        dealer=game.dealer,
        plain=int(not mdp),
        mdp=int(mdp),
        decided=game.decided,
    )


def has_hit(game: Round) -> Round:
    """The player had asked for a card, and it had not come yet."""
    return replace(game, decided=len(game.position))


def unseen(exposed: Collection[Card]) -> tuple[Card, ...]:
    """The forty minus the exposed faces, in the deck's own order."""
    strange = set(exposed) - FACES
    if strange:
        raise ValueError(f"{' '.join(sorted(strange))}: none of the forty cards")
    return tuple(card for card in DECK if card not in exposed)


def begin(game: Round, exposed: Collection[Card], below: Below) -> Finish:
    """`game` is one player's (`alone`); `exposed` holds its cards too, for they lie open."""
    hidden = {*game.position, *game.dealer} - set(exposed)
    if hidden:
        raise ValueError(f"{' '.join(sorted(hidden))} on the table, yet not exposed")
    return Finish(game, shuffled(unseen(exposed), below))


def take(finish: Finish, step: Step, *, hit: bool = False) -> Finish:
    """After this step of `live.next_step`; `hit` answers a `Decide`."""
    game, rest = finish.game, finish.rest
    if isinstance(step, Deal):
        return Finish(live.deal(game, step.hand, rest[0]), rest[1:])
    if isinstance(step, Close):
        return Finish(live.close(game, step.closings), rest)
    if isinstance(step, Decide):
        hits = int(hit)
        return Finish(live.choose(game, Counts(hits * game.plain), Counts(hits * game.mdp)), rest)
    raise ValueError(f"{step} is no step of a bet that is still open")
