"""A real streaming replica on this machine: what may be read from it, and when the primary answers instead."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

import bethink
from bethink.errors import InvalidInput, NotFound
from bethink.memory import BoundMemory, Memory
from tests.postgres.cluster import Cluster, make_folder
from tests.postgres.server import FOLLOWED, Server
from tests.postgres.template import AGENT, OWNER, make_extensions, make_roles, make_template

CAUGHT_UP = """
do $$ begin
    while pg_last_wal_replay_lsn() < '{}'::pg_lsn loop perform pg_sleep(0.002); end loop;
end $$
"""

PAUSED = """
do $$ begin
    while pg_get_wal_replay_pause_state() <> 'paused' loop perform pg_sleep(0.002); end loop;
end $$
"""


@dataclass
class Pair:
    """A primary with the database `memory`, and its replica."""

    folder: Path
    primary: Server
    replica: Server

    @contextmanager
    def open(self, **settings: object) -> Iterator[Memory]:
        """The store as the app's login has it, its reads by way of the replica."""
        url = self.primary.url("memory", AGENT)
        with bethink.open(
            url, embedder=settings.pop("embedder", None), store__replica=self.replica.url("memory", AGENT), **settings
        ) as memory:
            yield memory

    def say(self, server: Server, statement: str) -> object:
        """Run a statement as an administrator."""
        with psycopg.connect(server.url("memory"), autocommit=True) as on:
            cursor = on.execute(statement)
            return cursor.fetchone()[0] if cursor.description else None

    def catch_up(self) -> None:
        """Wait until the replica holds all that the primary committed."""
        end = self.say(self.primary, "select pg_current_wal_lsn()")
        self.say(self.replica, CAUGHT_UP.format(end))

    @contextmanager
    def paused(self) -> Iterator[None]:
        """The replica plays nothing back meanwhile."""
        self.catch_up()
        self.say(self.replica, "select pg_wal_replay_pause()")
        # A pause is asked for; it holds once the process that plays back has seen it.
        self.say(self.replica, PAUSED)
        try:
            yield
        finally:
            self.say(self.replica, "select pg_wal_replay_resume()")


@pytest.fixture(scope="module")
def servers() -> Iterator[Pair]:
    folder = make_folder()
    pair = Pair(folder, Server(folder / "one", FOLLOWED), Server(folder / "two", FOLLOWED))
    try:
        pair.primary.make()
        pair.primary.start()
        make_roles(pair.primary.url("postgres"))
        with psycopg.connect(pair.primary.url("postgres"), autocommit=True) as on:
            on.execute(f"create database memory owner {OWNER}")
        make_extensions(pair.primary.url("memory"))
        make_template(pair.primary.url("memory", OWNER))
        pair.replica.follow(pair.primary)
        pair.replica.start()
        yield pair
    finally:
        pair.replica.remove()
        pair.primary.remove()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def pair(postgres: Cluster, servers: Pair) -> Pair:
    """The two servers, running, the replica with all the primary holds."""
    assert postgres  # where there are no servers' programs, this test is skipped as the others are
    if servers.replica.process is None or servers.replica.process.poll() is not None:
        servers.replica.start()
    servers.catch_up()
    return servers


def maya(memory: Memory, tenant: str) -> BoundMemory:
    return memory.bind("maya", "aria", tenant=tenant, voice="user")


def reads(memory: Memory) -> dict[str, int]:
    return memory.check().reads


def test_recall_get_and_episodes_are_answered_by_a_replica_that_has_caught_up(pair: Pair):
    with pair.open() as memory:
        mine = maya(memory, "calm")
        kept = mine.remember("The kiln is fired on Fridays")
        with mine.session("s1") as session:
            session.turn("We fire the kiln again tomorrow")
        pair.catch_up()
        before = reads(memory)

        assert "fired on Fridays" in mine.recall("When is the kiln fired?").rendered
        assert mine.get(kept.id).record.content.text == "The kiln is fired on Fridays"
        assert [turn.text for turn in mine.episodes(session="s1").turns] == ["We fire the kiln again tomorrow"]

        assert before["replica"] == 0
        assert reads(memory) == {**before, "replica": 3}


