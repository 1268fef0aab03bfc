"""What only one card has: the aces, the mask, the arms and the ribbons."""

from simulators.deck_art.pen import BLACK, Pen
from simulators.deck_art.pips import Inks, club, cup


def eagle(pen: Pen, inks: Inks) -> None:
    """Ace of coins: a double-headed eagle over two rings."""
    for mirror in (False, True):
        at = pen.at(60, 0, mirror=True) if mirror else pen
        at.blob([(29, 30), (20, 17), (12, 20), (14, 33), (20, 42), (27, 40)], inks.red)
        for y in (24, 29, 34):
            at.stroke([(14, y), (22, y + 3), (27, y + 2)], BLACK, 0.5)
        at.blob([(28, 25), (22, 16), (18, 9), (23, 7), (27, 12), (30, 20)], inks.yellow)
        at.polygon([(19, 8), (13, 10), (19, 12)], inks.green)
        at.disc(21.5, 9.5, 0.7, BLACK, None)
        at.blob([(22, 62), (12, 72), (9, 86), (13, 92), (19, 82), (27, 72)], inks.green)
    for y, colour in ((42, inks.red), (72, inks.yellow)):
        pen.disc(30, y, 16.5, colour)
        pen.disc(30, y, 12.5, inks.paper)
    pen.disc(30, 57.5, 3.2, inks.green)


def great_cup(pen: Pen, inks: Inks) -> None:
    cup(pen.at(30, 53, 6.2), inks)
    pen.blob([(18, 30), (42, 30), (37, 18), (30, 11), (23, 18)], inks.green)
    pen.disc(30, 11, 2.6, inks.red)
    for x in (20, 30, 40):
        pen.disc(x, 47.5, 2, inks.blue)


def sword_in_scarf(pen: Pen, inks: Inks) -> None:
    """Ace of swords: a slanting blade and a green ribbon that winds round it."""
    pen.band(
        [(14, 18), (8, 30), (18, 40), (32, 44), (44, 54), (46, 68), (34, 72), (28, 82), (40, 90)],
        inks.green,
        4.6,
    )
    at = pen.at(29, 52, 1, 24)
    at.polygon([(-3.4, -14), (3.4, -14), (2.8, 34), (0, 39), (-2.8, 34)], inks.red)
    at.stroke([(0, -12), (0, 32)], BLACK, 0.6)
    at.oval(0, -16, 9, 2.4, inks.yellow)
    at.polygon([(-1.8, -28), (1.8, -28), (2.4, -18), (-2.4, -18)], inks.blue)
    at.disc(0, -31, 3.2, inks.yellow)
    pen.band([(18, 40), (32, 44), (40, 50)], inks.green, 4.6)


def knotty_club(pen: Pen, inks: Inks) -> None:
    club(pen.at(31, 47, 7.6, 22), inks)
    pen.band([(28, 62), (16, 58), (12, 46), (17, 40)], inks.green, 2.2)
    pen.blob([(17, 42), (10, 38), (12, 30), (19, 34)], inks.yellow)
    pen.band([(24, 76), (12, 82), (14, 92), (22, 90)], inks.red, 2.6)


def mask(pen: Pen, inks: Inks) -> None:
    """Three of clubs: the grinning face before the crossing."""
    pen.blob([(20, 50), (30, 45), (40, 50), (41, 62), (30, 72), (19, 62)], inks.yellow)
    for side in (-1, 1):
        pen.oval(30 + 5 * side, 55, 2.4, 1.5, inks.paper)
        pen.disc(30 + 5 * side, 55, 0.9, BLACK, None)
        pen.stroke([(30 + 2 * side, 52.4), (30 + 8 * side, 51)], BLACK, 0.8)
    pen.blob([(28.4, 55), (31.6, 55), (33, 61), (27, 61)], inks.red)
    pen.stroke([(20, 61), (26, 63.5), (34, 63.5), (40, 61)], BLACK, 1.6)
    pen.blob([(25, 65), (35, 65), (30, 70)], inks.red)


def arms(pen: Pen, inks: Inks) -> None:
    """Four of coins: a shield between flags."""
    for mirror in (False, True):
        at = pen.at(60, 0, mirror=True) if mirror else pen
        at.polygon([(27, 49), (12, 41), (11, 50), (25, 56)], inks.green)
        at.stroke([(28, 58), (12, 40)], BLACK, 0.8)
    pen.blob([(23, 44), (37, 44), (37, 53), (30, 60), (23, 53)], inks.red)
    pen.polygon([(29, 44.5), (31, 44.5), (31, 58), (29, 58)], inks.paper, None)
    pen.polygon([(23.6, 49), (36.4, 49), (36.4, 51), (23.6, 51)], inks.paper, None)
    pen.band([(14, 60), (22, 63), (30, 61), (38, 63), (46, 60)], inks.yellow, 2)


def peasants(pen: Pen, inks: Inks) -> None:
    """Five of swords: two at work in a field."""
    for x, side in ((25, 1), (36, -1)):
        at = pen.at(x, 32, 1, 0, side < 0)
        at.disc(0, -5, 1.6, inks.skin)
        at.blob([(-2, -3), (2, -3), (2.4, 3), (-2.4, 3)], BLACK)
        at.stroke([(1, 2), (2, 7)], BLACK, 1.4)
        at.stroke([(-1, 2), (-2, 7)], BLACK, 1.4)
        at.stroke([(1.5, -2), (5, -5), (4, 6)], BLACK, 0.7)
    pen.polygon([(21, 66), (40, 66), (43, 72), (18, 72)], inks.green)
    pen.blob([(24, 62), (36, 60), (38, 66), (26, 67)], BLACK)


def ribbon(pen: Pen, inks: Inks, y: float, half: float) -> None:
    pen.band(
        [
            (30 - half, y - 4),
            (30 - half / 2, y + 3),
            (30, y + 4),
            (30 + half / 2, y + 3),
            (30 + half, y - 4),
        ],
        inks.red,
        3.4,
    )
