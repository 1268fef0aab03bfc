"""What can go wrong with a journal, each with one sentence that says what, where and what to do.

Not here: deciding which of these it is (`recovery`, `walk`, `segments`).
"""
# ruff: noqa: N818 -- the names say what the journal is: busy, damaged, torn

import errno
from enum import StrEnum
from pathlib import Path
from typing import ClassVar

from controller.runtime.exits import ExitCode, Refusal


class JournalError(Refusal):
    """Anything a journal refuses."""

    def __init__(self, sentence: str, exit_code: ExitCode = ExitCode.INTEGRITY) -> None:
        super().__init__(sentence, exit_code)


class JournalBusy(JournalError):
    """Another process writes this journal. `holder` is what it said of itself, not proof."""

    def __init__(self, directory: Path, holder: str) -> None:
        self.directory = directory
        self.holder = holder
        super().__init__(
            f"journal {directory} is in use by process {holder or 'unknown'}: "
            "one controller per table; stop the other one first"
        )


class JournalMissing(JournalError):
    """There is no journal in this directory."""

    def __init__(self, directory: Path) -> None:
        sentence = f"no journal in {directory}: there is no segment file; check the path"
        super().__init__(sentence, ExitCode.USAGE)


class JournalDamaged(JournalError):
    """Bytes that were written whole are not as they were written."""

    verdict: ClassVar[str] = "journal damaged"
    advice: ClassVar[str] = "restore this segment from a copy; do not edit it"

    def __init__(self, segment: str, offset: int, index: int, what: str) -> None:
        self.segment = segment
        self.offset = offset
        self.index = index
        self.what = what
        super().__init__(
            f"{self.verdict}: segment {segment}, byte {offset}, record {index}: "
            f"{what}; {self.advice}"
        )


class JournalTorn(JournalDamaged):
    """The last record is not whole and nothing whole follows it: a write was cut short."""

    verdict = "journal torn"
    advice = "the controller cuts it back when it starts, keeps the bytes, and halts"


class RecordUnknown(JournalDamaged):
    """A record is whole and says something that this program does not know."""

    verdict = "journal not readable"
    advice = "read it with the version that wrote it"

    def __init__(self, segment: str, offset: int, index: int, what: str) -> None:
        super().__init__(segment, offset, index, f"its content is not known here ({what})")


class RecordsMissing(JournalError):
    """The journal ends before a record that is known to have been in it."""

    def __init__(self, count: int, why: str) -> None:
        self.count = count
        super().__init__(
            f"journal too short: it ends with {count} whole records, but {why}; "
            "restore the journal that has them, or move the whole directory away "
            "to begin a new one knowingly"
        )


class StillsMissing(JournalError):
    """Pictures that the journal names are not there, or not as they were."""

    def __init__(self, directory: Path, count: int) -> None:
        super().__init__(
            f"{count} stills named by the journal are missing from {directory} or altered; "
            "restore them from a copy"
        )


class PayloadTooLarge(JournalError):
    """A payload above the limit; nothing was written and the journal goes on."""

    def __init__(self, size: int, limit: int) -> None:
        super().__init__(f"a record of {size} bytes is above the journal's limit of {limit}")


class Failure(StrEnum):
    """Why the disk did not take a write."""

    FULL = "full"
    READ_ONLY = "read_only"
    DENIED = "denied"
    IO = "io"
    GONE = "gone"
    PLACE = "place"


class JournalFailed(JournalError):
    """The disk did not take a write: whether it is durable is unknown, so the table stops."""

    def __init__(self, failure: Failure, place: Path, detail: str) -> None:
        self.failure = failure
        # Where it is and who may write there is a matter of set-up; the records are as they were.
        set_up = failure in (Failure.DENIED, Failure.PLACE)
        super().__init__(
            f"journal not writable, {_WORDS[failure]}: {place}: {detail}",
            ExitCode.CONFIGURATION if set_up else ExitCode.INTEGRITY,
        )

    @classmethod
    def of(cls, error: OSError, place: Path) -> "JournalFailed":
        number = error.errno or 0
        name = errno.errorcode.get(number, str(number))
        return cls(_KINDS.get(number, Failure.IO), place, f"{name}, {error.strerror or error}")


_KINDS = {
    errno.ENOSPC: Failure.FULL,
    errno.EDQUOT: Failure.FULL,
    errno.EFBIG: Failure.FULL,
    errno.EROFS: Failure.READ_ONLY,
    errno.EACCES: Failure.DENIED,
    errno.EPERM: Failure.DENIED,
    errno.ENOENT: Failure.PLACE,
    errno.ENOTDIR: Failure.PLACE,
    errno.EISDIR: Failure.PLACE,
    errno.EEXIST: Failure.PLACE,
    errno.ENAMETOOLONG: Failure.PLACE,
    errno.ELOOP: Failure.PLACE,
    errno.EINVAL: Failure.PLACE,
}

_WORDS = {
    Failure.FULL: "the disk is full (make room, then restart the controller)",
    Failure.READ_ONLY: "the disk is read-only (check it, mount it writable, then restart)",
    Failure.DENIED: "this user may not write there (run it as the owner of the directory)",
    Failure.GONE: (
        "its files were removed or replaced (stop the controller, restore them, then start it)"
    ),
    Failure.PLACE: "no journal can be there (give journal.directory a directory of its own)",
    Failure.IO: "the disk reports an error (check or replace it, then restart)",
}
