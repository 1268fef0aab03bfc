"""The deck, guided: one pass of its forty cards under the camera, each taken by itself.

A card is taken when it has lain still for a moment, and the next one only after
the felt was seen without it: nobody has to press forty times. What is made of the
pictures is `finish`'s business, and where a card lies in one is `find`'s.
"""

from collections.abc import Callable, Mapping
from typing import Final

import cv2
import numpy as np

from calibration.guide import Button, Points, Say
from calibration.lens import NotCalibrated
from controller.contract.cards import DECK
from drivers.camera.found import Quad, middle, short_side
from drivers.camera.frame import Image

LOOKS: Final = 4
"""Looks in a row in which a card must lie still."""
STILL: Final = 0.02
"""Of its width."""
ROOM: Final = 0.5
BACK: Final = "back"
_GREEN: Final = (80, 220, 80)
_RANKS: Final = {"A": "ace", "J": "jack", "Q": "knight", "K": "king"}
_SUITS: Final = {"D": "coins", "C": "cups", "S": "swords", "B": "clubs"}

Find = Callable[[Image], Quad | None]
Finish = Callable[[Mapping[str, Image]], str]
"""Enrols and saves; says so in one sentence, or raises `NotCalibrated` with what to do."""


class DeckGuide:
    """Asks for the cards in the order of the deck, then for the back, which may be left out."""

    def __init__(self, find: Find, finish: Finish) -> None:
        self._find = find
        self._finish = finish
        self._taken: dict[str, Image] = {}
        self._lies: Quad | None = None
        self._looks = 0
        self._armed = True
        self._problem = self._saved = ""

    def see(self, image: Image) -> Image:
        corners = self._find(image)
        self._watch(image, corners)
        shown = image.copy()
        if corners is not None:
            cv2.polylines(shown, [np.rint(corners).astype(np.int32)], True, _GREEN, 4)
        return shown

    def do(self, what: str, points: Points) -> None:
        del points
        self._problem = ""
        if what == "back_one" and self._taken:
            del self._taken[list(self._taken)[-1]]
            self._armed = False
        elif what == "again":
            self._taken.clear()
            self._armed = False
        elif what == "finish":
            try:
                self._saved = self._finish(dict(self._taken))
            except NotCalibrated as why:
                self._problem = str(why)

    def say(self) -> Say:
        if self._saved:
            return Say(self._saved, done=True)
        buttons: tuple[Button, ...] = ()
        if self._taken:
            buttons = (Button("back_one", "Take the last one again"), Button("again", "All again"))
        if self._asked is None or self._asked == BACK:
            buttons = (Button("finish", "Enrol the deck"), *buttons)
        return Say(self._sentence(), self._problem, buttons)

    @property
    def _asked(self) -> str | None:
        return next((card for card in (*DECK, BACK) if card not in self._taken), None)

    def _sentence(self) -> str:
        asked = self._asked
        if asked is None:
            return "All cards and the back are taken"
        if not self._armed:
            return f"{len(self._taken)} taken. Take the card off the felt"
        if asked == BACK:
            return "All forty are taken. Lay one card face down, or enrol without the back"
        name = f"{_RANKS.get(asked[0], asked[0])} of {_SUITS[asked[1]]}"
        return (
            f"{len(self._taken)} of {len(DECK)} taken. Lay the {name} ({asked}) alone on the felt"
        )

    def _watch(self, image: Image, corners: Quad | None) -> None:
        before, self._lies = self._lies, corners
        if corners is None:
            self._armed, self._looks = True, 0
            return
        self._looks = self._looks + 1 if before is not None and _is_still(before, corners) else 1
        if self._armed and self._looks >= LOOKS and self._asked is not None:
            self._taken[self._asked] = _around(image, corners)
            self._armed = False


def _around(image: Image, corners: Quad) -> Image:
    """The card and half its length of felt on each side: it must be large in its picture."""
    room = ROOM * float(np.ptp(corners, axis=0).max())
    left, top = np.maximum(corners.min(axis=0) - room, 0).astype(int).tolist()
    right, bottom = (corners.max(axis=0) + room).astype(int).tolist()
    return image[top:bottom, left:right].copy()


def _is_still(before: Quad, corners: Quad) -> bool:
    moved = np.subtract(middle(before), middle(corners))
    return float(np.hypot(*moved)) < STILL * short_side(corners)
