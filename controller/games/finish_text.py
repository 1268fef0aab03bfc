"""The record of a non-live finish in words, an entry at a time (`controller.games.finishing`)."""

from collections.abc import Iterator

from controller.contract.cards import points
from controller.games.finishing import Entry
from controller.games.vocabulary import Words

_MILLISECOND = 1_000_000


def text(words: Words, entry: Entry) -> Iterator[str]:
    say = words.finish
    match entry["type"]:
        case "opening":
            yield from _opening(say, entry)
        case "shuffle":
            yield say["shuffle"].format(n=len(entry["unseen"]), commitment=entry["commitment"])
        case "step":
            place = f"{say[entry['hand']]} {entry['card']}: " if "card" in entry else ""
            yield f"  {place}{entry['why']}"
        case "asked":
            yield say["asked"].format(
                hand=points(entry["half_points"]),
                position=" ".join(entry["position"]),
                dealer=" ".join(entry["dealer"]),
            )
        case "finished":
            yield say["finished"].format(returns=f"{entry['main_return']:g}")
            yield from _live(say, entry)
            yield say["decisions"].format(decisions=entry["decisions"] or "-")
            yield say["seed"].format(seed=entry["seed"])
        case _:
            yield str(entry["error"])


def _opening(say: dict[str, str], entry: Entry) -> Iterator[str]:
    clock = entry["clock"]
    moved = f"{clock['moved'] / _MILLISECOND:.1f} ms"
    yield say["moment"].format(**{key: entry[key] for key in ("round", "deck", "seq", "utc")})
    yield say["clock"].format(quality=clock["quality"] or "-", moved=moved)
    yield say["table"].format(
        position=" ".join(entry["position"]) or "-", dealer=" ".join(entry["dealer"]) or "-"
    )
    yield say["exposed"].format(n=len(entry["exposed"]), cards=" ".join(entry["exposed"]) or "-")
    yield entry["why"]
    for kind in ("not_carried", "missed"):
        if entry.get(kind):
            cards = (card.partition(" ") for card in entry[kind])
            named = (f"{say[hand]} {face}" for hand, _, face in cards)
            yield say[kind].format(cards=", ".join(named))


def _live(say: dict[str, str], entry: Entry) -> Iterator[str]:
    """What the live round says of the rest."""
    yield say["final" if entry["final"] else "not_final"]
    bets = entry["side_bets"]
    if bets is None:
        yield say["side_bets_open"]
    else:
        mdp = "-" if bets["mdp"] is None else bets["mdp"]
        yield say["side_bets"].format(pp=bets["pp"], mdp=mdp)
