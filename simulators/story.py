"""What a person reads at the terminal: one line a round, one an incident, one a fault.

Only the public story: no burn, no set-aside face. Nothing is decided here.
"""

from collections import Counter
from collections.abc import Callable
from typing import Final

from controller.contract.facts import (
    AnyFact,
    DeckOpened,
    Halted,
    Resumed,
    RoundSettled,
    RoundSkipped,
    RoundVoided,
)
from controller.contract.incidents import INCIDENTS
from controller.contract.state import ClosedBy, Outcome, Result
from simulators.faults import NAMES

_CARDS_WIDTH: Final = 20
_HOW: Final = {
    ClosedBy.STAND: "stood",
    ClosedBy.LEFT: "left",
    ClosedBy.AUTO_WIN: "paid",
    ClosedBy.SEVEN_AND_HALF: "full",
    ClosedBy.BUST: "bust",
}
_OUTCOME: Final = {
    Outcome.ROYAL: "Royal",
    Outcome.AUTO_WIN: "win",
    Outcome.PLAYER_BUST: "lose",
    Outcome.DEALER_BUST: "win",
    Outcome.HIGHER: "win",
    Outcome.PUSH: "push",
    Outcome.TIE_AT_FIVE: "lose at 5",
    Outcome.DEALER_ROYAL: "lose to Royal",
    Outcome.LOWER: "lose",
    Outcome.NON_LIVE: "goes on elsewhere",
}


class Story:
    """Tells facts as they come to `say`, and counts them for the summary."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self.settled = 0
        self.voided = 0
        self.skipped = 0
        self.halts: Counter[str] = Counter()

    def headline(self) -> None:
        self._say(f"{'round':>7}  {'position':<{_CARDS_WIDTH}}  {'dealer':<{_CARDS_WIDTH}}  result")

    def hear(self, fact: AnyFact) -> None:
        match fact:
            case RoundSettled():
                self.settled += 1
                self._say(round_line(fact))
            case RoundVoided():
                self.voided += 1
                self._say(f"{fact.round:>7}  void, all bets returned: {fact.reason}")
            case RoundSkipped():
                self.skipped += 1
                self._say(f"{fact.round:>7}  skipped: nobody bet")
            case Halted():
                self.halts[fact.incident.value] += 1
                self._aside(f"halt: {INCIDENTS[fact.incident].say.en[0].lower()}")
            case Resumed():
                self._aside(f"      {fact.exit.value.replace('_', ' ')} ({fact.role})")
            case DeckOpened():
                self._aside(f"new deck {fact.deck}")

    def fault(self, name: str) -> None:
        self._aside(f"fault: {name}, {NAMES[name]}")

    def died(self, daemon: str) -> None:
        self._aside(f"the {daemon} daemon is dead, and is started again")

    def _aside(self, text: str) -> None:
        self._say(f"{'':>9}{text.rstrip()}")


def round_line(fact: RoundSettled) -> str:
    """One line: the cards, who closed at which depth with how much, and what came of it."""
    position = " ".join(fact.position)
    dealer = f"{' '.join(fact.dealer)} = {points(fact.dealer_half_points)}"
    ends = " · ".join(map(_end, fact.results)) or "dealt for nobody"
    pair = f" · PP {fact.pp_returns}" if fact.pp_returns else ""
    return f"{fact.round:>7}  {position:<{_CARDS_WIDTH}}  {dealer:<{_CARDS_WIDTH}}  {ends}{pair}"


def _end(result: Result) -> str:
    poker = f", MdP {result.mdp_returns}" if result.mdp_returns else ""
    who = f"{result.plain + result.mdp} {_HOW[result.by]} at {result.depth}"
    return f"{who} ({points(result.half_points)}) {_OUTCOME[result.outcome]}{poker}"


def points(half_points: int) -> str:
    """15 → 7½."""
    whole, half = divmod(half_points, 2)
    return f"{whole or ''}{'½' * half}" or "0"
