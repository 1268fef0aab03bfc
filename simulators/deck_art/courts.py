"""The twelve figures: page, horseman and king of each suit, on a coloured ground."""

from simulators.deck_art.pen import BLACK, Colour, Pen
from simulators.deck_art.pips import SIGN, Inks


def _clothes(suit: str, inks: Inks) -> tuple[Colour, Colour, Colour]:
    """Coat, hose, trimming."""
    return {
        "D": (inks.blue, inks.green, inks.yellow),
        "C": (inks.green, inks.yellow, inks.red),
        "S": (inks.red, inks.blue, inks.green),
        "B": (inks.yellow, inks.red, inks.green),
    }[suit]


def page(pen: Pen, suit: str, inks: Inks) -> None:
    """The fante: a youth standing, feathered hat, the sign held up."""
    coat, hose, trim = _clothes(suit, inks)
    _ground(pen, suit, inks, 84)
    for side in (-1, 1):
        leg = pen.at(30 + side * 4.5, 57)
        leg.blob([(-2.6, 0), (2.6, 0), (2.2, 12), (1.6, 22), (-1.6, 22), (-2.4, 12)], hose)
        leg.blob([(-1.8, 21), (1.8, 21), (side * 3.4 + 1, 24.6), (-2.6 + side, 25)], BLACK)
    pen.blob([(21, 34), (39, 34), (40, 50), (43, 60), (30, 63), (17, 60), (20, 50)], coat)
    pen.polygon([(20.5, 47), (39.5, 47), (40, 50.5), (20, 50.5)], trim)
    for y in (37.5, 41, 44.5):
        pen.disc(30, y, 0.8, inks.yellow)
    _arm(pen, [(38, 36), (46, 42), (42, 50)], coat, inks)
    _arm(pen, [(22, 36), (13, 38), (11, 28)], coat, inks)
    _head(pen, 30, 27, inks)
    pen.blob([(23, 23), (30, 16.5), (38, 22), (36, 24), (30, 22), (24, 25)], trim)
    pen.stroke([(36, 21), (42, 15), (47, 17)], inks.red, 1.6)
    SIGN[suit](pen.at(11, 19, _held(suit)), inks, 0)


def horseman(pen: Pen, suit: str, inks: Inks) -> None:
    """The cavallo: a rider on a walking horse."""
    coat, hose, trim = _clothes(suit, inks)
    left = suit in "DS"
    at = pen.at(0, 0) if left else pen.at(60, 0, mirror=True)
    _ground(pen, suit, inks, 86)
    _horse(at, inks, trim)
    at.blob([(27, 46), (33, 46), (35, 57), (31, 68), (27, 68), (29, 57)], hose)
    at.polygon([(26, 67), (33, 67), (32, 71), (22, 71)], BLACK)
    at.blob([(24, 29), (37, 29), (38, 40), (36, 48), (25, 48), (23, 38)], coat)
    at.polygon([(24, 43), (37.5, 43), (37, 46), (24.4, 46)], trim)
    _arm(at, [(25, 31), (17, 33), (14, 27)], coat, inks)
    _arm(at, [(35, 32), (32, 40), (24, 44)], coat, inks)
    _head(at, 30, 23, inks)
    at.blob([(23, 19), (30, 13), (38, 18), (36, 20.5), (30, 19), (24, 21)], trim)
    at.stroke([(35, 17), (42, 13), (46, 16)], inks.yellow, 1.5)
    SIGN[suit](at.at(13, 19, _held(suit)), inks, 0)


