"""Runs `mazziere controller` and kills it, as by SIGKILL, at the N-th line of its own code.

Lines count from the moment it is ready, in the modules where a card is judged,
made durable, published and acknowledged. Usage: crashing.py N CONFIG; N = 0
never kills, and prints at the end how many lines there were.
"""

import os
import signal
import sys
from types import FrameType
from typing import Any

from controller import authority
from controller.runtime.daemon import Notifier

WATCHED = (
    "controller/authority.py",
    "controller/truth.py",
    "controller/publisher.py",
    "controller/replays.py",
    "controller/journal/segments.py",
    "controller/journal/head.py",
)

IDLE = {
    *("run", "beat", "probe", "free_bytes", "must_roll", "checkpoint", "envelope"),
    *("_turn", "_sleep_ms", "_keep_house", "_miss_silent_readers", "_check_disk"),
    *("_collect", "_judge", "_check_ours", "_check_last"),
}
"""What turns while nothing comes: its lines would make the count depend on the machine's speed."""

lines = 0
kill_at = int(sys.argv[1])


def trace(frame: FrameType, event: str, _arg: object) -> Any:
    if not frame.f_code.co_filename.endswith(WATCHED) or frame.f_code.co_name in IDLE:
        return None
    if event == "line":
        count()
    return trace


def count() -> None:
    global lines
    lines += 1
    if lines == kill_at:
        os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    said_ready = Notifier.ready

    def ready(notifier: Notifier) -> bool:
        # From here on: what comes before is the journal's recovery, which has tests of its own.
        sys.settrace(trace)
        return said_ready(notifier)

    Notifier.ready = ready  # type: ignore[method-assign]
    try:
        authority.command.main(["--config", sys.argv[2]], standalone_mode=False)
    finally:
        sys.settrace(None)
        print(lines, flush=True)
