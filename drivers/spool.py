"""The spool: readings on disk until the controller has them, so that our own crash loses none.

One file per session, one JSON line per reading, written without sync: it guards
against the death of this process; the controller's restart in HALT guards against
the power. The files hold card faces and are therefore 0600, and go as soon as
everything in them is acknowledged.

A line cut off by a crash is dropped: it is the one reading that was being
written, and the new session halts the table for the count anyway. A damaged line with whole
ones behind it is told as a gap, which takes its number. A disk that
takes no more is a problem to be told, never a reason to stop: lines wait in
memory and are written when there is room again.
What is not here: numbering, sending, resending (`drivers.reader`).
"""

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from controller.contract.readings import Reading, ReadingKind
from controller.runtime.exits import ExitCode, Refusal

SUFFIX: Final = ".jsonl"
_MODE: Final = 0o600


class SpoolTaken(Exception):  # noqa: N818 - a state of the spool, in its own words
    """Another process of the same reader is alive."""


class SessionSpool:
    """The spool directory, as one session of one reader sees it. Session ids sort by age."""

    def __init__(self, directory: Path, reader: str, session: str) -> None:
        self._directory = directory
        self._reader = reader
        self._own = directory / f"{reader}.{session}{SUFFIX}"
        self._session = session
        self._encode = msgspec.json.Encoder().encode
        self._fd: int | None = None
        self._size = 0
        self._unwritten: list[tuple[int, bytes]] = []
        self._last_n = 0
        self._older: dict[str, tuple[Path, int]] = {}
        self._lock: int | None = None
        self.problem = ""
        self.cut_lines = 0
        """Lines of older sessions that were cut off or damaged."""

    def open(self) -> None:
        """Take the directory for this process; `SpoolTaken` if another one has it."""
        try:
            self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = self._directory / f"{self._reader}.lock"
            self._lock = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, _MODE)
        except OSError as error:
            self._fail(error)
            return
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise SpoolTaken(str(self._directory)) from error

    def leftovers(self) -> list[Reading]:
        readings: list[Reading] = []
        with suppress(OSError):
            for path in sorted(self._directory.glob(f"{self._reader}.*{SUFFIX}")):
                if path != self._own:
                    readings += self._read(path)
        return readings

    def append(self, reading: Reading) -> None:
        self._last_n = reading.n
        self._unwritten.append((reading.n, self._encode(reading) + b"\n"))
        self.retry()

    def retry(self) -> None:
        """Write what the disk did not take before; costs nothing when there is nothing."""
        if not self._unwritten:
            return
        try:
            self._write(b"".join(line for _, line in self._unwritten))
        except OSError as error:
            self._fail(error)
            return
        self._unwritten.clear()
        self.problem = ""

    def forget(self, session: str, n: int) -> None:
        if session != self._session:
            self._forget_older(session, n)
            return
        self._unwritten = [(number, line) for number, line in self._unwritten if number > n]
        if n >= self._last_n and self._fd is not None and self._size:
            with suppress(OSError):
                os.ftruncate(self._fd, 0)
                self._size = 0
        if not self._unwritten:
            self.problem = ""

    def close(self) -> None:
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None
            if not self._size:
                with suppress(OSError):
                    self._own.unlink()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _write(self, lines: bytes) -> None:
        if self._fd is None:
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
            self._fd = os.open(self._own, flags, _MODE)
        written = 0
        try:
            while written < len(lines):
                written += os.write(self._fd, lines[written:])
        except OSError:
            # Half a line would hide the whole ones behind it: cut back, try again later.
            with suppress(OSError):
                os.ftruncate(self._fd, self._size)
            raise
        self._size += written

    def _fail(self, error: OSError) -> None:
        self.problem = f"the spool {self._directory} cannot be written ({error.strerror})"

    def _read(self, path: Path) -> list[Reading]:
        readings: list[Reading] = []
        damaged = 0
        for line in path.read_bytes().split(b"\n"):
            if not line:
                continue
            try:
                reading = msgspec.json.decode(line, type=Reading)
            except msgspec.DecodeError:
                damaged += 1
                continue
            first = readings[-1].n + 1 if readings else max(1, reading.n - damaged)
            readings += [_lost(n, reading) for n in range(first, reading.n)]
            readings.append(reading)
        self.cut_lines += damaged
        if readings:
            self._older[readings[-1].session] = (path, readings[-1].n)
        else:
            with suppress(OSError):
                path.unlink()
        return readings

    def _forget_older(self, session: str, n: int) -> None:
        path, last = self._older.get(session, (None, 0))
        if path is not None and n >= last:
            with suppress(OSError):
                path.unlink()
            del self._older[session]


def open_spool(directory: str, reader: str, session: str) -> SessionSpool:
    """The spool of this session; `Refusal` if another process of the same reader is alive."""
    spool = SessionSpool(Path(directory), reader, session)
    try:
        spool.open()
    except SpoolTaken as taken:
        raise Refusal(
            f"Another daemon of reader {reader!r} is alive (spool {taken}); end it first",
            ExitCode.CONFIGURATION,
        ) from taken
    return spool


def _lost(n: int, before: Reading) -> Reading:
    """Stands for a reading whose line was damaged: the controller takes no number without it."""
    return Reading(
        reader=before.reader,
        session=before.session,
        n=n,
        kind=ReadingKind.GAP,
        stamp=before.stamp,
        utc=before.utc,
        missing=1,
    )