def king(pen: Pen, suit: str, inks: Inks) -> None:
    """The re: crowned and bearded, a long mantle, the sign beside the head."""
    coat, hose, trim = _clothes(suit, inks)
    _ground(pen, suit, inks, 86)
    mantle = inks.red if coat != inks.red else inks.green
    pen.blob([(18, 34), (42, 34), (50, 60), (52, 85), (30, 87), (9, 85), (11, 60)], mantle)
    for x in (22, 31, 38):
        pen.polygon([(x - 3, 62), (x + 2, 62), (x + 3, 84), (x - 3, 84)], hose)
    pen.blob([(20, 33), (40, 33), (41, 50), (43, 68), (30, 71), (17, 68), (19, 50)], coat)
    pen.polygon([(19, 50), (41, 50), (41.6, 54), (18.4, 54)], trim)
    pen.polygon([(28, 54), (32, 54), (33, 69), (27, 69)], inks.yellow)
    _arm(pen, [(38, 36), (46, 44), (43, 54)], coat, inks)
    _arm(pen, [(22, 36), (13, 41), (13, 32)], coat, inks)
    _head(pen, 30, 26, inks)
    pen.blob([(24.5, 28), (35.5, 28), (34, 35), (30, 39), (26, 35)], (90, 90, 96))
    pen.polygon([(23, 21), (21, 11), (26, 16), (30, 9), (34, 16), (39, 11), (37, 21)], inks.yellow)
    for x in (21, 30, 39):
        pen.disc(x, 11 if x != 30 else 9, 1.2, inks.red)
    SIGN[suit](pen.at(50 if suit in "DC" else 12, 17 if suit in "DC" else 25, _held(suit)), inks, 0)


def _held(suit: str) -> float:
    return {"D": 1.25, "C": 1.3, "S": 2.2, "B": 2.0}[suit]


def _ground(pen: Pen, suit: str, inks: Inks, y: float) -> None:
    fill = {"D": inks.yellow, "C": inks.red, "S": inks.blue, "B": inks.green}[suit]
    pen.polygon([(10, y), (50, y - 2), (52, y + 5), (8, y + 6)], fill)
    for x in range(14, 50, 5):
        pen.stroke([(x, y + 0.4), (x - 1.5, y + 5)], BLACK, 0.3)


def _head(pen: Pen, x: float, y: float, inks: Inks) -> None:
    pen.blob([(x - 5.4, y - 4), (x + 5.4, y - 4), (x + 5.8, y + 6), (x - 5.8, y + 6)], inks.brown)
    pen.oval(x, y, 4.6, 5.8, inks.skin)
    for side in (-1, 1):
        pen.disc(x + 1.8 * side, y - 0.8, 0.55, BLACK, None)
        pen.stroke([(x + 1.0 * side, y - 2), (x + 2.8 * side, y - 2)], BLACK, 0.3)
    pen.stroke([(x, y - 0.5), (x - 0.7, y + 1.4), (x + 0.3, y + 1.5)], BLACK, 0.3)
    pen.stroke([(x - 1.4, y + 3.2), (x, y + 3.6), (x + 1.4, y + 3.2)], inks.red, 0.5)


def _arm(pen: Pen, path: list[tuple[float, float]], coat: Colour, inks: Inks) -> None:
    pen.band(path, coat, 4.2)
    pen.disc(*path[-1], 2.2, inks.skin)


def _horse(pen: Pen, inks: Inks, trim: Colour) -> None:
    for x, lift in ((18, 4.0), (24, 0.0), (42, 0.0), (47, 2.0)):
        pen.blob(
            [
                (x - 2.4, 60),
                (x + 2.4, 60),
                (x + 1.3, 74),
                (x + 1.4 - lift, 86 - lift),
                (x - 1.6 - lift, 86 - lift),
            ],
            inks.brown,
        )
    pen.blob([(49, 52), (55, 56), (56, 70), (53, 78), (51, 66)], BLACK)
    pen.blob(
        [(16, 50), (26, 46), (40, 47), (50, 51), (51, 62), (42, 67), (26, 66), (16, 62)], inks.brown
    )
    pen.blob([(9, 33), (15, 34), (21, 46), (22, 60), (14, 58), (12, 47)], inks.brown)
    pen.blob([(14, 31), (9, 33), (3, 43), (5, 48), (10, 46), (15, 40)], inks.brown)
    pen.stroke([(15, 33), (19, 40), (22, 48)], BLACK, 1.5)
    pen.disc(9.5, 37.5, 0.8, BLACK, None)
    pen.stroke([(5.5, 44), (12, 43), (25, 45)], inks.red, 0.9)
    pen.blob([(24, 45), (40, 46), (42, 58), (33, 62), (24, 58)], trim)
