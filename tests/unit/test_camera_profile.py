"""A deck's profile: kept whole, and refused when it is not one."""

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from drawn_deck import picture, profile

from controller.runtime.exits import ExitCode, Refusal
from drivers.camera.profile import About, ProfileError, decoded, encoded
from drivers.camera.profile_file import load_profile, save_profile
from drivers.camera.recognise import recognise
from simulators.deck_art import deck as art


def parts() -> dict[str, Any]:
    return dict(np.load(io.BytesIO(encoded(profile()))))


def packed(arrays: dict[str, Any]) -> bytes:
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def described(**changes: Any) -> bytes:
    about = msgspec.to_builtins(profile().about) | changes
    return packed(parts() | {"about": np.frombuffer(msgspec.json.encode(about), np.uint8)})


def test_a_profile_reads_the_same_after_it_was_kept(tmp_path: Path) -> None:
    path = tmp_path / "deck.npz"
    save_profile(path, profile())
    image, _ = picture([art.face("7D")], 1)
    assert [one.card for one in recognise(image, load_profile(path))] == ["7D"]
    assert [entry.name for entry in tmp_path.iterdir()] == ["deck.npz"]


MALFORMED = {
    "empty": lambda: b"",
    "text": lambda: b"forty cards",
    "cut off": lambda: encoded(profile())[:-2000],
    "another version": lambda: described(version=2),
    "an unknown key": lambda: described(colour="blue"),
    "not accepted": lambda: described(accepted=False),
    "a face too few": lambda: described(faces=profile().about.faces[1:]),
    "a code of no card": lambda: described(printed_codes={"x": "8D"}),
    "a part missing": lambda: packed({k: v for k, v in parts().items() if k != "mean"}),
    "a part too many": lambda: packed(parts() | {"more": np.zeros(1)}),
    "a wrong shape": lambda: packed(parts() | {"mean": np.zeros(7, np.float32)}),
    "a wrong kind": lambda: packed(parts() | {"faces": parts()["faces"].astype(np.float32)}),
    "not a number": lambda: packed(parts() | {"mean": np.full_like(parts()["mean"], np.nan)}),
    "a pickle": lambda: packed(parts() | {"mean": np.array([{}], object)}),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_profile_is_refused(name: str, tmp_path: Path) -> None:
    data = MALFORMED[name]()
    with pytest.raises(ProfileError):
        decoded(data)
    path = tmp_path / "deck.npz"
    path.write_bytes(data)
    with pytest.raises(Refusal) as refused:
        load_profile(path)
    assert refused.value.exit_code is ExitCode.CONFIGURATION
    assert str(path) in refused.value.message


def test_every_flipped_byte_is_refused_or_harmless() -> None:
    data = encoded(profile())
    rng = np.random.default_rng(1)
    for at in rng.integers(0, len(data), 60):
        damaged = data[:at] + bytes([data[at] ^ 0x40]) + data[at + 1 :]
        try:
            read = decoded(damaged)
        except ProfileError:
            continue
        assert read.about == profile().about


def test_a_profile_that_cannot_be_saved_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "deck.npz"
    with pytest.raises(Refusal, match="Cannot save"):
        save_profile(path, profile())
    kept = tmp_path / "deck.npz"
    save_profile(kept, profile())
    renamed = replace(profile(), about=msgspec.structs.replace(profile().about, name="other"))
    save_profile(kept, renamed)
    assert isinstance(load_profile(kept).about, About)
    assert load_profile(kept).about.name == "other"
