"""Whether the pictures that the journal vouches for are there and unaltered.

A still that the house let go when its time was over is listed as such, and is no
loss; every other one that is not there is named with its record. What a picture
shows is not looked at.
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from controller.contract.readings import Reading
from controller.contract.stills import EXPIRED, digest_of, place_of
from controller.journal.entries import Entry, entries
from controller.journal.errors import JournalTorn


class BadStill(msgspec.Struct, frozen=True):
    """A still that a record names, and what is wrong with it."""

    index: int
    digest: str
    what: str


class CheckedStills(msgspec.Struct, frozen=True):
    """How many stills are whole, how many were let go, and which are bad."""

    whole: int
    expired: int
    bad: tuple[BadStill, ...]


def check_stills(journal: Path, directory: Path, *, allow_torn_tail: bool = False) -> CheckedStills:
    expired = _expired(directory)
    whole = gone = 0
    bad = []
    for index, digest in _named(journal, allow_torn_tail):
        what = _what_is_wrong(directory, digest)
        if not what:
            whole += 1
        elif what == _MISSING and digest in expired:
            gone += 1
        else:
            bad.append(BadStill(index, digest, what))
    return CheckedStills(whole, gone, tuple(bad))


_MISSING = "is missing"


def _named(journal: Path, allow_torn_tail: bool) -> Iterator[tuple[int, str]]:
    """Record and digest of each still, in the journal's order."""
    try:
        for entry in entries(journal):
            digest = _still_of(entry)
            if digest:
                yield entry.stored.index, digest
    except JournalTorn:
        if not allow_torn_tail:
            raise


def _still_of(entry: Entry) -> str:
    asked = entry.record.input
    return asked.body.still if asked and isinstance(asked.body, Reading) else ""


def _what_is_wrong(directory: Path, digest: str) -> str:
    try:
        data = (directory / place_of(digest)).read_bytes()
    except FileNotFoundError:
        return _MISSING
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    return "" if digest_of(data) == digest else "is altered"


def _expired(directory: Path) -> frozenset[str]:
    try:
        return frozenset((directory / EXPIRED).read_text(encoding="ascii").split())
    except FileNotFoundError:
        return frozenset()
