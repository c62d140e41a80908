"""Every recall is on record: what was asked, found, lost and shown, and the record gives the very bytes again."""

from __future__ import annotations

import hashlib
from dataclasses import fields
from datetime import timedelta

import pytest

from bethink.domain.record import Status
from bethink.domain.source import SourceKind
from bethink.domain.trace import OPERATOR_DAYS
from bethink.domain.types import Kind
from bethink.operations.recall import RecalledItem, RecallRequest
from bethink.operations.remember import Mention
from bethink.operations.sessions import TurnInput
from bethink.recall.profiles import PROFILES
from bethink.recall.rank import POLICY
from tests.behaviour.blocks import QUESTION, cut_to_fit, everything, furnish, the_best_last, the_past
from tests.behaviour.house import MARCH, ByHand, House, TickingClock, ids, know, pool
from tests.behaviour.requirements import requirement
from tests.databases import rows_of

DAY = timedelta(days=1)


def count_of_traces(house: House) -> int:
    """Rows of the table of traces."""
    return rows_of(house.opened[0]._parts.store, "select count(*) from trace", traces=True)[0][0]


@requirement("A12", "E85", "E105", "B4")
def test_every_recall_leaves_one_trace_and_an_empty_one_says_why(house):
    house.embedder = ByHand({"kiln": 0.2})
    maya = house.bind()
    know(maya, "The blue kiln is hot", type="project_fact")
    nobody = house.bind(read_scopes=())
    wordless = house.open(embedder=None).bind("maya", "aria")
    asked = [
        (maya, QUESTION, {}, None),
        (maya, "Which boat?", {}, "below_floor"),
        (maya, QUESTION, {"max_items": 0}, "count_zero"),
        (maya, QUESTION, {"budget_tokens": 3}, "budget"),
        (maya, QUESTION, {"types": ("decision",)}, "filtered"),
        (nobody, QUESTION, {}, "no_scope"),
        (wordless, "what is the", {}, "only_function_words"),
        (wordless, "boat", {}, "no_candidates"),
    ]
    for number, (memory, text, request, reason) in enumerate(asked, 1):
        result = memory.recall(text, **request)
        trace = memory.trace(result.trace_id).trace
        assert (result.empty_reason, trace.empty_reason) == (reason, reason), (text, request)
        assert (result.trace, trace.id, count_of_traces(house)) == ("stored", result.trace_id, number)
        assert bool(result.items) is (reason is None)
        assert (
            trace.degraded == result.degraded == (("dense: no embedder is configured",) if memory is wordless else ())
        )


@requirement("A156", "A174", "E107", "A137")
@pytest.mark.parametrize("told", [everything, the_best_last, cut_to_fit, the_past])
def test_the_items_of_a_trace_written_again_are_the_block_its_hash_covers(house, told):
    result = told(house)
    here = house.bind(project="bakery")
    found = here.trace(result.trace_id)

    assert found.reproduced
    assert found.verification == "verified"
    assert found.trace.rendered == result.rendered
    assert found.trace.rendered_sha256 == result.sha256 == hashlib.sha256(result.rendered.encode()).hexdigest()
    assert (result.returned_count, found.trace.returned) == (len(result.items), tuple(ids(result)))
    assert found.trace.tokens == result.tokens
    assert result.truncated is any(item.cut for item in result.items)

    house.clock.advance(days=1)
    know(here, "The blue kiln is out of order")
    assert here.trace(result.trace_id) == found
    here.forget(result.items[0].id)
    assert here._parts.traces.get(here.caller.principal, result.trace_id) == found.trace
    here.forget(result.items[0].id, mode="restore")
    assert here.trace(result.trace_id) == found


