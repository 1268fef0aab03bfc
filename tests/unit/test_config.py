"""What a table's configuration accepts, and how it names what it refuses."""

import os
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.runtime.config import (
    SOCKETS,
    Bus,
    Config,
    KeyFault,
    Table,
    load,
    located,
    parse,
)
from controller.runtime.exits import ExitCode, Refusal

EXAMPLE = Path(__file__).resolve().parents[2] / "systemd" / "table.example.toml"
LEAST = '[table]\nid = "t1"\nenvironment = "test"\n'


def refusal(text: str) -> str:
    with pytest.raises(Refusal) as caught:
        parse(text, "table.toml")
    assert caught.value.exit_code is ExitCode.CONFIGURATION
    return caught.value.message


def test_the_least_configuration_names_the_table_and_takes_every_default() -> None:
    assert parse(LEAST, "") == Config(table=Table(id="t1", environment="test"))


def test_the_example_holds_every_key_at_its_default_and_nothing_else() -> None:
    example = tomllib.loads(EXAMPLE.read_text())
    sections: dict[str, Any] = {field.name: field.type for field in msgspec.structs.fields(Config)}
    assert list(example) == list(sections)
    for name, section in sections.items():
        fields = msgspec.structs.fields(section)
        assert list(example[name]) == [field.name for field in fields], name
        for field in fields:
            if field.default is not msgspec.NODEFAULT:
                shown = example[name][field.name]
                default = [] if field.default == () else field.default
                assert (shown, type(shown)) == (default, type(default)), field.name


def test_the_example_is_accepted_and_explains_each_key() -> None:
    assert load(EXAMPLE).table.id == "table-1"
    lines = EXAMPLE.read_text().splitlines()
    bare = [
        line
        for before, line in pairwise(lines)
        if " = " in line and not line.startswith("#") and not before.startswith("#")
    ]
    # The four addresses share one explanation, above the first.
    assert bare == ['public = ""', 'ops = ""', 'requests = ""']


@pytest.mark.parametrize(
    ("more", "line", "key"),
    [
        ("[shoe]\nbaud = 9600\n", 5, "shoe.baud"),
        ("[kamera]\n", 4, "kamera"),
        ("\n# slow\n[times]\nbetting = 'x'\n", 7, "times.betting"),
        ("[times]\ngrace = 0.0\n", 5, "times.grace"),
        ("[times]\ngrace = -1.0\n", 5, "times.grace"),
        ("[times]\ndecision = nan\n", 5, "times.decision"),
        ("[times]\ndecision = inf\n", 5, "times.decision"),
        ("[times]\ndecision = 2.9\n", 5, "times.decision"),
        ("[times]\nresults = 5.0\nbetting = 1.0\n", 6, "times.betting"),
        ("[game]\nburn = 6\n", 5, "game.burn"),
        ("[game]\nburn = -1\n", 5, "game.burn"),
        ("[game]\nno_bets = 'wait'\n", 5, "game.no_bets"),
        ("[game]\nseats = 13\n", 5, "game.seats"),
        ("[game]\nvariants = ['joker']\n", 5, "game.variants[0]"),
        ("[game]\nwild_card = 'KS'\n", 5, "game.wild_card"),
        ("[game]\ndeck_out = 'shuffle'\n", 5, "game.deck_out"),
        ("[bus]\nheartbeat = 1.0\n", 5, "bus.heartbeat"),
        ("[bus]\ndirectory = 'run'\n", 5, "bus.directory"),
        ("[journal]\nlow_disk_mib = 0\n", 5, "journal.low_disk_mib"),
        ("[shoe]\nretry_most = 0.1\n", 5, "shoe.retry_most"),
        ("[shoe]\nsettle_ms = 0.3\n", 5, "shoe.settle_ms"),
        ("[camera]\nagree = 1\n", 5, "camera.agree"),
        ("[camera]\nretry_most = 0.1\n", 5, "camera.retry_most"),
        ("[camera]\ntable = 'table.json'\n", 5, "camera.table"),
        ("[display]\nhost = '0.0.0.0'\n", 5, "display.host"),
        ("[display]\nstale_after = 2.0\n", 5, "display.stale_after"),
        ("[display]\nstale_after = 0.9\n", 5, "display.stale_after"),
        ("[log]\nlevel = 'verbose'\n", 5, "log.level"),
        ("shoe.x = 1\n", 4, "table.shoe"),
    ],
)
def test_a_wrong_key_is_named_with_its_line(more: str, line: int, key: str) -> None:
    assert refusal(LEAST + more).startswith(f"table.toml, line {line}: {key}: ")


def test_a_missing_key_is_named_with_the_line_of_its_section() -> None:
    said = refusal('# mine\n[table]\nid = "t1"\n')
    assert said == "table.toml, line 2: table.environment: is required and missing"


def test_an_empty_file_is_told_what_it_lacks() -> None:
    assert refusal("") == "table.toml: table: is required and missing"


def test_what_is_not_toml_is_named_with_its_line() -> None:
    assert "line 4, column" in refusal(LEAST + "burn = = 1\n")


@pytest.mark.parametrize("name", ["", "a b", "a/b", "-a", "x" * 33])
def test_a_table_name_that_would_break_a_topic_is_refused(name: str) -> None:
    assert "line 2: table.id" in refusal(f'[table]\nid = "{name}"\nenvironment = "test"\n')


def test_a_file_that_is_not_there_is_a_refusal_that_says_where_to_start(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match=r"No such file.*--config.*table.example.toml"):
        load(tmp_path / "none.toml")


