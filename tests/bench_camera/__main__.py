"""`make bench-camera`: how often the camera is right, unsure and wrong, and how fast.

For each enrolled deck: it reads itself, decks of its maker and of others, in
every kind of scene, and what is no card. Real decks take part where their
photographs are (`--cards`, ../shared/cards beside the repository if not given).
`--state FILE` keeps the counts, so that a long run can go on another day.
"""

import json
import time
from collections import Counter
from pathlib import Path

import click
import cv2
import numpy as np

from calibration.augment import varied
from calibration.deck import enrol
from calibration.enrolled import EnrolledFace
from controller.contract.cards import DECK
from drivers.camera.found import Found, Verdict
from drivers.camera.geometry import contains
from drivers.camera.locate import locate
from drivers.camera.profile import DeckProfile
from drivers.camera.recognise import judge_face, recognise
from drivers.camera.rectify import TARGET, ink
from simulators.felt_picture import Light, Lying, Shot, View, corners, taken
from tests.bench_camera.bench_decks import BenchDeck, all_decks
from tests.bench_camera.bench_scenes import NEGATIVE, WHOLE, shot_of, stand_ins, washed, worn
from tests.bench_camera.bench_tally import Tally, table

ROOT = Path(__file__).resolve().parents[2]


@click.command()
@click.option(
    "--cards",
    type=click.Path(path_type=Path),
    default=ROOT.parent / "shared" / "cards",
    help="Real decks.",
)
@click.option("--decks", default="", metavar="A,B", help="Only these decks, by name.")
@click.option("--quick", is_flag=True, help="Drawn decks only, few frames.")
@click.option(
    "--frames", default=6, show_default=True, help="Frames of each kind for each pair of decks."
)
@click.option(
    "--crops",
    default=100,
    show_default=True,
    help="Augmented flat faces of each card for each pair.",
)
@click.option("--seed", default=1, show_default=True)
@click.option(
    "--state", type=click.Path(path_type=Path), help="Counts are read from here and added to."
)
def main(
    cards: Path, decks: str, quick: bool, frames: int, crops: int, seed: int, state: Path | None
) -> None:
    cv2.setNumThreads(1)
    if not cards.is_dir() or quick:
        click.echo(f"Real decks are left out: {'--quick' if quick else f'{cards} is not there'}")
    taking_part = all_decks(None if quick else cards)
    if decks:
        taking_part = [deck for deck in taking_part if deck.name in decks.split(",")]
    frames, crops = (1, 4) if quick else (frames, crops)
    tallies, rng = _loaded(state), np.random.default_rng(seed)
    for enrolled in taking_part[:1] if quick else taking_part:
        profile = _enrolled(enrolled)
        for read in taking_part[:2] if quick else taking_part:
            _pair(profile, enrolled, read, frames, crops, tallies, rng)
            if state is not None:
                kept = {key: tally.counts for key, tally in tallies.items()}
                state.write_text(json.dumps(kept))
    click.echo(table(tallies))
    _speed(profile, taking_part[0], rng, 10 if quick else 60)


def _pair(
    profile: DeckProfile,
    enrolled: BenchDeck,
    read: BenchDeck,
    frames: int,
    crops: int,
    tallies: dict[str, Tally],
    rng: np.random.Generator,
) -> None:
    relation = "itself" if read is enrolled else "same maker"
    relation = relation if read.maker == enrolled.maker else "other maker"
    pair = f"{enrolled.kind} <- {read.kind}, {relation}"
    _crops(profile, read, crops, tallies.setdefault(f"{pair}: flat faces", Tally()), rng)
    for kind in WHOLE:
        _scenes(profile, read, kind, frames, tallies.setdefault(f"{pair}: {kind}", Tally()), rng)
    for kind in NEGATIVE if read is enrolled else ():
        tally = tallies.setdefault(f"no card: {kind}", Tally())
        _scenes(profile, read, kind, 2 * frames, tally, rng)


