"""The journal on a failing disk and under SIGKILL: nothing acknowledged is lost or doubled.

The failing disk is `journal_disk.c`, preloaded into a child process; where
there is no C compiler those tests are skipped with that reason.
"""

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any, cast

import pytest

import controller.journal
from controller.journal.directory import segment_path
from controller.journal.errors import Failure, JournalFailed
from controller.journal.segments import Journal
from controller.journal.verify import verify
from controller.journal.walk import read

SMALL = 4096
SEGMENT = "0000000000000000.seg"
OURS = str(Path(controller.journal.__file__).parent)

PRELUDE = """
import ctypes, errno, json, sys
from pathlib import Path
from controller.journal.errors import JournalFailed
from controller.journal.segments import Journal
disk = ctypes.CDLL(None)
disk.disk_log.restype = ctypes.c_char_p
directory = Path(sys.argv[1])
failures = []
def attempt(act, *arguments):
    try:
        act(*arguments)
        disk.disk_mark(b"done")
    except JournalFailed as failed:
        failures.append([failed.failure, failed.message])
def since(mark):
    return disk.disk_log().decode().split(mark + "\\n")[-1].splitlines()
"""


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler (cc) to build the failing disk with")
    library = tmp_path_factory.mktemp("disk") / "disk.so"
    source = Path(__file__).with_name("journal_disk.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return library


def on_disk(disk: Path, directory: Path, script: str) -> Any:
    """Run `script` on the failing disk; what it printed as JSON."""
    environment = os.environ | {"LD_PRELOAD": str(disk), "PYTHONPATH": os.getcwd()}
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + script, str(directory)],
        env=environment, capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def reopened(directory: Path) -> list[bytes]:
    """What a next controller finds; and it can go on from there."""
    journal = Journal.open(directory, segment_bytes=SMALL)
    journal.append(b"next")
    journal.close()
    found = [stored.payload for stored in read(directory)]
    assert found.pop() == b"next"
    return found


def test_an_append_is_one_write_and_one_sync_and_only_then_returns(
    disk: Path, tmp_path: Path
) -> None:
    script = """
journal = Journal.open(directory, segment_bytes=4096)
disk.disk_mark(b"begin")
for payload in (b"a", b"b", b"c"):
    attempt(journal.append, payload)
print(json.dumps(since("begin")))
"""
    once = [f"pwrite {SEGMENT}", f"fdatasync {SEGMENT}", "pwrite head", "done"]
    assert on_disk(disk, tmp_path / "j", script) == once * 3


def test_a_new_segment_is_durable_before_it_has_its_name(disk: Path, tmp_path: Path) -> None:
    script = """
journal = Journal.open(directory, segment_bytes=4096)
journal.append(b"a")
disk.disk_mark(b"begin")
attempt(journal.roll, b"checkpoint")
print(json.dumps(since("begin")))
"""
    calls = on_disk(disk, tmp_path / "j", script)
    assert calls[-5:] == [
        "fsync next.tmp",
        "rename 0000000000000001.seg",
        "fsync j",
        "pwrite head",
        "done",
    ]
    assert set(calls[:-5]) == {"fallocate next.tmp", "pwrite next.tmp"}


@pytest.mark.parametrize("call", ["pwrite", "fdatasync"])
@pytest.mark.parametrize(
    ("error", "failure", "words"),
    [
        ("ENOSPC", Failure.FULL, "disk is full"),
        ("EIO", Failure.IO, "disk reports an error"),
        ("EROFS", Failure.READ_ONLY, "disk is read-only"),
    ],
)
def test_a_failed_append_latches_and_says_what_the_disk_said(
    disk: Path, tmp_path: Path, call: str, error: str, failure: Failure, words: str
) -> None:
    script = f"""
journal = Journal.open(directory, segment_bytes=4096)
journal.append(b"acknowledged")
disk.disk_fail(b"{call}", 1, errno.{error})
attempt(journal.append, b"lost or not")
disk.disk_fail(b"", -1, 0)
attempt(journal.append, b"never")
attempt(journal.roll, b"never")
attempt(journal.probe)
print(json.dumps([failures, journal.count]))
"""
    failures, count = on_disk(disk, tmp_path / "j", script)
    assert [kind for kind, _ in failures] == [failure] * 4
    assert words in failures[0][1]
    assert error in failures[0][1]
    assert count == 1
    found = reopened(tmp_path / "j")
    assert found[0] == b"acknowledged"
    assert found[1:] in ([], [b"lost or not"])


