"""Where a shuffle's seed comes from: the system's own chance, a file that keeps it, or an audit.

A seed is a secret until the bet is settled: a file that holds one is 0600, and
is on the disk before the first card is dealt, so that a finish that was broken
off goes on with the same cards.
"""

import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Final

from controller.rules.shuffle import SEED_BYTES
from controller.runtime.exits import ExitCode, Refusal

_MODE: Final = 0o600


def fresh() -> bytes:
    """From the kernel's generator, which is seeded by the hardware."""
    return secrets.token_bytes(SEED_BYTES)


def parse(digits: str) -> bytes:
    seed = bytes.fromhex(digits)
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, this one {len(seed)}")
    return seed


def kept_in(path: Path, make: Callable[[], bytes] = fresh) -> bytes:
    """The seed of this file; if there is no file yet, a fresh one, kept there first."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _MODE)
    except FileExistsError:
        return _kept(path)
    except OSError as error:
        raise _refused(path, error.strerror or str(error)) from error
    seed = make()
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(f"{seed.hex()}\n")
        file.flush()
        os.fsync(file.fileno())
    return seed


def _kept(path: Path) -> bytes:
    try:
        return parse(path.read_text(encoding="ascii"))
    except (OSError, ValueError) as error:
        raise _refused(path, str(error)) from error


def _refused(path: Path, why: str) -> Refusal:
    said = f"The seed in {path} cannot be used ({why}); name a file that is not there yet"
    return Refusal(said, ExitCode.USAGE)
