"""The table, guided: board on the felt, empty felt, then the regions clicked in the picture."""

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np

from calibration.board import Board, View
from calibration.guide import Button, Points, Say
from calibration.lens import NotCalibrated
from calibration.table import Regions, Table, calibrate_table
from controller.contract.readings import Region
from drivers.camera.frame import Image
from drivers.camera.lens import LensProfile
from drivers.camera.look import Look, look_at

CORNERS: Final = 4
ASKED: Final = (Region.POSITION, Region.DEALER, Region.BURN, Region.DISCARD)
OPTIONAL: Final = frozenset({Region.BURN, Region.DISCARD})
_GREEN: Final = (80, 220, 80)

Save = Callable[[Table, tuple[int, int], Look], str]


class TableGuide:
    """Asks for one thing after another; each can be done again from the start."""

    def __init__(self, board: Board, lens: LensProfile | None, save: Save) -> None:
        self._board = board
        self._lens = lens
        self._save = save
        self._image: Image | None = None
        self._problem = self._saved = ""
        self._begin()

    def _begin(self) -> None:
        self._view: View | None = None
        self._empty: Look | None = None
        self._regions: dict[Region, Points] = {}
        self._left_out: set[Region] = set()

    def see(self, image: Image) -> Image:
        self._image = image
        shown = image.copy()
        for x, y in [] if self._view is None else self._view.picture.tolist():
            cv2.circle(shown, (round(x), round(y)), 5, _GREEN, -1)
        for region, points in self._regions.items():
            corners = np.rint(np.asarray(points)).astype(np.int32)
            cv2.polylines(shown, [corners], True, _GREEN, 3)
            x, y = corners.min(axis=0).tolist()
            cv2.putText(
                shown, str(region), (x + 8, y + 40), cv2.FONT_HERSHEY_SIMPLEX, 1.2, _GREEN, 3
            )
        return shown

    def do(self, what: str, points: Points) -> None:
        self._problem = ""
        if self._image is None:
            return
        if what == "again":
            self._begin()
        elif what == "board":
            self._take_board(self._image)
        elif what == "empty":
            self._empty = look_at(self._image)
        elif what == "region" and self._asked is not None and len(points) >= CORNERS - 1:
            self._regions[self._asked] = points
        elif what == "none" and self._asked in OPTIONAL and self._asked is not None:
            self._left_out.add(self._asked)
        elif what == "finish":
            self._finish(self._image)

    def say(self) -> Say:
        again = Button("again", "Start again")
        if self._saved:
            return Say(self._saved, done=True)
        if self._view is None:
            sentence = "Lay the board flat on the felt, in full view"
            return Say(sentence, self._problem, (Button("board", "The board lies there"),))
        if self._empty is None:
            sentence = "Take everything off the felt, hands too"
            return Say(sentence, self._problem, (Button("empty", "The felt is empty"), again))
        if self._asked is not None:
            return self._ask(self._asked, again)
        return Say("All regions are known", self._problem, (Button("finish", "Save"), again))

    @property
    def _asked(self) -> Region | None:
        known = {*self._regions, *self._left_out}
        return next((region for region in ASKED if region not in known), None)

    def _ask(self, region: Region, again: Button) -> Say:
        buttons: tuple[Button, ...] = (Button("region", f"That is {region}", CORNERS), again)
        if region in OPTIONAL:
            buttons += (Button("none", f"This table has no {region}"),)
        sentence = f"Click the {CORNERS} corners of the region {region}, in order around it"
        return Say(sentence, self._problem, buttons)

    def _take_board(self, image: Image) -> None:
        self._view = self._board.find(image)
        if self._view is None:
            self._problem = "too little of the board is seen: is it flat, whole and well lit?"

    def _finish(self, image: Image) -> None:
        if self._view is None or self._empty is None:
            return
        size = (image.shape[1], image.shape[0])
        regions = Regions(dict(self._regions), unit="px")
        try:
            table = calibrate_table(self._view, size, regions, self._lens)
            self._saved = self._save(table, size, self._empty)
        except (NotCalibrated, ValueError) as why:
            self._problem = str(why)
