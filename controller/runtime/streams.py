"""The three standard streams, when whoever started us had closed some of them."""

import os
import sys
from typing import Final

_UNUSABLE: Final = ((0, os.O_WRONLY), (1, os.O_RDONLY))
"""Opened the wrong way round, so that whoever reads or writes there is told that it is closed."""


def hold_standard_streams() -> None:
    """Take the numbers that are free: else a file of ours gets them, and log lines go into it."""
    for number, flags in (*_UNUSABLE, (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, flags)
    sys.stdin = sys.stdin or open(0, closefd=False)  # noqa: SIM115 - held as long as the process
    sys.stdout = sys.stdout or open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", closefd=False)  # noqa: SIM115


def give_up_stdout() -> None:
    """Nobody takes what we write: what is still waiting to be written goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
