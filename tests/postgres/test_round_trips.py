"""How often a call goes to the server and back, counted: a server that is 10 ms away costs that much each time."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

import bethink
from bethink.operations.sessions import TurnInput
from bethink.store.postgres_connection import PostgresConnection, _texts
from tests.postgres.cluster import Cluster
from tests.postgres.template import AGENT

MOST = {"recall": (14, 27), "get": (8, 14), "episodes": (4, 6), "remember": (24, 36)}
"""Round trips and statements a call takes at most; docs/scale.md tells them."""
WORDS = "kiln glaze oven clay wheel shelf bowl plate slip bisque cone flame".split()


@pytest.fixture
def trips(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The names of the queries that went to the server, one list for each time."""
    names = {text: name for name, text in _texts().items()}
    seen: list[list[str]] = []
    send = PostgresConnection._send

    def counted(self, statements):
        seen.append([names[text] for text, _ in (*self._posted, *statements)])
        return send(self, statements)

    monkeypatch.setattr(PostgresConnection, "_send", counted)
    return seen


@pytest.fixture
def maya(postgres: Cluster) -> Iterator[bethink.BoundMemory]:
    """A warm memory with a hundred turns and some beliefs, as the login that owns nothing."""
    with postgres.lend() as name, bethink.open(postgres.server.url(name, AGENT), embedder="hash") as memory:
        bound = memory.bind("maya", "aria", voice="user")
        with bound.session("s") as session:
            session.turns(
                [
                    TurnInput(f"The {WORDS[number % 12]} of Rosa is beside the {WORDS[number % 7]} number {number}")
                    for number in range(100)
                ]
            )
        for number in range(10):
            bound.remember(f"Rosa keeps the {WORDS[number]} in room {number}", subject="Rosa", attribute=f"a{number}")
        memory.embed_pending()
        for word in WORDS:
            bound.recall(f"Where does Rosa keep the {word}?")
        yield bound


def test_a_call_takes_no_more_round_trips_and_statements_than_are_told(maya, trips):
    item = maya.recall("Where does Rosa keep the clay?").items[0].id
    calls: dict[str, Callable[[], object]] = {
        "recall": lambda: maya.recall("Where does Rosa keep the kiln?"),
        "get": lambda: maya.get(item),
        "episodes": maya.episodes,
        "remember": lambda: maya.remember("Rosa sold the kiln", subject="Rosa", attribute="sold"),
    }
    for name, call in calls.items():
        call()
        asked = len(trips)
        call()
        taken = trips[asked:]
        trips_at_most, statements_at_most = MOST[name]
        assert len(taken) <= trips_at_most, (name, taken)
        assert sum(map(len, taken)) <= statements_at_most, (name, taken)
    assert not any(len(trip) == 1 and trip[0].startswith("limit_") for trip in trips)


def test_a_search_asks_once_where_its_tenant_stands_and_who_made_its_words(maya, trips):
    maya.recall("Where does Rosa keep the kiln?")

    assert trips[0] == ["begin_read", "open_transaction", "read_standing"]
    assert not {"read_tenant", "read_meta"} & {name for trip in trips for name in trip}
