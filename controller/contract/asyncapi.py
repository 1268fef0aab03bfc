"""The bus as an AsyncAPI 3 document, made from the structs, so that it cannot lie.

`python -m controller.contract.asyncapi` prints what is kept as `asyncapi.json`;
a test compares the two. Words come from the docstrings of the contract: to change
the document change those. The document speaks for the controller: it *sends*
facts and *receives* requests. AsyncAPI knows no ZeroMQ binding, so socket types
and topics are in `x-zeromq` and `x-topic`.
"""

import sys
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from controller.contract.commands import Command
from controller.contract.readings import Ack, Hello, ReaderStatus, Reading, ShoeOrder, Welcome
from controller.contract.wire import (
    BEAT_TOPIC,
    FACT_TOPIC,
    VERSION,
    AnswerMessage,
    Beat,
    FactMessage,
    GetReplay,
    GetSnapshot,
    Replay,
    Snapshot,
)

Json: TypeAlias = dict[str, Any]

_ABOUT: Final = """\
What the controller of one Sette e Mezzo table says and takes, as JSON over ZeroMQ.

Every message names its table, environment and epoch (a run of the controller; a \
client follows the highest it has heard). `seq` numbers facts, +1 each, over the \
whole life of the journal, and every fact goes to every audience, redacted where \
it must be: a hole is a loss. Subscribe first, ask for a snapshot, drop what is \
older, fill holes by replay. A beat twice a second tells the last seq; silence of \
1.5 s means that what is known may be old. Times are nanoseconds of the \
controller's CLOCK_MONOTONIC; a client gets its offset from `now`. The controller \
refuses unknown fields; clients ignore them within a major version.\
"""


class _Channel(NamedTuple):
    """One of the four sockets, all bound by the controller."""

    zeromq: str
    says: str
    messages: tuple[type, ...]


_PUBLISHED: Final = (FactMessage, Beat)
_CHANNELS: Final = {
    "public": _Channel(
        "XPUB",
        "Facts and beats for the game and streaming servers. Two frames: topic, JSON.",
        _PUBLISHED,
    ),
    "ops": _Channel(
        "XPUB",
        "Facts and beats for the dealer's display and tools. Two frames: topic, JSON.",
        _PUBLISHED,
    ),
    "requests": _Channel(
        "ROUTER",
        "Snapshot, replay and commands. A DEALER sends one frame and gets one frame; what is "
        "not of this contract is answered as a command that was refused as unreadable.",
        (GetSnapshot, GetReplay, Command, Snapshot, Replay, AnswerMessage),
    ),
    "readers": _Channel(
        "ROUTER",
        "Card readers: readings in, resent until they are acknowledged as durable.",
        (Hello, Reading, ReaderStatus, Ack, Welcome, ShoeOrder),
    ),
}
_REPLIES: Final[dict[type, type]] = {
    GetSnapshot: Snapshot,
    GetReplay: Replay,
    Command: AnswerMessage,
    Hello: Welcome,
    ReaderStatus: Welcome,
    Reading: Ack,
}
"""What the controller receives, and what it answers."""
_TOPICS: Final = {FactMessage: FACT_TOPIC.decode(), Beat: BEAT_TOPIC.decode()}


def document() -> Json:
    """The whole document, always the same for the same contract."""
    kinds = sorted({kind for channel in _CHANNELS.values() for kind in channel.messages}, key=_name)
    _, schemas = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Mazziere", "version": f"{VERSION}.0.0", "description": _ABOUT},
        "defaultContentType": "application/json",
        "channels": {name: _channel(name, channel) for name, channel in _CHANNELS.items()},
        "operations": _operations(),
        "components": {"messages": {_name(kind): _message(kind) for kind in kinds}}
        | {"schemas": _without_discriminators(schemas)},
    }


def text() -> bytes:
    """The document as it is kept in the repository."""
    return msgspec.json.format(msgspec.json.encode(document()), indent=2) + b"\n"


def _without_discriminators(node: Any) -> Any:
    """AsyncAPI's is not OpenAPI's; each tag's `enum` already tells the kinds apart."""
    if isinstance(node, dict):
        items = ((key, value) for key, value in node.items() if key != "discriminator")
        return {key: _without_discriminators(value) for key, value in items}
    if isinstance(node, list | tuple):
        return [_without_discriminators(inner) for inner in node]
    return node


def _name(kind: type) -> str:
    return kind.__name__


def _channel(name: str, channel: _Channel) -> Json:
    messages = {
        _name(kind): _ref(f"components/messages/{_name(kind)}") for kind in channel.messages
    }
    return {
        "address": name,
        "description": channel.says,
        "messages": messages,
        "x-zeromq": {"socket": channel.zeromq, "end": "bind"},
    }


def _message(kind: type) -> Json:
    summary = (kind.__doc__ or "").strip().partition("\n")[0]
    message: Json = {"name": _name(kind), "summary": summary}
    if kind in _TOPICS:
        message["x-topic"] = _TOPICS[kind]
    return message | {"payload": _ref(f"components/schemas/{_name(kind)}")}


def _operations() -> Json:
    """One operation for what is published on a socket, one for each thing that is received."""
    operations: Json = {}
    for name, channel in _CHANNELS.items():
        received = [kind for kind in channel.messages if kind in _REPLIES]
        sent = [kind for kind in channel.messages if kind not in _REPLIES]
        unasked = [kind for kind in sent if kind not in _REPLIES.values()]
        if unasked:
            operations[f"{name}_send"] = _operation("send", name, unasked)
        for kind in received:
            reply = {"reply": _place(name, [_REPLIES[kind]])}
            operations[f"{name}_{_name(kind)}"] = _operation("receive", name, [kind]) | reply
    return operations


def _operation(action: str, channel: str, kinds: list[type]) -> Json:
    return {"action": action} | _place(channel, kinds)


def _place(channel: str, kinds: list[type]) -> Json:
    messages = [_ref(f"channels/{channel}/messages/{_name(kind)}") for kind in kinds]
    return {"channel": _ref(f"channels/{channel}"), "messages": messages}


def _ref(path: str) -> Json:
    return {"$ref": f"#/{path}"}


if __name__ == "__main__":
    sys.stdout.buffer.write(text())
