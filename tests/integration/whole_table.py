"""A whole simulated table as a process, and its books read back from the journal."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

MAZZIERE = Path(sys.executable).with_name("mazziere")


class WholeTable:
    """`python -m simulators` in `directory`. Use as a context manager."""

    def __init__(self, directory: Path, *options: str) -> None:
        self.directory = directory
        self._out = (directory.parent / f"{directory.name}.txt").open("w+b")
        self.process = subprocess.Popen(
            [sys.executable, "-u", "-m", "simulators", "--dir", str(directory), *options],
            stdin=subprocess.PIPE,
            stdout=self._out,
            stderr=subprocess.STDOUT,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(20)
        self._out.close()

    def said(self) -> str:
        return Path(self._out.name).read_text("utf-8")

    def press_enter(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()

    def wait(self, timeout: float) -> int:
        return self.process.wait(timeout)

    def runs_on(self, seconds: float) -> bool:
        """Let it run so long; false if it ended meanwhile."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return True
        return False

    def daemons(self) -> dict[str, int]:
        """Name → pid of the children that are alive."""
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        named = {_daemon(int(child)): int(child) for child in children}
        return {name: pid for name, pid in named.items() if name}

    def kill(self, name: str) -> bool:
        """kill -9; false if it is just being started again."""
        pid = self.daemons().get(name)
        if pid is None:
            return False
        os.kill(pid, signal.SIGKILL)
        return True


def _daemon(pid: int) -> str:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return ""
    is_ours = len(words) > 2 and words[1] == str(MAZZIERE).encode()
    return words[2].decode() if is_ours else ""


def leftovers(directory: Path) -> list[int]:
    """Processes that still run on this table's configuration."""
    mark = str(directory / "table.toml").encode()
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if mark in entry.read_bytes().split(b"\0"):
                found.append(int(entry.parts[2]))
        except OSError:
            continue
    return found


def facts(directory: Path) -> Sequence[dict[str, Any]]:
    """Every fact in the journal, hidden faces too, in order."""
    shown = subprocess.run(
        [str(MAZZIERE), "journal", "show", str(directory / "journal"), "--json", "--reveal"],
        capture_output=True,
        check=True,
    )
    records = [json.loads(line)["record"] for line in shown.stdout.splitlines()]
    return [fact for record in records for fact in record.get("facts", ())]
