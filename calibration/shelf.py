"""Profiles on the disk: saved whole or not at all, and what was there before is kept.

Beside `table.json` stands `table.json.history`, one JSON line for each time it was
saved: number, when, who, with which device, the SHA-256 of the file. The file that
was replaced stays under `history/` with its number, so that it can be copied back.
"""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from controller.runtime.exits import ExitCode, Refusal
from drivers.camera.calibrated import Made

HISTORY: Final = ".history"
_MODE: Final = 0o640


class Saved(msgspec.Struct, frozen=True):
    """One line of a profile's history."""

    made: Made
    sha256: str


def save(path: Path, make: Callable[[Made], bytes], *, utc: int, who: str, device: str) -> Made:
    """Write what `make` gives under `path`; `Refusal` if the disk does not take it."""
    try:
        before = history(path)
        made = Made(before[-1].made.number + 1 if before else 1, utc, who, device)
        data = make(made)
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            _keep(path, before[-1].made.number if before else 0)
        _replace(path, data)
        _note(path, Saved(made, hashlib.sha256(data).hexdigest()))
    except OSError as error:
        raise Refusal(
            f"Cannot save the profile {path}: {error.strerror}", ExitCode.CONFIGURATION
        ) from error
    return made


def history(path: Path) -> list[Saved]:
    """Oldest first; a last line that a crash cut off is left out."""
    beside = path.with_name(path.name + HISTORY)
    if not beside.exists():
        return []
    saved = []
    for line in beside.read_bytes().splitlines():
        try:
            saved.append(msgspec.json.decode(line, type=Saved))
        except msgspec.DecodeError:
            continue
    return saved


def _keep(path: Path, number: int) -> None:
    kept = path.parent / "history" / f"{path.stem}.{number:04}{path.suffix}"
    kept.parent.mkdir(exist_ok=True)
    kept.unlink(missing_ok=True)
    os.link(path, kept)


def _replace(path: Path, data: bytes) -> None:
    beside = path.with_name(f".{path.name}.new")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _MODE)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
    _sync(path.parent)


def _note(path: Path, saved: Saved) -> None:
    beside = path.with_name(path.name + HISTORY)
    with beside.open("ab") as file:
        file.write(msgspec.json.encode(saved) + b"\n")
        file.flush()
        os.fsync(file.fileno())


def _sync(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
