"""`mazziere`: the one program, which finds its subcommands by entry points.

Whoever has a command registers it in the group "mazziere.commands", so drivers
and calibration bring theirs and nothing here imports them. Only the command
that is called is imported; `--help` imports all, and one that is broken costs
its own line, not the list.
Here, and only here, errors become one sentence and an exit code.
"""

import errno
from importlib.metadata import EntryPoint, entry_points
from typing import Final, NoReturn

import click

from controller.runtime.exits import ExitCode, Refusal
from controller.runtime.log import keep_traceback
from controller.runtime.streams import give_up_stdout, hold_standard_streams

ENTRY_POINTS: Final = "mazziere.commands"

_OF_STREAMS: Final = frozenset({errno.EBADF, errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""How reading the standard input or writing the standard output fails: they have no name."""

_HELP: Final = """\
The controller of one live Sette e Mezzo table.

It reads every card that leaves the shoe, tells the dealer what comes next,
and is the one source of truth for the game and streaming servers.
"""

_EPILOG: Final = """\
Exit codes: 0 well, 2 usage, 3 configuration, 4 device, 5 integrity of the
records; 1 is a fault of this program.
"""


class EntryPointGroup(click.Group):
    """A group whose commands are the installed entry points, imported when called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(entry_points(group=ENTRY_POINTS).names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        for entry in entry_points(group=ENTRY_POINTS, name=cmd_name):
            return _import(entry)
        return None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [(name, self._one_line(ctx, name)) for name in self.list_commands(ctx)]
        if not rows:
            return
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def invoke(self, ctx: click.Context) -> object:
        hold_standard_streams()
        try:
            return super().invoke(ctx)
        except Refusal as refusal:
            _end(refusal.message, refusal.exit_code)
        except BrokenPipeError:
            # The reader of our output has gone, as `head` does: all is well.
            give_up_stdout()
            raise click.exceptions.Exit(int(ExitCode.OK)) from None
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            if isinstance(error, OSError) and (sentence := _of_the_surroundings(error)):
                _end(sentence, ExitCode.USAGE)
            _end(_unexpected(error), ExitCode.UNEXPECTED)

    def _one_line(self, ctx: click.Context, name: str) -> str:
        try:
            command = self.get_command(ctx, name)
        except Refusal as broken:
            return f"(not available: {broken.message})"
        return command.get_short_help_str(limit=70) if command else ""


def _import(entry: EntryPoint) -> click.Command:
    """The command behind an entry point; a broken one is a sentence, whatever it raised."""
    try:
        command = entry.load()
    except Exception as error:
        raise Refusal(
            f"The command {entry.name!r} cannot be loaded from {entry.value}: {error}; "
            "install the whole of mazziere again",
            ExitCode.CONFIGURATION,
        ) from error
    if not isinstance(command, click.Command):
        raise Refusal(f"{entry.value} is not a command", ExitCode.CONFIGURATION)
    return command


def _of_the_surroundings(error: OSError) -> str:
    """What a person can put right: a file that cannot be used, a stream that is closed or full."""
    reason = error.strerror or str(error)
    if error.filename is not None:
        return f"Cannot use {error.filename}: {reason}; check it, or name another"
    if error.errno in _OF_STREAMS:
        give_up_stdout()
        return f"Cannot read the input or write the output: {reason}; send it somewhere else"
    return ""


def _unexpected(error: Exception) -> str:
    where = keep_traceback(error)
    return f"A fault of this program ({type(error).__name__}); its details are in {where}"


def _end(sentence: str, exit_code: ExitCode) -> NoReturn:
    click.echo(f"mazziere: {sentence}", err=True)
    raise click.exceptions.Exit(int(exit_code))


@click.command(
    cls=EntryPointGroup,
    help=_HELP,
    epilog=_EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="mazziere")
def main() -> None:
    """Runs before every subcommand, and has nothing to do."""
