"""Is there a main bet to finish off the table, for a player who was gone at this moment?

Yes, if the live round counted somebody of that cohort as `left` afterwards, and
then only: who was never asked again has a live result, and a void round has
none. So no card of a non-live finish is dealt before the journal holds the count
that names its player as gone.
Pure; the cards themselves: `controller.rules.nonlive`.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from controller.contract.cards import Card
from controller.contract.commands import Counts
from controller.contract.facts import (
    BetsTaken,
    CardCounted,
    DecisionsTaken,
    RoundSettled,
    RoundSkipped,
    RoundVoided,
)
from controller.contract.state import ClosedBy, Hand, Phase
from controller.journal.moment import TableAt
from controller.journal.when import Momentless
from controller.rules import live, nonlive
from controller.rules.live import Round


class Verdict(StrEnum):
    """What becomes of the main bet. The words are in `words/*.toml` under the same names."""

    DEAL = "deal"
    """It is finished off the table."""
    VOID = "void"
    """The round is void: all its bets are returned."""
    SETTLED = "settled"
    """The round was settled before the moment: the live result stands."""
    LIVE = "live"
    """The live round left nothing open: its result stands."""
    HALTED = "halted"
    """The table is halted: the round may yet be void. Ask again."""
    IN_PLAY = "in_play"
    """The live round has not counted the player as gone. Ask again."""


class Left(NamedTuple):
    """The count that named the player as gone: the seq of its fact, and of the window it closed."""

    seq: int
    window: int


class Unfinished(NamedTuple):
    """The verdict; with DEAL also what is carried over."""

    verdict: Verdict
    game: Round
    left: Left | None = None
    not_carried: tuple[tuple[Hand, Card], ...] = ()
    """The live round's later cards, which the player may have seen and does not get."""
    missed: tuple[tuple[Hand, Card], ...] = ()
    """Those of them that came before the choice which was left open.

    Where there are any, the finish is fair from this moment on and yet does not
    return on the whole what the live round does: whom the live cards closed
    without a choice is not dealt to again. See DECISIONS.md, 16.
    """


class SideBets(NamedTuple):
    """What the live round returns on them, in stakes."""

    pp: int
    mdp: int | None
    """None: Mano di Poker was not placed."""


def unfinished(table: TableAt, *, mdp: bool) -> Unfinished:
    """The main bet of one who had (`mdp`) or had not placed Mano di Poker."""
    _check(table, mdp=mdp)
    if isinstance(table.ending, RoundVoided):
        return Unfinished(Verdict.VOID, Round())
    counts = list(_counts(table, mdp=mdp))
    place = next((n for n, (_, counted) in enumerate(counts) if counted.left), None)
    if place is None:
        return Unfinished(_why_not(table), Round())
    left = counts[place][0]
    game = _carried(table, [asked.window for asked, _ in counts[:place]], left, mdp=mdp)
    cards, missed = _cards(table), _cards(table, before=left.window)
    return Unfinished(Verdict.DEAL, game, left, tuple(cards), tuple(missed))


def _check(table: TableAt, *, mdp: bool) -> None:
    """Somebody of this cohort bet, in a round of the live game."""
    opening = table.state.opening
    if opening is not None and opening.game != live.NAME:
        raise Momentless(
            f"this table deals {opening.game!r}; only {live.NAME} has a non-live finish"
        )
    cohort = "with" if mdp else "without"
    players = _bet(table, mdp=mdp)
    if isinstance(table.ending, RoundSkipped) or players == 0:
        raise Momentless(f"nobody {cohort} Mano di Poker had a bet in this round")


def _bet(table: TableAt, *, mdp: bool) -> int | None:
    """How many of the cohort had a main bet; None: the count of bets has not come."""
    for _, fact in table.later:
        if isinstance(fact, BetsTaken):
            return fact.mdp if mdp else fact.main - fact.mdp
    players = table.state.view.players
    if table.state.game is None:
        return None
    return players.with_mdp if mdp else players.main - players.with_mdp


def _counts(table: TableAt, *, mdp: bool) -> Iterator[tuple[Left, Counts]]:
    """Every count of choices that came after the moment, of this cohort."""
    for seq, fact in table.later:
        if isinstance(fact, DecisionsTaken):
            yield Left(seq, fact.window), fact.mdp if mdp else fact.plain


def _why_not(table: TableAt) -> Verdict:
    if table.ending is None:
        return Verdict.HALTED if table.last.view.phase is Phase.HALTED else Verdict.IN_PLAY
    settled_later = any(isinstance(fact, RoundSettled) for _, fact in table.later)
    return Verdict.LIVE if settled_later else Verdict.SETTLED


def _carried(table: TableAt, windows: list[int], left: Left, *, mdp: bool) -> Round:
    """The player's round at the moment.

    `windows` are those that others answered later and this player cannot have
    left in: at most the one that was open then, where the player had hit.
    """
    state = table.state
    if state.game is None:
        return Round(plain=int(not mdp), mdp=int(mdp))
    if not isinstance(state.game, Round):
        raise Momentless("a table with seats has no game off the table to finish a hand in")
    game = nonlive.alone(state.game, mdp=mdp)
    open_then = state.view.window.seq if state.view.window else None
    if not windows:
        return game
    if windows == [open_then]:
        return nonlive.has_hit(game)
    raise Momentless(
        f"the player who left (fact {left.seq}) still chose in a window that opened after this "
        "moment: the connection was lost later; give that moment"
    )


def _cards(table: TableAt, before: int | None = None) -> Iterator[tuple[Hand, Card]]:
    for seq, fact in table.later:
        if before is not None and seq > before:
            return
        if isinstance(fact, CardCounted) and fact.card is not None and fact.hand is not Hand.BURN:
            yield fact.hand, fact.card


def side_bets(table: TableAt, *, mdp: bool) -> SideBets | None:
    """By the live round; None until that is settled."""
    if not isinstance(table.ending, RoundSettled):
        return None
    left = (r for r in table.ending.results if r.by is ClosedBy.LEFT and r.mdp)
    returns = next((result.mdp_returns for result in left), 0)
    return SideBets(table.ending.pp_returns, returns if mdp else None)
