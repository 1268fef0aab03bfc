"""Whether a face is what it is proposed to be: everything on it must be explained.

The proposal is aligned with its reference and then has to pass four questions.
Is it alike (correlation)? Is there ink that the reference lacks, or does it lack
ink that the reference has (a missing pip is how a seven becomes a six)? Is it
rather this card than each of the others, on the very points where the two
differ? Is enough of it seen? What hides a part from the rim inwards (a finger)
or shines is left out, but only what is left may speak.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from drivers.camera.geometry import Floats
from drivers.camera.references import CAP, Level, References, spread

Mask = NDArray[np.bool_]

SLACK: Final = 0.12
"""Ink that may differ between two prints, in light and wear."""
PATCH: Final = (7, 7)
SHINE: Final = -0.12
HIDDEN: Final = 0.35
"""Unexplained ink of a patch that is taken for something lying on the card."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for and against one proposal."""

    face: int
    alike: float
    """Correlation with the reference where the card is seen, -1..1."""
    extra: float
    """The most ink in one patch that the reference does not have."""
    missing: float
    """The most ink of the reference in one patch that was not seen."""
    rather: float
    """Over all rivals the least: 1 this card, 0 cannot say, -1 the rival."""
    rival: int
    seen: float
    """The part of the reference's ink that is not hidden."""
    covered: float
    """The part of the card that is hidden, printed or not."""
    travel: float
    """How far the alignment moved the corners, in points of the half size."""
    contrast: float


def examine(half: Floats, face: int, references: References) -> Evidence:
    aligned, travel = references.aligned(half, face)
    level, gain = _blur_of(aligned, face, references)
    seen_ink = aligned / gain
    own, own_spread = level.faces[face], level.spread[face]
    extra = _patches(np.clip(seen_ink - own_spread - SLACK, 0, 1).sum(axis=2))
    missing = _patches(np.clip(own - spread(seen_ink) - SLACK, 0, 1).sum(axis=2))
    shine = _grown(cv2.blur(aligned.mean(axis=2), (3, 3)) < SHINE)
    open_ = ~(shine | _from_rim(extra + missing))
    rivals = references.rivals[face]
    rather = _rather(seen_ink, own, level.faces[rivals], level.apart[face][rivals], shine)
    return Evidence(
        face=face,
        alike=_correlation(seen_ink[open_], own[open_]),
        extra=float(extra[open_].max(initial=0)),
        missing=float(missing[open_].max(initial=0)),
        rather=float(rather.min()),
        rival=int(rivals[rather.argmin()]),
        seen=float(own[open_].sum() / max(float(own.sum()), 1e-3)),
        covered=1 - float(open_.mean()),
        travel=travel,
        contrast=float(gain.min()),
    )


def _blur_of(aligned: Floats, face: int, references: References) -> tuple[Level, Floats]:
    """The level whose blur is most like the picture's, and how strong each colour is in it."""
    best, best_error, best_gain = references.levels[0], float("inf"), np.ones(3, np.float32)
    for level in references.levels:
        own = level.faces[face]
        gain = (aligned * own).sum(axis=(0, 1)) / ((own * own).sum(axis=(0, 1)) + 1e-3)
        gain = np.clip(gain, 0.4, 1.4).astype(np.float32)
        error = float(((aligned / gain - own) ** 2).sum())
        if error < best_error:
            best, best_error, best_gain = level, error, gain
    return best, best_gain


def _patches(unexplained: Floats) -> Floats:
    return np.asarray(cv2.blur(unexplained, PATCH, borderType=cv2.BORDER_CONSTANT), np.float32)


def _from_rim(unexplained: Floats) -> Mask:
    """Points under a thing that comes in from the rim."""
    covered = (unexplained > HIDDEN).astype(np.uint8)
    if not covered.any():
        return covered.astype(np.bool_)
    _, labels = cv2.connectedComponents(covered)
    rim = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
    return _grown(np.isin(labels, rim[rim > 0]))


def _grown(mask: Mask) -> Mask:
    return np.asarray(cv2.dilate(mask.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0)


def _rather(seen_ink: Floats, own: Floats, rivals: Floats, apart: Floats, shine: Mask) -> Floats:
    """For each rival, of what they differ in, what speaks for `own` less what speaks against.

    A thing on the card speaks here too, so that a pip under a finger is not
    taken for none; only a highlight, which looks like paper, may not.
    """
    against = np.minimum((rivals - seen_ink) ** 2, CAP)
    error = np.minimum((own - seen_ink) ** 2, CAP)
    if not shine.any():
        return np.asarray(
            (against.sum(axis=(1, 2, 3)) - error.sum()) / np.maximum(apart, 1e-3), np.float32
        )
    lit = ~shine
    differing = np.minimum((rivals - own) ** 2, CAP)[:, lit].sum(axis=(1, 2))
    # Where most of the difference is in the highlight, nothing can be said for this card.
    most = np.maximum(np.maximum(differing, 0.5 * apart), 1e-3)
    return np.asarray((against[:, lit].sum(axis=(1, 2)) - error[lit].sum()) / most, np.float32)


def _correlation(seen: Floats, own: Floats) -> float:
    if len(seen) < 100:
        return 0.0
    a, b = seen - seen.mean(axis=0), own - own.mean(axis=0)
    return float((a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum() + 1e-6))
