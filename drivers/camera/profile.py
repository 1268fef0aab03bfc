"""What an enrolment learned about one deck, and what makes such a thing valid.

Pure: bytes in, `DeckProfile` out, and back. Where the file lies and how it is
saved is `profile_file`. The format is a NumPy archive without pickles: `about`
(JSON, see `About`), `faces` (ink of each face, 0..255), `mean` and `weights`
of the discriminant. A newer version of the format gets a new number; an older
one is refused with the advice to enrol again.
"""

import io
import zipfile
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from controller.contract.cards import DECK, Card
from drivers.camera.classify import LENGTH, Discriminant
from drivers.camera.geometry import Floats
from drivers.camera.rectify import HEIGHT, WIDTH
from drivers.camera.references import References

VERSION: Final = 1
LARGEST: Final = 24 << 20
BACK: Final = "back"


class ProfileError(Exception):
    """The bytes are not a deck's profile; the sentence says why."""


class Made(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of the profile's history: who enrolled what, when, with which device."""

    who: str
    when: str
    source: str


class About(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything of a profile that is not numbers."""

    version: int
    name: str
    faces: tuple[str, ...]
    """The forty cards in the order of the arrays, then the back if it was enrolled."""
    history: tuple[Made, ...]
    printed_codes: dict[str, Card] = {}
    """Text of a printed corner code → card, if the deck has codes."""
    accepted: bool
    """Whether the enrolment's own report was passed."""


@dataclass(frozen=True, eq=False)
class DeckProfile:
    """One enrolled deck, ready to be read with."""

    about: About
    inks: NDArray[np.uint8]
    discriminant: Discriminant

    @cached_property
    def references(self) -> References:
        return References(np.asarray(self.inks / 255, np.float32))

    @property
    def back(self) -> int | None:
        """The back's place among the faces."""
        return len(DECK) if len(self.about.faces) > len(DECK) else None


def encoded(profile: DeckProfile) -> bytes:
    out = io.BytesIO()
    np.savez_compressed(
        out,
        about=np.frombuffer(msgspec.json.encode(profile.about), np.uint8),
        faces=profile.inks,
        mean=profile.discriminant.mean.astype(np.float32),
        weights=profile.discriminant.weights.astype(np.float32),
    )
    return out.getvalue()


def decoded(data: bytes) -> DeckProfile:
    arrays = _arrays(data)
    about = _about(arrays["about"])
    count = len(about.faces)
    inks = _checked(arrays, "faces", (count, HEIGHT, WIDTH, 3), np.uint8)
    mean = _checked(arrays, "mean", (LENGTH,), np.float32)
    weights = _checked(arrays, "weights", (LENGTH, len(DECK)), np.float32)
    return DeckProfile(about, inks, Discriminant(mean, weights))


def _arrays(data: bytes) -> dict[str, NDArray[Any]]:
    wanted = {"about", "faces", "mean", "weights"}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            if sum(entry.file_size for entry in entries) > LARGEST:
                raise ProfileError("it unpacks to more than a profile can be")
            if {entry.filename for entry in entries} != {f"{name}.npy" for name in wanted}:
                raise ProfileError("its parts are not those of a deck's profile")
        with np.load(io.BytesIO(data), allow_pickle=False) as loaded:
            return {name: loaded[name] for name in wanted}
    except ProfileError:
        raise
    except Exception as error:
        raise ProfileError("it is damaged, or not a deck's profile at all") from error


def _about(part: NDArray[Any]) -> About:
    try:
        about = msgspec.json.decode(part.astype(np.uint8).tobytes(), type=About)
    except (msgspec.DecodeError, ValueError) as error:
        raise ProfileError(f"its description cannot be read ({error})") from error
    if about.version != VERSION:
        raise ProfileError(
            f"it is of version {about.version}, this program reads {VERSION}: enrol the deck again"
        )
    if about.faces[: len(DECK)] != DECK or about.faces[len(DECK) :] not in ((), (BACK,)):
        raise ProfileError("its faces are not the forty cards in their order")
    if not about.accepted:
        raise ProfileError("its enrolment was not accepted: enrol the deck again in better light")
    return about


def _checked(
    arrays: dict[str, NDArray[Any]], name: str, shape: tuple[int, ...], kind: type
) -> NDArray[Any]:
    array = arrays[name]
    if array.shape != shape or array.dtype != kind:
        raise ProfileError(
            f"its part {name!r} is {array.dtype} {array.shape}, "
            f"and should be {np.dtype(kind)} {shape}"
        )
    if not np.isfinite(array).all():
        raise ProfileError(f"its part {name!r} holds numbers that are none")
    return array


def as_ink(ink: Floats) -> NDArray[np.uint8]:
    """A face's ink as it is kept."""
    return np.round(np.clip(ink, 0, 1) * 255).astype(np.uint8)
