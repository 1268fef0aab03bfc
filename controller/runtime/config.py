"""The configuration: one TOML file for all daemons of a table, checked before anything starts.

The structs below are the whole list of keys; an unknown one is refused. What
each means, its unit, default and reason stand in `systemd/table.example.toml`,
and a test holds that example against these structs: change both together.
Times are seconds as floats unless the name ends in `_ms`.
What is not here: what a profile or a game name stands for (its owner checks).
"""

import re
from os.path import normpath
from pathlib import Path
from typing import Annotated, Final, Literal, NoReturn, TypeAlias, get_args, get_type_hints

import msgspec
from msgspec import Meta

from controller.contract.seats import HouseRules, Variant
from controller.runtime.exits import ExitCode, Refusal
from controller.runtime.text_file import TextUnreadable, read_text
from controller.runtime.toml_lines import line_of

_ROOTED: Final = r"^/[^\x00-\x1f]*\Z"
_PLAIN: Final = r"^[^\x00-\x1f]*\Z"
_NAMED: Final = r"^[A-Za-z0-9][A-Za-z0-9_-]{0,31}\Z"

Seconds: TypeAlias = Annotated[float, Meta(gt=0, le=600)]
Milliseconds: TypeAlias = Annotated[int, Meta(ge=1, le=10_000)]
Mebibytes: TypeAlias = Annotated[int, Meta(ge=1, le=1_048_576)]
AbsolutePath: TypeAlias = Annotated[str, Meta(pattern=_ROOTED)]
Text: TypeAlias = Annotated[str, Meta(min_length=1, pattern=_PLAIN)]
Name: TypeAlias = Annotated[str, Meta(pattern=_NAMED)]
SocketName: TypeAlias = Literal["readers", "public", "ops", "requests"]

SOCKETS: Final[tuple[SocketName, ...]] = ("readers", "public", "ops", "requests")
_LOCAL_URL: Final = re.compile(
    r"ipc:///[^@*\x00-\x1f]+|tcp://(127\.0\.0\.1|\[::1\]):(?P<port>[1-9]\d{0,4})"
)
_LAST_PORT: Final = 65535
_WORDS: Final = {
    f"`str` matching regex {_ROOTED!r}": (
        "an absolute path, which begins with / and has no control characters"
    ),
    f"`str` matching regex {_PLAIN!r}": "text without control characters",
    f"`str` matching regex {_NAMED!r}": (
        "up to 32 letters without accents, digits, - or _, beginning with a letter or digit"
    ),
    "`str` of length >= 1": "some text",
    "`str`": "a text in quotes",
    "`float`": "a number",
    "`int`": "a whole number",
    "`object`": "a section in [brackets]",
    " >= ": " of at least ",
    " <= ": " of at most ",
    " > ": " above ",
    " < ": " below ",
}
_LONGEST_IPC_PATH: Final = 107
"""What fits in sockaddr_un; a longer one fails at bind with a riddle."""


def _wrong(key: str, what: str) -> NoReturn:
    """A fault of one key, in the form that `_locate` finds again."""
    raise ValueError(f"`{key}`: {what}")


def _check_url(name: SocketName, url: str) -> None:
    found = _LOCAL_URL.fullmatch(url)
    if not found or int(found["port"] or 1) > _LAST_PORT:
        _wrong(
            name,
            f"{url!r} is refused: nothing listens beyond loopback in this version; "
            "use ipc:///path, tcp://127.0.0.1:port or tcp://[::1]:port",
        )
    if len(url.removeprefix("ipc://").encode()) > _LONGEST_IPC_PATH:
        _wrong(name, f"the socket's path is longer than {_LONGEST_IPC_PATH} bytes: {url}")