def _loaded(state: Path | None) -> dict[str, Tally]:
    if state is None or not state.exists():
        return {}
    return {key: Tally(Counter(counts)) for key, counts in json.loads(state.read_text()).items()}


def _enrolled(deck: BenchDeck) -> DeckProfile:
    began = time.perf_counter()
    enrolment = enrol(deck.pictures, deck.name)
    report = enrolment.report
    click.echo(
        f"enrolled {deck.name} in {time.perf_counter() - began:.1f} s: "
        f"own faces {report.read:.1%}, wrong {report.wrong}, "
        f"nearest {report.nearest} {report.likeness:.2f}, faults {len(report.faults)}"
    )
    return enrolment.profile


def _crops(
    profile: DeckProfile, read: BenchDeck, count: int, tally: Tally, rng: np.random.Generator
) -> None:
    """The recogniser alone: corners known to about a point, everything else varied hard."""
    for card, face in read.faces.items():
        height, width = face.shape[:2]
        whole = TARGET / TARGET.max(axis=0) * np.array([width, height], np.float32)
        enrolled = EnrolledFace(face, whole)
        for _ in range(count):
            printed = ink(varied(face, enrolled.corners, rng))
            turned = np.ascontiguousarray(printed[::-1, ::-1])
            best = max((printed, turned), key=lambda p: float(profile.discriminant.scores(p).max()))
            tally.add(card, judge_face(best, profile))


def _scenes(
    profile: DeckProfile,
    read: BenchDeck,
    kind: str,
    frames: int,
    tally: Tally,
    rng: np.random.Generator,
) -> None:
    for _ in range(frames):
        names = [str(c) for c in rng.choice(DECK, 8, replace=False)]
        own = kind in WHOLE or kind in ("hand", "half", "overlap", "washed")
        faces = [read.faces[c] for c in names] if own else stand_ins(kind, rng)
        if kind in ("worn", "washed"):
            faces = [(worn if kind == "worn" else washed)(face, rng) for face in faces]
        shot = shot_of(kind, faces, rng)
        _counted(
            shot, names if own else [None] * len(faces), recognise(taken(shot, rng), profile), tally
        )


def _counted(shot: Shot, names: list[str] | list[None], found: list[Found], tally: Tally) -> None:
    """Each card has the place whose middle lies on it; one read where none is, is wrong."""
    left = list(found)
    for lying, name in reversed(list(zip(shot.cards, names, strict=True))):
        outline = corners(lying, shot.view)
        here = [one for one in left if contains(outline, *one.corners.mean(axis=0).tolist())]
        best = next((one for one in here if one.verdict is Verdict.CARD), here[0] if here else None)
        left = [one for one in left if one is not best]
        tally.add(name, best)
    for one in left:
        if one.verdict is Verdict.CARD:
            tally.add(None, one)


def _speed(profile: DeckProfile, deck: BenchDeck, rng: np.random.Generator, frames: int) -> None:
    find, both = [], []
    for _ in range(frames):
        names = [str(c) for c in rng.choice(DECK, 2, replace=False)]
        cards = tuple(
            Lying(deck.faces[c], 80.0 * i - 40, 0, float(rng.uniform(0, 360)))
            for i, c in enumerate(names)
        )
        picture = taken(Shot(cards, View(tilt=float(rng.uniform(0, 30))), Light()), rng)
        began = time.perf_counter()
        locate(picture)
        find.append(time.perf_counter() - began)
        began = time.perf_counter()
        recognise(picture, profile)
        both.append(time.perf_counter() - began)
    p = np.percentile(np.array([find, both]) * 1000, [50, 99], axis=1)
    click.echo(
        f"1080p, two cards, one core: find p50 {p[0][0]:.1f} p99 {p[1][0]:.1f} ms; "
        f"all p50 {p[0][1]:.1f} p99 {p[1][1]:.1f} ms"
    )


if __name__ == "__main__":
    main()
