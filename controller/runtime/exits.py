"""How a command ends: the exit codes, and the exception that becomes one sentence.

Whatever a person has to act on is raised as a `Refusal`; the command line
prints its sentence on stderr and leaves with its code, without a traceback.
"""

from enum import IntEnum


class ExitCode(IntEnum):
    """What the process tells whoever started it."""

    OK = 0
    UNEXPECTED = 1
    """A fault of this program; the traceback is in its log."""
    USAGE = 2
    """The command line is wrong."""
    CONFIGURATION = 3
    """The configuration, or a file that it names, is wrong."""
    DEVICE = 4
    """A device was asked for something that it cannot do."""
    INTEGRITY = 5
    """The records do not hold: damage, a fork, or a second writer."""


class Refusal(Exception):  # noqa: N818 - it is the table's word: the program refuses, it did not err
    """The command cannot go on: one sentence that says what, where and what to do."""

    def __init__(self, message: str, exit_code: ExitCode) -> None:
        super().__init__(message)
        self.message = message
        self.exit_code = exit_code
