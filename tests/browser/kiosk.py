"""The real display process in front of a stand-in table, and how a browser is started."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

CHROMIUM = "/usr/bin/chromium"
ARGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
FITS = (Path(__file__).parent / "fits.js").read_text()
_MAIN = "from controller.cli import main; main(prog_name='mazziere')"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def until(condition: Callable[[], bool], seconds: float, what: str) -> float:
    """Look again and again until the condition holds; returns how long it took."""
    began = time.monotonic()
    while not condition():
        if time.monotonic() - began > seconds:
            raise AssertionError(f"{what}: not within {seconds:g} s")
        time.sleep(0.005)
    return time.monotonic() - began


class DisplayProcess:
    """`mazziere display` as a child; may be stopped, killed and started again."""

    def __init__(self, directory: Path, language: str = "it") -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}/"
        self._directory = directory
        self._config = directory / "table.toml"
        self.arguments = [
            sys.executable, "-c", _MAIN, "display", "--config", str(self._config),
        ]  # fmt: skip
        self._config.write_text(
            f'[table]\nid = "T7"\nenvironment = "test"\nlanguage = "{language}"\n'
            f'[bus]\ndirectory = "{directory}"\n[display]\nport = {self.port}\n'
        )

    def __enter__(self) -> "DisplayProcess":
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()

    def start(self) -> None:
        log = (self._directory / "display.log").open("ab")
        self._child = subprocess.Popen(self.arguments, stderr=log)
        log.close()
        until(self._listens, 20, f"the display on port {self.port}")

    def freeze(self) -> None:
        os.kill(self._child.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        os.kill(self._child.pid, signal.SIGCONT)

    def kill(self) -> None:
        self._child.kill()
        self._child.wait()

    def stop(self) -> int:
        """As systemd does; returns the exit code."""
        self._child.terminate()
        return self._child.wait(10)

    def _listens(self) -> bool:
        if self._child.poll() is not None:
            log = (self._directory / "display.log").read_text()
            raise AssertionError(f"the display ended with {self._child.returncode}: {log}")
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0
