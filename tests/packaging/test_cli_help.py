"""The command line as a person meets it: help that reads well, one sentence per error."""

import subprocess
import sys
from importlib.metadata import entry_points, version
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller import cli

COMMANDS = sorted(entry_points(group=cli.ENTRY_POINTS).names)
OF_OTHER_COMMANDS = ("aiohttp", "cv2", "zmq", "serial", "drivers", "controller.authority")

ANOTHER_WHEEL = """
import click
from controller.runtime.exits import ExitCode, Refusal
from controller.runtime.options import config_option

@click.command()
@config_option
def show(config):
    '''Shows what was loaded. And a second sentence.'''
    click.echo(f"table {config.table.id}")

@click.command()
@click.argument("how")
def end(how):
    '''Ends as it is told.'''
    if how == "refused":
        raise Refusal("The shoe's line is taken; close the other program", ExitCode.DEVICE)
    if how == "broken":
        raise KeyError("deep inside")
    if how == "misused":
        raise click.UsageError("not like this")

NOT_A_COMMAND = "neither"
"""
ITS_ENTRY_POINTS = """
[mazziere.commands]
stub-show = another_wheel:show
stub-end = another_wheel:end
stub-gone = another_wheel:never_written
stub-odd = another_wheel:NOT_A_COMMAND
stub-missing = no_such_package.at_all:command
"""


@pytest.fixture(autouse=True)
def _another_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Installs one more distribution that brings commands, good and bad."""
    (tmp_path / "another_wheel.py").write_text(ANOTHER_WHEEL)
    info = tmp_path / "another_wheel-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: another-wheel\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ITS_ENTRY_POINTS)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "another_wheel", raising=False)


def mazziere(*arguments: str) -> Result:
    return CliRunner().invoke(cli.main, arguments, prog_name="mazziere")


def one_sentence(result: Result) -> str:
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    (line,) = result.stderr.splitlines()
    return line


def test_help_says_what_the_program_is_and_lists_each_command_with_one_line() -> None:
    result = mazziere("--help")
    assert result.exit_code == 0
    assert "The controller of one live Sette e Mezzo table." in result.stdout
    assert "Shows what was loaded." in result.stdout
    assert "second sentence" not in result.stdout
    for name in COMMANDS:
        assert f"\n  {name} " in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 100


def test_a_broken_command_costs_its_own_line_of_the_help_and_not_the_list() -> None:
    result = mazziere("--help")
    assert result.exit_code == 0
    assert result.stdout.count("not available") == 3
    assert "Ends as it is told." in result.stdout


def test_no_command_at_all_shows_the_help() -> None:
    assert "Commands:" in mazziere().output


@pytest.mark.parametrize("option", ["-h", "--help"])
@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help_that_begins_with_a_sentence(command: str, option: str) -> None:
    # A process of its own: click keeps a command's help option as it was first asked for, and
    # other tests call the commands without the program around them.
    program = Path(sys.executable).with_name("mazziere")
    result = subprocess.run([program, command, option], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    _usage, _, text = result.stdout.partition("\n\n")
    assert text.strip()[0].isupper()
    assert result.stdout.startswith(f"Usage: mazziere {command}")


@pytest.mark.parametrize("command", ["camera", "controller", "display", "shoe"])
def test_each_daemon_takes_the_table_s_configuration_and_refuses_a_missing_one(
    command: str, tmp_path: Path
) -> None:
    result = mazziere(command, "--config", str(tmp_path / "none.toml"))
    assert result.exit_code == 3
    assert "none.toml" in one_sentence(result)


def test_the_version_is_the_installed_one() -> None:
    assert version("mazziere") in mazziere("--version").stdout


def test_the_configuration_reaches_the_command(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text('[table]\nid = "t9"\nenvironment = "test"\n')
    assert mazziere("stub-show", "--config", str(file)).stdout == "table t9\n"


def test_a_wrong_configuration_ends_with_its_code_and_names_key_and_line(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text('[table]\nid = "t9"\nenvironment = "test"\n[shoe]\nbaud = 1\n')
    result = mazziere("stub-show", "--config", str(file))
    assert result.exit_code == 3
    assert one_sentence(result) == f"mazziere: {file}, line 5: shoe.baud: there is no such key"


@pytest.mark.parametrize(
    ("arguments", "exit_code", "said"),
    [
        (["stub-end", "refused"], 4, "mazziere: The shoe's line is taken; close the other program"),
        (["stub-end", "broken"], 1, "KeyError"),
        (["stub-gone"], 3, "cannot be loaded from another_wheel:never_written"),
        (["stub-odd"], 3, "is not a command"),
        (["stub-missing"], 3, "No module named 'no_such_package'"),
    ],
)
def test_every_error_is_one_sentence_with_its_code(
    arguments: list[str], exit_code: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    result = mazziere(*arguments)
    assert result.exit_code == exit_code
    assert said in one_sentence(result)


@pytest.mark.parametrize(
    "arguments", [["no-such-command"], ["--nonsense"], ["stub-end", "misused"]]
)
def test_misuse_ends_with_two_and_says_how(arguments: list[str]) -> None:
    result = mazziere(*arguments)
    assert result.exit_code == 2
    assert "Usage: mazziere" in result.stderr


def test_the_traceback_of_an_unexpected_error_is_kept_where_the_sentence_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    sentence = one_sentence(mazziere("stub-end", "broken"))
    (kept,) = tmp_path.glob("mazziere-*.log")
    assert sentence.endswith(f"its details are in {kept}")
    assert "KeyError: 'deep inside'" in kept.read_text()


def test_only_the_command_that_is_called_is_imported() -> None:
    look = (
        "import sys; from controller.cli import main\n"
        "main(['journal', '--help'], standalone_mode=False)\n"
        f"print([name for name in {OF_OTHER_COMMANDS!r} if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == "[]"
