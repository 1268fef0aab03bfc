"""The scheduling class of what is measured: the same one for the daemons and for their floors.

Not here: what runs under it.
"""

import ctypes
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

PRIORITY: Final = 20
"""As the services have it (`CPUSchedulingPriority=`)."""
_PR_SET_PDEATHSIG: Final = 1


class Scheduling:
    """SCHED_FIFO where this user may have it, else what there is."""

    def __init__(self) -> None:
        self.fifo = _may_be_fifo()
        self.name = f"SCHED_FIFO {PRIORITY}" if self.fifo else "SCHED_OTHER (FIFO is not permitted)"

    def child(self) -> None:
        """Between fork and exec: take the class, and do not outlive the parent."""
        if self.fifo:
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)

    @contextmanager
    def taken(self) -> Iterator[None]:
        """This process, too, while it writes the frame and waits for the state."""
        if not self.fifo:
            yield
            return
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
        try:
            yield
        finally:
            os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


def _may_be_fifo() -> bool:
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
    except PermissionError:
        return False
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    return True
