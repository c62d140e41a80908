"""A record named by its id is confirmed, replaced, ended or merged, under the rules of every other statement."""

from __future__ import annotations

import json
from contextlib import closing
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bethink.domain.record import LIVE, Status
from bethink.domain.source import RANK, SourceKind
from bethink.errors import AccessDenied, BethinkError, IdempotencyMismatch, InvalidInput, NotFound
from tests.behaviour.house import MARCH, House, beliefs, counted, events, know, record, texts
from tests.behaviour.requirements import requirement
from tests.databases import everything_held

DAY = timedelta(days=1)
HOME = {"subject": "Maya", "attribute": "home city"}
ASKED = "Where does Maya live?"
TEA = "Does Maya like tea?"
USER, SYSTEM, TOOL, AGENT = (
    SourceKind.USER_STATEMENT,
    SourceKind.SYSTEM,
    SourceKind.TOOL_RESULT,
    SourceKind.AGENT_INFERENCE,
)


@requirement("E82")
def test_a_user_who_confirms_a_guess_makes_it_their_own_word(maya, aria):
    guess = aria.remember("Maya lives in Lisbon", **HOME)
    turns = counted(maya, "turn")
    before = record(maya, guess.id)
    done = maya.revise(guess.id, action="confirm")
    after = record(maya, guess.id)

    assert (before.status, before.usage.confidence, before.content.source.kind) == (Status.PROVISIONAL, 0.6, AGENT)
    assert (done.outcome, done.id, done.status, done.source) == ("confirmed", guess.id, Status.ACTIVE, USER)
    assert (after.status, after.ends_at, after.content.source.kind) == (Status.ACTIVE, None, USER)
    assert (after.usage.confidence, after.usage.evidence_count) == (0.95, 2)
    assert counted(maya, "turn") == turns
    assert maya.revise(guess.id, action="confirm").outcome == "already_confirmed"
    assert record(maya, guess.id).usage == after.usage


@requirement("E82")
def test_an_agent_that_confirms_counts_once_and_never_for_itself(house, aria):
    guess = aria.remember("The ferry sails at nine").id
    bard = house.bind(agent="bard", voice="agent")
    outcomes = [agent.revise(guess, action="confirm").outcome for agent in (aria, bard, bard)]

    assert outcomes == ["already_confirmed", "confirmed", "already_confirmed"]
    assert (record(aria, guess).status, record(aria, guess).usage.evidence_count) == (Status.ACTIVE, 2)


def test_a_quote_confirms_and_one_that_says_something_else_does_not(maya, aria):
    guess = aria.remember("Maya lives in Lisbon", **HOME).id
    other = aria.revise(guess, action="confirm", evidence="I live in Porto now")
    done = aria.revise(guess, action="confirm", evidence="I live in Lisbon today")

    assert (other.outcome, other.source, other.evidence_located) == ("already_confirmed", AGENT, False)
    assert [notice.code for notice in other.notices] == ["evidence_not_entailing"]
    assert (done.outcome, done.source, done.evidence_located) == ("confirmed", USER, True)
    assert record(maya, guess).content.source.evidence.quote == "I live in Lisbon today"


def test_a_guess_confirmed_against_what_the_user_said_before_takes_its_place(house, maya, aria):
    said = maya.remember("Maya lives in Lisbon", **HOME).id
    house.clock.advance(days=1)
    guess = aria.remember("Maya lives in Porto", **HOME)
    done = maya.revise(guess.id, action="confirm")

    assert guess.conflicts == (said,)
    assert (done.outcome, done.source, set(done.superseded)) == ("superseded", USER, {said, guess.id})
    assert beliefs(maya, ASKED) == [done.id]


@pytest.mark.parametrize("about", [HOME, {"subject": "Maya"}, {}], ids=["a fact", "a subject", "neither"])
def test_what_supersedes_a_record_is_about_the_same_and_the_old_one_is_history(house, maya, about):
    old = maya.remember("Maya lives in Lisbon", type="user_attribute", tags=("home",), **about).id
    before = house.clock.advance(days=1)
    house.clock.advance(days=1)
    done = maya.revise(old, action="supersede", content="Maya lives in Porto")
    new, gone = record(maya, done.id), record(maya, old)

    assert (done.outcome, done.superseded, done.status, done.source) == ("superseded", (old,), Status.ACTIVE, USER)
    assert done.evidence_located
    assert (gone.status, gone.superseded_by, new.supersedes) == (Status.SUPERSEDED, new.id, (old,))
    assert (new.content.subject_key, new.content.attribute_key) == (
        gone.content.subject_key,
        gone.content.attribute_key,
    )
    assert (new.content.type, new.content.tags, new.content.scope) == (
        gone.content.type,
        gone.content.tags,
        gone.content.scope,
    )
    assert new.content.subject_entity == gone.content.subject_entity
    assert texts(maya.recall(ASKED)) == ["Maya lives in Porto"]
    assert beliefs(maya, ASKED, as_of=before) == [old]
    assert house.opened[0].check().findings == ()