class _Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What all sections share: frozen, and no key that we do not know."""


class Table(_Section, frozen=True):
    """Which table this is, and whether its cards count."""

    id: Name
    environment: Literal["live", "test", "training"]
    language: Literal["it", "en"] = "it"


class Game(_Section, frozen=True):
    """What is dealt; from `seats` on, of a game with seats."""

    name: Name = "live"
    burn: Annotated[int, Meta(ge=0, le=5)] = 0
    no_bets: Literal["deal", "skip"] = "deal"
    seats: Annotated[int, Meta(ge=2, le=12)] = 5
    bank_seat: Annotated[int, Meta(ge=1, le=12)] = 1
    bank: Literal["fixed", "passing"] = "fixed"
    variants: tuple[Variant, ...] = ()
    wild_card: Literal["KD", "QC"] = "KD"
    burn_rank: Literal["4", "3"] = "4"
    deck_out: Literal["", "void"] = ""
    stake_least: Annotated[int, Meta(ge=1, le=1_000_000_000)] = 100
    stake_most: Annotated[int, Meta(ge=1, le=1_000_000_000)] = 10_000

    def house(self) -> HouseRules:
        """The rules of the house, as the opening fact has them."""
        return HouseRules(
            seats=self.seats,
            bank_seat=self.bank_seat,
            bank=self.bank,
            variants=self.variants,
            wild_card=self.wild_card,
            burn_rank=self.burn_rank,
            deck_out=self.deck_out,
            stake_least=self.stake_least,
            stake_most=self.stake_most,
        )


class Times(_Section, frozen=True):
    """How long each window stays open, in seconds."""

    betting: Seconds = 15.0
    decision: Seconds = 8.0
    grace: Annotated[float, Meta(gt=0, le=30)] = 1.0
    results: Seconds = 5.0
    resume_at_least: Seconds = 3.0

    def __post_init__(self) -> None:
        for key, window in (("betting", self.betting), ("decision", self.decision)):
            if window < self.resume_at_least:
                _wrong(key, f"must be at least resume_at_least ({self.resume_at_least:g} s)")


class Bus(_Section, frozen=True):
    """Where the controller binds its four sockets; empty means a file in `directory`."""

    directory: AbsolutePath = "/run/mazziere"
    readers: str = ""
    public: str = ""
    ops: str = ""
    requests: str = ""
    heartbeat: Annotated[float, Meta(gt=0, le=0.75)] = 0.5

    def __post_init__(self) -> None:
        taken: dict[str, str] = {}
        for name in SOCKETS:
            url = self.url(name)
            _check_url(name, url)
            place = normpath(url.removeprefix("ipc://"))
            if place in taken:
                _wrong(name, f"has the same address as {taken[place]}; every socket needs its own")
            taken[place] = name

    def url(self, name: SocketName) -> str:
        configured: str = getattr(self, name)
        return configured or f"ipc://{self.directory.rstrip('/')}/{name}"


class Journal(_Section, frozen=True):
    """Where the truth is kept."""

    directory: AbsolutePath = "/var/lib/mazziere/journal"
    segment_mib: Annotated[int, Meta(ge=1, le=1024)] = 8
    low_disk_mib: Mebibytes = 200


class Shoe(_Section, frozen=True):
    """The card reader in the shoe and its line."""

    device: Text = "/dev/mazziere/shoe"
    profile: Text = "angel-eye"
    reader: Name = "shoe"
    spool: AbsolutePath = "/var/lib/mazziere/spool"
    settle_ms: Milliseconds = 300
    repeat_window_ms: Milliseconds = 150
    quiet_ms: Milliseconds = 300
    retry_first: Annotated[float, Meta(gt=0, le=60)] = 0.2
    retry_most: Annotated[float, Meta(gt=0, le=60)] = 5.0

    def __post_init__(self) -> None:
        if self.retry_most < self.retry_first:
            _wrong("retry_most", f"must be at least retry_first ({self.retry_first:g} s)")


class Camera(_Section, frozen=True):
    """The camera over the felt, what it reads with, and what it keeps."""

    device: Annotated[str, Meta(min_length=1)] = "/dev/mazziere/camera"
    width: Annotated[int, Meta(ge=320, le=4096)] = 1920
    height: Annotated[int, Meta(ge=240, le=2304)] = 1080
    fps: Annotated[float, Meta(ge=1, le=120)] = 30.0
    deck: AbsolutePath = "/var/lib/mazziere/profiles/deck.profile"
    table: AbsolutePath = "/var/lib/mazziere/profiles/table.json"
    reader: Name = "camera"
    spool: AbsolutePath = "/var/lib/mazziere/spool"
    stills: AbsolutePath = "/var/lib/mazziere/stills"
    keep_days: Annotated[int, Meta(ge=1, le=3650)] = 90
    keep_mib: Mebibytes = 8192
    agree: Annotated[int, Meta(ge=2, le=30)] = 3
    unsure_after: Annotated[float, Meta(gt=0, le=10)] = 1.0
    gone_after: Annotated[float, Meta(gt=0, le=10)] = 1.0
    max_age_ms: Milliseconds = 800
    open_within: Annotated[float, Meta(gt=0, le=60)] = 6.0
    blocked_after: Annotated[float, Meta(gt=0, le=60)] = 2.0
    retry_first: Annotated[float, Meta(gt=0, le=60)] = 0.5
    retry_most: Annotated[float, Meta(gt=0, le=60)] = 5.0

    def __post_init__(self) -> None:
        if self.retry_most < self.retry_first:
            _wrong("retry_most", f"must be at least retry_first ({self.retry_first:g} s)")


class Display(_Section, frozen=True):
    """The dealer's screen."""

    host: Literal["127.0.0.1", "::1"] = "127.0.0.1"
    port: Annotated[int, Meta(ge=1, le=_LAST_PORT)] = 8070
    stale_after: Annotated[float, Meta(gt=0, le=1.5)] = 1.5


