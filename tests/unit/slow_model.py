"""Live Sette e Mezzo a second time, from the players' help text, slow and naive on purpose.

Every player is a person with cards of their own, who is asked alone; values are
tried out one by one in decimals. It shares neither structure nor code with
`controller.rules`, so that a mistake would have to be made twice.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations

STAND_INS = [7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0, 0.5]

Choice = Callable[[int, int], str]
"""(player, number of cards) → `hit`, `stand` or `left`."""


@dataclass
class Player:
    """One person at the table."""

    number: int
    mdp: bool
    cards: list[str] = field(default_factory=list)
    why_closed: str = ""
    asked: int = 0


@dataclass
class Played:
    """What happened, for comparison."""

    places: list[str] = field(default_factory=list)
    asked: list[tuple[int, int, int]] = field(default_factory=list)
    """Cards in the position, players asked without and with Mano di Poker."""
    position: list[str] = field(default_factory=list)
    dealer: list[str] = field(default_factory=list)
    players: list[Player] = field(default_factory=list)


def plain_value(card: str) -> float:
    return 0.5 if card[0] in "JQK" else 1.0 if card[0] == "A" else float(card[0])


def value(cards: list[str]) -> float:
    if "KD" not in cards:
        return sum(plain_value(card) for card in cards)
    if len(cards) == 1:
        return 0.5
    others = sum(plain_value(card) for card in cards if card != "KD")
    possible = [others + stand_in for stand_in in STAND_INS]
    return max([points for points in possible if points <= 7.5] or [min(possible)])


def royal(cards: list[str]) -> bool:
    return sorted(card == "KD" for card in cards) == [False, True] and any(
        card[0] in "JQK7" for card in cards if card != "KD"
    )


def play(deck: list[str], plain: int, mdp: int, choice: Choice, *, burn: int = 0) -> Played:
    """Deal `deck` to these players; `choice` answers for each of them alone."""
    game = Played(players=[Player(n, mdp=n >= plain) for n in range(plain + mdp)])
    shoe = iter(deck)

    def draw(place: str) -> str:
        game.places.append(place)
        return next(shoe)

    for _ in range(burn):
        draw("burn")
    _to_position(game, draw("position"))
    game.dealer.append(draw("dealer"))
    while any(_goes_on(game, game.dealer[0], choice)):
        _to_position(game, draw("position"))
    if any(p.why_closed in ("stand", "seven_and_half") for p in game.players):
        while value(game.dealer) < 5:
            game.dealer.append(draw("dealer"))
    return game


def _to_position(game: Played, card: str) -> None:
    game.position.append(card)
    for player in game.players:
        if not player.why_closed:
            player.cards.append(card)


def _goes_on(game: Played, up: str, choice: Choice) -> list[bool]:
    """For each player still in: does this player get another card?"""
    still_in = [player for player in game.players if not player.why_closed]
    wishes = [_one_player(player, up, choice) for player in still_in]
    asked = [p for p in still_in if p.asked == len(game.position)]
    if asked:
        with_mdp = sum(p.mdp for p in asked)
        game.asked.append((len(game.position), len(asked) - with_mdp, with_mdp))
    return wishes


def _one_player(player: Player, up: str, choice: Choice) -> bool:
    mine, dealers = value(player.cards), plain_value(up)
    if mine > 7.5:
        player.why_closed = "bust"
    elif _given_a_card(player.cards, up, mine, dealers):
        return True
    elif dealers >= 5 and mine > dealers and (len(player.cards) > 1 or not player.mdp):
        player.why_closed = "auto_win"
    elif mine == 7.5:
        player.why_closed = "seven_and_half"
    else:
        player.asked = len(player.cards)
        chosen = choice(player.number, len(player.cards))
        if chosen == "hit":
            return True
        player.why_closed = chosen
    return False


def _given_a_card(cards: list[str], up: str, mine: float, dealers: float) -> bool:
    return any(
        [
            cards == ["KD"],
            up == "KD" and mine < 7,
            mine < dealers,
            dealers == 5 and mine == 5,
        ]
    )


def main_return(player: Player, dealer: list[str]) -> float | None:
    """What comes back for a main bet of 1; None for who left."""
    mine, theirs = value(player.cards), value(dealer)
    if player.why_closed == "left":
        return None
    if royal(player.cards):
        return 2.5
    if mine > 7.5:
        return 0
    if player.why_closed == "auto_win" or theirs > 7.5:
        return 2
    if mine == theirs == 7.5 and royal(dealer):
        return 0
    if mine == theirs:
        return 0 if mine == 5 else 1
    return 2 if mine > theirs else 0


def pp_return(game: Played) -> int:
    mine, theirs = game.position[0][0], game.dealer[0][0]
    if mine != theirs:
        return 0
    return {"7": 56, "J": 11, "Q": 11, "K": 11}.get(mine, 6)


def mdp_return(game: Played, player: Player) -> int:
    """The first two cards of the position and the up card, if the player had a second."""
    had = game.position if player.why_closed == "left" else player.cards
    if len(had) < 2:
        return 0
    three = [had[0], had[1], game.dealer[0]]
    order = "A234567"
    numbers = sorted(order.find(card[0]) for card in three)
    faces = sorted(card[0] for card in three) == ["J", "K", "Q"]
    row = numbers[0] >= 0 and numbers == list(range(numbers[0], numbers[0] + 3))
    one_suit = all(a[1] == b[1] for a, b in combinations(three, 2))
    one_rank = all(a[0] == b[0] for a, b in combinations(three, 2))
    if one_suit and faces:
        return 151
    if one_suit and row:
        return 76
    if one_rank:
        return 51
    if one_suit:
        return 7
    return 6 if faces or row else 0