@requirement("E59")
@pytest.mark.parametrize("about", [HOME, {}], ids=["a fact", "no attribute"])
def test_an_agent_without_evidence_disputes_what_the_user_said_and_replaces_nothing(house, maya, aria, about):
    said = maya.remember("Maya lives in Lisbon", **about).id
    house.clock.advance(days=1)
    done = aria.revise(said, action="supersede", content="Maya lives in Porto")
    again = aria.revise(said, action="supersede", content="Maya lives in Porto")
    shown = {item.id: item for item in maya.recall(ASKED).items}

    assert (done.outcome, done.source, done.status) == ("conflict", AGENT, Status.PROVISIONAL)
    assert (done.superseded, done.conflicts) == ((), (said,))
    assert [notice.code for notice in done.notices] == ["evidence_missing"]
    assert record(maya, said).status is Status.ACTIVE
    assert (shown[said].conflicts, shown[done.id].conflicts) == ((done.id,), (said,))
    assert again.id == done.id
    assert (again.outcome, again.conflicts) == ("conflict", (said,))
    assert counted(maya, "record") == 2


def test_an_agent_with_the_users_words_replaces_what_the_user_said(house, maya, aria):
    said = maya.remember("Maya lives in Lisbon", event_at=MARCH - DAY, **HOME).id
    done = aria.revise(said, action="supersede", content="Maya lives in Porto", evidence="I live in Porto now")

    assert (done.outcome, done.source, done.evidence_located, done.superseded) == ("superseded", USER, True, (said,))
    assert record(maya, done.id).content.source.evidence.turn_id is not None


def test_words_quoted_from_before_the_record_arrive_superseded(house, maya, aria):
    house.clock.advance(days=2)
    said = maya.remember("Maya lives in Lisbon", **HOME).id
    done = aria.revise(said, action="supersede", content="Maya lives in Porto", evidence="I live in Porto now")

    assert (done.outcome, done.superseded) == ("superseded_on_arrival", ())
    assert record(maya, said).status is Status.ACTIVE


def test_a_record_replaced_by_words_another_holds_gives_way_to_that_one(maya):
    kept, wrong = (maya.remember(text).id for text in ("Maya likes green tea", "Maya likes black tea"))
    done = maya.revise(wrong, action="supersede", content="Maya likes green tea")

    assert (done.outcome, done.id, done.superseded) == ("superseded", kept, (wrong,))
    assert (record(maya, wrong).superseded_by, counted(maya, "record")) == (kept, 2)
    assert texts(maya.recall(TEA)) == ["Maya likes green tea"]


def test_the_records_own_words_confirm_it(maya, aria):
    guess = aria.remember("Maya likes tea").id

    assert maya.revise(guess, action="supersede", content="Maya likes tea").outcome == "confirmed"
    assert counted(maya, "record") == 1


def test_a_record_stays_where_it_was_learned_whoever_revises_it(house, maya):
    first, second = (
        house.bind(channel=channel, project="loom", voice="agent").remember("Maya lives in Lisbon").id
        for channel in ("desk", "phone")
    )
    elsewhere = house.bind(project="mill")
    done = elsewhere.revise(second, action="confirm")
    new = elsewhere.revise(second, action="supersede", content="Maya lives in Porto")

    assert (done.outcome, done.id, record(maya, first).status) == ("confirmed", second, Status.PROVISIONAL)
    assert new.superseded == (second,)
    assert record(maya, new.id).content.channel == "phone"
    assert record(maya, new.id).content.origin.project == "loom"


def test_what_is_still_to_begin_is_replaced_from_its_beginning(house, maya):
    old = maya.remember("Maya lives in Lisbon", valid_from=MARCH + 9 * DAY, **HOME).id
    done = maya.revise(old, action="supersede", content="Maya lives in Porto")
    house.clock.advance(days=10)

    assert (done.outcome, done.superseded) == ("superseded", (old,))
    assert record(maya, done.id).content.valid_from == MARCH + 9 * DAY
    assert beliefs(maya, ASKED) == [done.id]


