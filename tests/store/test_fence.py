"""One fence, several engines: the meaning in the domain, SQL over the rows, columns in memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from bethink.domain.fence import Entry, Fence
from bethink.domain.query import FieldWeights, Query
from bethink.domain.record import Origin, Record, Status, StatusSpan
from bethink.domain.scope import Sensitivity
from bethink.domain.source import CONFIRMED, Source, SourceKind
from bethink.domain.types import Portability
from bethink.store.index import SearchIndex
from bethink.testing.fakes import CountingIds, ManualClock
from tests.behaviour.requirements import requirement
from tests.databases import Database
from tests.store.things import Things, content
from tests.strategies import SCOPES, START, TENANT, Step, allowed, fences, histories, same_kind

SLOW = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
WIDE = Fence(TENANT, tuple(sorted(SCOPES, key=lambda s: s.key)), Sensitivity.SECRET, frozenset(), START)


@contextmanager
def fresh(database: Database) -> Iterator[Things]:
    """A store of its own for one example."""
    with database.passing() as place:
        clock = ManualClock(START)
        store = database.store(place, (clock, CountingIds(), SearchIndex("english")))
        try:
            yield Things(store, clock, tenant=TENANT)
        finally:
            store.close()


def play(things: Things, history: list[Step]) -> list[str]:
    """Write a history, an hour a step; returns the ids of its records and turns."""
    types: dict[str, str] = {}
    standing: dict[str, StatusSpan] = {}
    for hour, step in enumerate(history, 1):
        things.clock.set(START + timedelta(hours=hour) - timedelta(seconds=1))
        known = list(types)
        target = known[step.target % len(known)] if known else ""
        if step.kind == "add":
            record = things.remember(f"fact {hour}", **step.content, record={"ends_at": step.ends_at})
            types[record.id], standing[record.id] = record.content.type, record.history[0]
        elif step.kind == "turn":
            (said,) = things.say(f"turn {hour}", scope=step.content["scope"], session=f"s{hour}")
            types[said.id], standing[said.id] = "turn", StatusSpan("active", said.recorded_at)
        elif step.kind == "version" and types[target] != "turn" and same_kind(types[target], step.content["type"]):
            with things.work() as work:
                work.records.add_version(target, content(f"fact {hour}", **step.content), work.recorded_at)
            types[target] = step.content["type"]
        elif step.kind == "status" and allowed(standing[target].status, step.status):
            things.set_status(target, step.status, ends_at=step.ends_at)
            standing[target] = StatusSpan(step.status, things.clock.now())
    return list(types)


def entries_of(things: Things, ids: list[str]) -> list[Entry]:
    """Everything that was written, as the domain's fence looks at it."""
    with things.store.snapshot(TENANT) as snapshot:
        return [entry for item in ids for entry in snapshot.records.entries(WIDE, item)]


def by_sql(things: Things, fence: Fence, keys: list[int]) -> set[int]:
    """What `fence.sql` lets through."""
    with things.store.snapshot(TENANT) as snapshot:
        return {candidate.key for candidate in snapshot.records.candidates(fence, keys)}


def by_columns(things: Things, fence: Fence, keys: list[int]) -> set[int]:
    """What the columns of the search index let through: every entry says "fact" or "turn"."""
    query = Query("fact turn", terms=("fact", "turn"))
    with things.store.snapshot(TENANT) as snapshot:
        return set(snapshot.search.lexical(fence, query, FieldWeights(neighbours=0)).keys.tolist()) & set(keys)


ENGINES = {"sql": by_sql, "columns": by_columns}


@requirement("A9")
@SLOW
@given(history=histories, asked=st.lists(fences(), min_size=1, max_size=6))
def test_every_engine_admits_what_the_fence_admits(database, history, asked):
    with fresh(database) as things:
        entries = entries_of(things, play(things, history))
        keys = [entry.key for entry in entries]
        for fence in asked:
            admitted = {entry.key for entry in entries if fence.admits(entry)}
            event(f"admits {min(len(admitted), 3)}")
            # Searching is always of an instant: timeless fences look records up by id or by fact.
            engines = {name: ENGINES[name] for name in ("sql",) if fence.timeless} or ENGINES
            found = {name: engine(things, fence, keys) for name, engine in engines.items()}
            assert found == dict.fromkeys(engines, admitted)


