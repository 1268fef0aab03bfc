"""What is shipped to a table PC: the program, and nothing that could deal a simulated card."""

import configparser
import subprocess
import sys
import zipfile
from importlib import import_module
from pathlib import Path

import click
import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The wheel, built as the release does, without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    run = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    (built,) = folder.glob("mazziere-*.whl")
    return zipfile.ZipFile(built)


def test_the_wheel_holds_the_three_packages_and_no_simulator_and_no_test(
    wheel: zipfile.ZipFile,
) -> None:
    tops = {name.split("/")[0] for name in wheel.namelist()}
    info = {top for top in tops if top.endswith(".dist-info")}
    assert tops - info == {"controller", "drivers", "calibration"}
    assert len(info) == 1


def test_the_wheel_holds_every_file_of_its_packages_data_included(wheel: zipfile.ZipFile) -> None:
    tracked = subprocess.run(
        ["git", "ls-files", "controller", "drivers", "calibration"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if tracked.returncode != 0:
        pytest.skip("not a git clone")
    present = {name for name in tracked.stdout.splitlines() if (ROOT / name).is_file()}
    assert present <= set(wheel.namelist())


def test_the_wheel_holds_the_shipped_reader_profiles(wheel: zipfile.ZipFile) -> None:
    shipped = {path.name for path in (ROOT / "drivers/shoe").rglob("*.toml")}
    assert shipped
    held = [name for name in wheel.namelist() if name.startswith("drivers/shoe/")]
    assert shipped == {name.split("/")[-1] for name in held if name.endswith(".toml")}


def test_no_shipped_module_mentions_a_simulator_s_package(wheel: zipfile.ZipFile) -> None:
    for name in wheel.namelist():
        if name.endswith(".py"):
            text = wheel.read(name).decode()
            assert "import simulators" not in text, name
            assert "from simulators" not in text, name


def test_each_entry_point_of_the_wheel_is_a_command_that_lies_in_it(wheel: zipfile.ZipFile) -> None:
    (listing,) = (name for name in wheel.namelist() if name.endswith("entry_points.txt"))
    found = configparser.ConfigParser()
    found.read_string(wheel.read(listing).decode())
    targets = [found["console_scripts"]["mazziere"], *found["mazziere.commands"].values()]
    for target in targets:
        module, _, name = target.partition(":")
        path = module.replace(".", "/")
        assert {f"{path}.py", f"{path}/__init__.py"} & set(wheel.namelist()), target
        assert isinstance(getattr(import_module(module), name), click.Command), target
