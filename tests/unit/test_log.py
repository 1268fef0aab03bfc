"""The log's shape, who speaks in it, and what must never be in it."""

import errno
import io
import json
import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from controller.runtime import config, log


class Terminal(io.BytesIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


class FullDisk(io.BytesIO):
    """A stream whose every write fails."""

    def write(self, _data: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.fixture(autouse=True)
def _forget_the_setup() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = handlers, level
    structlog.contextvars.clear_contextvars()
    structlog.reset_defaults()


def lines(stream: io.BytesIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_line_is_json_that_says_who_speaks_and_in_which_round() -> None:
    out = io.BytesIO()
    log.setup(config.Log(), {}, out, daemon="shoe", table="t1", env="test")
    structlog.contextvars.bind_contextvars(epoch="e1", round=7, seq=12)
    structlog.get_logger().info("line_opened", device="/dev/x")
    (line,) = lines(out)
    assert line.pop("timestamp")
    assert line == {
        "event": "line_opened",
        "level": "info",
        "device": "/dev/x",
        "daemon": "shoe",
        "table": "t1",
        "env": "test",
        "epoch": "e1",
        "round": 7,
        "seq": 12,
    }


@pytest.mark.parametrize(
    ("form", "environ", "stream", "is_json"),
    [
        ("auto", {}, Terminal, False),
        ("auto", {"JOURNAL_STREAM": "8:1"}, Terminal, True),
        ("auto", {}, io.BytesIO, True),
        ("json", {}, Terminal, True),
        ("console", {"JOURNAL_STREAM": "8:1"}, io.BytesIO, False),
    ],
)
def test_the_shape_follows_the_reader_unless_it_is_configured(
    form: str, environ: dict[str, str], stream: type[io.BytesIO], is_json: bool
) -> None:
    out = stream()
    log.setup(config.Log(format=form), environ, out)  # type: ignore[arg-type]
    structlog.get_logger().info("line_opened", n=1)
    assert b"line_opened" in out.getvalue()
    assert out.getvalue().startswith(b"{") is is_json


def test_what_is_below_the_level_is_not_said() -> None:
    out = io.BytesIO()
    log.setup(config.Log(level="warning"), {}, out)
    structlog.get_logger().info("quiet")
    structlog.get_logger().warning("loud")
    assert [line["event"] for line in lines(out)] == ["loud"]


@pytest.mark.parametrize("form", ["json", "console"])
def test_a_traceback_shows_no_local_variable_since_one_may_be_a_burn(form: str) -> None:
    out = Terminal()
    log.setup(config.Log(format=form), {}, out)  # type: ignore[arg-type]

    def break_with_a_hidden_card() -> None:
        burn = "K" + "D"
        raise RuntimeError(f"{len(burn)} letters")

    try:
        break_with_a_hidden_card()
    except RuntimeError:
        structlog.get_logger().exception("broke")
    assert b"2 letters" in out.getvalue()
    assert b"KD" not in out.getvalue()


def test_a_value_that_json_does_not_know_cannot_stop_the_daemon() -> None:
    out = io.BytesIO()
    log.setup(config.Log(), {}, out)
    structlog.get_logger().info("odd", what=object(), where=Path("/x"))
    assert "object object" in str(lines(out)[0]["what"])


def test_a_full_disk_under_the_log_cannot_stop_the_daemon() -> None:
    log.setup(config.Log(), {}, FullDisk())
    structlog.get_logger().error("said_into_the_void")


def test_what_a_library_says_arrives_in_our_shape() -> None:
    out = io.BytesIO()
    log.setup(config.Log(), {}, out, daemon="display")
    logging.getLogger("aiohttp.server").error("Error handling %s", "request")
    logging.getLogger("asyncio").info("chatter")
    (line,) = lines(out)
    assert (line["event"], line["library"]) == ("library_said", "aiohttp.server")
    assert (line["message"], line["daemon"]) == ("Error handling request", "display")


def test_an_unexpected_error_goes_into_the_journal_when_that_is_where_the_log_goes() -> None:
    out = io.BytesIO()
    log.setup(config.Log(), {}, out)
    assert "journalctl" in log.keep_traceback(ValueError("why"))
    assert "ValueError: why" in str(lines(out)[0]["exception"])


def test_an_unexpected_error_on_a_terminal_goes_into_a_file_that_only_its_owner_reads() -> None:
    out = Terminal()
    log.setup(config.Log(), {}, out)
    kept = Path(log.keep_traceback(ValueError("why")))
    try:
        assert "ValueError: why" in kept.read_text()
        assert kept.stat().st_mode & 0o777 == 0o600
        assert out.getvalue() == b""
    finally:
        kept.unlink()
