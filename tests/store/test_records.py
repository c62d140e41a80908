from __future__ import annotations

from datetime import timedelta

import pytest

from bethink.domain.entity import Entity
from bethink.domain.record import Origin, Status, StatusSpan, Usage, content_digest, short_ids
from bethink.domain.scope import Scope, ScopeKind, Sensitivity
from bethink.domain.source import Evidence, Source, SourceKind
from bethink.domain.types import Portability
from bethink.errors import InvalidInput, NotFound, StoreCorrupt
from tests.behaviour.requirements import requirement
from tests.databases import rows_of
from tests.store.things import ANN, BOB, EVERY_STATUS, content, new_record


@requirement("E11")
def test_a_record_comes_back_as_it_was_written(things):
    now = things.clock.now()
    source = Source(
        SourceKind.TOOL_RESULT, "tool:7", "agent", "rev3", Evidence("we moved to Lyon", "turn-9", 4, 20), "tool"
    )
    written = things.remember(
        "Ann lives in Lyon",
        type="preference",
        source=source,
        subject="Ann Smith",
        attribute="Home Town",
        subject_entity="entity-1",
        polarity="retract",
        channel="mail",
        sensitivity=Sensitivity.RESTRICTED,
        portability=Portability.LOCAL,
        origin=Origin("atlas", "s9"),
        derivation="derived",
        parents=("p1", "p2"),
        valid_from=now - timedelta(days=3),
        valid_until=now + timedelta(days=90),
        event_at=now - timedelta(days=2),
        review_at=now + timedelta(days=30),
        flags=frozenset({"stale", "review"}),
        tags=("home", "été"),
        file_path="notes/ann.md",
        metadata={"n": 1, "deep": {"b": [1, None, "ü"]}},
        record={
            "usage": Usage(0.85, 3, now, now - timedelta(days=1), 0.25, now),
            "ends_at": now + timedelta(days=30),
            "status": Status.PROVISIONAL,
            "entities": (("e2", "mentions"), ("e1", "about")),
            "reason": "said so",
        },
    )

    (read,) = things.get([written.id], ceiling=Sensitivity.RESTRICTED, channel="mail", project="atlas")

    assert read == written
    assert read.entities == ("e1", "e2")
    assert read.history == (
        StatusSpan(Status.PROVISIONAL, written.recorded_at, None, now + timedelta(days=30), None, "said so"),
    )


def test_records_come_back_in_the_order_asked_and_others_are_left_out(things):
    first, second = things.remember("one"), things.remember("two")
    foreign = things.remember("three", scope=BOB)

    assert things.texts([second.id, foreign.id, "nobody", first.id, second.id]) == ["two", "one"]


def test_a_foreign_and_an_absent_record_answer_alike(things):
    foreign = things.remember("three", scope=BOB)

    with things.store.snapshot("acme") as mine, things.store.snapshot("other") as other:
        assert mine.records.get(things.fence(), [foreign.id]) == mine.records.get(things.fence(), ["nobody"]) == ()
        everything = things.fence(tenant="acme", scopes=(ANN, BOB), ceiling=Sensitivity.SECRET)
        assert other.records.get(everything, [foreign.id]) == ()
        assert other.records.candidates(everything, [foreign.key]) == ()
        assert other.records.bodies(everything, [foreign.key]) == {}


def test_a_change_closes_one_version_and_opens_the_next(things):
    written = things.remember("Ann lives in Lyon")
    before = things.clock.now()
    with things.work() as work:
        changed = work.records.add_version(written.id, content("Ann lives in Nice"), work.recorded_at)

    assert (changed.version, changed.key > written.key, changed.retired_at) == (2, True, None)
    assert things.get([written.id]) == (changed,)
    assert things.texts([written.id], known_at=before) == ["Ann lives in Lyon"]
    assert things.get([written.id], known_at=before)[0].retired_at is None


@requirement("E63")
def test_a_version_in_another_scope_leaves_the_old_one(things):
    written = things.remember("the deploy runs at noon")
    with things.work() as work:
        work.records.add_version(written.id, content("the deploy runs at noon", scope=BOB), work.recorded_at)

    assert things.texts([written.id]) == []
    (moved,) = things.get([written.id], scopes=(BOB,))
    assert [span.reason for span in moved.history] == ["", "moved"]


def test_a_version_of_another_kind_is_refused(things):
    written = things.remember("Ann lives in Lyon")

    with pytest.raises(InvalidInput, match="cannot become"), things.work() as work:
        work.records.add_version(written.id, content("it rained", type="event"), work.recorded_at)

    assert things.texts([written.id]) == ["Ann lives in Lyon"]


