"""Whether a picture may be believed: frozen, black, covered or blurred ones never make a reading.

Pure: it is given frames and times and says what is
wrong with the picture, "" if nothing. A frame that looks wrong is passed over at
once; it becomes a state of the device when it lasts, for a hand may pass.
Stale frames (age) and absent ones are `grabber` and `daemon`.
"""

from enum import StrEnum
from typing import Final

import numpy as np

from drivers.camera.frame import Frame, Image
from drivers.camera.look import Look, glance, sharpness, structure, unlike_cells

FROZEN_NS: Final = 700_000_000
"""A live camera that shows the very same picture for so long is frozen; told within a second."""
LASTING_NS: Final = 700_000_000
DARK: Final = 14.0
DARK_BRIGHTEST: Final = 45.0
UNIFORM: Final = 2.0
"""Spread of grey below which the picture shows nothing at all."""
COVERED_PART: Final = 0.6
"""Of the cells: hands and cards never cover so much of the view."""
NOTHING_PART: Final = 0.2
"""Of the structure at calibration: less is a palm, a cloth, a lid."""
PLAIN: Final = 0.15
"""Structure of a felt without marks, which a palm cannot be told from by that."""
BLURRED_PART: Final = 0.3
"""Of the sharpness at calibration."""
SHARP_EVERY: Final = 8
"""Sharpness changes slowly and costs most: it is measured in each so-manieth picture."""


class Fault(StrEnum):
    """What is wrong with the picture."""

    FROZEN = "frozen"
    BLACK = "black"
    BLOCKED = "blocked"
    BLURRED = "blurred"


SENTENCES: Final = {
    Fault.FROZEN: "the picture is frozen: plug the camera in again",
    Fault.BLACK: "the picture is black: is the light on, is the lens covered?",
    Fault.BLOCKED: "the view is blocked: take away what stands before the camera",
    Fault.BLURRED: "the picture is blurred: clean the lens and check its focus",
}


class Health:
    """Watches the pictures of one opening. `empty` is how the felt looked at calibration."""

    def __init__(self, empty: Look | None, live: bool) -> None:
        self._empty = empty
        self._copy = empty.copy() if empty else None
        self._structure = structure(self._copy) if self._copy is not None else 0.0
        self._count = 0
        self._blurred = False
        self._live = live
        self._checksum: int | None = None
        self._changed_at = 0
        self._wrong: Fault | None = None
        self._wrong_since = 0
        self.fault: Fault | None = None
        """What has lasted long enough to be a state of the device."""

    def look(self, frame: Frame) -> bool:
        """Whether this frame may be read. Sets `fault`."""
        wrong = self._frozen(frame) or self._unclear(frame.image)
        if wrong is not self._wrong:
            self._wrong, self._wrong_since = wrong, frame.stamp
        lasted = frame.stamp - self._wrong_since
        if wrong is None or wrong is Fault.FROZEN or lasted >= LASTING_NS:
            self.fault = wrong
        return wrong is None

    def _frozen(self, frame: Frame) -> Fault | None:
        if frame.checksum != self._checksum or not self._live:
            self._checksum, self._changed_at = frame.checksum, frame.stamp
            return None
        return Fault.FROZEN if frame.stamp - self._changed_at >= FROZEN_NS else None

    def _unclear(self, image: Image) -> Fault | None:
        now = glance(image)
        if float(now.mean()) < DARK and float(np.percentile(now, 98)) < DARK_BRIGHTEST:
            return Fault.BLACK
        plain = self._copy is not None and float(self._copy.std()) < 2 * UNIFORM
        if float(now.std()) < UNIFORM and not plain:
            return Fault.BLOCKED
        if self._empty is None or self._copy is None:
            return None
        if self._is_blurred(image, self._empty):
            return Fault.BLURRED
        marked = self._structure >= PLAIN
        nothing = marked and structure(now) < NOTHING_PART * self._structure
        if nothing or unlike_cells(now, self._copy).mean() > COVERED_PART:
            return Fault.BLOCKED
        return None

    def _is_blurred(self, image: Image, empty: Look) -> bool:
        if self._count % SHARP_EVERY == 0:
            self._blurred = sharpness(image) < BLURRED_PART * empty.sharpness
        self._count += 1
        return self._blurred
