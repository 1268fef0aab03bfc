"""The command line where its streams or files cannot be used: a sentence, never a riddle."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = "from controller.cli import main; main(prog_name='mazziere')"
ROUND = json.dumps({"deal_order": ["6S", "JC", "5B"], "decisions": ["S"]})


def run(tail: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """`mazziere` started by a shell, with `tail` (redirections) behind it."""
    return subprocess.run(
        ["sh", "-c", f'"$0" -c "$1" "$2" "$3" "$4" {tail}', sys.executable, PROGRAM, *arguments],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("tail", "reason"),
    [
        ("> /dev/full", "No space left on device"),
        (">&-", "Bad file descriptor"),
    ],
)
def test_an_output_that_takes_nothing_is_told_in_a_sentence(
    tmp_path: Path, tail: str, reason: str
) -> None:
    (tmp_path / "rounds").write_text(ROUND)
    ended = run(tail, "settle", "live", str(tmp_path / "rounds"))
    assert ended.returncode == 2
    (line,) = ended.stderr.splitlines()
    assert line.startswith(f"mazziere: Cannot read the input or write the output: {reason}")


def test_an_input_that_is_closed_is_told_in_a_sentence() -> None:
    ended = run("<&-", "settle", "live", "-")
    assert ended.returncode == 2
    (line,) = ended.stderr.splitlines()
    assert "Bad file descriptor" in line


def test_a_file_of_ours_never_gets_the_number_of_a_closed_stream(tmp_path: Path) -> None:
    look = (
        "import os, sys; from controller.runtime.streams import hold_standard_streams\n"
        "hold_standard_streams()\n"
        f"assert os.open({str(tmp_path / 'journal')!r}, os.O_CREAT | os.O_RDWR) > 2\n"
        "print('to nobody', file=sys.stderr)\n"
    )
    shell = ["sh", "-c", '"$0" -c "$1" <&- >&- 2>&-', sys.executable, look]
    assert subprocess.run(shell, check=False, timeout=60).returncode == 0
    assert (tmp_path / "journal").read_bytes() == b""


def test_a_file_that_cannot_be_used_is_named_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / ("0" * 16 + ".seg")).symlink_to("loop")
    ended = run("", "journal", "verify", str(tmp_path))
    assert ended.returncode == 5
    assert "it is no file" in ended.stderr
    long = str(tmp_path / ("x" * 300))
    for command in (("settle", "live", long), ("finish", "live", long)):
        ended = run("", *command)
        assert ended.returncode == 2, ended.stderr
        assert "Traceback" not in ended.stderr
        assert "fault of this program" not in ended.stderr
