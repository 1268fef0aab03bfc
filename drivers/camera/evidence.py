"""The stills on the disk: one file each under its SHA-256, kept as long as the house says.

A still is whole and synced before its reading is told, so what the journal names
is there. Files are 0600, for a still shows a card. What is let go when its time
is over is written into a list, so that verification can tell it from a loss;
stills of the deck in play are never let go. A disk that takes none is a
problem to be told, never a reason to stop reading cards.
"""

import os
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from controller.contract.stills import EXPIRED, digest_of, place_of

_DECK: Final = "deck.json"
_MIB: Final = 1 << 20
_DAY: Final = 86_400
_NS: Final = 1_000_000_000
_FILE_MODE: Final = 0o600
_DIRECTORY_MODE: Final = 0o700


class Keep(msgspec.Struct, frozen=True):
    """How long: whichever limit is reached first."""

    days: int
    mib: int


class _Deck(msgspec.Struct, frozen=True):
    """The deck in play, and since when (UTC, ns): its stills stay."""

    name: str
    since: int


class _Kept(NamedTuple):
    at: float
    size: int
    path: Path


class Evidence:
    """The directory of all stills of one camera."""

    def __init__(self, directory: Path, keep: Keep) -> None:
        self._directory = directory
        self._keep = keep
        self._deck: _Deck | None = None
        self._kept: deque[_Kept] = deque()
        """Oldest first. Looked up once: to look at 100,000 files would hold up the pictures."""
        self._total = 0
        self.problem = ""

    def open(self) -> None:
        with self._telling():
            self._directory.mkdir(mode=_DIRECTORY_MODE, parents=True, exist_ok=True)
            for left in self._directory.glob("*/*.tmp"):
                left.unlink()
            note = self._directory / _DECK
            if note.exists():
                with suppress(msgspec.DecodeError):
                    self._deck = msgspec.json.decode(note.read_bytes(), type=_Deck)
            self._kept = deque(sorted(self._all()))
            self._total = sum(one.size for one in self._kept)

    def put(self, still: bytes) -> str:
        """Keep it; its digest, or "" if the disk did not take it."""
        digest = digest_of(still)
        path = self._directory / place_of(digest)
        with self._telling():
            if not path.exists():
                path.parent.mkdir(mode=_DIRECTORY_MODE, parents=True, exist_ok=True)
                _write(path, still)
                self._kept.append(_Kept(path.stat().st_mtime, len(still), path))
                self._total += len(still)
            self.problem = ""
            return digest
        return ""

    def deck(self, name: str, utc: int) -> None:
        """This deck is in play at `utc`; called as often as one likes."""
        if self._deck is not None and self._deck.name == name:
            return
        self._deck = _Deck(name, utc)
        with self._telling():
            _write(self._directory / _DECK, msgspec.json.encode(self._deck))

    def let_go(self, utc: int) -> int:
        """Remove what is older than the house keeps; how many that were."""
        over = self._over(utc)
        if over:
            with self._telling():
                self._remove(over)
        return len(over)

    def _over(self, utc: int) -> list[_Kept]:
        """Oldest first: everything too old, then as much as is too much."""
        over = []
        protected = self._deck.since / _NS if self._deck else 0.0
        while self._kept and self._kept[0].at < protected:
            too_old = self._kept[0].at < utc / _NS - self._keep.days * _DAY
            if not too_old and self._total <= self._keep.mib * _MIB:
                break
            over.append(self._kept.popleft())
            self._total -= over[-1].size
        return over

    def _all(self) -> Iterator[_Kept]:
        for path in self._directory.glob("??/*.jpg"):
            with suppress(FileNotFoundError):
                status = path.stat()
                yield _Kept(status.st_mtime, status.st_size, path)

    def _remove(self, over: list[_Kept]) -> None:
        # The list first: a crash in between leaves stills too many, never one unexplained.
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
        descriptor = os.open(self._directory / EXPIRED, flags, _FILE_MODE)
        try:
            os.write(descriptor, b"".join(f"{one.path.stem}\n".encode() for one in over))
            os.fdatasync(descriptor)
        finally:
            os.close(descriptor)
        for one in over:
            one.path.unlink(missing_ok=True)

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """What the disk refuses becomes a sentence."""
        try:
            yield
        except OSError as error:
            self.problem = f"no still can be kept: {error.strerror or error}"


def _write(path: Path, data: bytes) -> None:
    """Under its name only when it is whole and on the disk."""
    beside = path.with_suffix(".tmp")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, _FILE_MODE)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fdatasync(file.fileno())
        os.replace(beside, path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