class Log(_Section, frozen=True):
    """How much is logged, and in which shape."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: Literal["auto", "json", "console"] = "auto"


class Config(_Section, frozen=True):
    """Everything in table.toml."""

    table: Table
    game: Game = Game()
    times: Times = Times()
    bus: Bus = Bus()
    journal: Journal = Journal()
    shoe: Shoe = Shoe()
    camera: Camera = Camera()
    display: Display = Display()
    log: Log = Log()

    def __post_init__(self) -> None:
        if self.display.stale_after < 2 * self.bus.heartbeat:
            _wrong("display.stale_after", "must be at least two bus.heartbeat")


class KeyFault(Refusal):
    """What only the key's owner can tell is wrong; `located` says where it stands."""

    def __init__(self, key: str, what: str) -> None:
        self.key = key
        self.what = what
        super().__init__(f"{key}: {what}", ExitCode.CONFIGURATION)


def located(fault: KeyFault, path: Path) -> Refusal:
    """The fault with the file and the line of its key."""
    return _refusal(_at_line(read_text(path), str(path), fault.key, fault.what))


def load(path: Path) -> Config:
    """Read and check the file; every fault is a `Refusal` that names the key and the line."""
    try:
        text = read_text(path)
    except TextUnreadable as error:
        raise _refusal(
            f"Cannot read the configuration {path}: {error}; name one with --config, "
            "or start from systemd/table.example.toml"
        ) from error
    return parse(text, str(path))


def parse(text: str, source: str) -> Config:
    """As `load`, from a text; `source` is what the sentence calls it."""
    try:
        return msgspec.toml.decode(text, type=Config)
    except msgspec.ValidationError as error:
        raise _refusal(_locate(text, source, str(error))) from error
    except msgspec.DecodeError as error:
        raise _refusal(f"{source} is not TOML: {error}") from error
    except RecursionError as error:
        raise _refusal(f"{source} is refused: it is nested too deeply") from error
    except ValueError as error:  # of Python itself, about a number without end
        raise _refusal(f"{source} is refused: a number in it is too long") from error


def _locate(text: str, source: str, complaint: str) -> str:
    """`Expected … - at `$.times.grace`` → `table.toml, line 12: times.grace: expected …`."""
    what, _, place = complaint.partition(" - at `$")
    key = place.strip("`.")
    named = re.search(r"(?:unknown field |required field |^)`([\w.]+)`:? ?", what)
    if named:
        key = f"{key}.{named[1]}".strip(".")
    if "unknown field" in what:
        what = "there is no such key"
    elif "required field" in what:
        what = "is required and missing"
    elif named:
        what = what[named.end() :]
    elif refused := re.fullmatch(r"Invalid enum value ('.*')", what):
        what = f"{refused[1]} is not one of {', '.join(_values_of(key))}"
    return _at_line(text, source, key, _in_words(what))


def _at_line(text: str, source: str, key: str, what: str) -> str:
    line = line_of(text, key.partition("[")[0])
    where = f"{source}, line {line}" if line else source
    return f"{where}: {key}: {what[:1].lower()}{what[1:]}"


def _values_of(key: str) -> list[str]:
    """The values that the key of a section, or one of its list, may have, as they are written."""
    section, _, name = key.partition("[")[0].partition(".")
    kinds = get_args(get_type_hints(get_type_hints(Config)[section])[name])
    return [f'"{value}"' for value in (kinds[0] if "[" in key else kinds)]


def _in_words(what: str) -> str:
    """What the decoder says of a type or a bound, as a person would."""
    for technical, plain in _WORDS.items():
        what = what.replace(technical, plain)
    return what


def _refusal(message: str) -> Refusal:
    return Refusal(message, ExitCode.CONFIGURATION)
