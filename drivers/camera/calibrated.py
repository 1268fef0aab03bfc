"""What calibration made of lens and table, as files: JSON that says who made it and when.

Here they are read; they are written by `calibration`. Whatever is wrong with one
is a `Refusal` with one sentence: nothing is ever guessed in place of a profile.
"""

from pathlib import Path
from typing import TypeVar

import msgspec

from controller.runtime.exits import ExitCode, Refusal

_Profile = TypeVar("_Profile", bound=msgspec.Struct)


class Made(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a profile comes from. `number` counts what was saved under this name, from 1."""

    number: int
    utc: int
    who: str
    device: str


def load_profile(path: Path, kind: type[_Profile]) -> _Profile:
    """The profile in this file, checked."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except OSError as error:
        raise _refusal(path, f"cannot be read: {error.strerror}") from error
    except (msgspec.DecodeError, ValueError) as error:
        raise _refusal(path, f"is refused: {error}") from error


def _refusal(path: Path, what: str) -> Refusal:
    return Refusal(
        f"The profile {path} {what}; calibrate again or take an older one from its history",
        ExitCode.CONFIGURATION,
    )