@requirement("A129", "A138", "E3", "E104", "A56", "D53")
def test_a_trace_holds_the_question_the_candidates_what_became_of_them_and_how_long_each_step_took(new_place):
    house = House(new_place(), clock=TickingClock())
    here = furnish(house)
    far = know(here, "An unrelated word about boats")
    house.embedder.cosines["unrelated"] = 0.2
    talk = here.session("talk")
    result = talk.recall(QUESTION, moment="in_turn", max_items=3)
    trace = here.trace(result.trace_id).trace

    assert (trace.tenant, trace.user, trace.agent, trace.session) == ("default", "maya", "aria", "talk")
    assert (trace.moment, trace.surface, trace.ceiling, trace.policy) == ("in_turn", "library", "normal", POLICY)
    assert trace.query["text"] == QUESTION
    assert trace.query["terms"] == ["blue", "kiln"]
    assert trace.query["fence"]["scopes"] == ["agent:aria/maya", "user:maya"]
    assert [arm["arm"] for arm in trace.arms] == list(PROFILES["task"].arms)
    assert all(arm["ms"] > 0 and arm["matched"] >= len(arm["hits"]) for arm in trace.arms)
    lexical = next(arm for arm in trace.arms if arm["arm"] == "lexical")
    assert [hit[1] for hit in lexical["hits"]] == list(range(1, len(lexical["hits"]) + 1))
    assert [hit[2] for hit in lexical["hits"]] == sorted((hit[2] for hit in lexical["hits"]), reverse=True)
    assert set(trace.returned) < {str(row["id"]) for row in trace.pool}
    assert far in {str(row["id"]) for row in trace.pool}
    assert [row["score"] for row in trace.pool] == sorted((row["score"] for row in trace.pool), reverse=True)
    assert trace.blocked == tuple(item.id for item in result.items if item.blocked)
    assert trace.carried_in == tuple(item.id for item in result.items if item.carried)
    assert {name: value > 0 for name, value in trace.stages_ms.items()} == dict.fromkeys(trace.stages_ms, True)
    assert trace.operator_fields_expire_at == trace.created_at + timedelta(days=OPERATOR_DAYS)
    assert trace.position == result.position
    house.close()


@requirement("E49", "D53", "B159", "D27")
def test_every_candidate_that_did_not_come_back_has_a_cut_that_names_its_stage(house):
    here = furnish(house)
    house.embedder.cosines["nothing"] = 0.0
    far = know(here, "nothing in common")
    for number in range(14):
        know(here, f"The blue kiln log {number}", subject="log" if number % 2 else None)
    result = here.recall(QUESTION, max_items=3, budget_tokens=120)
    trace = here.trace(result.trace_id).trace
    stages = {cut.id: cut.stage for cut in trace.cuts}

    assert set(stages) | set(trace.returned) == set(pool(here, result))
    assert not set(stages) & set(trace.returned)
    assert set(stages.values()) == {"gate", "collapse", "quota", "count"}
    assert stages[far] == "gate"
    for id_ in pool(here, result):
        why = here.why(result.trace_id, id_)
        assert why.stage == stages.get(id_, "safety" if id_ in trace.blocked else "returned")
        assert why.text
    assert result.short_reason is None
    narrow = here.recall(QUESTION, budget_tokens=60)
    assert (narrow.truncated, narrow.short_reason) == (True, "budget")


@pytest.fixture
def glaze(house):
    """A belief carried from another project, a turn, and the recall that finds both: (caller, result, fact, turn)."""
    house.embedder = ByHand({"glaze": 0.9})
    there = house.bind(project="pottery")
    belief = there.remember(
        "The blue glaze needs cone six",
        type="constraint",
        subject="glaze",
        attribute="heat",
        source=SourceKind.SYSTEM,
        source_ref="manual:6",
        valid_from=MARCH - 9 * DAY,
        valid_until=MARCH + 99 * DAY,
        mentions=(Mention("Cone Six", "product"),),
    ).id
    house.clock.advance(hours=1)
    (said,) = there.session("talk").turns([TurnInput("I mixed the blue glaze", speaker="Ann", message_id="m-1")]).ids
    here = house.bind(project="bakery")
    result = here.recall("blue glaze", subjects=("glaze",))
    items = {item.id: item for item in result.items}
    return here, result, items[belief], items[said]


