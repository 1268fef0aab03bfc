"""Kinds of cards as a person writes them, in every language alike."""

from controller.contract.cards import WILD, Card, is_figure, rank


def kind(card: Card) -> str:
    """A card that stands for all that count like it; `fig`: a figure other than the wild card."""
    if card != WILD and is_figure(card):
        return "fig"
    return card if card == WILD else rank(card)