def test_a_short_write_is_a_failure_and_its_bytes_a_torn_tail(disk: Path, tmp_path: Path) -> None:
    script = """
journal = Journal.open(directory, segment_bytes=4096)
journal.append(b"acknowledged")
disk.disk_short(17)
attempt(journal.append, b"half")
attempt(journal.append, b"never")
print(json.dumps(failures))
"""
    failures = on_disk(disk, tmp_path / "j", script)
    assert [kind for kind, _ in failures] == ["full", "full"]
    assert "only 17 of 44 bytes" in failures[0][1]
    journal = Journal.open(tmp_path / "j", segment_bytes=SMALL)
    journal.close()
    assert journal.torn is not None
    assert (journal.torn.size, journal.torn.published) == (17, False)


@pytest.mark.parametrize("call", ["fallocate", "pwrite", "fsync", "rename"])
def test_a_roll_that_fails_latches_and_leaves_the_journal_as_it_was(
    disk: Path, tmp_path: Path, call: str
) -> None:
    script = f"""
journal = Journal.open(directory, segment_bytes=4096)
journal.append(b"acknowledged")
disk.disk_fail(b"{call}", 1, errno.ENOSPC)
attempt(journal.roll, b"checkpoint")
disk.disk_fail(b"", -1, 0)
attempt(journal.append, b"never")
print(json.dumps(failures))
"""
    assert [kind for kind, _ in on_disk(disk, tmp_path / "j", script)] == ["full", "full"]
    assert reopened(tmp_path / "j") == [b"acknowledged"]


def test_an_idle_probe_sees_that_the_disk_went_read_only(disk: Path, tmp_path: Path) -> None:
    script = """
journal = Journal.open(directory, segment_bytes=4096)
attempt(journal.probe)
disk.disk_fail(b"pwrite", 1, errno.EROFS)
attempt(journal.probe)
attempt(journal.append, b"never")
print(json.dumps(failures))
"""
    failures = on_disk(disk, tmp_path / "j", script)
    assert [kind for kind, _ in failures] == ["read_only", "read_only"]


def test_opening_writes_the_last_record_once_more_and_syncs_it(disk: Path, tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "j", segment_bytes=SMALL)
    journal.append(b"perhaps only in memory")
    journal.close()
    script = """
disk.disk_mark(b"begin")
attempt(lambda: Journal.open(directory, segment_bytes=4096))
print(json.dumps(since("begin")))
"""
    calls = on_disk(disk, tmp_path / "j", script)
    at = calls.index(f"pwrite {SEGMENT}")
    assert calls[at + 1] == f"fdatasync {SEGMENT}"


def test_opening_on_a_disk_that_takes_nothing_is_one_clear_failure(
    disk: Path, tmp_path: Path
) -> None:
    script = """
disk.disk_fail(b"pwrite", 1, errno.EROFS)
attempt(lambda: Journal.open(directory, segment_bytes=4096))
print(json.dumps(failures))
"""
    [[kind, message]] = on_disk(disk, tmp_path / "j", script)
    assert kind == "read_only"
    assert message.startswith("journal not writable, the disk is read-only")