@pytest.mark.parametrize("ahead", [False, True], ids=["by now", "later"])
def test_what_replaces_a_record_holds_from_the_time_named(house, maya, ahead):
    old = maya.remember("Maya lives in Lisbon", **HOME).id
    house.clock.advance(days=10)
    at = MARCH + (20 if ahead else 5) * DAY
    done = maya.revise(old, action="supersede", content="Maya lives in Porto", at=at)
    new = record(maya, done.id)

    assert (done.outcome, new.content.valid_from) == ("superseded", at)
    assert [beliefs(maya, ASKED, as_of=at + step) for step in (-DAY, timedelta(0))] == [[old], [done.id]]
    assert beliefs(maya, ASKED) == [old if ahead else done.id]
    house.clock.advance(days=11)
    assert beliefs(maya, ASKED) == [done.id]


def test_a_foreign_record_and_an_absent_one_answer_alike(house, maya):
    theirs = house.bind("noor").remember("Noor lives in Oslo").id
    mine, hidden = (maya.remember(text).id for text in ("Maya likes tea", "Maya likes jam"))
    maya.forget(hidden)
    absent = theirs[:-4] + "ffff"
    asked = [
        {"action": "confirm"},
        {"action": "supersede", "content": "Noor lives in Bergen"},
        {"action": "expire"},
        {"action": "merge", "other": mine},
    ]

    def told(item: str, fields: dict[str, Any]) -> tuple[type, str]:
        with pytest.raises(BethinkError) as refused:
            maya.revise(item, **fields)
        return type(refused.value), str(refused.value).replace(item, "ID")

    for fields in asked:
        answers = {told(item, fields) for item in (theirs, absent, hidden)}
        assert len(answers) == 1
        assert {kind for kind, _ in answers} == {NotFound}
    others = set()
    for item in (theirs, absent, hidden):
        with pytest.raises(NotFound) as refused:
            maya.revise(mine, action="merge", other=item)
        others.add(str(refused.value).replace(item, "ID"))
    assert len(others) == 1
    assert house.bind("noor").get(theirs).record.status is Status.ACTIVE


def test_who_may_only_read_a_record_may_not_revise_it(house, maya):
    house.open().grant("maya", "bard", "user:maya", read=True, write=False)
    kept = maya.remember("Maya likes tea").id
    bard = house.bind(agent="bard", voice="agent")

    assert bard.get(kept).record.id == kept
    for fields in ({"action": "confirm"}, {"action": "expire"}, {"action": "supersede", "content": "Maya likes jam"}):
        with pytest.raises(AccessDenied):
            bard.revise(kept, **fields)


def test_a_repeat_with_a_key_is_answered_once_and_a_key_is_for_one_request(house, maya):
    old, other = maya.remember("Maya lives in Lisbon").id, maya.remember("Maya likes tea").id
    first, again = (
        maya.revise(old, action="supersede", content="Maya lives in Porto", idempotency_key="k") for _ in range(2)
    )
    rivals = [
        {"action": "supersede", "content": "Maya lives in Faro"},
        {"action": "expire"},
        {"action": "merge", "other": other},
    ]

    assert (first.outcome, again.outcome) == ("superseded", "replayed")
    assert (again.id, again.superseded, again.status, again.source) == (first.id, (old,), first.status, USER)
    assert counted(maya, "record") == 3
    for fields in rivals:
        with pytest.raises(IdempotencyMismatch):
            maya.revise(old, idempotency_key="k", **fields)
    with pytest.raises(IdempotencyMismatch):
        maya.remember("Maya lives in Porto", idempotency_key="k")
    merged = [maya.revise(first.id, action="merge", other=other, idempotency_key="m") for _ in range(2)]
    assert [one.outcome for one in merged] == ["merged", "replayed"]


def test_secrets_are_gone_before_anything_is_kept(house, maya):
    token = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    old = maya.remember("Maya deploys with a token").id
    done = maya.revise(old, action="supersede", content=f"Maya deploys with {token}")
    house.close()

    assert [notice.code for notice in done.notices] == ["secret_redacted"]
    held = everything_held(house.opened[0]._parts.store)
    assert not any(token.encode() in content for _, content in held)