def test_what_does_not_exist_cannot_be_changed(things):
    with pytest.raises(NotFound), things.work() as work:
        work.records.add_version("nobody", content("x"), work.recorded_at)
    with pytest.raises(NotFound):
        things.set_status("nobody", Status.EXPIRED)


def test_a_status_follows_the_lifecycle_and_keeps_its_history(things):
    written = things.remember("Ann lives in Lyon", record={"status": Status.PROVISIONAL})
    things.set_status(written.id, Status.ACTIVE, reason="confirmed")
    things.set_status(written.id, Status.DELETED, reason="stopped")

    assert things.get([written.id]) == ()
    (hidden,) = things.get([written.id], statuses=EVERY_STATUS)
    assert [span.status for span in hidden.history] == [Status.PROVISIONAL, Status.ACTIVE, Status.DELETED]
    assert [span.recorded_to for span in hidden.history[:-1]] == [s.recorded_from for s in hidden.history[1:]]
    assert hidden.history[-1].recorded_to is None
    things.set_status(written.id, Status.ACTIVE, reason="restored")
    assert things.texts([written.id]) == ["Ann lives in Lyon"]


def test_a_status_the_lifecycle_forbids_is_refused_and_changes_nothing(things):
    written = things.remember("Ann lives in Lyon")
    things.set_status(written.id, Status.EXPIRED)

    with pytest.raises(InvalidInput, match="cannot become"):
        things.set_status(written.id, Status.SUPERSEDED)
    with pytest.raises(InvalidInput, match="before"), things.work() as work:
        work.records.set_status(written.id, StatusSpan(Status.ACTIVE, written.recorded_at - timedelta(days=1)))

    (read,) = things.get([written.id], statuses=EVERY_STATUS)
    assert [span.status for span in read.history] == [Status.ACTIVE, Status.EXPIRED]


@requirement("P18")
def test_superseding_is_one_write_that_keeps_the_old_fact_for_its_time(things):
    old = things.remember("Ann lives in Lyon", subject="Ann", attribute="home")
    moved = things.clock.now() + timedelta(days=10)
    with things.work() as work:
        at = work.recorded_at
        new = work.records.add(
            new_record("new", content("Ann lives in Nice", valid_from=moved), at, supersedes=(old.id,)), at
        )
        work.records.set_status(old.id, StatusSpan(Status.SUPERSEDED, at, None, moved, "new", "superseded"))

    (kept,) = things.get([old.id], statuses=EVERY_STATUS)
    assert (kept.status, kept.ends_at, kept.superseded_by) == (Status.SUPERSEDED, moved, new.id)
    assert new.supersedes == (old.id,)
    historical = frozenset({Status.ACTIVE, Status.SUPERSEDED})
    both = [old.id, new.id]
    assert things.texts(both, statuses=historical) == ["Ann lives in Lyon"]
    assert things.texts(both, statuses=historical, instant=moved) == ["Ann lives in Nice"]
    assert things.texts(both, statuses=historical, timeless=True) == ["Ann lives in Lyon", "Ann lives in Nice"]


def test_a_superseding_write_that_fails_leaves_the_old_fact(things):
    old = things.remember("Ann lives in Lyon")
    things.set_status(old.id, Status.EXPIRED)

    def supersede():
        with things.work() as work:
            at = work.recorded_at
            work.records.add(new_record("new", content("Ann lives in Nice"), at, supersedes=(old.id,)), at)
            work.records.set_status(old.id, StatusSpan(Status.SUPERSEDED, at, None, at, "new"))

    with pytest.raises(InvalidInput):
        supersede()
    (kept,) = things.get([old.id], statuses=EVERY_STATUS)
    assert kept.status is Status.EXPIRED
    with things.store.snapshot("acme") as snapshot:
        assert snapshot.records.by_digest(things.fence(), content_digest("Ann lives in Nice"), "fact") == ()


def test_the_same_words_and_the_same_fact_are_found_inside_the_fence(things):
    first = things.remember("Ann  lives in Lyon", subject="Ann", attribute="home", valid_from=things.clock.now())
    second = things.remember("Ann lives in Lyon", subject="ANN", attribute="Home")
    things.remember("Ann lives in Lyon", subject="Ann", attribute="home", scope=BOB)
    things.remember("Ann lives in Lyon", type="preference", subject="Ann", attribute="work")

    with things.store.snapshot("acme") as snapshot:
        same = snapshot.records.by_digest(things.fence(), content_digest("Ann lives in Lyon"), "fact")
        fact = snapshot.records.same_fact(things.fence(), "ann", "home")
        nothing = snapshot.records.same_fact(things.fence(), "", "")
    assert [record.id for record in same] == [first.id, second.id]
    assert [record.id for record in fact] == [second.id, first.id]
    assert nothing == ()


