"""The signs of the four suits, each drawn around its middle and about 10 units tall."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from simulators.deck_art.pen import BLACK, Colour, Pen


@dataclass(frozen=True)
class Inks:
    """The printer's colours (blue, green, red order), and how this printer draws."""

    red: Colour = (44, 40, 214)
    green: Colour = (66, 104, 22)
    blue: Colour = (178, 92, 28)
    yellow: Colour = (48, 206, 250)
    skin: Colour = (170, 196, 240)
    brown: Colour = (110, 150, 196)
    paper: Colour = (250, 252, 253)
    rays: int = 12
    pip_size: float = 1.0
    raised: float = 0.0
    """Units by which the printer lays all pips higher."""


def coin(pen: Pen, inks: Inks, turn: float = 0) -> None:
    """A sun in a black ring."""
    pen.disc(0, 0, 5, BLACK)
    pen.disc(0, 0, 4.45, inks.yellow)
    pen.disc(0, 0, 3.7, BLACK)
    star = []
    for i in range(2 * inks.rays):
        radius = 3.5 if i % 2 == 0 else 2.1
        angle = math.pi * i / inks.rays + math.radians(turn)
        star.append((radius * math.cos(angle), radius * math.sin(angle)))
    pen.polygon(star, inks.yellow, None)
    pen.disc(0, 0, 1.7, inks.yellow)
    pen.stroke([(-0.7, 0.6), (0, 0.95), (0.7, 0.6)], BLACK, 0.25)
    for x in (-0.6, 0.6):
        pen.disc(x, -0.45, 0.2, BLACK, None)


def cup(pen: Pen, inks: Inks, turn: float = 0) -> None:
    """A two-handled goblet, red above, gold belt, green foot."""
    for side in (-1, 1):
        pen.stroke(
            [(side * 2.6, -3), (side * 4.2, -2.4), (side * 3.6, 0), (side * 2, 0.6)], BLACK, 0.5
        )
    pen.blob([(-2.6, -3.4), (2.6, -3.4), (2.5, -0.6), (1, 1.6), (-1, 1.6), (-2.5, -0.6)], inks.red)
    pen.polygon([(-2.75, -1.6), (2.75, -1.6), (2.5, -0.2), (-2.5, -0.2)], inks.yellow)
    pen.blob([(-2.4, 0.1), (2.4, 0.1), (0.9, 1.9), (-0.9, 1.9)], inks.green)
    pen.oval(0, -3.6, 3, 0.9, inks.yellow)
    pen.oval(0, -3.6, 2.1, 0.5, inks.red)
    pen.polygon([(-0.5, 1.7), (0.5, 1.7), (0.6, 3.2), (-0.6, 3.2)], inks.green)
    pen.disc(0, 2.4, 0.85, inks.yellow)
    pen.polygon([(-0.8, 3), (0.8, 3), (2.5, 4.8), (-2.5, 4.8)], inks.red)


def sword(pen: Pen, inks: Inks, turn: float = 0) -> None:
    """A straight blade pointing down, gold hilt above."""
    pen.polygon([(-0.75, -2), (0.75, -2), (0.75, 4.3), (0, 5.4), (-0.75, 4.3)], inks.blue)
    pen.stroke([(0, -2), (0, 4)], BLACK, 0.18)
    pen.oval(0, -2.2, 2.3, 0.6, inks.yellow)
    for side in (-1, 1):
        pen.disc(side * 2.3, -2.2, 0.75, inks.yellow)
    pen.polygon([(-0.45, -4.2), (0.45, -4.2), (0.55, -2.6), (-0.55, -2.6)], inks.yellow)
    pen.disc(0, -4.6, 0.8, inks.yellow)


def club(pen: Pen, inks: Inks, turn: float = 0) -> None:
    """A bludgeon, thick and green above, red grip below, a yellow leaf along it."""
    pen.blob(
        [(-0.3, -5), (1.6, -4.4), (1.9, -2), (1.0, 1), (-0.7, 1), (-1.7, -2), (-1.6, -4.2)],
        inks.green,
    )
    pen.blob([(-0.8, 0.6), (1.0, 0.4), (0.7, 3), (0.9, 4.8), (-0.6, 5), (-0.5, 3)], inks.red)
    leaf = [
        (0.2, -4),
        (0.9, -2.6),
        (0.5, -2.2),
        (0.8, -1),
        (0.3, -0.6),
        (0.2, 1.4),
        (-0.3, -0.8),
        (-0.7, -1.4),
    ]
    pen.polygon([*leaf, (-0.4, -2.2), (-0.7, -2.8)], inks.yellow, None)
    pen.disc(-1.1, -3.4, 0.35, BLACK, None)


SIGN: dict[str, Callable[[Pen, Inks, float], None]] = {"D": coin, "C": cup, "S": sword, "B": club}