def test_what_was_just_written_is_read_wherever_the_replica_stands(pair: Pair):
    with pair.open() as memory:
        mine, other = maya(memory, "hasty"), maya(memory, "patient")
        old = other.remember("The glaze is cobalt")
        assert other.get(old.id).record
        with pair.paused():
            new = mine.remember("The kiln is broken")
            assert "kiln is broken" in mine.recall("What about the kiln?").rendered
            assert mine.get(new.id).record
            assert reads(memory)["behind"] == reads(memory)["primary"] >= 2

            count = reads(memory)["replica"]
            assert other.get(old.id).record
            assert reads(memory)["replica"] == count + 1

        pair.catch_up()
        count = reads(memory)["replica"]
        assert "kiln is broken" in mine.recall("What about the kiln?").rendered
        assert reads(memory)["replica"] == count + 1


def test_what_was_forgotten_or_erased_here_is_not_read_from_a_replica_that_still_has_it(pair: Pair):
    with pair.open() as memory:
        mine = maya(memory, "shy")
        hidden, gone = mine.remember("The safe opens with a song"), mine.remember("The spare key lies in the urn")
        pair.catch_up()
        mine.get(hidden.id)
        assert reads(memory)["replica"] == 1
        with pair.paused():
            mine.forget(hidden.id)
            mine.forget(gone.id, mode="erase")
            answer = mine.recall("What opens the safe, and where is the spare key?").rendered
            assert "song" not in answer
            assert "urn" not in answer
            with pytest.raises(NotFound):
                mine.get(gone.id)
        pair.catch_up()
        with pytest.raises(NotFound):
            mine.get(gone.id)


def test_vectors_that_were_stored_later_are_searched_by_the_next_recall(pair: Pair):
    with pair.open() as memory:
        kept = maya(memory, "dense").remember("The kiln is fired on Fridays")
    with pair.open(embedder="hash") as memory:
        mine = maya(memory, "dense")
        pair.catch_up()
        mine.get(kept.id)
        assert reads(memory)["replica"] == 1
        with pair.paused():
            assert memory.embed_pending().embedded >= 1
            mine.recall("kiln")
            assert reads(memory) == {"replica": 1, "primary": 1, "behind": 1, "away": 0}
        pair.catch_up()
        mine.recall("kiln")
        assert reads(memory)["replica"] == 2


def test_what_another_process_writes_is_seen_when_the_replica_has_it(pair: Pair):
    with pair.open() as memory, pair.open() as other:
        mine, theirs = maya(memory, "shared"), maya(other, "shared")
        mine.remember("The clay is red")
        pair.catch_up()
        assert "red" in mine.recall("red clay").rendered
        with pair.paused():
            theirs.remember("The clay is stored in the cellar")
            assert "cellar" not in mine.recall("clay cellar").rendered
        pair.catch_up()
        assert "cellar" in mine.recall("clay cellar").rendered


def test_a_replica_that_is_away_gives_way_to_the_primary_and_is_used_again(pair: Pair):
    with pair.open() as memory:
        mine = maya(memory, "steady")
        kept = mine.remember("The wheel turns left")
        pair.catch_up()
        assert mine.get(kept.id).record
        assert reads(memory)["replica"] == 1
        pair.replica.kill()
        assert mine.get(kept.id).record
        assert reads(memory) == {"replica": 1, "primary": 1, "behind": 0, "away": 1}
        with pair.open() as late:
            assert maya(late, "steady").get(kept.id).record
            assert reads(late)["away"] == 1

        pair.replica.start()
        for _ in range(2_000):
            assert mine.get(kept.id).record
            if reads(memory)["replica"] > 1:
                break
        assert reads(memory)["replica"] > 1


def test_a_server_that_does_not_follow_the_primary_is_refused(pair: Pair, postgres: Cluster):
    with postgres.lend() as name, pytest.raises(InvalidInput, match="does not follow"):
        bethink.open(pair.primary.url("memory", AGENT), embedder=None, store__replica=postgres.server.url(name, AGENT))


def test_a_replica_that_was_promoted_answers_nothing(pair: Pair):
    with pair.open() as memory:
        mine = maya(memory, "loyal")
        kept = mine.remember("The kiln is warm")
        pair.catch_up()
        assert mine.get(kept.id).record
        count = reads(memory)["replica"]
        pair.say(pair.replica, "select pg_promote()")
        assert mine.get(kept.id).record
        assert reads(memory)["replica"] == count
        assert reads(memory)["away"] == 1
