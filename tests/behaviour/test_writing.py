"""What a write checks, what it leaves behind, and what it never does by itself."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bethink.domain.record import Status
from bethink.domain.source import SourceKind
from bethink.domain.types import TYPES, WRITABLE, Kind
from bethink.errors import AccessDenied, EmbedderError, InvalidInput
from bethink.memory import BoundMemory, Memory
from tests.behaviour.house import MARCH, ByHand, House, arms, counted, ids, know
from tests.behaviour.requirements import requirement
from tests.databases import everything_held, rows_of, tables_of

AGENT = SourceKind.AGENT_INFERENCE


@dataclass
class Fragile(ByHand):
    """An embedder that can be down."""

    down: bool = False

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.down:
            raise EmbedderError("The model does not answer.")
        return super().embed_documents(texts)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        if self.down:
            raise EmbedderError("The model does not answer.")
        return super().embed_query(text)


def everything(memory: Memory | BoundMemory) -> dict[str, list[Any]]:
    """Every row of the truth."""
    store = memory._parts.store
    return {table: sorted(rows_of(store, f"select * from {table}"), key=repr) for table in tables_of(store)}


@requirement("D1", "E10")
def test_writing_finding_choosing_and_showing_are_four_decisions(new_place):
    model = Fragile({"kiln": 0.9, "shed": 0.05})
    house = House(new_place(), embedder=model)
    maya = house.bind()
    shown, far = know(maya, "The kiln fires at noon"), know(maya, "The shed was painted")
    others = [know(maya, f"Log {number} says the kiln fires at noon" + " and cools" * number) for number in range(8)]
    model.down = True
    late = maya.remember("The kiln fires on Sunday at noon", source=SourceKind.SYSTEM)
    blind = maya.recall("When does the kiln fire?")
    model.down = False
    result = maya.recall("When does the kiln fire?", max_items=3)
    trace = maya.trace(result.trace_id).trace
    stages = {cut.id: cut.stage for cut in trace.cuts}
    house.close()

    assert (late.outcome, late.embedding_pending, house.opened[0]._parts.embedder) == ("created", True, model)
    assert late.id in ids(blind)
    assert any(reason.startswith("dense") for reason in blind.degraded)
    assert (shown in trace.returned, stages[far]) == (True, "gate")
    assert {stages[item] for item in others if item in stages} == {"count"}
    assert len(trace.returned) == 3


@requirement("D4", "E1")
def test_a_passing_remark_is_the_agents_guess_and_no_truth_of_the_project(house):
    house.open().grant("maya", "aria", "project:loom", write=True)
    agent = house.bind(project="loom", voice="agent")
    told = agent.remember("The team seems to prefer short meetings", subject="team", attribute="meetings")
    record = agent.get(told.id).record
    house.bind(project="loom").remember(
        "The team prefers long walks", target="project", subject="team", attribute="walks"
    )

    assert (told.source, told.status, [notice.code for notice in told.notices]) == (
        AGENT,
        Status.PROVISIONAL,
        ["evidence_missing"],
    )
    assert (record.content.scope.key, record.content.source.ref, record.content.source.creator) == (
        "user:maya",
        "agent:aria",
        "aria",
    )
    assert record.ends_at == record.created_at + timedelta(days=30)
    house.clock.advance(days=31)
    assert told.id not in ids(agent.recall("Which meetings does the team prefer?"))


@requirement("D20")
def test_words_and_tags_are_searched_and_what_authorises_is_not(house, maya):
    kept = maya.remember(
        "The ferry sails at nine",
        source=SourceKind.DOCUMENT,
        source_ref="handbook",
        source_revision="draftseven",
        tags=("timetable", "seaside trips"),
        metadata={"colour": "crimson"},
    ).id
    found = {word: ids(maya.recall(word, on_weak="lexical")) for word in ("ferry", "timetable", "seaside")}
    silent = (
        "handbook",
        "draftseven",
        "document",
        "active",
        "normal",
        "crimson",
        "contextual",
        "aria",
        "fact",
    )

    assert set(map(tuple, found.values())) == {(kept,)}
    for word in silent:
        result = maya.recall(word, on_weak="lexical")
        assert arms(maya, result)["lexical"] == [], word
    house.opened[0].repair()
    assert ids(maya.recall("timetable", on_weak="lexical")) == [kept]
    assert house.opened[0].check().findings == ()


@requirement("D22")
@pytest.mark.parametrize("name", sorted({*TYPES, "rumour", "", "Fact"} - set(WRITABLE)))
def test_only_the_listed_types_are_written(maya, name):
    with pytest.raises(InvalidInput, match="procedure") as refused:
        maya.remember("The ferry sails at nine", type=name)
    assert all(known in str(refused.value) for known in WRITABLE)
    assert counted(maya, "record") == 0


SECRETS = {
    "a token": "ghp_" + "a1B2c3D4" * 4 + "e5F6",
    "a key": "AKIA" + "IOSFODNN7EXAMPLE",
    "a private key": "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj\n-----END PRIVATE KEY-----",
    "a password": "hunter2-Zq8!x",
}


@requirement("D23")
@pytest.mark.parametrize("name", SECRETS)
def test_no_file_of_the_store_ever_holds_a_secret_that_was_written(house, maya, name):
    secret = SECRETS[name]
    said = f"password: {secret}" if name == "a password" else f"The build uses {secret} since May."
    told = maya.remember(said, subject="build", tags=("build",), metadata={"note": said}, idempotency_key="k")
    with maya.session("talk") as session:
        turned = session.turn(said)
    maya.recall("What does the build use?")
    house.opened[0].check()
    marks = [line.encode() for line in secret.splitlines() if "-----" not in line]

    assert "secret_redacted" in [notice.code for notice in told.notices]
    assert [notice.code for notice in turned.notices] == ["secret_redacted"]
    assert "[" in maya.get(told.id).record.content.text
    for place, held in everything_held(house.opened[0]._parts.store):
        assert not [mark for mark in marks if mark in held], place


@requirement("E9", "D3")
def test_reading_changes_nothing_and_tunes_nothing(house, maya):
    with maya.session("talk") as session:
        session.turn("I fire the kiln on Fridays", said_at=MARCH)
    kept = [know(maya, f"Kiln {number} fires on day {number}", subject=f"kiln {number}") for number in range(5)]
    first = maya.recall("When does the kiln fire?")
    before = everything(maya)
    for _ in range(10):
        answer = maya.recall("When does the kiln fire?", max_items=3)
        maya.recall("Which kiln?", as_of=MARCH, known_at=MARCH)
        maya.why(answer.trace_id, kept[0])
        maya.trace(answer.trace_id)
        maya.get(kept[1], history=True)
        maya.episodes(session="talk")
        house.opened[0].check()
    again = maya.recall("When does the kiln fire?")
    after = everything(maya)
    house.opened[0].repair()
    repaired = everything(maya)

    assert (again.rendered, again.policy) == (first.rendered, first.policy)
    assert [item.score for item in again.items] == [item.score for item in first.items]
    assert after == before
    counters = {"vector_state": [], "meta": []}
    assert repaired | counters == before | counters


@requirement("E22")
def test_a_write_checks_its_scope_meets_its_neighbours_and_has_its_vector(house, maya):
    stranger = house.open(owner=False).bind("maya", "stranger", voice="user")
    with pytest.raises(AccessDenied):
        stranger.remember("The ferry sails at nine")
    first = maya.remember("The ferry sails at nine", subject="ferry", attribute="hour")
    again = maya.remember("The ferry sails at nine", subject="ferry", attribute="hour")
    house.clock.advance(days=1)
    other = maya.remember("The ferry sails at ten", source=AGENT, subject="ferry", attribute="hour")

    assert (first.outcome, first.status, first.embedding_pending) == ("created", Status.ACTIVE, False)
    assert (again.outcome, again.id) == ("already_reinforced", first.id)
    assert (other.outcome, other.conflicts, other.status) == ("conflict", (first.id,), Status.PROVISIONAL)
    assert first.short_id.startswith("m:")
    assert maya.get(first.short_id).record.id == first.id
    assert (counted(maya, "vector"), house.opened[0].pending) == (counted(maya, "entry"), 0)
    assert arms(maya, maya.recall("The ferry sails at nine"))["dense"]


@requirement("E75")
@pytest.mark.parametrize(
    ("said", "claim", "holds"),
    [
        ("I moved to Berlin last week.", "Maya moved to Berlin", True),
        ("I moved to Berlin last week.", "The user moved to Berlin", True),
        ("I did not move to Berlin last week.", "Maya moved to Berlin", False),
        ("I moved to Bern last week.", "Maya moved to Berlin", False),
        ("I have 3 cats at home.", "Maya has 4 cats at home", False),
        ("Maybe I will move to Berlin soon.", "Maya moved to Berlin", False),
        ("Did I move to Berlin last week?", "Maya moved to Berlin", False),
    ],
)
def test_a_claim_stands_on_its_quote_only_where_the_quote_says_it(house, said, claim, holds):
    with house.bind().session("talk") as session:
        session.turn(said)
    told = house.bind(voice="agent", session="talk").remember(claim, evidence=said)

    assert (told.source, told.status) == (
        (SourceKind.USER_STATEMENT, Status.ACTIVE) if holds else (AGENT, Status.PROVISIONAL)
    )
    assert told.evidence_located is holds


@requirement("E75")
def test_what_a_participant_says_of_themselves_is_theirs(house):
    with house.bind().session("talk") as session:
        session.turn("I moved to Berlin last week.", role="participant", speaker="Caroline")
    agent = house.bind(voice="agent", session="talk")
    hers, mine = (
        agent.remember(f"{name} moved to Berlin", evidence="I moved to Berlin last week.")
        for name in ("Caroline", "Maya")
    )

    assert (hers.source, hers.evidence_located) == (SourceKind.DOCUMENT, True)
    assert (mine.source, mine.evidence_located) == (AGENT, False)


@requirement("E74")
@pytest.mark.parametrize(
    ("quote", "code"),
    [
        ("I moved  to\nBerlin last week.", None),
        ("I moved to Rome last week.", "evidence_not_found"),
        ("I moved", "evidence_too_short"),
    ],
)
def test_a_user_statement_needs_words_that_the_session_holds(house, quote, code):
    with house.bind().session("talk") as session:
        session.turn("Well, I moved to Berlin last week.")
    told = house.bind(voice="agent", session="talk").remember(
        "Maya moved to Berlin", evidence=quote, source=SourceKind.USER_STATEMENT
    )

    assert told.source is (AGENT if code else SourceKind.USER_STATEMENT)
    assert [notice.code for notice in told.notices] == ([code, "source_not_raised"] if code else [])


@requirement("E106", "E99")
def test_a_write_leaves_an_account_of_itself_without_its_words(house, maya):
    old = maya.remember("Maya works at Alder", subject="Maya", attribute="employer")
    new = maya.remember("Maya works at Birch", subject="Maya", attribute="employer")
    rows = rows_of(maya._parts.store, "select payload from event where kind = 'memory.written' order by position, part")
    written = [json.loads(payload) for (payload,) in rows]
    account = written[-1]

    assert new.superseded == (old.id,)
    assert {
        name: account[name] for name in ("outcome", "status", "type", "scope", "source", "creator", "superseded")
    } == {
        "outcome": "superseded",
        "status": "active",
        "type": "fact",
        "scope": "user:maya",
        "source": "user_statement",
        "creator": "aria",
        "superseded": [old.id],
    }
    timed = {"permission", "evidence", "duplicate", "contradiction", "entity", "embedding", "index"}
    assert timed <= set(account["stages_ms"]) <= set(new.stages_ms)
    assert set(new.stages_ms) == timed | {"transaction", "event"}
    assert not any(word in json.dumps(written) for word in ("Birch", "Alder", "employer"))


def test_facts_and_episodes_of_the_same_words_are_told_apart(maya):
    maya.remember("The ferry sails at nine")
    maya.session("talk").turn("The ferry sails at nine")
    found = maya.recall("When does the ferry sail?")

    assert {item.kind for item in found.items} == {Kind.SEMANTIC, Kind.EPISODIC}
    assert [item.kind for item in maya.recall("When does the ferry sail?", kinds=(Kind.SEMANTIC,)).items] == [
        Kind.SEMANTIC
    ]
