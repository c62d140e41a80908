"""After a complete erase no file of the store holds a byte of what was erased."""

from __future__ import annotations

import random

import numpy as np
import pytest

from bethink.domain.entity import Entity
from bethink.domain.record import Status, content_digest
from bethink.domain.source import Evidence, Source, SourceKind
from bethink.errors import StoreBusy
from bethink.ports.embedder import EmbedSpec
from tests.behaviour.requirements import requirement
from tests.databases import everything_held, rows_of
from tests.store.things import ANN, BOB, EVERY_STATUS, TENANT, Things

SPEC = EmbedSpec("fake", "small", "1", None, "float32", 32, 64, "mean", True, "", "", "v1")


def holding(things: Things, marker: bytes) -> list[str]:
    """The files or tables that hold the marker."""
    return [name for name, data in everything_held(things.store) if marker in data]


def quote(text: str, turn_id: str) -> Source:
    return Source(SourceKind.USER_STATEMENT, f"turn:{turn_id}", "cli", evidence=Evidence(text, turn_id, 0, len(text)))


@requirement("P33", "P34", "P42")
def test_a_complete_erase_leaves_no_byte_of_words_terms_names_or_vectors(things, monkeypatch):
    monkeypatch.setattr("bethink.store.column_segments.SEALED", 1)
    monkeypatch.setattr("bethink.store.context.LOOK", 1)
    things.store.vectors.register(SPEC, np.zeros((1, 32), np.float32), things.clock.now())
    (said,) = things.say("zanzibarish is my password word", speaker="Quillfeather")
    (kept_turn,) = things.say("the weather is fine")
    with things.work() as work:
        work.entities.add(Entity("e1", "person", "Obscurantia", ANN, ("Obsy",)), work.recorded_at)
    secret = things.remember(
        "my password word is zanzibarish",
        subject="Quillfeather",
        attribute="xylophonic",
        source=quote("zanzibarish is my password", said.id),
        tags=("marmalady",),
        metadata={"note": "gubernatorix"},
        record={"entities": (("e1", "about"),), "reason": "zanzibarish reason"},
    )
    keeper = things.remember("the weather is fine", source=quote("zanzibarish is my password", said.id))
    rng = np.random.default_rng(7)
    vectors = {key: rng.normal(size=32).astype(np.float32) for key in (said.key, secret.key, keeper.key, kept_turn.key)}
    things.store.vectors.put(SPEC.space_id, [(TENANT, key, vector) for key, vector in vectors.items()])
    with things.work() as work:
        work.idempotency.put("ann/cli", "k1", "hash", '{"text":"zanzibarish"}', secret.id)
    words = (b"zanzibarish", b"uillfeather", b"bscurantia", b"xylophonic", b"marmalady", b"gubernatorix", b"zanzi")
    assert all(holding(things, word) for word in words)
    assert any(b"quillfeather" in bytes(body) for (body,) in rows_of(things.store, "select body from column_segment"))

    erased = things.store.erase(TENANT, [secret.id, said.id, "unknown"], things.clock.now(), deadline=10)

    assert erased.complete
    assert erased.remains == things.store.database.beyond
    assert {kind: erased.rows[kind] for kind in ("records", "versions", "turns", "entries", "vectors", "entities")} == {
        "records": 1,
        "versions": 1,
        "turns": 1,
        "entries": 2,
        "vectors": 2,
        "entities": 1,
    }
    assert (erased.rows["answers"], erased.rows["quotes"]) == (1, 1)
    assert [holding(things, word) for word in words] == [[]] * len(words)
    for key in (said.key, secret.key):
        blob = vectors[key].tobytes()
        assert [holding(things, blob[at : at + 16]) for at in range(0, len(blob), 16)] == [[]] * (len(blob) // 16)
    (left,) = things.get([keeper.id])
    assert (left.content.text, left.content.source.evidence) == ("the weather is fine", None)
    with things.store.snapshot(TENANT) as snapshot:
        assert snapshot.turns.get(things.fence(), [said.id, kept_turn.id]) == (kept_turn,)


def test_of_an_erased_record_one_deleted_standing_is_left(things):
    written = things.remember("Ann lives in Lyon", record={"reason": "told"})
    with things.work() as work:
        work.records.add_version(written.id, written.content, work.recorded_at)
    things.set_status(written.id, Status.DELETED, reason="stopped")
    at = things.clock.now()
    things.store.erase(TENANT, [written.id], at, deadline=10)

    for table in ("record", "entry", "version", "usage", "support", "entity_link", "lineage", "posting"):
        assert rows_of(things.store, f"select count(*) from {table}") == [(0,)]
    standings = rows_of(things.store, "select record_id, status, ends_at, successor, reason from status_event")
    assert standings == [(written.id, "deleted", 2**60, None, "erased")]
    assert things.get([written.id], statuses=EVERY_STATUS) == ()
    with things.work() as work:
        assert work.is_erased(content_digest("Ann lives in Lyon"))
        assert not work.is_erased(content_digest("Ann lives in Nice"))


@requirement("P36", "P37")
def test_an_erase_touches_no_other_record_scope_or_tenant(things, clock):
    mine, same = things.remember("the same words"), things.remember("the same words", scope=BOB)
    with things.work() as work:
        work.records.link_conflict(mine.id, same.id, work.recorded_at)
    other = Things(things.store, clock, tenant="other")
    foreign = other.remember("the same words")
    things.store.erase(TENANT, [mine.id], clock.now(), deadline=10)

    assert things.texts([mine.id, same.id], scopes=(ANN, BOB)) == ["the same words"]
    assert other.texts([foreign.id]) == ["the same words"]
    assert things.get([same.id], scopes=(BOB,))[0].conflicts == ()
    things.store.erase("other", [same.id], clock.now(), deadline=10)
    assert things.texts([same.id], scopes=(BOB,)) == ["the same words"]


def test_entities_that_others_speak_of_stay_confirmed_or_not(things):
    with things.work() as work:
        for name, confirmed in (("shared", False), ("alone", False), ("confirmed", True), ("subject", False)):
            work.entities.add(Entity(name, "person", name, ANN, provisional=not confirmed), work.recorded_at)
    links = tuple((name, "mentions") for name in ("shared", "alone", "confirmed", "subject"))
    gone = things.remember("one", record={"entities": links})
    things.remember("two", record={"entities": (("shared", "about"),)})
    things.remember("three", subject_entity="subject")
    things.store.erase(TENANT, [gone.id], things.clock.now(), deadline=10)

    with things.work() as work:
        left = [name for name, _ in links if work.entities.resolve([ANN.key], name)]
    assert left == ["shared", "subject"]


@requirement("P38")
def test_an_erase_that_a_reader_holds_up_is_incomplete_and_finishes_later(things):
    written = things.remember("zanzibarish")
    with things.store.snapshot(TENANT) as old:
        assert old.records.get(things.fence(), [written.id])
        erased = things.store.erase(TENANT, [written.id], things.clock.now(), deadline=0.2)
        assert not erased.complete
        assert "reader" in erased.remains[0]
        assert things.get([written.id]) == ()
        assert holding(things, b"zanzibarish")
    again = things.store.erase(TENANT, [written.id], things.clock.now(), deadline=10)

    assert (again.complete, again.rows) == (True, {})
    assert holding(things, b"zanzibarish") == []


def test_an_unfinished_erase_is_finished_by_the_jobs_of_a_new_opening(things, open_store):
    written = things.remember("zanzibarish")
    with things.store.snapshot(TENANT) as old:
        assert old.position
        things.store.erase(TENANT, [written.id], things.clock.now(), deadline=0.2)
    things.store.close()
    again = open_store()

    assert again.run_due_jobs(deadline=10)
    assert holding(things, b"zanzibarish") == []
    assert again.run_due_jobs(deadline=10)


def test_an_erase_that_cannot_get_the_lock_removes_nothing(things, open_store):
    written = things.remember("one")
    with open_store().write(TENANT), pytest.raises(StoreBusy):
        things.store.erase(TENANT, [written.id], things.clock.now(), deadline=0.1)

    assert things.texts([written.id]) == ["one"]


def test_many_erases_among_many_writes_leave_nothing_in_the_gaps_of_pages(things):
    chance = random.Random(11)
    live, gone, number = [], [], 0
    for _ in range(12):
        texts = []
        for _ in range(25):
            number += 1
            texts.append(f"mark{number:05d}z " + "filler " * chance.choice([1, 8, 40, 150, 500]))
        live += [(text[:10], turn.id) for text, turn in zip(texts, things.say(*texts), strict=True)]
        chance.shuffle(live)
        batch, live = live[:9], live[9:]
        erased = things.store.erase(TENANT, [item for _, item in batch], things.clock.now(), deadline=30)
        assert erased.complete
        gone += [marker for marker, _ in batch]

    held = b"".join(data for _, data in everything_held(things.store))
    assert [marker for marker in gone if marker.encode() in held] == []
    assert [marker for marker, _ in live if marker.encode() not in held] == []