def test_a_file_that_is_not_text_is_a_refusal(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_bytes(b"[table]\nid = '\xff'\n")
    with pytest.raises(Refusal, match="not UTF-8"):
        load(tmp_path / "table.toml")


def test_sockets_are_files_in_the_directory_unless_told_otherwise() -> None:
    bus = Bus(directory="/tmp/x/", public="tcp://127.0.0.1:5556")
    assert [bus.url(name) for name in SOCKETS] == [
        "ipc:///tmp/x/readers",
        "tcp://127.0.0.1:5556",
        "ipc:///tmp/x/ops",
        "ipc:///tmp/x/requests",
    ]


@pytest.mark.parametrize(
    "url",
    [
        "tcp://0.0.0.0:5556",
        "tcp://*:5556",
        "tcp://192.168.1.4:5556",
        "tcp://localhost:5556",
        "tcp://127.0.0.1:5556@evil:1",
        "tcp://127.0.0.1.example:5556",
        "tcp://127.0.0.1",
        "tcp://127.0.0.1:0",
        "tcp://127.0.0.1:65536",
        "tcp://[::]:5556",
        "ipc://@abstract",
        "ipc://*",
        "ipc://relative",
        "inproc://x",
        "pgm://eth0;239.192.1.1:5555",
        "tcp://127.0.0.1:5556\\n",
    ],
)
def test_nothing_can_be_made_to_listen_beyond_loopback(url: str) -> None:
    assert "nothing listens beyond loopback" in refusal(f'{LEAST}[bus]\npublic = "{url}"\n')


@given(st.ip_addresses(), st.integers(1, 65535))
def test_no_address_but_loopback_is_ever_taken(address: Any, port: int) -> None:
    host = f"[{address}]" if address.version == 6 else str(address)
    if host not in ("127.0.0.1", "[::1]"):
        assert "refused" in refusal(f'{LEAST}[bus]\nops = "tcp://{host}:{port}"\n')


def test_two_sockets_at_one_address_are_refused() -> None:
    said = refusal(LEAST + '[bus]\npublic = "ipc:///a"\nops = "ipc:///a"\n')
    assert said.startswith("table.toml, line 6: bus.ops: has the same address as public")


@pytest.mark.parametrize("other", ["/run/x/./a", "/run/y/../x/a", "/run//x/a", "/run/x/a/"])
def test_two_names_of_one_socket_are_one_address(other: str) -> None:
    said = refusal(f'{LEAST}[bus]\npublic = "ipc:///run/x/a"\nops = "ipc://{other}"\n')
    assert "bus.ops: has the same address as public" in said


@pytest.mark.parametrize("key", ["bus.directory", "journal.directory", "shoe.spool", "shoe.device"])
@pytest.mark.parametrize("end", ["\\u0000", "\\n", "x\\u0000y"])
def test_a_path_that_no_file_can_have_is_refused(key: str, end: str) -> None:
    section, name = key.split(".")
    said = refusal(f'{LEAST}[{section}]\n{name} = "/tmp/a{end}"\n')
    assert said.startswith(f"table.toml, line 5: {key}: expected ")
    assert "control characters" in said


def test_a_name_does_not_end_in_a_line_break() -> None:
    assert "table.id: expected up to 32" in refusal('[table]\nid = "t1\\n"\nenvironment = "test"\n')


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = " + "[" * 100_000, "nested too deeply"),
        ("[journal]\nlow_disk_mib = 1" + "0" * 5000, "a number in it is too long"),
    ],
)
def test_toml_that_breaks_its_reader_is_refused(text: str, said: str) -> None:
    assert said in refusal(LEAST + text)


def test_the_mark_that_some_editors_put_before_a_text_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_bytes(b"\xef\xbb\xbf" + LEAST.encode())
    assert load(path).table.id == "t1"
    assert "line 2: table.id: no" in located(KeyFault("table.id", "no"), path).message


def test_a_configuration_that_is_no_file_or_without_end_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for place in (tmp_path / "pipe", tmp_path, Path("/dev/zero")):
        with pytest.raises(Refusal, match="it is no file; name one with --config"):
            load(place)
    (tmp_path / "long.toml").write_text(LEAST + "#" * (1 << 20))
    with pytest.raises(Refusal, match="longer than 1048576 bytes"):
        load(tmp_path / "long.toml")


def test_a_directory_too_deep_for_a_socket_is_refused_before_bind() -> None:
    deep = "/" + "d" * 100
    assert "longer than 107 bytes" in refusal(f'{LEAST}[bus]\ndirectory = "{deep}"\n')


ID, TEST = 'id = "t1"\n', 'environment = "test"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('id = "t 1"\n' + TEST, "line 2: table.id: expected up to 32 letters"),
        ('id = "t1"\nenvironment = "prod"', "line 3: table.environment: 'prod' is not one of"),
        (ID + TEST + "[times]\ngrace = 0", "line 5: times.grace: expected a number above 0"),
        (ID + TEST + "[bus]\ndirectory = 3", "line 5: bus.directory: expected a text in quotes"),
    ],
)
def test_a_refusal_says_where_and_what_in_words(text: str, said: str) -> None:
    with pytest.raises(Refusal) as refused:
        parse(f"[table]\n{text}\n", "table.toml")
    assert said in refused.value.message
    assert "`" not in refused.value.message
    assert "regex" not in refused.value.message


def test_a_fault_that_only_a_keys_owner_sees_has_its_line_too(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text('[table]\nid = "t1"\nenvironment = "test"\n[shoe]\nprofile = "x"\n')
    refusal = located(KeyFault("shoe.profile", "there is none such"), path)
    assert refusal.message == f"{path}, line 5: shoe.profile: there is none such"
    assert refusal.exit_code == ExitCode.CONFIGURATION
