"""What a person reads at the terminal: one line a round, one an incident, one a fault.

Only the public story: no burn, no set-aside face. Nothing is decided here. What it
all came to in the end is in `simulators.summary`.
"""

from collections import Counter
from collections.abc import Callable
from typing import Final

from controller.contract.cards import points
from controller.contract.facts import (
    AnyFact,
    DeckOpened,
    Halted,
    Resumed,
    RoundSettled,
    RoundSkipped,
    RoundVoided,
)
from controller.contract.incidents import INCIDENTS, Incident
from controller.contract.seat_facts import BankPassed, SeatsSettled
from controller.contract.seats import SeatResult
from controller.contract.state import ClosedBy, HaltView, Outcome, Result
from controller.display import vocabulary
from simulators.faults import NAMES
from simulators.seat_tally import Hands

_CARDS_WIDTH: Final = 20
_HOW: Final = {
    ClosedBy.STAND: "stood on",
    ClosedBy.LEFT: "left on",
    ClosedBy.AUTO_WIN: "paid at once on",
    ClosedBy.SEVEN_AND_HALF: "closed by",
    ClosedBy.BUST: "bust with",
}
_OUTCOME: Final = {
    Outcome.ROYAL: "Royal, returns 2½",
    Outcome.AUTO_WIN: "win",
    Outcome.PLAYER_BUST: "lose",
    Outcome.DEALER_BUST: "win, dealer bust",
    Outcome.HIGHER: "win",
    Outcome.PUSH: "push",
    Outcome.TIE_AT_FIVE: "lose the tie at 5",
    Outcome.TIE: "lose the tie",
    Outcome.DEALER_ROYAL: "lose to a Royal",
    Outcome.LOWER: "lose",
    Outcome.NON_LIVE: "main bet finished in the non-live game",
}
LEGEND: Final = (
    "a result: how many players, the points and cards their hand closed with, how the main bet",
    "ended; MdP ×51, PP ×6: Mano di Poker, Partita Perfetta return 51, 6 stakes, their own among",
    "them. A card: rank and suit (D coins, C cups, S swords, B clubs); KD is the wild one.",
)


class Story:
    """Tells facts as they come to `say`, and counts them for the summary."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._exits = vocabulary.load("en").exit
        self._halted = False
        self.settled = 0
        self.voided = 0
        self.skipped = 0
        self.halts: Counter[Incident] = Counter()
        self._hands = Hands()
        self.by_hand: Counter[str] = Counter()
        """What the dealer noticed and mended without a halt."""

    def headline(self, *, seated: bool = False) -> None:
        if seated:
            self._say(f"{'round':>7}  {'bank':<{_CARDS_WIDTH + 8}}  seats: stake won or lost")
            return
        for line in LEGEND:
            self._say(f"  {line}")
        self._say("")
        self._say(f"{'round':>7}  {'player':<{_CARDS_WIDTH}}  {'dealer':<{_CARDS_WIDTH}}  result")

    def found(self, halt: HaltView | None) -> None:
        """The table as it was met: a halt that nobody told us of is one of this run, too."""
        if halt is not None and not self._halted:
            self._halt(halt.incident, " (found so)")

    def hear(self, fact: AnyFact) -> None:
        self._hands.hear(fact)
        match fact:
            case SeatsSettled():
                self.settled += 1
                self._say(seats_line(fact, self._hands))
            case BankPassed():
                how = "takes the bank with a royal hand" if fact.royal else "has the bank now"
                self._aside(f"seat {fact.seat} {how}")
            case RoundSettled():
                self.settled += 1
                self._say(round_line(fact))
            case RoundVoided():
                self.voided += 1
                self._halted = False
                self._say(f"{fact.round:>7}  void, all bets returned: {fact.reason} ({fact.who})")
            case RoundSkipped():
                self.skipped += 1
                self._say(f"{fact.round:>7}  skipped: nobody bet")
            case Halted():
                self._halt(fact.incident)
            case Resumed():
                self._halted = False
                self._aside(f"      {self._exits[fact.exit].lower()} ({fact.role})")
            case DeckOpened():
                self._aside(f"new deck {fact.deck}")

    def fault(self, name: str) -> None:
        self._aside(f"fault: {name}, {NAMES[name]}")

    def mended(self, how: str, told: str) -> None:
        """The dealer saw that something was wrong and did something about it: counted as `how`."""
        self.by_hand[how] += 1
        self._aside(f"      {told}")

    def died(self, daemon: str, words: str) -> None:
        self._aside(f"the {daemon} daemon {words}, and is started again")

    def _halt(self, incident: Incident, how: str = "") -> None:
        self._halted = True
        self.halts[incident] += 1
        self._aside(f"halt: {in_words(incident)}{how}")

    def _aside(self, text: str) -> None:
        self._say(f"{'':>9}{text.rstrip()}")


def in_words(incident: Incident) -> str:
    return INCIDENTS[incident].say.en[0].lower()


def round_line(fact: RoundSettled) -> str:
    """One line: the cards, who closed with which points and cards, and what came of it."""
    position = " ".join(fact.position)
    dealer = f"{' '.join(fact.dealer)} = {points(fact.dealer_half_points)}"
    pair = f" · PP ×{fact.pp_returns}" if fact.pp_returns else ""
    ends = " · ".join(map(_end, fact.results)) + pair
    told = "dealt for nobody: no bet" if fact.for_nobody else ends
    return f"{fact.round:>7}  {position:<{_CARDS_WIDTH}}  {dealer:<{_CARDS_WIDTH}}  {told}"


def seats_line(fact: SeatsSettled, hands: Hands) -> str:
    """One line: the bank's hand as it was shown, and what became of each other hand."""
    bank = [card or "--" for card in hands.cards.get((fact.bank, False), [])]
    held = f"seat {fact.bank}: {' '.join(bank)}"
    ends = " · ".join(map(_seat_end, fact.results))
    left = f"bank {money(fact.bank_net)}"
    return f"{fact.round:>7}  {held:<{_CARDS_WIDTH + 8}}  {ends} · {left}"


def _seat_end(result: SeatResult) -> str:
    held = f" ({points(result.half_points)})" if result.half_points else ""
    which = f"{result.seat}b" if result.second else f"{result.seat}"
    how = result.outcome.value.replace("_", " ")
    return f"{which} {how}{held} {money(result.net)}"


def money(cents: int) -> str:
    return f"{cents / 100:+.2f}"


def _end(result: Result) -> str:
    who = f"{result.plain + result.mdp} {_HOW[result.by]} {points(result.half_points)}"
    poker = f", MdP ×{result.mdp_returns}" if result.mdp and result.mdp_returns else ""
    return f"{who} ({counted(result.depth, 'card')}): {_OUTCOME[result.outcome]}{poker}"


def counted(number: int, what: str) -> str:
    """1 deck, 2 decks."""
    return f"{number} {what}{'s' * (number != 1)}"
