"""Both games once more, written from the rules page alone, to be held against the real odds.

Nothing of the controller is imported. A card is its value, ½ to 7, or "*" for the
wild card; a hand is a tuple of them. Everything is worked out by trying every next
card, and nothing is called equal but a hand in another order.
"""

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

HALF = Fraction(1, 2)
TOP = 7 + HALF
CARDS = [HALF, *map(Fraction, range(1, 8))]

Value = Fraction | str
Hand = tuple[Value, ...]

FORTY: Hand = tuple([HALF] * 11 + [Fraction(n) for n in range(1, 8)] * 4 + ["*"])


def worth(hand: Iterable[Value]) -> Fraction:
    """The wild card is tried as every card there is."""
    cards = list(hand)
    if cards == ["*"]:
        return HALF
    if "*" not in cards:
        return sum(cards, Fraction(0))
    cards.remove("*")
    totals = [sum(cards, Fraction(0)) + card for card in CARDS]
    return max((total for total in totals if total <= TOP), default=min(totals))


def royal(hand: Hand) -> bool:
    return len(hand) == 2 and "*" in hand and (HALF in hand or 7 in hand)


def one_less(cards: Hand, card: Value) -> Hand:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def key(value: Value) -> Fraction:
    return Fraction(9) if isinstance(value, str) else value


def in_order(hand: Iterable[Value]) -> Hand:
    return tuple(sorted(hand, key=key))


def each(cards: Hand) -> list[tuple[Value, Fraction]]:
    """Every next card with its chance."""
    if not cards:
        raise ValueError("the deck has run out")
    return [(card, Fraction(cards.count(card), len(cards))) for card in sorted(set(cards), key=key)]


class Live:
    """Main bet of the live game, one player without Mano di Poker."""

    def __init__(self) -> None:
        self.dealt = lru_cache(None)(self._dealt)
        self.dealer = lru_cache(None)(self._dealer)

    def returns(self, deck: Hand) -> Fraction:
        total = Fraction(0)
        for first, chance in each(deck):
            rest = one_less(deck, first)
            for up, next_chance in each(rest):
                total += chance * next_chance * self.dealt((first,), up, one_less(rest, up))
        return total

    def _dealt(self, hand: Hand, up: Value, deck: Hand) -> Fraction:
        mine, shown = worth(hand), worth([up])
        if mine > TOP:
            return Fraction(0)
        if hand == ("*",) or (up == "*" and mine < 7) or mine < shown or mine == shown == 5:
            return self.another(hand, up, deck)
        if shown >= 5 and mine > shown:
            return Fraction(5, 2) if royal(hand) else Fraction(2)
        stand = self.dealer(royal(hand), mine, (up,), deck)
        return stand if mine == TOP else max(stand, self.another(hand, up, deck))

    def another(self, hand: Hand, up: Value, deck: Hand) -> Fraction:
        return sum(
            (
                chance * self.dealt(in_order((*hand, card)), up, one_less(deck, card))
                for card, chance in each(deck)
            ),
            Fraction(0),
        )

    def _dealer(self, is_royal: bool, mine: Fraction, dealer: Hand, deck: Hand) -> Fraction:
        if worth(dealer) < 5:
            return sum(
                (
                    chance
                    * self.dealer(is_royal, mine, in_order((*dealer, card)), one_less(deck, card))
                    for card, chance in each(deck)
                ),
                Fraction(0),
            )
        if is_royal:
            return Fraction(5, 2)
        theirs = worth(dealer)
        if theirs > TOP:
            return Fraction(2)
        if royal(dealer) or mine < theirs or mine == theirs == 5:
            return Fraction(0)
        return Fraction(1) if mine == theirs else Fraction(2)


