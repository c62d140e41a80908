"""`check` sees every broken rule; `repair` rebuilds what is derived and drops no record."""

from __future__ import annotations

import numpy as np
import pytest

from bethink.domain.entity import Entity
from bethink.domain.query import FieldWeights, Query
from bethink.domain.source import Evidence, Source, SourceKind
from bethink.errors import StoreCorrupt, StoreError
from bethink.ports.embedder import EmbedSpec
from bethink.store.index import SearchIndex
from bethink.store.migrate import SQL, migrations
from bethink.store.sqlite_store import SqliteStore
from bethink.testing.fakes import CountingIds
from tests.behaviour.requirements import requirement
from tests.databases import rows_of
from tests.store.things import ANN, TENANT, Things

SPEC = EmbedSpec("fake", "small", "1", None, "float32", 8, 64, "mean", True, "", "", "v1")
OPEN = 2**60
LATEST = max(step.number for step in migrations(SQL / "migrations"))


@pytest.fixture
def full(things):
    """A store with something in every table."""
    things.store.vectors.register(SPEC, np.zeros((1, 8), np.float32), things.clock.now())
    said, _ = things.say("I moved to Nice", "it is warm here")
    with things.work() as work:
        work.entities.add(Entity("e1", "person", "Ann Smith", ANN, ("Annie",)), work.recorded_at)
    source = Source(SourceKind.USER_STATEMENT, "s1", "cli", evidence=Evidence("moved to Nice", said.id, 2, 15))
    first = things.remember(
        "Ann lives in Nice", subject="Ann", attribute="home", source=source, record={"entities": (("e1", "about"),)}
    )
    second = things.remember("Ann likes tea", subject="Ann", attribute="drink", parents=(first.id,))
    with things.work() as work:
        work.records.add_version(second.id, second.content, work.recorded_at)
        work.records.link_conflict(first.id, second.id, work.recorded_at)
    rows = [
        (tenant, key, np.full(8, key, np.float32)) for tenant, key, _ in things.store.vectors.pending(SPEC.space_id, 3)
    ]
    things.store.vectors.put(SPEC.space_id, rows)
    return things


def tamper(things: Things, statement: str) -> None:
    """Change a row behind the store's back."""
    assert rows_of(things.store, f"{statement} returning 1")


@requirement("E11")
def test_a_whole_store_is_clean_and_counted(full, database):
    told = full.store.check()

    assert told.findings == ()
    assert {name: told.counts[name] for name in ("records", "versions", "turns", "vectors", "sessions", "tenants")} == {
        "records": 2,
        "versions": 3,
        "turns": 2,
        "vectors": 3,
        "sessions": 1,
        "tenants": 1,
    }
    assert (told.schema, told.space, told.embedding_pending) == (LATEST, SPEC.space_id, 2)
    assert told.engine.startswith({"sqlite": "SQLite 3.", "postgres": "PostgreSQL 1"}[database.name])


BROKEN = {
    "no open standing": ("update status_event set recorded_to = recorded_from + 1", "status_event", False),
    "a second standing": (
        (
            "insert into status_event select tenant, record_id, 999, scope, status, recorded_from, recorded_to,"
            f" {OPEN}, successor, reason from status_event limit 1"
        ),
        "status_event",
        False,
    ),
    "a standing cut off": (
        (
            "insert into status_event select tenant, record_id, 1, scope, status, 0, 5, ends_at, successor, reason"
            " from status_event where position = (select max(position) from status_event) limit 1"
        ),
        "status_event",
        False,
    ),
    "words without their entry": ("delete from entry where type = 'turn' and seq = 0", "entry", False),
    "an entry without a turn": ("delete from turn where seq = 0", "entry", False),
    "an entry without a version": ("delete from version where number = 2", "entry", False),
    "a head that points nowhere": ("update record set live_key = 999", "record", False),
    "a version not counted": ("update record set versions = 5", "record", False),
    "two live versions": (f"update entry set retired_at = {OPEN}", "record", False),
    "no counters": ("delete from usage", "record", False),
    "a version without its record": ("delete from record where versions = 2", "record", False),
    "the counter behind": ("update tenant set position = 3", "tenant", False),
    "the clock behind": ("update tenant set latest = 0", "tenant", False),
    "changed words": ("update turn set content = content || '!'", "content", False),
    "changed words of a record": (
        "update version set content = 'Ann lives in Rome' where number = 1",
        "content",
        False,
    ),
    "another ledger": ("update meta set value = 'x' where name = 'migration/0001_initial'", "meta", False),
    "a missing migration": (
        "delete from meta where name = (select max(name) from meta where name like 'migration/%')",
        "meta",
        False,
    ),
    "a session's place taken": ("update session set next_seq = 0", "session", True),
    "counters of nobody": ("insert into usage values ('acme', 'nobody', 1, 1, null, null, 0, null)", "record", True),
    "a source of nobody": ("insert into support values ('acme', 'nobody', 'r', 'k', 0)", "record", True),
    "a link of nobody": ("insert into entity_link values ('acme', 'nobody', 'e1', 'about')", "record", True),
    "lineage of nobody": ("insert into lineage values ('acme', 'x', 'nobody', 'parent')", "record", True),
    "a conflict with nobody": ("insert into conflict values ('acme', 'a', 'b', 0)", "record", True),
    "a name of nobody": ("insert into entity_alias values ('acme', 'user:ann', 'x', 'nobody', 'X')", "record", True),
    "a vector of nobody": (
        "insert into vector select tenant, space, 999, scope, vector from vector limit 1",
        "vector",
        True,
    ),
    "a vector of no space": ("update vector set space = 'gone' where key = 1", "vector", True),
    "something waits for nobody": (
        f"insert into embedding_pending values ('acme', '{SPEC.space_id}', 999)",
        "vector",
        True,
    ),
    "nothing waits": ("delete from embedding_pending", "vector", True),
    "lost postings": ("delete from posting where term = 'tea'", "postings", True),
    "foreign postings": (
        "insert into posting select tenant, scope, 'zzz', key, packed from posting limit 1",
        "postings",
        True,
    ),
    "lost names": ("delete from name_entry", "names", True),
    "an erase not finished": (
        "insert into job values ('acme', 'j1', 'scrub', '{}', 'waiting', 0, 0, null, null, null)",
        "job",
        True,
    ),
}


