"""A server killed under load loses nothing it acknowledged, and a repeated request says what became of the rest."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import psycopg
import pytest

import bethink
from bethink.domain.source import SourceKind
from bethink.errors import StoreError
from bethink.memory import Memory
from tests.postgres.cluster import Cluster, make_folder
from tests.postgres.server import DURABLE, Server

WRITERS, ROUNDS, PER_ROUND = 4, 2, 50
PATIENCE = 30


@dataclass
class Load:
    """What the writers asked for and what they were told, by idempotency key."""

    memory: Memory
    told: dict[str, str] = field(default_factory=dict)
    unknown: set[str] = field(default_factory=set)

    def write(self, key: str) -> bool:
        """Remember one thing under a key; whether it was acknowledged."""
        try:
            mine = self.memory.bind("maya", "aria", tenant=f"t{key[1]}", voice="user")
            answer = mine.remember(f"Number {key} is kept", source=SourceKind.SYSTEM, idempotency_key=key)
        except StoreError:
            self.unknown.add(key)
            return False
        self.told[key] = answer.id
        self.unknown.discard(key)
        return True


@pytest.fixture
def server(postgres: Cluster) -> Iterator[Server]:
    """A server of the test's own that keeps what it says it keeps."""
    assert postgres
    folder = make_folder()
    made = Server(folder / "server", DURABLE)
    made.make()
    made.start()
    with psycopg.connect(made.url("postgres"), autocommit=True) as on:
        on.execute("create database memory")
    yield made
    made.remove()
    shutil.rmtree(folder)


def kill_mid_load(load: Load, server: Server, number: int) -> None:
    """Several writers at once; the server is gone after a part of what they mean to write."""
    acknowledged = threading.Semaphore(0)

    def write(writer: int) -> None:
        for item in range(1_000):
            if not load.write(f"w{writer}-{number}-{item}"):
                return
            acknowledged.release()

    with ThreadPoolExecutor(WRITERS) as pool:
        done = [pool.submit(write, writer) for writer in range(WRITERS)]
        for _ in range(PER_ROUND):
            assert acknowledged.acquire(timeout=PATIENCE)
        server.kill()
        for writer in done:
            writer.result()


def test_no_acknowledged_write_is_lost_and_a_repeated_request_resolves_the_unknown_ones(server: Server):
    with bethink.open(server.url("memory"), embedder=None) as memory:
        load = Load(memory)
        for number in range(ROUNDS):
            kill_mid_load(load, server, number)
            server.start()
            assert 1 <= len(load.unknown) <= WRITERS
            kept = dict(load.told)
            for key in sorted(load.unknown):
                assert load.write(key)
            for key, item in kept.items():
                mine = memory.bind("maya", "aria", tenant=f"t{key[1]}")
                assert mine.get(item).record.content.text == f"Number {key} is kept"
                assert load.write(key)
            assert load.told | kept == load.told

        assert len(load.told) >= ROUNDS * PER_ROUND
        assert len(set(load.told.values())) == len(load.told)
        told = memory.check()
        assert told.findings == ()
        assert told.counts["records"] == len(load.told)
