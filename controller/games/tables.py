"""The handbook's tables, each computed by asking the rules; no number is written here.

A table is rows of cells, the first row its heading. To add one, write a function
and name it in `TABLES`; a chapter of words/*.toml then calls for it by name.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from controller.contract.cards import DECK, HALF_POINTS, RANKS, SUITS, WILD, Card, points
from controller.contract.incidents import INCIDENTS
from controller.contract.state import ClosedBy, Closing
from controller.games.saying import kind
from controller.games.vocabulary import Language, Words
from controller.rules.catalogue import Rules
from controller.rules.hand import SEVEN_AND_HALF, half_points, is_royal
from controller.rules.live import AUTO_WIN_UP_CARDS, Round
from controller.rules.odds_tree import KINDS, Choice, Draw, End, Ending, Node
from controller.rules.side_bets import mano_di_poker, partita_perfetta
from controller.rules.steps import Close, Deal, Decide

Row: TypeAlias = tuple[str, ...]


class Asked(NamedTuple):
    """What a table is made from."""

    rules: Rules
    words: Words
    language: Language
    rounds: Node
    """Every way a round of this game can go."""


def hand_of(score: int) -> tuple[Card, ...]:
    """The plainest hand of this score without the wild card: one card, or else two."""
    plain = [card for card in KINDS if card != WILD]
    hands = [(card,) for card in plain] + list(combinations_with_replacement(plain, 2))
    return next(hand for hand in hands if half_points(hand) == score)


def _cards(asked: Asked) -> Iterator[Row]:
    word = asked.words.word
    yield word["card"], word["code"], word["counts"]
    for rank in RANKS:
        yield word[f"rank_{rank}"], rank, points(HALF_POINTS[f"{rank}B"])


def _suits(asked: Asked) -> Iterator[Row]:
    yield asked.words.word["suit"], asked.words.word["code"]
    for suit in SUITS:
        yield asked.words.word[f"suit_{suit}"], suit


def _wild(asked: Asked) -> Iterator[Row]:
    yield asked.words.word["others"], asked.words.word["hand_counts"]
    yield "-", points(half_points((WILD,)))
    for score in range(1, SEVEN_AND_HALF + 1):
        counted = half_points((*hand_of(score), WILD))
        bust = f" ({asked.words.word['bust']})" if counted > SEVEN_AND_HALF else ""
        yield points(score), points(counted) + bust


def _royal(asked: Asked) -> Iterator[Row]:
    yield (asked.words.word["card"],)
    yield (" ".join(card for card in DECK if card != WILD and is_royal((WILD, card))),)


def turn(words: Words, rules: Rules, game: Round) -> str:
    """The sign of what the rules do next with the position."""
    step = rules.next_step(game)
    if isinstance(step, Deal):
        return words.word["draws"]
    if isinstance(step, Decide):
        return words.word["choice"]
    if not isinstance(step, Close):
        raise TypeError(f"{step} is no turn of the position")
    signs = {
        ClosedBy.AUTO_WIN: words.word["wins"],
        ClosedBy.SEVEN_AND_HALF: words.word["stops"],
        ClosedBy.BUST: words.word["bust"],
    }
    return signs[step.closings[0].by]


def _turns(asked: Asked) -> Iterator[Row]:
    words = asked.words
    yield (words.word["hand"], *map(kind, KINDS))
    for name, hand in _hands(words):
        games = (Round(plain=1, position=hand, dealer=(up,)) for up in KINDS)
        yield (name, *(turn(words, asked.rules, game) for game in games))


def _turns_mdp(asked: Asked) -> Iterator[Row]:
    words = asked.words
    ups = [up for up in KINDS if HALF_POINTS[up] in AUTO_WIN_UP_CARDS]
    yield (words.word["hand"], *map(kind, ups))
    for name, hand in _hands(words):
        games = (Round(mdp=1, position=hand, dealer=(up,)) for up in ups)
        if len(hand) == 1:
            yield (name, *(turn(words, asked.rules, game) for game in games))


def _turns_alone(asked: Asked) -> Iterator[Row]:
    """Where the dealer's card is face down: any card will do for it."""
    words = asked.words
    yield words.word["hand"], ""
    for name, hand in _hands(words):
        game = Round(plain=1, position=hand, dealer=KINDS[:1])
        yield name, turn(words, asked.rules, game)


