"""The weighted sum, term by term against values worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.behaviour.requirements import requirement
from tests.unit.recall.house import START, belief, turn

from bethink.domain.hit import Candidate, Fused, RankContext
from bethink.domain.record import Status
from bethink.domain.source import SourceKind
from bethink.domain.types import Portability
from bethink.recall.profiles import PROFILES, TASK
from bethink.recall.rank import (
    TaskRanker,
    confidence,
    freshness,
    in_order,
    penalty,
    reinforcement,
    scope_affinity,
)

NOW = START + timedelta(days=60)
CONTEXT = RankContext(weights=TASK, instant=NOW, project="here")


def candidate(**change: object) -> Candidate:
    return belief(1, "Ann plays the cello", recorded_at=START, **change).candidate


def fused(match: float = 0.5, **change: object) -> Fused:
    return Fused(candidate(**change), match)


@requirement("A102", "A11")
def test_a_provisional_records_confidence_counts_four_tenths():
    assert confidence(candidate(confidence=0.95)) == 0.95
    assert confidence(candidate(confidence=0.60, status=Status.PROVISIONAL)) == pytest.approx(0.24)


@requirement("A103", "A167")
@pytest.mark.parametrize(
    ("type_", "sources", "days", "expected"),
    [
        ("fact", 1, 0, 0.2891),  # ln 2 / ln 11
        ("fact", 3, 30, 0.2127),  # ln 4 / ln 11 = 0.5781, times 1/e
        ("preference", 10, 180, 0.3679),  # full volume, times 1/e
        ("relationship", 100, 0, 1.0),  # more than ten sources say no more than ten
        ("entity_profile", 3, 900, 0.5781),  # no decay
    ],
)
def test_reinforcement_grows_with_sources_and_fades_by_type(type_, sources, days, expected):
    seen = NOW - timedelta(days=days)
    value = reinforcement(candidate(type=type_, evidence_count=sources, last_evidence_at=seen), NOW)

    assert value == pytest.approx(expected, abs=1e-3)


def test_evidence_that_lies_ahead_of_the_instant_counts_as_fresh():
    ahead = candidate(type="fact", evidence_count=1, last_evidence_at=NOW + timedelta(days=400))

    assert reinforcement(ahead, NOW) == pytest.approx(0.2891, abs=1e-3)


@requirement("A105", "A48")
@pytest.mark.parametrize(
    ("project", "portability", "expected"),
    [
        (None, Portability.LOCAL, 1.0),
        ("here", Portability.LOCAL, 1.0),
        ("there", Portability.PORTABLE, 0.8),
        ("there", Portability.CONTEXTUAL, 0.55),
        ("there", Portability.LOCAL, 0.15),
    ],
)
def test_a_carried_record_competes_as_far_as_it_carries(project, portability, expected):
    assert scope_affinity(candidate(project=project, portability=portability), "here") == expected


@requirement("E43")
@pytest.mark.parametrize(("days", "expected"), [(0, 1.0), (15, 0.7071), (30, 0.5), (900, 0.5)])
def test_an_episode_is_half_as_fresh_after_thirty_days_and_never_less(days, expected):
    told = turn(1, "we met", event_at=NOW - timedelta(days=days)).candidate

    assert freshness(told, NOW) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, 0.0),
        ({"flags": frozenset({"review"})}, 0.2),
        ({"flags": frozenset({"stale"})}, 0.1),
        ({"ends_at": NOW}, 0.1),
        ({"ends_at": NOW + timedelta(days=1)}, 0.0),
        ({"flags": frozenset({"review", "stale"}), "ends_at": NOW}, 0.3),
    ],
)
def test_flags_and_past_expiry_cost(change, expected):
    assert penalty(candidate(**change), NOW) == pytest.approx(expected)


@requirement("A101", "A104")
def test_the_sum_is_what_the_source_wrote():
    found = fused(
        0.5,
        type="fact",
        confidence=0.9,
        evidence_count=3,
        last_evidence_at=NOW - timedelta(days=30),
        source=SourceKind.TOOL_RESULT,
        project="there",
        portability=Portability.CONTEXTUAL,
        utility=0.4,
        flags=frozenset({"review"}),
    )
    (scored,) = TaskRanker().rank([found], CONTEXT)

    # 0.40*0.5 + 0.20*0.9 + 0.10*0.2127 + 0.15*0.7 + 0.10*0.55 + 0.05*0.4 - 0.2
    assert scored.score == pytest.approx(0.3813, abs=1e-3)
    assert sum(scored.parts.values()) == pytest.approx(scored.score, abs=1e-9)


def test_a_pinned_recall_leaves_usage_out():
    used, unused = fused(utility=1.0), fused(utility=0.0)
    (pinned_used,) = TaskRanker().rank([used], replace(CONTEXT, pinned=True))
    (pinned_unused,) = TaskRanker().rank([unused], replace(CONTEXT, pinned=True))

    assert pinned_used.score == pinned_unused.score
    assert "utility" not in pinned_used.parts


def test_unused_records_are_not_punished_below_zero():
    (punished,) = TaskRanker().rank([fused(utility=-1.0)], CONTEXT)
    (unused,) = TaskRanker().rank([fused(utility=0.0)], CONTEXT)

    assert punished.score == unused.score


def test_the_core_profile_ignores_the_match():
    weights = PROFILES["core"].weights
    low, high = TaskRanker().rank([fused(0.0), fused(1.0)], replace(CONTEXT, weights=weights))

    assert weights.match == 0.0
    assert low.score == high.score


def test_every_profile_weighs_to_one():
    totals = {name: sum_of(profile.weights) for name, profile in PROFILES.items()}

    assert totals == pytest.approx(dict.fromkeys(PROFILES, 1.0))


def sum_of(weights) -> float:
    names = ("match", "confidence", "reinforcement", "authority", "scope", "utility")
    return sum(getattr(weights, name) for name in names)


@requirement("A122")
@given(st.lists(st.tuples(st.floats(0, 1), st.integers(1, 10_000)), unique_by=lambda row: row[1], max_size=30))
def test_the_order_is_total_and_forgets_how_things_were_found(rows):
    found = [Fused(belief(key, f"fact {key}").candidate, match) for match, key in rows]
    one = TaskRanker().rank(found, CONTEXT)
    other = TaskRanker().rank(found[::-1], CONTEXT)

    assert one == other == in_order(reversed(one))
    keys = [(-item.score, item.candidate.id) for item in one]
    assert keys == sorted(keys)


@requirement("A122")
def test_equal_scores_go_by_id():
    first, second = belief(2, "b").candidate, belief(1, "a").candidate
    order = TaskRanker().rank([Fused(first, 0.5), Fused(second, 0.5)], CONTEXT)

    assert [item.candidate.key for item in order] == [1, 2]
