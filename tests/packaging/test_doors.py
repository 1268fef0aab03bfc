"""Doors that an import rule cannot see, because they are attributes of a module."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("controller", "drivers", "calibration", "simulators")


def users_of(attribute: str) -> Iterator[str]:
    """Modules of ours in which something is called by this name."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            tree = ast.parse(path.read_text())
            names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
            names |= {node.name for node in ast.walk(tree) if isinstance(node, ast.alias)}
            if attribute in names:
                yield str(path.relative_to(ROOT))


def test_video_capture_has_one_door() -> None:
    assert list(users_of("VideoCapture")) == ["drivers/camera/capture.py"]
