"""`mazziere calibrate shoe`: forty cards through the shoe, in the order asked, become a profile."""

import re
import select
import time
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

import click
from msgspec.structs import replace

from calibration.options import made_options, who_or_login
from calibration.shelf import save
from calibration.shoe import Pass, profile_text
from controller.contract.readings import OPEN_RUNGS
from controller.runtime.clock import SystemClock
from controller.runtime.exits import ExitCode, Refusal
from drivers.camera.calibrated import Made
from drivers.link import check_device, open_link
from drivers.shoe.assembler import Timing
from drivers.shoe.port import Port
from drivers.shoe.profile import Profile, ProfileError
from drivers.shoe.profile_file import load_profile

_MS: Final = 1_000_000
_TIMING: Final = Timing(
    settle=300 * _MS,
    quiet=300 * _MS,
    repeat_window=150 * _MS,
    retry_first=200 * _MS,
    retry_most=2000 * _MS,
)
_TURN_SECONDS: Final = 0.1


@click.command("shoe", short_help="Learn the codes of a deck by one pass.")
@click.option(
    "--profile",
    "base_name",
    required=True,
    metavar="NAME",
    help="Profile to start from (protocol, line): a shipped name or an absolute path.",
)
@click.option("--line", required=True, metavar="PATH", help="The shoe's port, as shoe.device.")
@click.option("--anew", is_flag=True, help="Forget the codes of the profile it starts from.")
@click.option(
    "--pattern", metavar="REGEX", help="Line mode: what the codes of this deck look like."
)
@click.option(
    "--patience",
    type=click.FloatRange(1, 3600),
    default=120.0,
    show_default=True,
    metavar="SECONDS",
    help="How long to wait for one card.",
)
@made_options
def command(
    base_name: str,
    line: str,
    anew: bool,
    pattern: str | None,
    patience: float,
    out: Path,
    who: str | None,
    device: str,
) -> None:
    """Learn the codes of a deck: pass its forty cards through the shoe in the order asked.

    The shoe daemon must be stopped: only one program can have the line.
    """
    base = _base(base_name, pattern)
    _check_line(line)
    known = {} if anew else base.cards
    codes = _learn(Pass(known), replace(base, cards={}), line, patience)
    who_made = who_or_login(who)

    def made_of(made: Made) -> bytes:
        when = datetime.fromtimestamp(made.utc / 1_000_000_000, UTC).isoformat(timespec="seconds")
        title = f"Number {made.number}, learned {when} by {who_made}; {device or line}"
        return profile_text(base, codes, title).encode()

    try:
        made = save(out, made_of, utc=time.time_ns(), who=who_made, device=device or line)
    except ProfileError as error:
        raise _refusal(f"The codes of this deck make no profile: {error}") from error
    click.echo(f"saved: {out}, number {made.number}; set shoe.profile to its absolute path")


def _base(name: str, pattern: str | None) -> Profile:
    base = load_profile(name)
    if pattern is None:
        return base
    try:
        re.compile(pattern)
    except re.error as error:
        raise _refusal(f"--pattern: not a regular expression ({error})") from error
    return replace(base, line=replace(base.line, pattern=pattern))


def _check_line(line: str) -> None:
    try:
        check_device(line)
    except ValueError as error:
        raise _refusal(f"--line: {error}") from error


def _learn(learning: Pass, profile: Profile, line: str, patience: float) -> dict[str, str]:
    clock = SystemClock()
    port = Port(partial(open_link, line, profile.baud), profile, _TIMING, clock)
    told = asked = ""
    deadline = clock.mono() + round(patience * 1000) * _MS
    try:
        while learning.asked is not None:
            if asked != learning.asked:
                asked = learning.asked
                click.echo(f"{len(learning.codes) + 1:2} of 40: pass the {asked}")
            ready, _, _ = select.select(port.fds(), [], [], _TURN_SECONDS)
            for draft in port.turn(set(ready)):
                heard = learning.hear(draft)
                if heard is not None:
                    click.echo(f"   {heard.sentence}")
                    deadline = clock.mono() + round(patience * 1000) * _MS
            port.answer()
            state = port.ladder.detail if port.ladder.rung not in OPEN_RUNGS else ""
            if state and state != told:
                click.echo(f"   {state}")
            told = state
            if clock.mono() > deadline:
                raise _given_up(learning, state)
    except KeyboardInterrupt as stop:
        raise _given_up(learning, "ended by hand") from stop
    finally:
        port.close()
    return learning.codes


def _given_up(learning: Pass, why: str) -> Refusal:
    missing = " ".join(learning.missing)
    return Refusal(
        f"Nothing is saved: no code is known for {missing}" + (f" ({why})" if why else ""),
        ExitCode.DEVICE,
    )


def _refusal(sentence: str) -> Refusal:
    return Refusal(sentence, ExitCode.CONFIGURATION)
