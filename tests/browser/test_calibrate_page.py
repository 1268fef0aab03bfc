"""A technician calibrates the table in a real browser: pictures, clicks, a saved profile."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from controller.contract.readings import Region
from drivers.camera.calibrated import load_profile
from drivers.camera.table_profile import Felt, TableProfile
from tests.browser.kiosk import free_port
from tests.unit.seen_board import SIZE, STRAIGHT, seen_board

MAZZIERE = Path(sys.executable).with_name("mazziere")
PATIENCE = 20_000
CORNERS = {
    Region.POSITION: ((0.1, 0.5), (0.4, 0.5), (0.4, 0.9), (0.1, 0.9)),
    Region.DEALER: ((0.1, 0.1), (0.4, 0.1), (0.4, 0.4), (0.1, 0.4)),
    Region.BURN: ((0.5, 0.1), (0.6, 0.1), (0.6, 0.4), (0.5, 0.4)),
}


def show(file: Path, picture: np.ndarray) -> None:
    beside = file.with_name("next.png")
    cv2.imwrite(str(beside), picture)
    os.replace(beside, file)


@pytest.fixture
def calibration(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`mazziere calibrate table --live` before a picture file, and where its page is."""
    show(tmp_path / "view.png", seen_board((0, 0, 0), (0, 0, 700), STRAIGHT))
    port = free_port()
    process = subprocess.Popen(
        [
            *(MAZZIERE, "calibrate", "table", "--live", f"file://{tmp_path}/view.png"),
            *("--port", str(port), "--out", tmp_path / "table.json"),
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    url = f"http://127.0.0.1:{port}"
    assert url in process.stdout.readline()
    yield process, url
    process.kill()
    process.communicate()


def click(page: Page, corners: tuple[tuple[float, float], ...]) -> None:
    box = page.locator("#clicks").bounding_box()
    assert box is not None
    for x, y in corners:
        page.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])


def test_the_table_is_calibrated_by_clicks(
    context: BrowserContext, tmp_path: Path, calibration: tuple[subprocess.Popen[str], str]
) -> None:
    process, url = calibration
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(url)
    page.wait_for_selector("#picture[src^='blob:']")
    page.get_by_text("The board lies there").click()
    expect(page.locator("#sentence")).to_contain_text("off the felt", timeout=PATIENCE)
    show(tmp_path / "view.png", np.full((SIZE[1], SIZE[0], 3), (60, 100, 40), np.uint8))
    page.get_by_text("The felt is empty").click()
    for region, corners in CORNERS.items():
        button = page.get_by_text(f"That is {region}")
        expect(button).to_be_disabled(timeout=PATIENCE)
        click(page, corners)
        button.click()
    page.get_by_text("This table has no discard").click()
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#sentence")).to_contain_text("saved", timeout=PATIENCE)
    assert process.wait(30) == 0
    felt = Felt(load_profile(tmp_path / "table.json", TableProfile), *SIZE)
    for region, corners in CORNERS.items():
        middle = np.mean(corners, axis=0) * SIZE
        assert felt.region((float(middle[0]), float(middle[1]))) is region
