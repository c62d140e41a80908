"""Each missed piece of evidence gets one code, read off the trace."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from tests.behaviour.requirements import requirement

from bethink.domain.session import Turn
from bethink.domain.trace import Cut, Trace
from bethink.evaluation.failures import CODES, Lost, attribute, case_code, tally
from bethink.evaluation.order import ranked, units
from bethink.recall.collapse import SPENT

WHEN = datetime(2026, 3, 1, tzinfo=UTC)


def trace(pool=(), cuts=(), **fields):
    made = Trace("t", "d", "u", "a", WHEN, "tool", "library", "normal", {"fence": {}}, "p", 1, "", "", WHEN)
    return replace(made, pool=tuple({"id": id_} for id_ in pool), cuts=tuple(cuts), **fields)


def turn(id_, message, session="S1"):
    return Turn(id_, session, 0, "participant", "Rosa", "words", WHEN, message)


COUNTED = units(
    [turn("t1", "D1:1"), turn("t2", "D1:2"), turn("t2b", "D1:2#2"), turn("t3", "D2:1", "S2")],
    ["D1:1", "D1:2", "D2:1"],
    "turn",
)


def code(unit, made, turns, expected=()):
    lost = attribute(unit, turns, ranked(made, COUNTED), made, expected)
    return lost.code, lost.stage, lost.reason


@requirement("B143")
def test_the_order_is_the_pool_without_what_gate_and_collapse_took_out():
    cuts = [Cut("gate", "t1", "relative floor"), Cut("budget", "t3", "does not fit"), Cut("count", "t2", "beyond")]

    assert ranked(trace(["t3", "t1", "t2"], cuts), COUNTED) == ["D2:1", "D1:2"]
    assert ranked(trace(["t3", "t1", "t2"], cuts), COUNTED, admitted=False) == ["D2:1", "D1:1", "D1:2"]


def test_a_long_message_stands_where_its_best_part_does_and_counts_once():
    assert ranked(trace(["t2b", "t1", "t2", "belief"]), COUNTED) == ["D1:2", "D1:1"]


def test_a_session_stands_where_its_best_turn_does():
    sessions = units(
        [turn("t1", "D1:1"), turn("t3", "D2:1", "S2"), turn("t2", "D1:2")], ["D1:1", "D2:1", "D1:2"], "session"
    )

    assert ranked(trace(["t3", "t1", "t2"]), sessions) == ["S2", "S1"]


def test_an_id_with_a_mark_of_its_own_is_no_part_of_another():
    assert units([turn("t", "a#2")], ["a#2", "a"], "turn") == {"t": "a#2"}


@requirement("B135")
@pytest.mark.parametrize(
    ("made", "turns", "expected"),
    [
        (trace(), [], ("CAPTURE_MISS", "store", "not stored")),
        (trace(["t3"]), ["t1"], ("CANDIDATE_MISS", "arms", "no arm handed it on")),
        (
            trace(["t3"], passed_over=3),
            ["t1"],
            ("CANDIDATE_MISS", "pool", "no arm handed it on, or the pool had no room for it"),
        ),
        (trace(["t3", "t1"]), ["t1"], ("RANKING_MISS", "rank", "ranked too low")),
        (
            trace(["t1"], [Cut("gate", "t1", "relative floor", 0.1, 0.2)]),
            ["t1"],
            ("FILTER_DROP", "gate", "relative floor"),
        ),
        (
            trace(["t1"], [Cut("collapse", "t1", "says the same as 0190")]),
            ["t1"],
            ("FILTER_DROP", "collapse", "says the same as another"),
        ),
        (trace(["t1"], [Cut("collapse", "t1", SPENT)]), ["t1"], ("STALE_CONFLICT", "collapse", SPENT)),
        (
            trace(["t1"], [Cut("collapse", "t1", "superseded by 0190")]),
            ["t1"],
            ("STALE_CONFLICT", "collapse", "superseded by 0190"),
        ),
        (
            trace(["t1"], [Cut("collapse", "t1", "older value of the fact in 0190")]),
            ["t1"],
            ("STALE_CONFLICT", "collapse", "older value of the fact in 0190"),
        ),
        (
            trace(["t3"], degraded=("dense: out of time",)),
            ["t1"],
            ("SYSTEM_DEGRADED", "arms", "dense: out of time"),
        ),
    ],
)
def test_each_way_to_lose_evidence_has_its_code(made, turns, expected):
    assert code("D1:1", made, turns) == expected


def test_an_arm_the_run_does_without_is_no_failure():
    made = trace(["t3"], degraded=("dense: no embedder is configured",))

    assert code("D1:1", made, ["t1"], ("dense",))[0] == "CANDIDATE_MISS"


def test_what_the_question_s_own_window_hides_was_filtered():
    made = replace(trace(["t3"]), query={"fence": {"since": "2026-01-01T00:00:00Z"}})

    assert code("D1:1", made, ["t1"])[:2] == ("FILTER_DROP", "fence")


@requirement("B135")
def test_what_came_furthest_speaks_for_a_message_of_several_turns():
    cuts = [Cut("gate", "t2", "relative floor"), Cut("collapse", "t2b", "says the same as x")]

    assert code("D1:2", trace(["t2", "t2b"], cuts), ["t2", "t2b"])[1] == "collapse"


@requirement("B137")
def test_what_the_trace_does_not_explain_is_counted_as_such_also_when_it_is_nothing():
    made = trace(["t1"])
    lost = attribute("D1:1", ["t1"], [], made, ())

    assert lost.code == "UNATTRIBUTED"
    assert tally([lost]) == {"UNATTRIBUTED": 1}
    assert tally([]) == {"UNATTRIBUTED": 0}


def test_a_failed_question_has_the_one_code_that_lost_most_of_it():
    lost = [Lost(str(n), name, "", "") for n, name in enumerate(["RANKING_MISS", "CANDIDATE_MISS", "RANKING_MISS"])]

    assert case_code(lost) == "RANKING_MISS"
    assert case_code(lost[:2]) == "CANDIDATE_MISS"
    assert case_code([]) is None
    assert all(item.code in CODES for item in lost)


@requirement("B135")
def test_the_codes_are_of_the_fixed_list_and_each_says_what_it_means():
    """The five that are missing speak of what no recall of turns does: write, reconstruct, answer."""
    fixed = {
        *("CAPTURE_MISS", "REPRESENTATION_MISS", "CANDIDATE_MISS", "RANKING_MISS", "FILTER_DROP", "EVIDENCE_NOISE"),
        *("RECONSTRUCTION_LOSS", "RECONSTRUCTION_UNSUPPORTED", "STALE_CONFLICT", "AGENT_MISUSE", "SYSTEM_DEGRADED"),
        "UNATTRIBUTED",
    }
    missing = {
        "REPRESENTATION_MISS",
        "EVIDENCE_NOISE",
        "AGENT_MISUSE",
        *(n for n in fixed if n[:15] == "RECONSTRUCTION_"),
    }

    assert set(CODES) == fixed - missing
    assert all(CODES.values())
