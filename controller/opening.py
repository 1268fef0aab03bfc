"""What an epoch opens under: its name, and the hash of the rules and the configuration.

The hash covers the very source of the rules, so that no change of a rule can go
unnoticed by the game server, which must name it with its bets.
"""

import json
from collections.abc import Callable
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from typing import Final

import msgspec

from controller.contract.facts import EpochOpened
from controller.rules import live
from controller.rules.bound import most_cards
from controller.runtime.clock import Clock, boot_id
from controller.runtime.config import Config, KeyFault

_NS: Final = 1_000_000_000
_DEALT: Final = (live.NAME,)
"""The games that the table can deal; the others are there to be settled and proved."""


def opening(
    config: Config,
    clock: Clock,
    token: Callable[[], str],
    *,
    after: str,
    clock_quality: str,
    torn: str,
) -> EpochOpened:
    """The first fact of this run; `after` is the epoch before it, `token` makes names unique."""
    game, times = config.game, config.times
    if game.name not in _DEALT:
        what = f"{game.name!r} is no game that this table can deal: {', '.join(_DEALT)}"
        raise KeyFault("game.name", what)
    return EpochOpened(
        epoch=epoch_name(clock.utc(), token(), after=after),
        boot=boot_id(),
        version=version("mazziere"),
        rules=rules_hash(config),
        table=config.table.id,
        environment=config.table.environment,
        game=game.name,
        burn=game.burn,
        no_bets=game.no_bets,
        most_cards=most_cards(game.burn),
        betting=round(times.betting * _NS),
        decision=round(times.decision * _NS),
        grace=round(times.grace * _NS),
        results=round(times.results * _NS),
        resume_at_least=round(times.resume_at_least * _NS),
        clock=clock_quality,
        torn=torn,
    )


def epoch_name(utc: int, token: str, *, after: str) -> str:
    """Sorts after every epoch before it, even if the wall clock has gone back."""
    last_ms = int(after.split("-")[0]) if after else 0
    return f"{max(utc // 1_000_000, last_ms + 1):014d}-{token}"


def rules_hash(config: Config) -> str:
    """SHA-256 over the rules' source and everything configured that players could notice."""
    digest = sha256()
    for source in sorted(files("controller.rules").iterdir(), key=lambda file: file.name):
        if source.name.endswith(".py"):
            digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    configured = msgspec.to_builtins((config.game, config.times))
    digest.update(json.dumps(configured, sort_keys=True).encode())
    return digest.hexdigest()