def _hands(words: Words) -> Iterator[tuple[str, tuple[Card, ...]]]:
    """A hand for every score that a position can have, each with its name."""
    yield words.word["wild_alone"], (WILD,)
    for score in range(1, SEVEN_AND_HALF + 2):
        yield points(score), hand_of(score)


def _dealer_live(asked: Asked) -> Iterator[Row]:
    yield asked.words.word["dealer"], ""
    for score in range(1, SEVEN_AND_HALF + 1):
        yield points(score), _dealer(asked, hand_of(12), hand_of(score))


def _dealer_rng(asked: Asked) -> Iterator[Row]:
    word = asked.words.word
    columns = ("below_seven_and_half", "at_seven_and_half", "player_bust")
    players = (hand_of(12), hand_of(SEVEN_AND_HALF), hand_of(SEVEN_AND_HALF + 1))
    yield (word["dealer"], *(word[column] for column in columns))
    for score in range(1, SEVEN_AND_HALF + 1):
        yield (points(score), *(_dealer(asked, hand, hand_of(score)) for hand in players))


def _dealer(asked: Asked, position: tuple[Card, ...], dealer: tuple[Card, ...]) -> str:
    closing = Closing(len(position), ClosedBy.STAND, plain=1)
    game = Round(position=position, dealer=dealer, closed=(closing,))
    draws = isinstance(asked.rules.next_step(game), Deal)
    return asked.words.word["must_draw" if draws else "stands"]


def _returns(asked: Asked) -> Iterator[Row]:
    """Every way in which any round of this game can end."""
    word = asked.words.word
    yield word["outcome"], word["returns"], word["of_ten"]
    found = {(ending.outcome, ending.halves) for ending in _endings(asked.rounds)}
    for outcome, halves in sorted(found, key=lambda end: (-end[1], end[0])):
        yield asked.words.outcome[outcome], points(halves), points(10 * halves)


def _endings(root: Node) -> Iterator[Ending]:
    known: set[Node] = set()
    nodes: list[Node] = [root]
    while nodes:
        node = nodes.pop()
        if node in known:
            continue
        known.add(node)
        if isinstance(node, End):
            yield from node.endings
        elif isinstance(node, Choice):
            nodes += [node.stand, node.hit]
        elif isinstance(node, Draw):
            nodes += [then for _, then in node.by_kind]


def _pp(asked: Asked) -> Iterator[Row]:
    word = asked.words.word
    yield word["pair_of"], word["pays"]
    by_odds: dict[int, list[str]] = {}
    for rank in RANKS:
        by_odds.setdefault(partita_perfetta(f"{rank}D", f"{rank}C") - 1, []).append(rank)
    for odds in sorted(by_odds, reverse=True):
        yield " ".join(by_odds[odds]), f"{odds}:1"


_POKER: Final[Mapping[str, tuple[Card, Card, Card]]] = MappingProxyType(
    {
        "royal_flush": ("KS", "JS", "QS"),
        "straight_flush": ("4B", "5B", "6B"),
        "three": ("QC", "QS", "QB"),
        "flush": ("2C", "QC", "5C"),
        "straight": ("2D", "3S", "4C"),
        "nothing": ("6C", "7D", "JS"),
    }
)


def _mdp(asked: Asked) -> Iterator[Row]:
    word = asked.words.word
    yield word["hand"], word["hand_example"], word["pays"]
    for name, cards in _POKER.items():
        odds = mano_di_poker(*cards) - 1
        yield word[name], " ".join(cards), f"{odds}:1" if odds > 0 else word["lost"]


def _incidents(asked: Asked) -> Iterator[Row]:
    for row in INCIDENTS.values():
        yield row.say.it if asked.language == "it" else row.say.en


TABLES: Final[Mapping[str, Callable[[Asked], Iterator[Row]]]] = MappingProxyType(
    {
        "cards": _cards,
        "suits": _suits,
        "wild": _wild,
        "royal": _royal,
        "turns": _turns,
        "turns_mdp": _turns_mdp,
        "turns_alone": _turns_alone,
        "dealer_live": _dealer_live,
        "dealer_rng": _dealer_rng,
        "returns": _returns,
        "pp": _pp,
        "mdp": _mdp,
        "incidents": _incidents,
    }
)


def laid_out(rows: Sequence[Row]) -> Iterator[str]:
    """The rows as lines, columns aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield ("  " + "   ".join(cells)).rstrip()
