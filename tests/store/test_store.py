"""The store as a whole: positions, recorded time, all or nothing, snapshots, grants, answers, spaces."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from bethink.domain.entity import Entity
from bethink.domain.query import FieldWeights, Query
from bethink.domain.record import Status
from bethink.domain.scope import Caller, Grant, Principal, Scope, ScopeKind
from bethink.errors import EmbeddingMismatch, InvalidInput, StoreError
from bethink.ports.embedder import EmbedSpec
from tests.behaviour.requirements import requirement
from tests.databases import rows_of
from tests.store.things import ANN, BOB, TENANT, Things, content, new_record

SPEC = EmbedSpec("fake", "small", "1", None, "float32", 4, 64, "mean", True, "", "", "v1")
OTHER = replace(SPEC, model="large")
CANARY = np.eye(4, dtype=np.float32)[:2]


@requirement("E15")
def test_every_write_moves_the_position_and_recorded_time_never_runs_back(things):
    first = things.remember("one")
    things.clock.set(things.clock.now() - timedelta(days=30))
    second = things.remember("two")

    assert second.key > first.key
    assert second.recorded_at == first.recorded_at + timedelta(microseconds=1)
    with things.store.snapshot(TENANT) as snapshot:
        assert snapshot.position > second.key
        assert snapshot.latest == second.recorded_at
    with things.store.snapshot("nobody") as snapshot:
        assert (snapshot.position, snapshot.latest) == (0, None)


def test_a_write_that_wrote_nothing_leaves_no_mark(things):
    things.remember("one")
    with things.store.snapshot(TENANT) as before, things.store.write(TENANT):
        pass

    with things.store.snapshot(TENANT) as after:
        assert (after.position, after.latest) == (before.position, before.latest)


def test_a_write_that_fails_leaves_nothing(things):
    def fail():
        with things.work() as work:
            at = work.recorded_at
            work.records.add(new_record("r1", content("one"), at), at)
            work.event("record.added", "r1", {})
            work.entities.add(Entity("e1", "person", "Ann", ANN), at)
            raise KeyError

    with pytest.raises(KeyError):
        fail()

    with things.store.snapshot(TENANT) as snapshot:
        assert snapshot.position == 0
        assert snapshot.records.get(things.fence(), ["r1"]) == ()
    with things.work() as work:
        assert work.entities.resolve([ANN.key], "ann") == ()


def test_a_snapshot_sees_one_position_whatever_is_written_meanwhile(things):
    written = things.remember("one")
    with things.store.snapshot(TENANT) as snapshot:
        things.set_status(written.id, Status.DELETED)
        later = things.remember("two")
        assert [record.content.text for record in snapshot.records.get(things.fence(), [written.id, later.id])] == [
            "one"
        ]

    assert things.texts([written.id, later.id]) == ["two"]


@requirement("E15", "P31")
def test_another_process_s_write_is_seen_by_the_next_read(things, open_store):
    other = open_store()
    mine = things.remember("one")
    assert Things(other, things.clock).texts([mine.id]) == ["one"]
    with other.write(TENANT) as work:
        work.records.add(new_record("theirs", content("two"), work.recorded_at), work.recorded_at)

    assert things.texts(["theirs"]) == ["two"]


def test_grants_are_put_listed_and_revoked(things):
    at = things.clock.now()
    caller = Caller(Principal(TENANT, "ann", "cli"))
    own = Grant("ann", "cli", ANN, read=True, write=True, granted_at=at)
    team = Grant("ann", "cli", Scope(ScopeKind.ORG, "team"), read=True, write=False, granted_at=at)
    others = Grant("bob", "cli", BOB, read=True, write=True, granted_at=at)
    with things.work() as work:
        for grant in (own, team, others, replace(team, write=True)):
            work.grants.put(grant)

    with things.store.snapshot(TENANT) as snapshot:
        assert snapshot.grants.of(caller) == (replace(team, write=True), own)
        assert snapshot.grants.all() == (replace(team, write=True), own, others)
    with things.work() as work:
        assert work.grants.revoke("ann", "cli", "org:team")
        assert not work.grants.revoke("ann", "cli", "org:team")
        assert not work.grants.revoke("ann", "cli", "org:other")
        assert [grant for grant in work.grants.of(caller) if grant.read or grant.write] == [own]
        assert work.grants.decided("ann", "cli", "org:team")
        assert not work.grants.decided("ann", "cli", "org:other")


def test_entities_answer_to_their_exact_names_in_readable_scopes(things):
    ann = Entity("e1", "person", "Ann Smith", ANN, ("Annie", "ÄNN"), provisional=False)
    with things.work() as work:
        work.entities.add(ann, work.recorded_at)
        work.entities.add(Entity("e2", "person", "Annie", BOB), work.recorded_at)
        resolve = work.entities.resolve
        assert [(e.id, set(e.aliases), e.provisional) for e in resolve([ANN.key], "annie")] == [
            ("e1", {"Annie", "ÄNN"}, False)
        ]
        assert [e.id for e in resolve([ANN.key, BOB.key], "annie")] == ["e1", "e2"]
        assert [e.id for e in resolve([ANN.key], "änn")] == ["e1"]
        assert resolve([ANN.key], "ann") == resolve([], "annie") == ()


def test_an_answer_is_kept_for_its_principal_and_key(things):
    with things.work() as work:
        work.idempotency.put("ann/cli", "k1", "hash", '{"id":1}', "r1")
    with things.work() as work:
        assert work.idempotency.get("ann/cli", "k1") == ("hash", '{"id":1}')
        assert work.idempotency.get("bob/cli", "k1") is work.idempotency.get("ann/cli", "k2") is None
    with things.store.write("other") as work:
        assert work.idempotency.get("ann/cli", "k1") is None


def test_a_tombstone_is_known_by_its_tenant_and_does_not_hold_the_digest(things):
    with things.work() as work:
        assert not work.is_erased("digest")
        work.tombstone("digest")
        work.tombstone("digest")
        assert work.is_erased("digest")
    rows = rows_of(things.store, "select digest from tombstone")
    assert len(rows) == 1
    assert rows[0][0] != "digest"
    with things.store.write("other") as work:
        assert not work.is_erased("digest")


def test_events_stand_in_order_and_hold_no_floats_that_json_lacks(things):
    with things.work() as work:
        work.event("record.added", "r1", {"b": 1, "a": [2]})
        work.event("record.added", "r2", {})
        with pytest.raises(InvalidInput):
            work.event("bad", "r3", {"x": float("nan")})
    with things.work() as work:
        work.event("record.added", "r3", {})
    rows = rows_of(things.store, "select position, part, kind, subject, at, payload from event order by position, part")
    assert [(row[1], row[3], row[5]) for row in rows] == [
        (0, "r1", '{"a":[2],"b":1}'),
        (1, "r2", "{}"),
        (0, "r3", "{}"),
    ]
    assert rows[0][0] == rows[1][0] < rows[2][0]


def test_a_snapshot_cannot_write(things):
    with pytest.raises(StoreError), things.store.snapshot(TENANT) as snapshot:
        snapshot.grants.put(Grant("ann", "cli", ANN, read=True, write=True, granted_at=things.clock.now()))


def test_closing_twice_is_harmless_and_using_a_closed_store_says_so(things):
    things.store.close()
    things.store.close()

    with pytest.raises(StoreError, match="closed"), things.store.snapshot(TENANT):
        pass
    with pytest.raises(StoreError, match="closed"), things.store.write(TENANT):
        pass


@requirement("E14", "E16")
def test_what_is_written_waits_for_its_vector_and_a_new_opening_still_has_it(things, open_store):
    vectors = things.store.vectors
    assert (vectors.active(), vectors.canary()) == (None, None)
    early = things.remember("one", subject="Ann")
    vectors.register(SPEC, CANARY, things.clock.now())
    vectors.register(SPEC, CANARY, things.clock.now())
    (said,) = things.say("hello", speaker="Ann")
    late = things.remember("Ann likes tea", subject="Ann")
    space = SPEC.space_id

    waiting = vectors.pending(space, 9)
    assert [(tenant, key) for tenant, key, _ in waiting] == [
        (TENANT, early.key),
        (TENANT, said.key),
        (TENANT, late.key),
    ]
    assert [phrase.text for _, _, phrase in waiting] == ["Ann: one", "[1 January 2026] Ann: hello", "Ann likes tea"]
    assert vectors.pending_count(space) == 3
    assert len(vectors.pending(space, 1)) == 1
    vectors.put(space, [(TENANT, key, np.eye(4, dtype=np.float32)[i]) for i, (_, key, _) in enumerate(waiting)])
    vectors.put(space, [(TENANT, 999, np.ones(4, np.float32))])
    assert vectors.pending_count(space) == 0
    things.store.close()

    again = open_store()
    assert again.vectors.active() == SPEC
    assert np.array_equal(again.vectors.canary(), CANARY)
    with again.snapshot(TENANT) as snapshot:
        near = snapshot.search.dense(things.fence(), space, np.eye(4, dtype=np.float32)[1], 9)
    assert near.keys[near.best(1)].tolist() == [said.key]


@requirement("E14")
def test_record_index_links_and_vector_are_one_write(things):
    things.store.vectors.register(SPEC, CANARY, things.clock.now())

    def write(record_id: str, vector: np.ndarray) -> None:
        with things.work() as work:
            made = new_record(record_id, content("tea"), work.recorded_at, entities=(("e1", "about"),))
            key = work.records.add(made, work.recorded_at).key
            work.put_vectors(SPEC.space_id, [(key, vector)])

    with pytest.raises(InvalidInput):
        write("refused", np.full(4, np.nan, np.float32))
    write("stored", np.eye(4, dtype=np.float32)[0])

    with things.store.snapshot(TENANT) as snapshot:
        dense = snapshot.search.dense(things.fence(), SPEC.space_id, np.eye(4, dtype=np.float32)[0], 9)
        lexical = snapshot.search.lexical(things.fence(), Query("tea", terms=("tea",)), FieldWeights())
        (record,) = snapshot.records.get(things.fence(), ["refused", "stored"])
    assert dense.keys.tolist() == lexical.keys.tolist() == [record.key]
    assert (record.id, record.entities) == ("stored", ("e1",))
    assert things.store.vectors.pending_count(SPEC.space_id) == 0


@pytest.mark.parametrize(
    "vector", [np.ones(3, np.float32), np.array([1, np.nan, 0, 0], np.float32), np.full(4, np.inf, np.float32)]
)
def test_a_vector_that_is_none_is_refused_with_its_whole_batch(things, vector):
    things.store.vectors.register(SPEC, CANARY, things.clock.now())
    written = things.remember("one")
    good = (TENANT, written.key, np.ones(4, np.float32))

    with pytest.raises(InvalidInput, match="4 finite numbers"):
        things.store.vectors.put(SPEC.space_id, [good, (TENANT, written.key, vector)])
    assert things.store.vectors.pending_count(SPEC.space_id) == 1


def test_a_new_space_is_built_beside_the_active_one_and_then_replaces_it(things):
    vectors, at = things.store.vectors, things.clock.now()
    vectors.register(SPEC, CANARY, at)
    written = things.remember("one")
    vectors.put(SPEC.space_id, [(TENANT, written.key, np.ones(4, np.float32))])
    vectors.register(OTHER, CANARY, at)
    second = things.remember("two")

    assert vectors.active() == SPEC
    assert (vectors.pending_count(SPEC.space_id), vectors.pending_count(OTHER.space_id)) == (1, 2)
    with pytest.raises(EmbeddingMismatch, match="2 entries"):
        vectors.flip(OTHER.space_id)
    vectors.put(OTHER.space_id, [(TENANT, key, np.ones(4, np.float32)) for key in (written.key, second.key)])
    vectors.flip(OTHER.space_id)

    assert vectors.active() == OTHER
    assert vectors.pending_count(SPEC.space_id) == 0
    with pytest.raises(EmbeddingMismatch, match="no embedding space"):
        vectors.put(SPEC.space_id, [])
    with pytest.raises(EmbeddingMismatch, match="no embedding space"):
        vectors.flip(SPEC.space_id)
