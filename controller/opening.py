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

from controller.contract.cards import DECK
from controller.contract.facts import EpochOpened
from controller.contract.seats import HouseRules
from controller.rules.catalogue import DEALT
from controller.runtime.clock import Clock, boot_id
from controller.runtime.config import Config, KeyFault

_NS: Final = 1_000_000_000


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
    most_cards, house = dealt(config)
    return EpochOpened(
        epoch=epoch_name(clock.utc(), token(), after=after),
        boot=boot_id(),
        version=version("mazziere"),
        rules=rules_hash(config),
        table=config.table.id,
        environment=config.table.environment,
        game=game.name,
        burn=game.burn,
        no_bets=game.no_bets if house is None else "skip",
        most_cards=most_cards,
        betting=round(times.betting * _NS),
        decision=round(times.decision * _NS),
        grace=round(times.grace * _NS),
        results=round(times.results * _NS),
        resume_at_least=round(times.resume_at_least * _NS),
        clock=clock_quality,
        torn=torn,
        house=house,
    )


def dealt(config: Config) -> tuple[int, HouseRules | None]:
    """The most cards of a round, and the house's rules where there are seats; or a refusal."""
    name = config.game.name
    if name not in DEALT:
        what = f"{name!r} is no game that this table can deal: {', '.join(DEALT)}"
        raise KeyFault("game.name", what)
    game = DEALT[name]
    house = config.game.house() if game.seated else None
    if complaint := game.complaint(config.game.burn, house):
        key, _, what = complaint.partition(": ")
        raise KeyFault(key, what)
    return min(game.most_cards(config.game.burn, house), len(DECK)), house


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