def forked(act: Callable[[int], None]) -> tuple[bytes, int]:
    """Run `act` in a child with the writing end of a pipe; what came, and how the child ended."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            act(writing)
            os._exit(0)
        finally:
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        heard = pipe.read()
    _, status = os.waitpid(child, 0)
    return heard, os.waitstatus_to_exitcode(status)


def test_a_file_size_limit_reached_in_mid_record_stops_the_journal(tmp_path: Path) -> None:
    def act(pipe: int) -> None:
        journal = Journal.open(tmp_path / "j", segment_bytes=SMALL)
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        try:
            for n in range(100):
                journal.append(b"%d" % n)
                os.write(pipe, b"%d\n" % n)
        except JournalFailed as failed:
            os.write(pipe, failed.failure.encode())

    heard, code = forked(act)
    *acknowledged, word = heard.split(b"\n")
    assert (word, code) == (b"full", 0)
    assert len(acknowledged) > 5
    assert reopened(tmp_path / "j") == acknowledged


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    if os.geteuid() != 0:
        pytest.skip("mounting a 64 kB disk needs root")
    place = tmp_path / "tiny"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)]
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("this machine does not let us mount a tmpfs")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def test_a_disk_that_fills_up_stops_the_journal_and_loses_nothing(tiny_disk: Path) -> None:
    journal = Journal.open(tiny_disk / "j", segment_bytes=16384)
    acknowledged: list[bytes] = []

    def fill() -> None:
        for n in range(1000):
            payload = b"%d" % n + b"x" * 500
            (journal.roll if journal.must_roll() else journal.append)(payload)
            acknowledged.append(payload)

    with pytest.raises(JournalFailed, match="disk is full") as caught:
        fill()
    assert caught.value.failure is Failure.FULL
    assert journal.free_bytes() < 16384
    journal.close()
    assert [stored.payload for stored in read(tiny_disk / "j")] == acknowledged


def kill_at(line: int) -> Callable[[FrameType, str, Any], Any]:
    """A tracer that kills its own process before the given line of journal code is run."""
    seen = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal seen
        if not frame.f_code.co_filename.startswith(OURS):
            return None
        if event == "line":
            seen += 1
            if seen == line:
                os.kill(os.getpid(), signal.SIGKILL)
        return trace

    return trace


def killed_at_every_line(act: Callable[[int, Any], None]) -> Iterator[bytes]:
    """Run `act(pipe, tracer)` with a kill one line later each time, until it survives."""
    for line in range(1, 2000):
        heard, code = forked(lambda pipe, line=line: act(pipe, kill_at(line)))  # type: ignore[misc]
        yield heard
        if code == 0:
            return
        assert code == -signal.SIGKILL
    raise AssertionError("it never came to its end")


@pytest.mark.parametrize("method", ["append", "roll"])
def test_killed_at_every_line_of_a_write_nothing_acknowledged_is_lost_and_nothing_doubled(
    tmp_path: Path, method: str
) -> None:
    directory = tmp_path / "j"

    def act(pipe: int, tracer: Any) -> None:
        journal = Journal.open(directory, segment_bytes=SMALL)
        journal.append(b"one")
        os.write(pipe, b"1")
        sys.settrace(tracer)
        getattr(journal, method)(b"two")
        sys.settrace(None)
        os.write(pipe, b"2")

    kills = 0
    for heard in killed_at_every_line(act):
        verified = verify(directory)
        found = reopened(directory)
        assert found in ([b"one"], [b"one", b"two"]), kills
        assert len(found) >= len(heard), kills
        assert verified.count == len(found), kills
        shutil.rmtree(directory)
        kills += 1
    assert heard == b"12"
    assert kills > 10


@pytest.mark.parametrize("where", ["record", "header"])
def test_killed_at_every_line_of_a_recovery_the_next_one_still_tells_what_was_cut(
    tmp_path: Path, where: str
) -> None:
    directory = tmp_path / "j"
    journal = Journal.open(directory, segment_bytes=SMALL)
    journal.append(b"one")
    journal.roll(b"two")
    if where == "record":
        journal.append(b"three")
    journal.close()
    last = segment_path(directory, 1)
    size = 20 if where == "header" else len(last.read_bytes().rstrip(b"\0")) - 3
    last.write_bytes(last.read_bytes()[:size])
    shutil.copytree(directory, tmp_path / "torn")

    def act(pipe: int, tracer: Any) -> None:
        sys.settrace(tracer)
        Journal.open(directory, segment_bytes=SMALL)
        sys.settrace(None)

    wanted = [b"one"] if where == "header" else [b"one", b"two"]
    for _ in killed_at_every_line(act):
        journal = Journal.open(directory, segment_bytes=SMALL)
        journal.close()
        torn = cast(Any, journal.torn)
        assert (torn.segment, torn.index, torn.published) == (last.name, len(wanted), True)
        assert torn.kept.stat().st_size == torn.size > 0
        assert reopened(directory) == wanted
        shutil.rmtree(directory)
        shutil.copytree(tmp_path / "torn", directory)