@requirement("A136", "A139", "E84")
def test_an_item_says_what_it_is_and_where_it_comes_from(glaze):
    _, _, fact, turn = glaze

    assert [name for name in ("kind", "type", "status", "band", "authority") if not getattr(fact, name)] == []
    assert (fact.kind, fact.type, fact.status) == (Kind.SEMANTIC, "constraint", Status.ACTIVE)
    assert (fact.subject, fact.authority, fact.band, fact.source, fact.source_ref) == (
        *("glaze", "system", "medium", "system", "manual:6"),
    )
    assert (fact.origin, fact.carried, fact.portability.name) == ("pottery", True, "PORTABLE")
    assert (fact.valid_from, fact.valid_until, fact.blocked, fact.cut) == (
        MARCH - 9 * DAY,
        MARCH + 99 * DAY,
        False,
        False,
    )
    assert (turn.kind, turn.type, turn.speaker, turn.session, turn.message_id) == (
        *(Kind.EPISODIC, "turn", "Ann", "talk", "m-1"),
    )
    assert turn.event_at == MARCH + timedelta(hours=1)
    assert turn.source_ref == "talk/m-1"


@requirement("A136", "A139", "E84")
def test_an_item_says_why_it_is_here(glaze):
    here, result, fact, turn = glaze
    told = fact.explanation
    assert set(told.arms) == {"structured", "lexical", "dense", "entity"}
    assert all(rank >= 1 for rank, _ in told.arms.values())
    assert (told.arms["structured"], told.cosine, told.passed, told.source) == (
        (1, 1.0),
        0.9,
        "exact subject",
        "system",
    )
    assert told.fused_rank == 1
    assert told.entities == ("Cone Six", "glaze")
    assert told.dates["valid_from"] == "2026-02-20T00:00:00.000000Z"
    assert turn.explanation.passed == "words"
    assert "freshness" not in turn.explanation.parts
    traced = {one.id: one for one in here.trace(result.trace_id).trace.beliefs}
    assert traced[fact.id].statement == fact.text
    assert (traced[fact.id].learned_at, traced[fact.id].origin, traced[fact.id].authority) == (
        here.get(fact.id).record.created_at,
        "pottery",
        "system",
    )
    assert (traced[turn.id].source_episode, traced[fact.id].used) == ("talk", False)
    assert {item.name for item in fields(RecalledItem)} >= {"conflicts", "explanation", "score"}


@requirement("D56")
def test_a_record_can_be_followed_from_its_author_to_its_reader_and_its_end(house):
    agent = house.bind(voice="agent")
    talk = agent.session("talk")
    (turn,) = talk.turn("The blue kiln burns gas").ids
    fact = {"subject": "kiln", "attribute": "fuel"}
    made = talk.remember("The blue kiln burns gas", evidence="The blue kiln burns gas", **fact)
    result = agent.recall("Which kiln burns gas?")
    house.clock.advance(days=1)
    talk.turn("The blue kiln burns wood")
    new = talk.remember("The blue kiln burns wood", evidence="The blue kiln burns wood", **fact)
    record = agent.get(made.id, history=True).record

    assert (record.content.source.creator, record.content.source.evidence.turn_id) == ("aria", turn)
    assert agent.why(result.trace_id, made.id).stage == "returned"
    assert agent.trace(result.trace_id).trace.agent == "aria"
    assert next(item for item in result.items if item.id == made.id).explanation.passed
    assert (record.status, record.superseded_by) == (Status.SUPERSEDED, new.id)
    assert [span.status for span in record.history] == [Status.ACTIVE, Status.SUPERSEDED]
    assert record.history[-1].ends_at == agent.get(new.id).record.content.valid_from


