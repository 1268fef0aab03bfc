"""What a run came to: the last lines at the terminal.

Pure text; whether the books agree is judged in `simulators.audit` and
`simulators.game_server`.
"""

from collections import Counter
from collections.abc import Iterator, Mapping

from simulators.audit import Audit
from simulators.game_server import GameServer
from simulators.seat_server import SeatServer
from simulators.story import Story, counted, in_words


def summary(
    story: Story,
    audit: Audit,
    server: GameServer | SeatServer | None,
    faults: Counter[str],
    journal: str,
) -> Iterator[str]:
    """One line each: rounds, cards, halts, faults, results, journal."""
    ends = f"{story.settled} settled, {story.voided} void, {story.skipped} skipped"
    yield _line("rounds", ends)
    yield _line("cards", _cards(audit))
    yield _line("halts", _listed({in_words(name): n for name, n in story.halts.items()}))
    if faults:
        yield _line("faults", _listed(faults))
        yield _line("by hand", _listed(story.by_hand))
    yield _line("results", _results(server))
    yield _line("journal", journal)


def _line(title: str, told: str) -> str:
    return f"  {title:<8}  {told}"


def _cards(audit: Audit) -> str:
    books = "NOT as they left the shoe" if audit.complaints else "each entered once"
    lost = f"; {audit.lost} lost, not silently: the deck was changed" if audit.lost else ""
    return f"{audit.cards} from {counted(audit.decks, 'deck')}, {books}{lost}"


def _listed(numbers: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {n}" for name, n in sorted(numbers.items())) or "none"


def _results(server: GameServer | SeatServer | None) -> str:
    if server is None:
        return "not checked: the game server was not ours"
    tally = "NOT as" if server.complaints else "as"
    return f"{server.settled}, {tally} the game server's own tally finds them"