def test_every_revision_is_in_the_log_with_ids_and_without_words(maya, aria):
    old, other = maya.remember("Maya likes plum tea").id, maya.remember("Maya enjoys plum tea").id
    new = maya.revise(old, action="supersede", content="Maya likes plum tea best").id
    maya.revise(new, action="confirm")
    maya.revise(new, action="merge", other=other)
    maya.revise(new, action="expire")
    kept = [json.loads(payload) for kind, payload in events(maya) if kind == "memory.revised"]

    assert [(one["action"], one["record"], one["outcome"]) for one in kept] == [
        ("supersede", old, "superseded"),
        ("confirm", new, "already_confirmed"),
        ("merge", new, "merged"),
        ("expire", new, "expired"),
    ]
    assert kept[0]["superseded"] == [old]
    assert all(one["stages_ms"] for one in kept)
    assert "plum" not in str(kept)


def test_only_what_holds_now_and_is_a_record_is_revised(house, maya, aria):
    old = maya.remember("Maya lives in Lisbon", **HOME).id
    new = maya.remember("Maya lives in Porto", **HOME).id
    event = know(maya, "Maya moved house", type="event")
    lapsed = aria.remember("Maya rents a boat").id
    turn = maya.episodes(session="talk").turns[0].id
    house.clock.advance(days=31)

    with pytest.raises(InvalidInput, match="superseded") as gone:
        maya.revise(old, action="confirm")
    assert new in str(gone.value)
    for item, fields, why in (
        (lapsed, {"action": "confirm"}, "over"),
        (turn, {"action": "expire"}, "turn"),
        (event, {"action": "expire"}, "event"),
        (event, {"action": "supersede", "content": "Maya moved twice"}, "event"),
        (new, {"action": "expire", "at": MARCH - 9 * DAY}, "does not hold yet"),
    ):
        with pytest.raises(InvalidInput, match=why):
            maya.revise(item, **fields)
    assert maya.revise(event, action="confirm").outcome == "confirmed"


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"action": "improve"}, "none of confirm"),
        ({"action": "supersede"}, "content is needed"),
        ({"action": "merge"}, "other is needed"),
        ({"action": "confirm", "content": "Maya likes jam"}, "content says nothing"),
        ({"action": "expire", "other": "m:12345678"}, "other says nothing"),
        ({"action": "confirm", "at": MARCH}, "at says nothing"),
        ({"action": "merge", "other": "m:12345678", "evidence": "I like tea"}, "no evidence"),
        ({"action": "expire", "evidence": "I like tea no more"}, "needs a statement"),
        ({"action": "supersede", "content": "  "}, "content is empty"),
        ({"action": "supersede", "content": "x", "at": MARCH.replace(tzinfo=None)}, "^at "),
        ({"action": "expire", "at": "2026-01-01"}, "at must be a datetime"),
        ({}, "action"),
    ],
)
def test_a_request_that_cannot_be_meant_is_refused_whole(maya, fields, why):
    kept = maya.remember("Maya likes tea").id
    written = len(events(maya))

    with pytest.raises(InvalidInput, match=why):
        maya.revise(kept, **fields)
    assert len(events(maya)) == written


ACTIONS = st.sampled_from(["confirm", "supersede", "expire"])
SOURCES = st.sampled_from([USER, SYSTEM, TOOL, AGENT])
FACTS = st.sampled_from([HOME, {"subject": "Maya"}, {}])


@requirement("E59")
@settings(max_examples=40, deadline=None)
@given(FACTS, SOURCES, st.lists(st.tuples(ACTIONS, SOURCES, st.integers(0, 2)), min_size=1, max_size=5))
def test_no_revision_ends_what_a_better_source_said(database, about, first, steps):
    with database.passing() as place, closing(House(place, embedder=None)) as house:
        revised(house, about, first, steps)


def revised(house, about, first, steps):
    """One record, revised step by step."""
    maya = house.bind()
    numbers = count()
    named = maya.remember("Maya lives in town 0", source=first, **about).id
    for action, source, town in steps:
        house.clock.advance(minutes=1)
        before = {item: record(maya, item) for item in (named,)}[named]
        if before.status not in LIVE:
            break
        content = {"supersede": f"Maya lives in town {town}", "expire": f"Maya left town, says {next(numbers)}"}
        done = maya.revise(named, action=action, content=content.get(action), source=source)
        after = record(maya, named)
        if after.status not in LIVE:
            assert RANK[source] >= before.content.source.rank
            assert done.outcome in {"superseded", "expired"}
        if RANK[source] < before.content.source.rank and action == "expire":
            assert (done.outcome, done.conflicts) == ("conflict", (named,))
        if done.outcome == "superseded":
            assert after.superseded_by is not None
    assert house.opened[0].check().findings == ()
