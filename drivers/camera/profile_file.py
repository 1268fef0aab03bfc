"""A profile on disk: read with one sentence if it is wrong, saved whole or not at all."""

import os
from pathlib import Path

from controller.runtime.exits import ExitCode, Refusal
from drivers.camera.profile import LARGEST, DeckProfile, ProfileError, decoded, encoded


def load_profile(path: Path) -> DeckProfile:
    try:
        if path.stat().st_size > LARGEST:
            raise ProfileError("it is larger than a profile can be")
        return decoded(path.read_bytes())
    except OSError as error:
        raise _refusal(f"Cannot read the deck's profile {path}: {error.strerror}") from error
    except ProfileError as error:
        raise _refusal(f"The deck's profile {path} is refused: {error}") from error


def save_profile(path: Path, profile: DeckProfile) -> None:
    """A crash at any moment leaves the old file or the new one."""
    beside = path.with_name(f".{path.name}.new")
    try:
        with beside.open("wb") as file:
            file.write(encoded(profile))
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise _refusal(f"Cannot save the deck's profile {path}: {error.strerror}") from error


def _refusal(sentence: str) -> Refusal:
    return Refusal(sentence, ExitCode.CONFIGURATION)