@pytest.mark.parametrize("name", sorted(BROKEN))
def test_a_broken_rule_is_found_and_said_to_be_repairable_or_not(full, name):
    statement, place, repairable = BROKEN[name]
    tamper(full, statement)

    findings = full.store.check().findings
    assert (place, repairable) in {(finding.place, finding.repairable) for finding in findings}


@pytest.mark.parametrize("name", sorted(name for name, (_, _, repairable) in BROKEN.items() if repairable))
def test_what_is_derived_is_rebuilt_and_no_record_is_dropped(full, name):
    statement, _, _ = BROKEN[name]
    before = full.store.check().counts
    tamper(full, statement)

    told = full.store.repair()
    assert told.left == ()
    after = full.store.check().counts
    kept = ("records", "versions", "turns", "sessions", "entities", "conflicts", "grants", "tombstones", "events")
    assert {table: after[table] for table in kept} == {table: before[table] for table in kept}


@requirement("P83")
def test_a_repair_drops_no_record_that_is_broken_and_says_what_is_left(full):
    tamper(full, "delete from version where number = 2")
    tamper(full, "update record set live_key = 999 where versions = 1")

    told = full.store.repair()
    assert {finding.place for finding in told.left} >= {"entry", "record"}
    assert full.store.check().counts["records"] == 2


@requirement("P33", "P47")
def test_a_rebuilt_index_finds_what_the_old_one_found_and_nothing_erased(full):
    gone = full.remember("Ann likes zanzibar tea")
    full.store.erase(TENANT, [gone.id], full.clock.now(), deadline=10)

    def found():
        with full.store.snapshot(TENANT) as snapshot:
            query = Query("tea nice warm zanzibar ann", terms=("tea", "nice", "warm", "zanzibar", "ann"))
            matches = snapshot.search.lexical(full.fence(), query, FieldWeights())
        return matches.keys.tolist(), matches.scores.tolist()

    before = found()
    assert len(before[0]) == 4
    full.store.repair()
    assert found() == before


def test_two_records_that_state_one_fact_at_once_are_found(things):
    one = {"subject": "Ann", "attribute": "home"}
    for text, parts in (
        ("Ann lives in Lyon", {}),
        ("Ann lives in Nice", {"flags": frozenset({"temporary"})}),
        ("Ann lived in Rome", {"valid_until": things.clock.now()}),
        ("Ann is at home in Bern", {"type": "preference"}),
        ("Ann lives in Oslo", {"channel": "mail"}),
    ):
        things.remember(text, **one, valid_from=parts.pop("valid_from", things.clock.now()), **parts)
    assert things.store.check().findings == ()

    things.remember("Ann lives in Paris", **one, valid_from=things.clock.now())
    (finding,) = things.store.check().findings
    assert (finding.place, finding.repairable) == ("record", False)


def test_damaged_pages_are_found_and_not_repaired(full, path, clock):
    full.store.close()
    data = bytearray(path.read_bytes())
    data[5 * 4096 : 9 * 4096] = bytes(4 * 4096)
    path.write_bytes(data)

    def check():
        again = SqliteStore(path, clock, CountingIds(), SearchIndex("english"))
        return again, again.check().findings

    try:
        again, findings = check()
    except StoreError as error:
        assert isinstance(error, StoreCorrupt)  # noqa: PT017 - either way of telling is right
        return
    assert findings[0].place == "database"
    assert not findings[0].repairable
    with pytest.raises(StoreCorrupt, match="damaged"):
        again.repair()
    again.close()


def test_another_tenant_s_trouble_is_found_too(full):
    Things(full.store, full.clock, tenant="other").remember("elsewhere")
    tamper(full, "update version set content = 'changed' where tenant = 'other'")

    assert "other/" in full.store.check().findings[0].text