class Rng:
    """Main bet of the RNG game. The dealer's card lies there, unknown, while the player plays."""

    def __init__(self) -> None:
        self.player = lru_cache(None)(self._player)
        self.dealer = lru_cache(None)(self._dealer)

    def returns(self, deck: Hand) -> Fraction:
        return sum(
            (chance * self.player((first,), one_less(deck, first)) for first, chance in each(deck)),
            Fraction(0),
        )

    def _player(self, hand: Hand, unseen: Hand) -> Fraction:
        """`unseen` holds the dealer's card among the others."""
        mine = worth(hand)
        if mine > TOP:
            return Fraction(0)
        if len(hand) == 1 and hand[0] in (HALF, "*"):
            return self.another(hand, unseen)
        stand = Fraction(0)
        for hole, chance in each(unseen):
            stand += chance * self.dealer(royal(hand), mine, (hole,), one_less(unseen, hole))
        return stand if mine == TOP else max(stand, self.another(hand, unseen))

    def another(self, hand: Hand, unseen: Hand) -> Fraction:
        """Any card may lie before the dealer, and any other comes next."""
        total = Fraction(0)
        for hole, chance in each(unseen):
            rest = one_less(unseen, hole)
            for card, next_chance in each(rest):
                went_on = self.player(in_order((*hand, card)), one_less(unseen, card))
                total += chance * next_chance * went_on
        return total

    def _dealer(self, is_royal: bool, mine: Fraction, dealer: Hand, deck: Hand) -> Fraction:
        theirs = worth(dealer)
        alone = len(dealer) == 1 and dealer[0] in (HALF, "*")
        if alone or theirs < (TOP if mine == TOP else 3):
            return sum(
                (
                    chance
                    * self.dealer(is_royal, mine, in_order((*dealer, card)), one_less(deck, card))
                    for card, chance in each(deck)
                ),
                Fraction(0),
            )
        if is_royal:
            return Fraction(3)
        return Fraction(2) if theirs > TOP or mine > theirs else Fraction(0)


def poker_pays(cards: Iterable[str]) -> int:
    """What a three-card hand (codes, any order) pays to 1; 0 is lost."""
    hand = list(cards)
    ranks = sorted("A234567JQK".index(card[0]) for card in hand)
    flush = len({card[1] for card in hand}) == 1
    in_sequence = ranks == [ranks[0], ranks[0] + 1, ranks[0] + 2] and ranks[0] in (0, 1, 2, 3, 4, 7)
    if in_sequence and flush:
        return 150 if ranks[0] == 7 else 75
    if len(set(ranks)) == 1:
        return 50
    return 6 if flush else 5 if in_sequence else 0


def value_of(code: str) -> Value:
    if code == "KD":
        return "*"
    return HALF if code[0] in "JQK" else Fraction("A234567".index(code[0]) + 1)


def mano_di_poker_played_for_the_main_bet(
    stake: Fraction = Fraction(0),
) -> tuple[Fraction, Fraction]:
    """Live: what main bet and Mano di Poker return, the first choice made for both.

    A stake of 0 is the play that is best for the main bet. With Mano di Poker a hand
    of one card above a 5, 6 or 7 is asked; standing then wins.
    """
    live, codes = Live(), [rank + suit for rank in "A234567JQK" for suit in "DCSB"]
    main = side = Fraction(0)
    for first in codes:
        for up in codes:
            if up == first:
                continue
            rest = [code for code in codes if code not in (first, up)]
            pays = [poker_pays((first, up, second)) for second in rest]
            paid = sum((Fraction(odds + 1, len(rest)) for odds in pays if odds), Fraction(0))
            stand, hit = _one_card(live, value_of(first), value_of(up))
            takes = stand is None or hit + stake * paid > stand
            main += (hit if stand is None or takes else stand) / (40 * 39)
            side += paid * takes / (40 * 39)
    return main, side


def _one_card(live: Live, mine: Value, up: Value) -> tuple[Fraction | None, Fraction]:
    """What standing on one card returns (None: an automatic card comes), and what going on does."""
    deck = one_less(one_less(FORTY, mine), up)
    score, shown = worth([mine]), worth([up])
    hit = live.another((mine,), up, deck)
    if mine == "*" or (up == "*" and score < 7) or score < shown or score == shown == 5:
        return None, hit
    return live.dealer(False, score, (up,), deck), hit
