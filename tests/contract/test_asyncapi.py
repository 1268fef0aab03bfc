"""The AsyncAPI document: it is the one the structs give, whole, and speaks of the real bus."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from controller.contract.asyncapi import document, text
from controller.contract.commands import Do
from controller.contract.facts import AnyFact
from controller.contract.readings import FromReader, ToReader
from controller.contract.wire import BEAT_TOPIC, FACT_TOPIC, Request, Said

KEPT = Path(__file__).parents[2] / "asyncapi.json"


def walk(node: object) -> Iterator[dict[str, Any]]:
    """Every object of the document."""
    if isinstance(node, dict):
        yield node
        for inner in node.values():
            yield from walk(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from walk(inner)


def look_up(doc: dict[str, Any], ref: str) -> Any:
    place: Any = doc
    for step in ref.removeprefix("#/").split("/"):
        place = place[step]
    return place


def tag_of(kind: type) -> str:
    return str(kind.__struct_config__.tag)  # type: ignore[attr-defined]


def test_the_kept_document_is_the_one_the_contract_gives() -> None:
    make_it = "python -m controller.contract.asyncapi > asyncapi.json"
    assert KEPT.read_bytes() == text(), f"asyncapi.json is not of this contract: {make_it}"


def test_the_document_has_what_asyncapi_3_requires() -> None:
    doc = document()
    assert doc["asyncapi"].startswith("3.")
    assert doc["info"]["title"]
    assert doc["info"]["version"]
    for channel in doc["channels"].values():
        assert channel["messages"]
    for operation in doc["operations"].values():
        assert operation["action"] in {"send", "receive"}


def test_no_discriminator_is_left_since_asyncapi_means_another_thing_by_it() -> None:
    assert not [node for node in walk(document()) if "discriminator" in node]


def test_every_reference_leads_somewhere() -> None:
    doc = document()
    refs = [node["$ref"] for node in walk(doc) if "$ref" in node]
    assert len(refs) > 100
    for ref in refs:
        assert look_up(doc, ref)


def test_an_operation_names_messages_of_its_own_channel() -> None:
    """AsyncAPI 3 asks for it, for replies too."""
    for operation in document()["operations"].values():
        for place in filter(None, (operation, operation.get("reply"))):
            prefix = place["channel"]["$ref"] + "/messages/"
            assert all(message["$ref"].startswith(prefix) for message in place["messages"])


def test_the_channels_are_the_sockets_of_the_bus() -> None:
    assert set(document()["channels"]) == {"readers", "public", "ops", "requests"}


@pytest.mark.parametrize("union", [Said, Request, FromReader, ToReader])
def test_everything_that_travels_is_a_message_that_explains_itself(union: object) -> None:
    messages = document()["components"]["messages"]
    for kind in get_args(union):
        assert messages[kind.__name__]["summary"]


@pytest.mark.parametrize(("union", "field"), [(AnyFact, "fact"), (Do, "do")])
def test_every_fact_and_every_command_has_its_schema(union: object, field: str) -> None:
    schemas = document()["components"]["schemas"]
    for kind in get_args(union):
        assert schemas[kind.__name__]["properties"][field]["enum"] == [tag_of(kind)]
        assert schemas[kind.__name__]["description"]


def test_topics_are_those_of_the_wire() -> None:
    topics = {node["x-topic"] for node in walk(document()) if "x-topic" in node}
    assert topics == {FACT_TOPIC.decode(), BEAT_TOPIC.decode()}
