"""What is written before a simulated table starts: its directory and its table.toml.

Timers are the live table's divided by the speed, but never so short that a busy
machine cannot keep them. The bus goes to a short directory of its own: a unix
socket's path has room for about a hundred characters.
"""

import shutil
import tempfile
from pathlib import Path
from typing import Final, Literal

import msgspec

from controller.contract.seats import Variant
from controller.opening import dealt
from controller.rules import live, traditional
from controller.runtime.config import Bus as BusConfig
from controller.runtime.config import Config, Game, Journal, Log, Times, load
from controller.runtime.config import Display as DisplayConfig
from controller.runtime.config import Shoe as ShoeConfig
from controller.runtime.config import Table as TableConfig
from drivers.shoe.profile import Protocol

_LEAST_WINDOW: Final = 0.05
_LEAST_GRACE: Final = 0.5
"""A game server on a busy machine needs as long; a full count closes the window sooner."""
_LEAST_QUIET_MS: Final = 60
_LEAST_SETTLE_MS: Final = 50


class Wishes(msgspec.Struct, frozen=True, kw_only=True):
    """What `python -m simulators` was asked for."""

    rounds: int | None
    speed: float
    seed: int
    burn: int
    players: int
    directory: Path
    display: bool
    port: int
    protocol: Protocol
    faults: tuple[str, ...]
    dealer: bool = True
    """A simulated one; else a person deals, with the screen and the terminal's Enter."""
    server: bool = True
    """A simulated one; else any that connects."""
    game: str = live.NAME
    seats: int = 5
    variants: tuple[Variant, ...] = ()
    bank: Literal["fixed", "passing"] = "passing"


class Place:
    """The table's files: everything in `directory` stays, the bus does not."""

    def __init__(self, wishes: Wishes) -> None:
        self.directory = wishes.directory.absolute()
        self.directory.mkdir(parents=True, exist_ok=True)
        self.bus = Path(tempfile.mkdtemp(prefix="mazziere-"))
        self.link = self.directory / "shoe"
        self.journal = self.directory / "journal"
        self.toml = self.directory / "table.toml"
        for needed in (self.journal, self.directory / "spool"):
            needed.mkdir(mode=0o700, exist_ok=True)
        self.config = configuration(wishes, self)
        dealt(self.config)
        self.toml.write_text(as_toml(self.config), encoding="utf-8")
        load(self.toml)

    def log(self, name: str) -> Path:
        return self.directory / f"{name}.log"

    def remove_bus(self) -> None:
        shutil.rmtree(self.bus, ignore_errors=True)


def configuration(wishes: Wishes, place: Place) -> Config:
    live = Config(table=TableConfig(id="table-1", environment="training"))
    return Config(
        table=live.table,
        game=_game(wishes),
        times=_times(live.times, wishes.speed),
        bus=BusConfig(directory=str(place.bus)),
        journal=Journal(directory=str(place.journal), low_disk_mib=1),
        shoe=_shoe(live.shoe, wishes, place),
        display=DisplayConfig(port=wishes.port),
        log=Log(format="json"),
    )


def _game(wishes: Wishes) -> Game:
    """A table with many seats may run out of cards, and says what happens then."""
    if wishes.game != traditional.NAME:
        return Game(name=wishes.game, burn=wishes.burn)
    return Game(
        name=wishes.game,
        burn=wishes.burn,
        seats=wishes.seats,
        variants=wishes.variants,
        bank=wishes.bank,
        deck_out="void",
    )


def as_toml(config: Config) -> str:
    """Sections of plain keys; a JSON string, number or truth is one in TOML, too."""
    sections: dict[str, dict[str, object]] = msgspec.to_builtins(config)
    return "\n".join(
        f"[{name}]\n"
        + "".join(f"{key} = {msgspec.json.encode(value).decode()}\n" for key, value in keys.items())
        for name, keys in sections.items()
    )


def _times(live: Times, speed: float) -> Times:
    resume = max(live.resume_at_least / speed, _LEAST_WINDOW)
    return Times(
        betting=max(live.betting / speed, resume),
        decision=max(live.decision / speed, resume),
        grace=max(live.grace / speed, _LEAST_GRACE),
        results=max(live.results / speed, _LEAST_WINDOW),
        resume_at_least=resume,
    )


def _shoe(live: ShoeConfig, wishes: Wishes, place: Place) -> ShoeConfig:
    return ShoeConfig(
        device=str(place.link),
        profile=wishes.protocol,
        spool=str(place.directory / "spool"),
        settle_ms=max(round(live.settle_ms / wishes.speed), _LEAST_SETTLE_MS),
        repeat_window_ms=live.repeat_window_ms,
        quiet_ms=max(round(live.quiet_ms / wishes.speed), _LEAST_QUIET_MS),
        retry_first=0.1,
        retry_most=0.5,
    )