def test_conflicts_are_seen_from_both_sides_where_both_may_be_read(things):
    first, second, foreign = (
        things.remember("it is blue"),
        things.remember("it is red"),
        things.remember("it is green", scope=BOB),
    )
    before = things.clock.now()
    with things.work() as work:
        work.records.link_conflict(second.id, first.id, work.recorded_at)
        work.records.link_conflict(first.id, second.id, work.recorded_at)
        work.records.link_conflict(first.id, foreign.id, work.recorded_at)

    assert [record.conflicts for record in things.get([first.id, second.id])] == [(second.id,), (first.id,)]
    assert things.get([first.id], known_at=before)[0].conflicts == ()
    with things.store.snapshot("acme") as snapshot:
        found = snapshot.records.candidates(things.fence(), [first.key, second.key])
    assert [candidate.conflicts for candidate in found] == [(second.id,), (first.id,)]
    with pytest.raises(InvalidInput), things.work() as work:
        work.records.link_conflict(first.id, first.id, work.recorded_at)


def test_candidates_and_bodies_speak_of_records_and_turns_alike(things):
    (said,) = things.say("I moved to Nice", speaker="Ann Smith")
    old = things.remember("Ann lives in Lyon", subject="Ann", tags=("home",))
    new = things.remember("Ann lives in Nice", subject="Ann", record={"supersedes": (old.id,)})
    things.set_status(old.id, Status.SUPERSEDED, successor=new.id)

    with things.store.snapshot("acme") as snapshot:
        keys = [new.key, said.key, old.key, 999]
        turn, belief = snapshot.records.candidates(things.fence(), keys)
        bodies = snapshot.records.bodies(things.fence(), keys)
    assert (turn.key, turn.id, turn.subject_key, turn.session, turn.seq) == (said.key, said.id, "ann smith", "s1", 0)
    assert (turn.confidence, turn.evidence_count, turn.utility) == (0.95, 1, 0.0)
    assert (belief.key, belief.id, belief.subject_key, belief.supersedes) == (new.key, new.id, "ann", (old.id,))
    assert (belief.created_at, belief.recorded_at) == (new.created_at, new.recorded_at)
    assert {key: body.text for key, body in bodies.items()} == {said.key: said.text, new.key: new.content.text}
    assert (bodies[said.key].speaker, bodies[said.key].message_id) == ("Ann Smith", said.message_id)


def test_a_body_names_the_entities_of_readable_scopes(things):
    with things.work() as work:
        work.entities.add(Entity("e1", "person", "Ann Smith", ANN, ("Annie",)), work.recorded_at)
        work.entities.add(Entity("e2", "person", "Bob Jones", BOB), work.recorded_at)
    written = things.remember("they met", record={"entities": (("e1", "about"), ("e2", "mentions"))})

    with things.store.snapshot("acme") as snapshot:
        body = snapshot.records.bodies(things.fence(), [written.key])[written.key]
    assert body.entities == ("Ann Smith",)


def test_records_and_turns_are_found_by_the_start_of_an_id(things):
    written, (said,) = things.remember("Ann lives in Lyon"), things.say("hello")
    foreign = things.remember("secret", scope=BOB)
    short = short_ids([written.id, said.id, foreign.id])

    with things.store.snapshot("acme") as snapshot:
        find = snapshot.records.find
        assert find(things.fence(), written.id) == (written.id,)
        assert find(things.fence(), short[written.id]) == (written.id,)
        assert find(things.fence(), short[said.id].removeprefix("m:")) == (said.id,)
        assert find(things.fence(), short[foreign.id]) == find(things.fence(), "") == find(things.fence(), "m:") == ()
        assert find(things.fence(), short[written.id][:-1] + "%") == ()


def test_lineage_leads_from_sources_to_what_was_made_of_them(things):
    (said,) = things.say("I moved to Nice")
    parent = things.remember(
        "Ann lives in Nice",
        source=Source(SourceKind.USER_STATEMENT, "s1", "cli", evidence=Evidence("moved to Nice", said.id, 2, 15)),
    )
    child = things.remember("Ann is in France", derivation="derived", parents=(parent.id,))

    with things.store.snapshot("acme") as snapshot:
        assert snapshot.records.quoting([said.id]) == (parent.id,)
        assert snapshot.records.derived([parent.id]) == (child.id,)
        assert snapshot.records.derived([child.id]) == ()


