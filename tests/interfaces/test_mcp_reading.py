"""What a model is told of searching, and how it reads on."""

from __future__ import annotations

import pytest
from mcp import Client
from tests.behaviour.requirements import requirement
from tests.interfaces.test_mcp import ALL, QUOTE, told, written

from bethink.interfaces.mcp import build_server

pytestmark = pytest.mark.anyio


@requirement("A143", "A145")
async def test_a_search_takes_subjects_entities_hints_and_both_clocks_and_a_hint_leaves_nothing_out(client, ada):
    kept = await written(client)
    ada.forget(kept["id"], mode="stop")
    other = await written(client, content="Ada lives in Lisbon, above a bakery", attribute=None)
    asked = {"text": "Where does Ada live?", "subjects": ["Ada"], "entities": ["bakery"]}
    plain, hinted, before = [
        (await client.call_tool("memory_search", asked | more)).structured_content
        for more in ({}, {"type_hints": ["relationship"]}, {"known_at": "2020-01-01"})
    ]
    schema = next(tool for tool in (await client.list_tools()).tools if tool.name == "memory_search").input_schema

    assert other["id"] in [item["id"] for item in plain["items"]]
    assert kept["id"] not in [item["id"] for item in plain["items"]]
    assert [item["id"] for item in hinted["items"]] == [item["id"] for item in plain["items"]]
    assert before["items"] == []
    assert {"text", "subjects", "entities", "type_hints", "as_of", "known_at", "target"} <= set(schema["properties"])
    assert "types" not in schema["properties"]
    assert plain["trust"] == "memory"


@requirement("A144")
async def test_a_search_says_when_to_search_what_to_name_and_that_absence_is_not_knowing(client):
    told_model = next(tool for tool in (await client.list_tools()).tools if tool.name == "memory_search").description

    assert "before you ask the user to repeat" in told_model
    assert "Name the fact you need" in told_model
    assert "not unknown" in told_model


@requirement("A149", "A150")
async def test_episodes_are_read_as_a_step_of_their_own_as_data_of_memory_with_a_trace(ada, anyio_backend):
    async with Client(build_server(ada, version="0", tools="all"), raise_exceptions=True) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ALL
        answer = await client.call_tool("memory_recall_episodes", {"session": "talk"})
        unbounded = await client.call_tool("memory_recall_episodes", {"text": "bakery"})
        strange = await client.call_tool("memory_recall_episodes", {"session": "nobody's"})
    found = answer.structured_content

    assert [item["text"] for item in found["items"]] == [f"{QUOTE}, above a bakery."]
    assert told(answer) == found["rendered"]
    assert (found["trust"], found["more"]) == ("memory", False)
    assert ada.trace(found["trace_id"]).verification == "verified"
    assert unbounded.is_error
    assert "session, since or until" in told(unbounded)
    assert strange.structured_content["empty_reason"] == "no_turns"


@requirement("A153")
async def test_a_search_and_its_event_both_give_the_id_of_its_trace(client, ada):
    await written(client)
    found = (await client.call_tool("memory_search", {"text": "Where does Ada live?"})).structured_content
    event = ada.reads().reads[-1]

    assert (event.kind, event.id) == ("memory.read", found["trace_id"])
    assert ada.trace(found["trace_id"]).trace.query["text"] == event.query == "Where does Ada live?"