# ruff: noqa: ARG005 - each row compares an answer with and without its field, and some need not
FIELDS = {
    "text": ("What is insured?", lambda on, off: on.items != off.items),
    "objective": ("Choose the wood", lambda on, off: on.items != off.items),
    "open_questions": (("Is the wood dry?",), lambda on, off: on.items != off.items),
    "subjects": (("studio",), lambda on, off: on.items[0].subject == "studio"),
    "types": (("preference",), lambda on, off: {item.type for item in on.items} == {"preference"}),
    "type_hints": (("preference",), lambda on, off: "structured" in on.items[-1].explanation.arms or on != off),
    "taxonomy": (("craft",), lambda on, off: [item.subject for item in on.items] == ["studio"]),
    "kinds": ((Kind.EPISODIC,), lambda on, off: {item.kind for item in on.items} == {Kind.EPISODIC}),
    "as_of": (MARCH - DAY, lambda on, off: 'as_of="2026-02-28' in on.rendered),
    "known_at": (MARCH - DAY, lambda on, off: not on.items),
    "since": (MARCH + DAY, lambda on, off: on.empty_reason == "filtered"),
    "until": (MARCH - 5 * DAY, lambda on, off: 0 < len(on.items) < len(off.items)),
    "after_position": (10_000, lambda on, off: on.empty_reason == "filtered"),
    "include_superseded": (True, lambda on, off: "superseded" in on.rendered),
    "include_provisional": (False, lambda on, off: "provisional" not in on.rendered),
    "confirmed_only": (True, lambda on, off: {item.source for item in on.items} <= {"user_statement", "system"}),
    "profile": ("core", lambda on, off: Kind.EPISODIC not in {item.kind for item in on.items}),
    "moment": ("passive", lambda on, off: on.items and on.trace_id != off.trace_id),
    "max_items": (2, lambda on, off: len(on.items) == 2),
    "budget_tokens": (60, lambda on, off: on.tokens <= 60 < off.tokens),
    "min_score": (0.6, lambda on, off: all(item.score >= 0.6 or item.conflicts for item in on.items)),
    "order": ("best_last", lambda on, off: on.rendered.split("\n")[1] == off.rendered.split("\n")[-2]),
    "policy": ("fusion", lambda on, off: {*on.items[0].explanation.parts} == {"match"}),
    "target": ("private", lambda on, off: on.items == ()),
    "project_policy": ("isolate", lambda on, off: not any(item.carried for item in on.items)),
    "timeout_ms": (0, lambda on, off: len(on.degraded) > 0),
}
ELSEWHERE = {"gate", "turn", "on_weak", "session", "include_owned_resources", "entities", "without"}


@requirement("A135")
@pytest.mark.parametrize("name", sorted(FIELDS))
def test_each_field_of_a_request_does_something(new_place, name):
    house = House(new_place(), clock=TickingClock())
    here = furnish(house)
    know(here, "The blue kiln once burned coal", subject="studio", attribute="fuel", valid_from=MARCH - 30 * DAY)
    house.opened[0].put_node("craft")
    know(here, "The blue kiln is insured", subject="studio", taxonomy=("craft",))
    value, differs = FIELDS[name]
    off = here.recall(QUESTION)
    on = here.recall(RecallRequest(**{"text": QUESTION, name: value}))

    assert differs(on, off)
    assert on.rendered != off.rendered or name in {"moment", "type_hints"}
    house.close()


@requirement("A135")
def test_the_table_of_fields_is_complete_and_the_rest_shows_elsewhere(house):
    assert {item.name for item in fields(RecallRequest)} == {*FIELDS, *ELSEWHERE}
    house.embedder = ByHand()
    maya = house.bind()
    know(maya, "The harbour is loud")
    weak = "boats, ferries, docks, piers, cranes, masts or the harbour"
    assert maya.recall(weak).empty_reason == "below_floor"
    rescued = maya.recall(weak, on_weak="lexical", session="talk")
    assert [notice.code for notice in rescued.notices] == ["weak"]
    assert rescued.items[0].explanation.passed == "weak: lexical"
    assert maya.trace(rescued.trace_id).trace.session == "talk"
    owned = maya.recall("harbour", include_owned_resources=True)
    assert maya.trace(owned.trace_id).trace.owned_resources
    assert maya.recall("harbour", without=(rescued.items[0].id,)).empty_reason == "held"
    named = maya.recall("harbour", entities=("Rex",))
    assert maya.trace(named.trace_id).trace.query["entities"] == ["Rex"]


def test_the_worker_takes_the_operators_part_out_of_a_trace_on_its_day_and_nothing_else(house):
    maya = house.bind()
    know(maya, "The blue kiln is hot at noon")
    result = maya.recall("Which kiln is hot?")
    before = maya.trace(result.trace_id).trace

    house.clock.advance(days=OPERATOR_DAYS - 1)
    assert house.opened[0].run_jobs().counts["traces cut"] == 0
    assert maya.trace(result.trace_id).trace.pool == before.pool != ()
    house.clock.advance(days=2)
    assert house.opened[0].run_jobs().counts["traces cut"] == 1
    after = maya.trace(result.trace_id).trace
    assert (after.arms, after.pool, after.cuts, after.stages_ms) == ((), (), (), {})
    assert (after.rendered, after.returned, after.query) == (before.rendered, before.returned, before.query)
