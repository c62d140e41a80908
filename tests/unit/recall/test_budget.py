"""Fitting: best first, what is too long makes room for the next, and the whole block stays inside the budget."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.behaviour.requirements import requirement
from tests.unit.recall.house import START, Doc, FakeSnapshot, House, belief, turn

from bethink.domain.hit import Fused, Scored
from bethink.domain.scope import Sensitivity
from bethink.operations.recall import RecallRequest
from bethink.recall.budget import SPARE, Fitted, fit, seat, shortlist
from bethink.recall.check import checked
from bethink.recall.filter import frame
from bethink.recall.query import TextFormer
from bethink.recall.reader import Asked, Stopwatch
from bethink.recall.render import block
from bethink.recall.safety import label, screened
from bethink.testing.fakes import ManualClock
from bethink.text.tokens import estimate_tokens

POLICY = "task@7"


def asked(text: str = "cello", **change: object) -> Asked:
    house = House([belief(1, "x")])
    request = checked(RecallRequest(text, **change))
    return frame(request, TextFormer().form(request), house.reader(), FakeSnapshot(house))


def ranked(*docs: Doc) -> tuple[Scored, ...]:
    return tuple(Scored(Fused(doc.candidate, 0.5), round(0.9 - at / 1000, 9), {}) for at, doc in enumerate(docs))


def fitted(docs: list[Doc], **change: object) -> tuple[Fitted, str]:
    want = asked(**change)
    items = ranked(*docs)
    show = screened({doc.body.key: doc.body for doc in docs}, Sensitivity.SECRET, Stopwatch(ManualClock()))
    found = fit(items, show, label(items), want, POLICY)
    return found, block([one.line for one in found.placed], want.instant, POLICY, want.request.order)


def placed(found: Fitted) -> list[int]:
    return [one.shown.item.candidate.key for one in found.placed]


def test_a_long_item_is_skipped_for_the_next_that_fits():
    docs = [belief(1, "short one"), belief(2, "long " * 100), belief(3, "short two")]
    found, _ = fitted(docs, budget_tokens=60)

    assert placed(found) == [1, 3]
    (cut,) = found.cuts
    assert (cut.stage, cut.id, cut.reason) == ("budget", docs[1].candidate.id, "does not fit")
    assert cut.value > cut.bound


@requirement("P67")
def test_a_best_item_too_long_alone_is_cut_with_a_marker_rather_than_lost():
    found, rendered = fitted([belief(1, "word " * 1000)], budget_tokens=80)

    (one,) = found.placed
    assert one.cut
    assert one.shown.statement.endswith("[…]")
    assert "; cut)" in one.line
    assert 60 < estimate_tokens(rendered) <= 80


def test_a_budget_too_small_for_anything_places_nothing_and_says_so():
    found, rendered = fitted([belief(1, "word")], budget_tokens=20)

    assert rendered == ""
    assert [cut.stage for cut in found.cuts] == ["budget"]


def test_the_count_cuts_what_the_budget_would_hold():
    found, _ = fitted([belief(key, f"fact {key}") for key in range(1, 6)], max_items=2)

    assert placed(found) == [1, 2]
    assert {cut.stage for cut in found.cuts} == {"count"}


def test_a_kind_keeps_its_reserved_seats_and_the_order_stays_by_score():
    docs = [turn(key, f"said {key}") for key in range(1, 11)] + [belief(key, f"fact {key}") for key in range(11, 21)]
    order = seat(ranked(*docs), asked("cello lessons", max_items=10))

    assert [item.candidate.key for item in order[:10]] == [1, 2, 3, 4, 5, 11, 12, 13, 14, 15]
    events = seat(ranked(*docs), asked("When did Ann play the cello?", max_items=10))
    assert [item.candidate.key for item in events[:10]] == [1, 2, 3, 4, 5, 6, 7, 11, 12, 13]


def test_seats_a_kind_cannot_fill_fall_to_the_rest():
    docs = [turn(key, f"said {key}") for key in range(1, 11)]

    assert [item.candidate.key for item in seat(ranked(*docs), asked(max_items=8))[:8]] == list(range(1, 9))


def test_the_other_side_of_a_conflict_follows_its_partner():
    partner = belief(9, "b").candidate.id
    docs = [belief(1, "a", conflicts=(partner,)), *(belief(key, f"fact {key}") for key in (2, 3)), belief(9, "b")]

    assert [item.candidate.key for item in seat(ranked(*docs), asked(max_items=2))[:2]] == [1, 9]


def test_more_is_fetched_than_shown_and_the_rest_is_on_record():
    docs = [turn(key, f"said {key}") for key in range(1, 41)]
    tried, beyond = shortlist(ranked(*docs), asked(max_items=5))

    assert len(tried) == 5 + SPARE
    assert len(tried) + len(beyond) == 40


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=400)


@requirement("A119", "A166", "E48")
@settings(max_examples=300, deadline=None)
@given(st.lists(TEXTS, max_size=8), st.integers(0, 400), st.integers(0, 8))
def test_the_block_never_exceeds_its_budget(texts, budget, count):
    docs = [
        (belief if key % 2 else turn)(key, text, event_at=START + timedelta(days=key))
        for key, text in enumerate(texts, 1)
    ]
    found, rendered = fitted(docs, budget_tokens=budget, max_items=count)

    assert estimate_tokens(rendered) <= budget or rendered == ""
    assert len(found.placed) <= count
    assert len(found.placed) + len(found.cuts) == len(docs)
    scores = [one.shown.item.score for one in found.placed]
    assert scores == sorted(scores, reverse=True)
