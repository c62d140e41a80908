"""The composite and the fusion policy, and the prior, against values worked out by hand."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.behaviour.requirements import requirement
from tests.unit.recall.house import START, House, belief, turn

from bethink.domain.hit import Candidate, Fused, RankContext
from bethink.domain.query import TimeSpan
from bethink.domain.record import Status
from bethink.errors import InvalidInput
from bethink.operations.recall import RecallRequest
from bethink.recall.composite import CompositeRanker
from bethink.recall.fusion import FusionRanker
from bethink.recall.pipeline import recall
from bethink.recall.prior import OUTSIDE, Prior
from bethink.recall.profiles import TASK
from bethink.settings import RecallSettings

NOW = START + timedelta(days=400)
CONTEXT = RankContext(weights=TASK, instant=NOW, position=100)


def made(days: float, type_: str = "fact", key: int = 1, **change: object) -> Candidate:
    """A candidate made so many days before the instant."""
    doc = (turn if type_ == "turn" else belief)(key, "Ann plays the cello", type=type_, **change)
    return doc.candidate._replace(created_at=NOW - timedelta(days=days))


@requirement("C18", "C20", "C59")
@pytest.mark.parametrize(
    ("type_", "days", "cosine", "sure", "expected"),
    [
        ("fact", 0, 1.0, 1.0, 1.0),
        ("fact", 180, 0.8, 0.9, 0.73),  # 0.40 + 0.3 · 1/2 + 0.18
        ("preference", 90, 0.62, 0.7, 0.6621),  # 0.31 + 0.3 · 0.70711 + 0.14
        ("entity_profile", 360, 0.5, 0.5, 0.425),  # 0.25 + 0.3 · 1/4 + 0.10
        ("procedure", 45, 0.4, 0.6, 0.5723),  # 0.20 + 0.3 · 0.84090 + 0.12
        ("turn", 30, 0.8, 0.9, 0.73),
        ("event", 60, 0.8, 0.9, 0.655),  # 0.40 + 0.3 · 1/4 + 0.18
        ("session_summary", 15, 0.7, 0.8, 0.7221),  # 0.35 + 0.3 · 0.70711 + 0.16
        ("execution_summary", 90, 0.3, 0.2, 0.2275),  # 0.15 + 0.3 · 1/8 + 0.04
    ],
)
def test_the_composite_score_is_half_cosine_three_tenths_recency_two_tenths_confidence(
    type_, days, cosine, sure, expected
):
    found = Fused(made(days, type_, confidence=sure), 0.1, cosine=cosine)
    (scored,) = CompositeRanker().rank([found], CONTEXT)

    assert scored.score == pytest.approx(expected, abs=1e-3)
    assert sum(scored.parts.values()) == pytest.approx(scored.score, abs=1e-9)
    assert set(scored.parts) == {"cosine", "recency", "confidence"}


def test_what_has_no_vector_has_no_closeness_and_what_lies_ahead_is_fresh():
    (scored,) = CompositeRanker().rank([Fused(made(-9, confidence=0.5), 0.9)], CONTEXT)

    assert scored.parts == {"cosine": 0.0, "recency": 0.3, "confidence": 0.1}


def test_a_provisional_record_counts_less_sure_in_every_policy_that_asks():
    found = Fused(made(0, confidence=0.9, status=Status.PROVISIONAL), 0.1)
    (scored,) = CompositeRanker().rank([found], CONTEXT)

    assert scored.parts["confidence"] == pytest.approx(0.2 * 0.4 * 0.9)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 900), st.floats(0, 1)), max_size=12))
def test_the_composite_order_is_that_of_the_scores_then_the_ids(rows):
    found = [
        Fused(made(days, key=key, confidence=sure), 0.5, cosine=cosine)
        for key, (cosine, days, sure) in enumerate(rows, 1)
    ]
    scored = CompositeRanker().rank(found, CONTEXT)

    assert scored == CompositeRanker().rank(found[::-1], CONTEXT)
    assert [(-item.score, item.candidate.id) for item in scored] == sorted(
        (-item.score, item.candidate.id) for item in scored
    )


def rows(count: int) -> list[Candidate]:
    """Candidates that lie 0, 10, 20, ... writes back, and as many hours."""
    return [
        belief(100 - 10 * back, "x", recorded_at=NOW - timedelta(hours=10 * back)).candidate for back in range(count)
    ]


@requirement("B29")
@pytest.mark.parametrize(
    ("prior", "expected"),
    [
        (Prior(window=20), [1, 1, 0, 0, 0, 0]),
        (Prior(window=20, reach=40), [1, 1, 1, 1, 0, 0]),
        (Prior(window=20, reach=50, far_rows=2), [1, 1, 1, 1, 0, 0]),
        (Prior(window=20, reach=50, far_weight=0.25), [1, 1, 0.25, 0.25, 0.25, 0]),
        (Prior(age_rate=0.1), [1, 0.5, 1 / 3, 0.3, 0.3, 0.3]),
        (Prior(cue=TimeSpan(NOW - timedelta(hours=25), NOW), trust="sure"), [0.5, 1, 1, 0.5, 0.5, 0.5]),
        (
            Prior(window=20, age_rate=0.1, cue=TimeSpan(START, NOW + timedelta(hours=1))),
            [1, 0.5, 0, 0, 0, 0],
        ),
    ],
    ids=["window", "reach", "far rows", "priced", "age", "declared", "together"],
)
def test_every_weight_by_place_or_age_is_the_one_prior(prior, expected):
    assert prior.weights(rows(6), NOW, 100) == pytest.approx(expected)


def test_a_declared_time_never_takes_a_vote_away_whole():
    assert sorted(OUTSIDE.values()) == [OUTSIDE["sure"], OUTSIDE["likely"], OUTSIDE["vague"]]
    assert all(0 < left < 1 for left in OUTSIDE.values())


@requirement("B30")
@given(st.lists(st.floats(0, 1).map(lambda value: round(value, 9)), max_size=12))
def test_the_prior_is_the_identity_unless_it_is_set(matches):
    found = [Fused(made(days=key, key=key), match) for key, match in enumerate(matches, 1)]
    scored = FusionRanker().rank(found, CONTEXT)

    assert {item.candidate.id: item.score for item in scored} == {item.candidate.id: item.match for item in found}
    assert all(dict(item.parts) == {"match": item.found.match} for item in scored)
    assert FusionRanker().policy == "fusion@1"


@requirement("B31")
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=9), st.floats(0, 1))
def test_confidence_never_sorts_the_fused_order_again(rows, other):
    found = [Fused(made(0, key=key, confidence=sure), match) for key, (match, sure) in enumerate(rows, 1)]
    changed = [item._replace(candidate=item.candidate._replace(confidence=other)) for item in found]
    order = [item.candidate.id for item in FusionRanker().rank(found, CONTEXT)]

    assert [item.candidate.id for item in FusionRanker().rank(changed, CONTEXT)] == order


def test_a_prior_that_is_set_moves_the_order_shows_its_part_and_its_name():
    old, new = made(0, key=10), made(0, key=95)
    ranker = FusionRanker(Prior(window=50, reach=100, far_weight=0.5))
    first, second = ranker.rank([Fused(old, 0.8), Fused(new, 0.6)], CONTEXT)

    assert (first.candidate, second.candidate) == (new, old)
    assert dict(second.parts) == pytest.approx({"match": 0.8, "prior": -0.4})
    assert ranker.policy == "fusion@1,window=50,reach=100,far_weight=0.5"


DOCS = [
    belief(1, "Ann plays the cello", recorded_at=START - timedelta(days=300)),
    belief(2, "Ann sold her old cello", recorded_at=START + timedelta(days=20)),
]


def ask(reader_of: House | None = None, **fields: object) -> object:
    """The outcome of one question."""
    house = reader_of or House(DOCS)
    return recall(RecallRequest("Does Ann play the cello?", **fields), house.reader())


def test_the_request_names_the_policy_before_the_host_and_the_host_before_the_settings():
    house = House(DOCS)
    named = RecallRequest("cello", policy="composite")
    host = house.reader(ranker=FusionRanker(Prior(age_rate=1.0)))
    chosen = house.reader(settings=RecallSettings(policy="fusion"))

    assert recall(named, host).result.policy == "composite@1"
    assert recall(RecallRequest("cello"), host).trace.policy == "fusion@1,age_rate=1.0"
    assert recall(RecallRequest("cello"), chosen).trace.policy == "fusion@1"
    assert recall(RecallRequest("cello"), house.reader()).trace.policy == "task@7"
    for wrong in (RecallRequest("cello", policy="best"), RecallRequest("cello", policy=[])):
        with pytest.raises(InvalidInput, match="none of task, composite, fusion"):
            recall(wrong, house.reader())
    with pytest.raises(InvalidInput, match="Policy 'best' is none of"):
        recall(RecallRequest("cello"), house.reader(settings=RecallSettings(policy="best")))


@requirement("C23")
def test_the_composite_block_ends_with_the_best_item_unless_the_request_says_otherwise():
    composite, turned, task = ask(policy="composite"), ask(policy="composite", order="best_first"), ask()
    shown = [[line.split()[0] for line in one.result.rendered.splitlines()[1:-1]] for one in (composite, turned, task)]
    best_first = [item.short_id for item in composite.result.items]

    assert [item.score for item in composite.result.items] == sorted(
        (item.score for item in composite.result.items), reverse=True
    )
    assert shown[0] == best_first[::-1]
    assert shown[1] == best_first
    assert (composite.result.order, turned.result.order, task.result.order) == ("best_last", "best_first", "best_first")
    assert composite.trace.query["order"] == "best_last"


@requirement("C21")
def test_the_composite_policy_keeps_the_highest_scores_and_reserves_no_seats():
    at: datetime = START + timedelta(days=29)
    said = [
        turn(key, f"Ann plays the cello {key}", session="s", seq=key, recorded_at=at, event_at=at)
        for key in range(3, 7)
    ]
    house = House([DOCS[0], *said])
    kept = [item.type for item in ask(house, policy="composite", max_items=4).result.items]
    seated = [item.type for item in ask(house, max_items=4).result.items]

    assert kept == ["turn"] * 4
    assert "fact" in seated
