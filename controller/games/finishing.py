"""The record of a non-live finish, entry by entry: what it began from, every step, how it ended.

Entries are plain objects, the same for JSON lines and for the words of a person.
With the seed, which the last entry names, anyone deals the same cards again.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final

from controller.contract.state import Result
from controller.games.played import HIT, Taken
from controller.games.settlement import number
from controller.games.settlement import step as step_entry
from controller.games.unfinished import Unfinished, Verdict, side_bets
from controller.games.vocabulary import Words, explain
from controller.journal.moment import TableAt, told
from controller.rules import live, nonlive
from controller.rules.hand import half_points
from controller.rules.nonlive import Finish
from controller.rules.shuffle import Stream, commitment
from controller.rules.steps import Decide, Settle

Entry = dict[str, Any]

SHUFFLE: Final = (
    "Fisher-Yates over `unseen` from the last place to the second; each place from bytes of "
    "SHA-256(seed, n as 8 bytes big end first), n = 0, 1, 2 ..., those from the last whole "
    "multiple of the choices on thrown away"
)


class Record:
    """Deals one main bet to its end, an entry at a time."""

    def __init__(self, table: TableAt, bet: Unfinished, words: Words, *, mdp: bool) -> None:
        self._table, self._bet, self._words, self._mdp = table, bet, words, mdp
        self._finish = Finish(bet.game, ())
        self._seed = b""
        self._order: tuple[str, ...] = ()
        self._decisions: list[str] = []

    def opening(self, number: int) -> Entry:
        """The inputs and the verdict."""
        bet = self._bet
        entry: Entry = {
            "type": "opening",
            "round": number,
            "mdp_placed": self._mdp,
            **told(self._table),
            "verdict": bet.verdict.value,
            "why": self._words.finish[bet.verdict.value],
            "final": self._table.ending is not None,
        }
        if bet.verdict is Verdict.DEAL:
            entry["left"] = bet.left._asdict() if bet.left else None
            entry["not_carried"] = [f"{hand.value} {card}" for hand, card in bet.not_carried]
            entry["missed"] = [f"{hand.value} {card}" for hand, card in bet.missed]
        return entry

    def shuffle(self, seed: bytes) -> Entry:
        """The cards that can come, in an order that is settled from here on."""
        game, exposed = self._bet.game, self._table.exposed
        self._seed = seed
        self._finish = nonlive.begin(game, exposed, Stream(seed).below)
        self._order = self._finish.rest
        return {
            "type": "shuffle",
            "unseen": list(nonlive.unseen(exposed)),
            "how": SHUFFLE,
            "commitment": commitment(seed),
        }

    @property
    def asks(self) -> bool:
        return isinstance(live.next_step(self._finish.game), Decide)

    def question(self) -> Entry:
        """The player is to choose, knowing this."""
        game = self._finish.game
        return {
            "type": "asked",
            "position": list(game.position),
            "dealer": list(game.dealer),
            "half_points": half_points(game.position),
        }

    def go_on(self, decision: str = "") -> Iterator[Entry]:
        """The step that `decision` answers, if any, and all that need nobody; then the end."""
        while not isinstance(step := live.next_step(self._finish.game), Settle):
            if isinstance(step, Decide) and not decision:
                return
            before = self._finish
            self._finish = nonlive.take(before, step, hit=decision == HIT)
            card = before.rest[0] if len(self._finish.rest) < len(before.rest) else None
            answered = decision if isinstance(step, Decide) else ""
            yield self._step(Taken(before.game, step, card, answered))
            if answered:
                self._decisions.append(answered)
                decision = ""
        (result,) = live.settle(self._finish.game)
        yield self._step(Taken(self._finish.game, step), result)
        yield self._end(result)

    def _step(self, taken: Taken, result: Result | None = None) -> Entry:
        return {"type": "step", **step_entry(taken), "why": explain(self._words, taken, result)}

    def _end(self, result: Result) -> Entry:
        game, halves = self._finish.game, result.main_halves or 0
        return {
            "type": "finished",
            "result": result.outcome.value,
            "position": list(game.position),
            "dealer": list(game.dealer),
            "main_return": number(Fraction(halves, 2)),
            "main_net": number(Fraction(halves, 2) - 1),
            "decisions": "".join(self._decisions),
            "final": self._table.ending is not None,
            **self._side_bets(),
            "seed": self._seed.hex(),
            "order": list(self._order),
        }

    def _side_bets(self) -> Entry:
        returns = side_bets(self._table, mdp=self._mdp)
        return {"side_bets": None if returns is None else returns._asdict()}