AT, HOUR = START + timedelta(hours=4), timedelta(hours=1)
PAGE = Source(SourceKind.DOCUMENT, "page:1", "aria")
EDGES = [
    ("valid from the instant", {"valid_from": AT}, {}, {}, True),
    ("valid until the instant", {"valid_until": AT}, {}, {}, False),
    ("valid until after it", {"valid_until": AT + HOUR}, {}, {}, True),
    ("its standing ends at the instant", {}, {"ends_at": AT}, {}, False),
    ("its standing ends after it", {}, {"ends_at": AT + HOUR}, {}, True),
    ("known as it was recorded", {}, {}, {"known_at": START}, True),
    ("known just before", {}, {}, {"known_at": START - timedelta(microseconds=1)}, False),
    ("happened when the window opens", {"event_at": AT}, {}, {"since": AT}, True),
    ("happened when it closes", {"event_at": AT}, {}, {"until": AT}, False),
    ("began when the window opens", {"valid_from": AT}, {}, {"since": AT}, True),
    ("recorded when it closes", {}, {}, {"until": START}, False),
    ("as sensitive as the ceiling", {"sensitivity": Sensitivity.NORMAL}, {}, {"ceiling": Sensitivity.NORMAL}, True),
    ("more sensitive", {"sensitivity": Sensitivity.RESTRICTED}, {}, {"ceiling": Sensitivity.NORMAL}, False),
    ("local elsewhere", {"origin": Origin("a"), "portability": Portability.LOCAL}, {}, {"project": "b"}, False),
    ("local here", {"origin": Origin("a"), "portability": Portability.LOCAL}, {}, {"project": "a"}, True),
    (
        "contextual elsewhere",
        {"origin": Origin("a"), "portability": Portability.CONTEXTUAL},
        {},
        {"project": "b"},
        True,
    ),
    ("elsewhere behind a wall", {"origin": Origin("a")}, {}, {"project": "b", "isolate": True}, False),
    ("of no project behind a wall", {}, {}, {"project": "b", "isolate": True}, True),
    (
        "local elsewhere and named",
        {"origin": Origin("a"), "portability": Portability.LOCAL, "subject": "Ann"},
        {},
        {"project": "b", "named_subjects": frozenset({"ann"})},
        True,
    ),
    (
        "local elsewhere, without a subject",
        {"origin": Origin("a"), "portability": Portability.LOCAL},
        {},
        {"project": "b", "named_subjects": frozenset({""})},
        False,
    ),
    ("of no channel", {}, {}, {"channel": "mail"}, False),
    ("of a source asked for", {"source": PAGE}, {}, {"sources": frozenset({PAGE.kind})}, True),
    ("of another source", {"source": PAGE}, {}, {"sources": CONFIRMED}, False),
    ("of no kind asked for", {}, {}, {"kinds": frozenset()}, False),
]


@pytest.mark.parametrize(
    ("parts", "record", "asked", "admitted"), [edge[1:] for edge in EDGES], ids=[e[0] for e in EDGES]
)
def test_every_engine_draws_the_line_at_the_same_place(database, parts, record, asked, admitted):
    with fresh(database) as things:
        things.clock.set(START - timedelta(seconds=1))
        key = things.remember("fact", **{"scope": SCOPES[0], **parts}, record=record).key
        fence = replace(things.fence(instant=AT, scopes=(SCOPES[0],)), **asked)
        found = {name: bool(engine(things, fence, [key])) for name, engine in ENGINES.items()}

    assert found == dict.fromkeys(ENGINES, admitted)


def test_every_engine_tells_versions_and_standings_apart_at_the_moment_they_change(database):
    with fresh(database) as things:
        old = things.remember("fact", scope=SCOPES[0])
        with things.work() as work:
            new = work.records.add_version(old.id, content("fact", scope=SCOPES[0]), work.recorded_at)
        things.set_status(old.id, Status.EXPIRED)
        expired = things.clock.now()
        step = timedelta(microseconds=1)
        asked = [
            (new.recorded_at - step, {old.key}),
            (new.recorded_at, {new.key}),
            (expired - step, {new.key}),
            (expired, set()),
        ]
        for known, keys in asked:
            fence = things.fence(scopes=(SCOPES[0],), known_at=known)
            found = {name: engine(things, fence, [old.key, new.key]) for name, engine in ENGINES.items()}
            assert found == dict.fromkeys(ENGINES, keys)


@SLOW
@given(history=histories, later=histories, asked=fences(), known=st.integers(0, 9))
def test_a_pinned_read_is_the_same_after_any_later_write(database, history, later, asked, known):
    with fresh(database) as things:
        ids = play(things, history)
        pinned = replace(asked, known_at=min(START + timedelta(hours=known), things.clock.now()))
        before = read(things, pinned, ids)
        rewrite(things, later, ids)
        event(f"records {len(before)}")
        assert read(things, pinned, ids) == before


def read(things: Things, fence: Fence, ids: list[str]) -> list[tuple[object, ...]]:
    """The pinned part of an answer: everything but the counters, which are left out of a pinned recall."""
    with things.store.snapshot(TENANT) as snapshot:
        records = snapshot.records.get(fence, ids)
        turns = snapshot.turns.get(fence, ids)
        bodies = snapshot.records.bodies(fence, [record.key for record in records])
    return [shown(record, bodies[record.key].text) for record in records] + [(turn.id, turn.text) for turn in turns]


def shown(record: Record, text: str) -> tuple[object, ...]:
    """What a reader sees of a record at a pinned time."""
    return record.id, record.key, record.content, record.status, record.history, record.retired_at, text


def rewrite(things: Things, later: list[Step], ids: list[str]) -> None:
    """Write on, changing what is there wherever a step can."""
    for hour, step in enumerate(later):
        target = ids[step.target % len(ids)]
        with things.store.snapshot(TENANT) as snapshot:
            entry = snapshot.records.entries(WIDE, target)[0]
        if step.kind == "status" and allowed(entry.statuses[-1].status, step.status):
            things.set_status(target, step.status, ends_at=step.ends_at)
        elif step.kind == "version" and entry.type != "turn" and same_kind(entry.type, step.content["type"]):
            with things.work() as work:
                work.records.add_version(target, content(f"changed {hour}", **step.content), work.recorded_at)
        elif step.kind == "add":
            things.remember(f"added {hour}", **step.content)


@SLOW
@given(history=histories)
def test_whatever_is_written_the_store_keeps_its_own_rules(database, history):
    with fresh(database) as things:
        ids = play(things, history)
        for entry in entries_of(things, ids):
            assert [span.recorded_to for span in entry.statuses].count(None) == 1
        assert things.store.check().findings == ()
