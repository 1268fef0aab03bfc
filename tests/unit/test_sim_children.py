"""Daemons that do not stay up: told by the last line of their own log."""

import time
from pathlib import Path

import pytest

from controller.runtime.clock import SystemClock
from controller.runtime.exits import Refusal
from simulators.children import Child, Children


def tend_for(seconds: float, children: Children) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        children.tend()


def test_a_daemon_that_keeps_ending_is_told_with_its_logs_name_and_last_line(
    tmp_path: Path,
) -> None:
    log, told = tmp_path / "display.log", []
    child = Child("display", tmp_path / "none.toml", log, SystemClock())
    children = Children([child], lambda name, how: told.append(f"{name} {how}"))
    with pytest.raises(Refusal) as refused:
        tend_for(60, children)
    last = log.read_text().splitlines()[-1]
    assert "none.toml" in last
    for said in (told[0], refused.value.message):
        assert said.endswith(f"ended with 3; {log} says last: {last}")
