"""The log: one event a line on stderr, JSON for journald, readable on a terminal.

An event's name is a constant in snake_case; what varies goes into its fields.
`setup` binds who speaks (daemon, table, env); whoever knows binds epoch, round
and seq with `structlog.contextvars`. No hidden card and, from drivers, no face
and no raw byte is ever logged: tracebacks therefore go without local variables.
What is not here: the journal, which is the evidence; a log may be lost.
"""

import logging
import os
import tempfile
import traceback
from collections.abc import Mapping
from typing import Any, BinaryIO, Final

import msgspec
import structlog
from structlog.typing import EventDict, Processor

from controller.runtime import config

_LEVELS: Final = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}


def setup(
    log: config.Log,
    environ: Mapping[str, str],
    stream: BinaryIO | None = None,
    **who: str,
) -> None:
    """Call once at the start of a process: `setup(config.log, os.environ, daemon="shoe", …)`."""
    raw = stream or open(2, "wb", buffering=0, closefd=False)  # noqa: SIM115 - stderr, never closed
    as_json = _wants_json(log, environ, raw)
    structlog.configure(
        processors=[*_shared_processors(), *_rendering(as_json)],
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[log.level]),
        logger_factory=structlog.BytesLoggerFactory(_Unfailing(raw)),  # type: ignore[arg-type]
        cache_logger_on_first_use=True,
    )
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(**who)
    _adopt_libraries(_LEVELS[log.level])


def keep_traceback(error: BaseException) -> str:
    """Put the traceback of an unexpected error where no user sees it; returns where that is."""
    text = "".join(traceback.format_exception(error))
    if _to_json in structlog.get_config()["processors"]:
        structlog.get_logger().critical("unexpected_error", exception=text)
        return "the log above (under systemd: journalctl -u 'mazziere-*')"
    descriptor, path = tempfile.mkstemp(prefix="mazziere-", suffix=".log")
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def _wants_json(log: config.Log, environ: Mapping[str, str], stream: BinaryIO) -> bool:
    if log.format != "auto":
        return log.format == "json"
    return "JOURNAL_STREAM" in environ or not stream.isatty()


def _shared_processors() -> list[Processor]:
    return [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
    ]


def _rendering(as_json: bool) -> list[Processor]:
    if as_json:
        return [structlog.processors.format_exc_info, _to_json]
    # The default traceback of a terminal prints local variables, and a local may be a burn.
    plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    return [plain, _to_bytes]


def _to_json(_logger: object, _method: str, event: EventDict) -> bytes:
    return msgspec.json.encode(event, enc_hook=repr)


def _to_bytes(_logger: object, _method: str, line: Any) -> bytes:
    return str(line).encode("utf-8", "replace")


class _Unfailing:
    """A stream that may fail: a full disk or a closed terminal must not stop a table."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def write(self, line: bytes) -> int:
        try:
            return self._stream.write(line)
        except (OSError, ValueError):
            return len(line)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except (OSError, ValueError):
            return


class _Forward(logging.Handler):
    """Hands what libraries say through the standard `logging` to our log, in our shape."""

    def emit(self, record: logging.LogRecord) -> None:
        structlog.get_logger().log(
            record.levelno,
            "library_said",
            library=record.name,
            message=record.getMessage(),
            exc_info=record.exc_info,
        )


def _adopt_libraries(level: int) -> None:
    root = logging.getLogger()
    root.handlers[:] = [_Forward()]
    root.setLevel(max(level, logging.WARNING))
