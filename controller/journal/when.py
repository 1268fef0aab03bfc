"""Which moment is meant: the seq of a fact, a time of day, or the monotonic clock.

Also the options with which a person or a server says it.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final, NamedTuple, TypeVar

import click

from controller.journal.errors import JournalError
from controller.runtime.exits import ExitCode

_SECOND: Final = 1_000_000_000
_ISO: Final = re.compile(r"(?P<second>[^.,]+?)(?:[.,](?P<part>\d{1,9}))?(?P<zone>Z|[+-]\d\d:?\d\d)")
_Command = TypeVar("_Command", bound=Callable[..., Any])


class By(StrEnum):
    """What names a moment."""

    SEQ = "seq"
    UTC = "utc"
    MONO = "mono"


class When(NamedTuple):
    """A moment; times in nanoseconds."""

    by: By
    value: int


class Momentless(JournalError):  # noqa: N818 - what is wrong: it names no moment of the round
    """The journal has no such moment."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, ExitCode.USAGE)


def time_of(utc: int) -> str:
    """Nanoseconds since the epoch → ISO 8601, to the nanosecond."""
    seconds, part = divmod(utc, _SECOND)
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}.{part:09d}Z"


def parse_time(text: str) -> int:
    """ISO 8601 with its zone → nanoseconds since the epoch; never through a float."""
    parts = _ISO.fullmatch(text.strip())
    if parts is None:
        raise ValueError(f"{text!r} is no time with its zone")
    moment = datetime.fromisoformat(parts["second"] + parts["zone"])
    whole = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return (whole.days * 86_400 + whole.seconds) * _SECOND + int(
        (parts["part"] or "").ljust(9, "0")
    )


def _time(_context: click.Context, _option: click.Parameter, value: str | None) -> int | None:
    if value is None:
        return None
    try:
        return parse_time(value)
    except ValueError as error:
        said = f"{value!r}: give a time with its zone, like 2026-05-01T21:03:04.125Z"
        raise click.BadParameter(said) from error


def when_options(command: _Command) -> _Command:
    """`--seq`, `--at` and `--mono`; `when_given` makes one moment of them."""
    for option in (
        click.option("--mono", type=int, metavar="NS", help="By the controller's monotonic clock."),
        click.option("--at", callback=_time, metavar="TIME", help="By time of day, with its zone."),
        click.option("--seq", type=int, metavar="S", help="By the last fact that was known."),
    ):
        command = option(command)
    return command


def when_given(seq: int | None, at: int | None, mono: int | None) -> When:
    given = [
        When(by, value)
        for by, value in ((By.SEQ, seq), (By.UTC, at), (By.MONO, mono))
        if value is not None
    ]
    if len(given) != 1:
        raise click.UsageError("Name the moment, once: with --seq, --at or --mono")
    return given[0]
