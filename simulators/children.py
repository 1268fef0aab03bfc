"""The daemons of a simulated table as child processes, brought back when they die.

Stands in for systemd: starts, restarts after a moment, ends all of them cleanly.
What a child says goes to its own log file; nothing of it reaches the terminal.
A child in a group of its own does not get the terminal's Ctrl-C: we end it.
"""

import ctypes
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from controller.runtime.clock import NANOSECONDS, Clock
from controller.runtime.exits import ExitCode, Refusal

_RESTART_AFTER: Final = NANOSECONDS // 5
_TOO_SOON: Final = 3 * NANOSECONDS
_MOST_FAILURES: Final = 5
_LAST_WORDS: Final = 2_000
"""Bytes of a log's end, in which its last line is."""
_END_PATIENCE: Final = 5.0
_PR_SET_PDEATHSIG: Final = 1


class Child:
    """One daemon: `mazziere <name> --config FILE`."""

    def __init__(self, name: str, config: Path, log: Path, clock: Clock) -> None:
        self.name = name
        self.log = log
        self.deaths = 0
        self._arguments = [str(program()), name, "--config", str(config)]
        self._clock = clock
        self._failures = 0
        self._dead_since: int | None = None
        self._process = self._start()

    def tend(self) -> str:
        """Bring it back if it has died; says how when a death was noticed just now."""
        now = self._clock.mono()
        if self._dead_since is not None:
            if now - self._dead_since >= _RESTART_AFTER:
                self._dead_since = None
                self._process = self._start()
            return ""
        if self._process.poll() is None:
            return ""
        self.deaths += 1
        self._dead_since = now
        self._give_up_if_hopeless(now)
        return self._how_it_died()

    def kill(self) -> None:
        """kill -9, as the power or the kernel would."""
        if self._process.poll() is None:
            self._process.kill()

    def end(self) -> None:
        if self._process.poll() is None:
            self._process.terminate()

    def wait(self) -> None:
        try:
            self._process.wait(_END_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _start(self) -> "subprocess.Popen[bytes]":
        self._started = self._clock.mono()
        with self.log.open("ab") as log:
            return subprocess.Popen(
                self._arguments,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=_die_with_parent,
            )

    def _give_up_if_hopeless(self, now: int) -> None:
        """A daemon that cannot start says why in its log: show that, and end."""
        died_by_itself = self._process.returncode >= 0
        self._failures = self._failures + 1 if now - self._started < _TOO_SOON else 1
        if died_by_itself and self._failures >= _MOST_FAILURES:
            raise Refusal(
                f"mazziere {self.name} does not stay up: {self._how_it_died()}",
                ExitCode.UNEXPECTED,
            )

    def _how_it_died(self) -> str:
        code = self._process.returncode
        if code < 0:
            return f"was killed ({signal.Signals(-code).name})"
        words = self.log.read_bytes()[-_LAST_WORDS:].decode("utf-8", "replace").strip()
        last = words.splitlines()[-1] if words else "nothing"
        return f"ended with {code}; {self.log} says last: {last}"


class Children:
    """All daemons of the table."""

    def __init__(self, children: Sequence[Child], died: Callable[[str, str], None]) -> None:
        self._children = {child.name: child for child in children}
        self._died = died

    def tend(self) -> None:
        for child in self._children.values():
            if how := child.tend():
                self._died(child.name, how)

    def kill(self, name: str) -> None:
        self._children[name].kill()

    def end(self) -> None:
        """Those who listen first, the controller last: it hears everything out."""
        for child in reversed(self._children.values()):
            child.end()
        for child in self._children.values():
            child.wait()


def program() -> Path:
    """The `mazziere` that belongs to this very Python."""
    path = Path(sys.executable).with_name("mazziere")
    if not path.exists():
        raise Refusal(
            f"There is no {path}: the daemons are not installed here; `make run` does it",
            ExitCode.CONFIGURATION,
        )
    return path


def _die_with_parent() -> None:
    """If this program is killed, its daemons must not stay behind and hold the table."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
