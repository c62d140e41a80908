"""A server that was away is used again as soon as it is back."""

from __future__ import annotations

import shutil

import psycopg
import pytest

import bethink
from bethink.errors import StoreError
from tests.postgres.cluster import make_folder
from tests.postgres.server import DURABLE, Server


def test_a_server_that_was_away_answers_the_first_call_after_it_is_back(postgres):
    assert postgres
    folder = make_folder()
    server = Server(folder / "server", DURABLE)
    server.make()
    server.start()
    with psycopg.connect(server.url("postgres"), autocommit=True) as on:
        on.execute("create database memory")
    with bethink.open(server.url("memory"), embedder=None, store__pool_min=3, store__lock_timeout_ms=5_000) as memory:
        kept = memory.bind("maya", "aria", voice="user").remember("The kiln is hot")
        server.kill()
        with pytest.raises(StoreError):
            memory.grant("maya", "other", "user:maya")
        server.start()
        assert memory.bind("maya", "aria").get(kept.id).record.content.text == "The kiln is hot"
    server.remove()
    shutil.rmtree(folder)
