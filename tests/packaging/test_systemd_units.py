"""The unit files against the program and against systemd's own judges."""

import re
import shlex
import shutil
import subprocess
from importlib.metadata import entry_points
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "systemd"
SERVICES = sorted(FOLDER.glob("*.service"))
IN_REAL_TIME = {"mazziere-controller.service", "mazziere-shoe.service"}

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed"
)
each_service = pytest.mark.parametrize("service", SERVICES, ids=lambda path: path.stem)


class Unit:
    """A unit file as section → key → all its values."""

    def __init__(self, path: Path) -> None:
        self._values: dict[tuple[str, str], list[str]] = {}
        section = ""
        for line in path.read_text().splitlines():
            if line.startswith("["):
                section = line.strip("[]")
            elif "=" in line and not line.startswith("#"):
                key, _, value = line.partition("=")
                self._values.setdefault((section, key), []).append(value)
        self.text = path.read_text()

    def one(self, section: str, key: str) -> str:
        (value,) = self._values[section, key]
        return value

    def all(self, section: str, key: str) -> list[str]:
        return self._values.get((section, key), [])


def stand_ins(folder: Path) -> list[str]:
    """Copies whose program exists on this machine, for judges that look for it."""
    for path in [*SERVICES, *FOLDER.glob("*.target")]:
        text = path.read_text().replace("/opt/mazziere/bin/mazziere", "/bin/true")
        (folder / path.name).write_text(text)
    return [str(path) for path in sorted(folder.iterdir())]


def test_there_is_a_service_for_each_daemon_and_the_target_wants_all_but_the_camera() -> None:
    wanted = Unit(FOLDER / "mazziere.target").one("Unit", "Wants").split()
    # The controller does not listen to the camera yet: what it says would be a second card.
    assert sorted([*wanted, "mazziere-camera.service"]) == [path.name for path in SERVICES]
    assert {path.stem.removeprefix("mazziere-") for path in SERVICES} == {
        "controller",
        "shoe",
        "camera",
        "display",
    }


@each_service
def test_the_command_of_a_unit_is_one_that_mazziere_has(service: Path) -> None:
    program, command, option, config = shlex.split(Unit(service).one("Service", "ExecStart"))
    assert program == "/opt/mazziere/bin/mazziere"
    assert command == service.stem.removeprefix("mazziere-")
    assert command in entry_points(group="mazziere.commands").names
    assert (option, config) == ("--config", "/etc/mazziere/table.toml")


@each_service
def test_a_daemon_is_started_again_for_ever_and_without_a_storm(service: Path) -> None:
    unit = Unit(service)
    assert unit.one("Unit", "StartLimitIntervalSec") == "0"
    assert unit.one("Service", "Restart") == "always"
    assert unit.one("Service", "RestartSec") == "2"


@each_service
def test_a_daemon_reports_itself_ready_and_alive(service: Path) -> None:
    unit = Unit(service)
    assert unit.one("Service", "Type") == "notify"
    assert 2 <= int(unit.one("Service", "WatchdogSec")) <= 30


@each_service
def test_no_unit_depends_on_a_device_or_on_another_daemon(service: Path) -> None:
    unit = Unit(service)
    for key in ("BindsTo", "Requires", "Requisite", "ConditionPathExists"):
        assert unit.all("Unit", key) == []


@each_service
def test_no_sandbox_hides_what_a_daemon_needs(service: Path) -> None:
    unit = Unit(service)
    assert unit.all("Service", "ProcSubset") == [], "the boot's id is in /proc/sys"
    assert unit.all("Service", "ProtectClock") == [], "adjtimex is asked about the clock"
    assert unit.all("Service", "SystemCallFilter")[-1] == "adjtimex"
    groups = {"mazziere-shoe": "dialout", "mazziere-camera": "video"}
    if service.stem in groups:
        assert unit.one("Service", "PrivateDevices") == "no"
        assert unit.all("Service", "DeviceAllow") == [], "resolved at start, before the plug"
        assert unit.one("Service", "SupplementaryGroups") == groups[service.stem]


@each_service
def test_only_what_carries_a_card_runs_in_real_time_and_then_with_a_fuse(service: Path) -> None:
    unit = Unit(service)
    if service.name in IN_REAL_TIME:
        assert unit.one("Service", "CPUSchedulingPolicy") == "fifo"
        assert unit.one("Service", "CPUSchedulingPriority") == "20"
        assert unit.one("Service", "LimitRTTIME").endswith("s")
    else:
        assert unit.all("Service", "CPUSchedulingPolicy") == []
        assert int(unit.one("Service", "Nice")) > 0


@each_service
def test_a_core_dump_cannot_show_a_hidden_card(service: Path) -> None:
    assert Unit(service).one("Service", "LimitCORE") == "0"


@needs_systemd
def test_systemd_has_nothing_to_say_about_the_units(tmp_path: Path) -> None:
    """Any output is a fault: `verify` leaves with 0 on a key that it does not know."""
    run = subprocess.run(
        ["systemd-analyze", "verify", *stand_ins(tmp_path)], capture_output=True, text=True
    )
    assert (run.stdout + run.stderr, run.returncode) == ("", 0)


@needs_systemd
@each_service
def test_systemd_finds_the_daemon_well_shut_in(service: Path, tmp_path: Path) -> None:
    stand_ins(tmp_path)
    run = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", "--threshold=30", tmp_path / service.name],
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout[-300:] + run.stderr


@pytest.mark.skipif(shutil.which("systemd-sysusers") is None, reason="no systemd-sysusers")
def test_the_sysusers_file_makes_the_user_of_the_units(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    subprocess.run(
        ["systemd-sysusers", f"--root={tmp_path}", FOLDER / "mazziere.sysusers.conf"],
        check=True,
        capture_output=True,
    )
    users = {line.split(":")[0] for line in (tmp_path / "etc/passwd").read_text().splitlines()}
    assert users == {"mazziere"}
    assert {Unit(service).one("Service", "User") for service in SERVICES} == users


def test_the_udev_rule_gives_the_names_that_the_example_configuration_opens() -> None:
    rules = (FOLDER / "70-mazziere.rules").read_text()
    example = (FOLDER / "table.example.toml").read_text()
    links = re.findall(r'SYMLINK\+="([^"]+)"', rules)
    assert links == ["mazziere/shoe", "mazziere/camera"]
    for link in links:
        assert f'device = "/dev/{link}"' in example
    assert 'ENV{ID_MM_DEVICE_IGNORE}="1"' in rules
    assert 'ATTR{latency_timer}="1"' in rules
    assert 'ATTR{power/control}="on"' in rules


def test_each_line_of_the_udev_rules_parses() -> None:
    term = re.compile(r'[A-Z_]+(\{[\w/]+\})?(==|!=|=|\+=)"[^"]*"')
    lines = (FOLDER / "70-mazziere.rules").read_text().splitlines()
    for line in (line for line in lines if line and not line.startswith("#")):
        for part in line.split(", "):
            assert term.fullmatch(part), part
