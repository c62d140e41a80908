"""A session is read by a model behind an OpenAI-compatible address on this machine, from the wire to the record."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from tests.behaviour.requirements import requirement
from tests.databases import Place

import bethink

pytest.importorskip("openai")
pytestmark = pytest.mark.usefixtures("own_loop")

SAID = ("I live in Porto now.", "My sister Ada paints ships.", "What is the tallest ship?")
NOTE = {"content": "The user lives in Porto.", "quote": "I live in Porto now", "turn": 0, "type": "user_attribute"}
INVENTED = {"content": "The user owns a boat.", "quote": "I own a boat", "turn": 0, "type": "fact"}


class StandIn(BaseHTTPRequestHandler):
    """Answers as a chat model that calls the one tool it was given: it notes two things, and accepts what it noted."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.asked.append((self.path, asked))  # type: ignore[attr-defined] # the fixture's list
        (tool,) = asked["tools"]
        reading = "notes" in tool["function"]["parameters"]["properties"]
        answer: dict[str, Any] = (
            {"notes": [NOTE, INVENTED], "summary": None} if reading else {"rulings": [{"place": 0, "ruling": "accept"}]}
        )
        call = {"name": tool["function"]["name"], "arguments": json.dumps(answer)}
        message = {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "call-1", "type": "function", "function": call}],
        }
        body = {
            "id": "answer-1",
            "object": "chat.completion",
            "created": 1,
            "model": asked["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }
        told = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture
def server(monkeypatch) -> Iterator[ThreadingHTTPServer]:
    """A server on a free port, named as a host would name a local one."""
    made = ThreadingHTTPServer(("127.0.0.1", 0), StandIn)
    made.asked = []  # type: ignore[attr-defined] # what it was asked
    thread = threading.Thread(target=made.serve_forever)
    thread.start()
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{made.server_port}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    yield made
    made.shutdown()
    thread.join()
    made.server_close()


def extracted(place: Place, model: str) -> tuple[bethink.ExtractResult, list[bethink.Record]]:
    """What reading one session gave, and its records."""
    with bethink.open(place, embedder="none", formation__extractor="model", formation__model=model) as memory:
        maya = memory.bind("maya", agent="aria", voice="user")
        with maya.session("talk") as talk:
            for text in SAID:
                talk.turn(text)
        result = maya.extract("talk")
        found = [maya.get(one.id).record for one in result.beliefs if one.id]
        return result, [record for record in found if record is not None]


def quoted(record: bethink.Record) -> str:
    """The words that a record rests on."""
    evidence = record.content.source.evidence
    return "" if evidence is None else evidence.quote


@requirement("E34")
def test_a_local_server_reads_a_session_and_what_it_made_up_is_left_out(server, new_place):
    result, records = extracted(new_place(), "openai-chat:stand-in")

    assert (result.outcome, result.dropped) == ("stored", {"quote_not_found": 1})
    assert [(record.content.text, quoted(record)) for record in records] == [(NOTE["content"], NOTE["quote"])]
    paths = [path for path, _ in server.asked]
    assert paths == ["/v1/chat/completions"] * 2
    assert SAID[0] in json.dumps(server.asked[0][1])


@pytest.mark.skipif("TEST_MODEL" not in os.environ, reason="TEST_MODEL names no model behind OPENAI_BASE_URL")
def test_a_real_local_model_gives_nothing_that_was_not_said(new_place):
    result, records = extracted(new_place(), f"openai-chat:{os.environ['TEST_MODEL']}")

    assert result.outcome in {"stored", "nothing_to_store"}
    for record in records:
        assert quoted(record)
        assert any(quoted(record) in text for text in SAID)
