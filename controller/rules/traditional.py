"""Traditional Sette e Mezzo, as its rules page says it: every seat a hand, against the bank.

`next_step` is the whole order of the game, `choose` what a seat's choice does. What a hand
is and what it is paid stand in `traditional_hands` and `traditional_pays`, which switches
go together in `traditional_house`. Seats are numbered in the direction of play
(counter-clockwise): after the bank comes the seat at its right. Quotations are the page's
own words.
"""

from typing import Final

from msgspec.structs import replace

from controller.contract.cards import Card, is_figure, rank
from controller.contract.seats import Choice, HouseRules, SeatStake, Variant
from controller.contract.state import Hand, Reason
from controller.rules.steps import Deal, Pay, Settle, Show, Step, Turn
from controller.rules.traditional_hands import Held, Round, is_bust, is_full, points
from controller.rules.traditional_pays import result

NAME: Final = "traditional"


def begin(house: HouseRules, bank: int, stakes: tuple[SeatStake, ...], ante: int = 0) -> Round:
    """Who bet, in the order of play from the bank's right; then the bank."""
    order = tuple(sorted(stakes, key=lambda stake: (stake.seat - bank) % house.seats))
    game = Round(house=house, bank=bank, waiting=order, ante=ante, pot=ante)
    if game.plays(Variant.POT):
        return _next_player(game)
    players = (Held(stake.seat, stake.cents) for stake in order)
    return replace(game, hands=(*players, Held(bank)), waiting=())


def _next_player(game: Round) -> Round:
    """With a pot: "the pot is the limit"; from an empty one nobody can win."""
    if not game.waiting or not game.pot:
        return replace(game, hands=(), waiting=())
    stake, *rest = game.waiting
    hands = (Held(stake.seat, min(stake.cents, game.pot)), Held(game.bank))
    return replace(game, hands=hands, waiting=tuple(rest))


def next_step(game: Round) -> Step:
    for hand in game.hands:  # "one card face down each"
        if not hand.cards:
            reason = Reason.SEAT_AGAIN if hand.burned else Reason.SEAT_FIRST
            return _deal(game, hand, reason, face_down=True)
    for hand in game.players:  # "in turn"
        if step := _turn(game, hand):
            return step
    return _bank_step(game) or _end(game)


def _turn(game: Round, hand: Held) -> Step | None:
    """ "A player hits (face up) or stands; 7½ must be announced and shown." """
    full = is_full(game, hand)
    if (full or hand.of_split) and not hand.shown:
        return _show(game, hand)
    if full or hand.stood:
        return None
    if hand.asked:
        return _deal(game, hand, Reason.SEAT_HIT, face_down=False)
    offered = options(game, hand)
    allowed = frozenset(choice for choice in offered if _allows(game, hand, choice))
    return Turn(hand.seat, hand.second, offered, allowed)


def _bank_step(game: Round) -> Step | None:
    """ "Then the bank shows and plays", if there is a hand left to play against."""
    if all(is_bust(game, hand) for hand in game.players):
        return None
    if not game.banker.shown:
        return _show(game, game.banker)
    if step := _turn(game, game.banker):
        return step
    if is_bust(game, game.banker):
        return None
    return next((_show(game, hand) for hand in game.players if not hand.shown), None)


def _end(game: Round) -> Step:
    """A hand with the wild card is shown, since all see that the deck is shuffled for it."""
    for hand in game.hands:
        if not hand.shown and game.plays(Variant.WILD) and game.house.wild_card in hand.cards:
            return _show(game, hand)
    if game.hands and game.plays(Variant.POT):
        paid = result(game, game.hands[0])
        return Pay(paid, game.pot - paid.net)
    return Settle()


def _deal(game: Round, hand: Held, reason: Reason, *, face_down: bool) -> Deal:
    return Deal(Hand.SEAT, reason, face_down, hand.seat, bank=hand.seat == game.bank)


def _show(game: Round, hand: Held) -> Show:
    return Show(hand.seat, hand.second, hand.cards, points(game, hand))


def options(game: Round, hand: Held) -> tuple[Choice, ...]:
    """All that the switches may allow; never fewer because of a card that lies face down."""
    offered = [Choice.HIT, Choice.STAND]
    whole = not hand.of_split
    if game.plays(Variant.BURN_FIRST) and len(hand.cards) == 1 and whole and not hand.burned:
        offered.append(Choice.BURN)
    if game.plays(Variant.SPLIT) and len(hand.cards) == 2 and whole and hand.seat != game.bank:
        offered.append(Choice.SPLIT)
    return tuple(offered)


def _allows(game: Round, hand: Held, choice: Choice) -> bool:
    """Whether the hand's cards, face down or not, allow this option."""
    if choice is Choice.BURN:  # "a first card of 4 (or of 3, as set)"
        return rank(hand.cards[0]) == game.house.burn_rank
    return choice is not Choice.SPLIT or all(map(is_figure, hand.cards))  # "two figures"


def in_turn(game: Round) -> int:
    """Which of the hands is played now: the first that is not through, else the bank's."""
    for n, hand in enumerate(game.players):
        if not (hand.stood or is_full(game, hand)):
            return n
    return len(game.hands) - 1


def due(game: Round) -> int:
    """Which of the hands the next card comes to."""
    for n, hand in enumerate(game.hands):
        if not hand.cards:
            return n
    return in_turn(game)


def deal(game: Round, card: Card) -> Round:
    n = due(game)
    hand = game.hands[n]
    return _with(game, n, replace(hand, cards=(*hand.cards, card), asked=False))


def choose(game: Round, choice: Choice) -> Round:
    """What the seat whose turn it is does."""
    n = in_turn(game)
    hand = game.hands[n]
    if choice is Choice.HIT:
        return _with(game, n, replace(hand, asked=True))
    if choice is Choice.STAND:
        return _with(game, n, replace(hand, stood=True))
    if choice is Choice.BURN:
        return _with(game, n, replace(hand, cards=(), burned=True, shown=False))
    first, second = hand.cards  # "played as two hands", "for a second equal bet"
    return _with(
        game,
        n,
        replace(hand, cards=(first,), of_split=True),
        replace(hand, cards=(second,), of_split=True, second=True, shown=True),
    )


def show(game: Round, seat: int, *, second: bool) -> Round:
    """This hand's first card is turned."""
    for n, hand in enumerate(game.hands):
        if (hand.seat, hand.second) == (seat, second):
            return _with(game, n, replace(hand, shown=True))
    raise ValueError(f"seat {seat} has no such hand to show")


def pay(game: Round, step: Pay) -> Round:
    """With a pot: this player's money has moved, the next one plays."""
    over, paid = (*game.over, *game.hands), (*game.paid, step.result)
    return _next_player(replace(game, over=over, paid=paid, pot=step.pot, hands=()))


def _with(game: Round, n: int, *hands: Held) -> Round:
    return replace(game, hands=(*game.hands[:n], *hands, *game.hands[n + 1 :]))