def test_one_source_supports_a_record_once(things):
    written = things.remember("Ann lives in Lyon")
    own = written.content.source.ref
    with things.work() as work:
        add, at = work.records.add_support, work.recorded_at
        assert not add(written.id, own, SourceKind.USER_STATEMENT, at)
        assert add(written.id, "tool:1", SourceKind.TOOL_RESULT, at)
        assert not add(written.id, "tool:1", SourceKind.TOOL_RESULT, at)
        assert work.records.supports(written.id) == (own, "tool:1")
        assert work.records.supports("nobody") == ()


def test_what_the_fence_looks_at_is_told_whatever_hides_it(things):
    written = things.remember("Ann lives in Lyon", channel="mail", subject="Ann Smith")
    with things.work() as work:
        changed = work.records.add_version(written.id, content("Ann is in Nice", channel="mail"), work.recorded_at)
    things.set_status(written.id, Status.DELETED)

    with things.store.snapshot("acme") as snapshot:
        newest, oldest = snapshot.records.entries(things.fence(channel="mail"), written.id)
        assert snapshot.records.entries(things.fence(channel="chat"), written.id) == ()
        assert snapshot.records.entries(things.fence(scopes=(BOB,)), written.id) == ()
        assert snapshot.records.entries(things.fence(ceiling=Sensitivity.PUBLIC), written.id) == ()
        assert snapshot.records.entries(things.fence(), "nobody") == ()
    assert (newest.key, oldest.key, oldest.retired_at) == (changed.key, written.key, changed.recorded_at)
    assert oldest.subject_key == "ann smith"
    assert [span.status for span in newest.statuses] == [Status.ACTIVE, Status.DELETED]
    assert things.fence().excluded_by(newest) == "status"
    assert things.fence().excluded_by(oldest) == "recorded"


def test_spans_that_have_ended_are_listed_as_they_ended(things):
    now = things.clock.now()
    for hours, name in ((3, "third"), (1, "first"), (2, "second"), (9, "not yet")):
        ends = now + timedelta(hours=hours)
        status = Status.PROVISIONAL if hours == 1 else Status.ACTIVE
        things.remember(name, scope=BOB, record={"ends_at": ends, "status": status})
    things.remember("open")
    gone = things.remember("gone", record={"ends_at": now + timedelta(hours=1)})
    things.set_status(gone.id, Status.EXPIRED)

    with things.work() as work:
        found = work.records.lapsed(now + timedelta(hours=3), 9)
        assert [span.ends_at for _, span in found] == [now + timedelta(hours=hours) for hours in (1, 2, 3)]
        assert found[0][1].status is Status.PROVISIONAL
        assert work.records.lapsed(now + timedelta(hours=3), 2) == found[:2]
        assert work.records.lapsed(now, 9) == ()


def test_counters_move_without_a_new_version(things):
    written = things.remember("Ann lives in Lyon")
    usage = Usage(0.99, 2, things.clock.now(), things.clock.now(), -0.5)
    with things.work() as work:
        work.records.set_usage(written.id, usage)

    (read,) = things.get([written.id])
    assert (read.usage, read.key, read.version) == (usage, written.key, 1)


def test_an_id_is_written_once(things):
    written = things.remember("Ann lives in Lyon")

    with pytest.raises(Exception, match="refused"), things.work() as work:
        work.records.add(new_record(written.id, content("other"), work.recorded_at), work.recorded_at)

    assert things.texts([written.id]) == ["Ann lives in Lyon"]


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), {1, 2}, object()])
def test_metadata_that_is_no_json_is_refused_and_nothing_stored(things, bad):
    with pytest.raises(InvalidInput, match="JSON"):
        things.remember("Ann lives in Lyon", metadata={"bad": bad})

    with things.store.snapshot("acme") as snapshot:
        assert snapshot.position == 0


def test_scopes_of_other_kinds_come_back(things):
    private = Scope(ScopeKind.AGENT, "cli/ann")
    written = things.remember("my note", scope=private)

    assert things.get([written.id], scopes=(private,))[0].content.scope == private


@pytest.mark.parametrize(
    "damage",
    [
        "update version set tags = '['",
        "update entry set source_kind = 'rumour'",
        "update entry set created_at = 9000000000000000000",
    ],
)
def test_a_damaged_value_is_damage_of_the_store_and_no_defect(things, damage):
    kept = things.remember("one")
    rows_of(things.store, damage)

    with pytest.raises(StoreCorrupt, match="damaged"):
        things.get([kept.id])


def test_a_text_that_is_no_utf_8_is_damage_of_the_store(things):
    kept = things.remember("one")
    rows_of(things.store, "update version set content = cast(x'ff' as text)")

    with pytest.raises(StoreCorrupt, match="damaged"):
        things.get([kept.id])
