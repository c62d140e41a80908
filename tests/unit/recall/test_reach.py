"""What is out of the gate's reach is never looked up, and no answer is another for it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.recall.house import START, Doc, House, belief, turn

from bethink.domain.hit import Candidate
from bethink.operations.recall import RecallRequest
from bethink.ports.search import Matches, NamedEntity
from bethink.recall import arms, reach
from bethink.recall.lift import Bearings, Lifted
from bethink.recall.pipeline import recall
from bethink.recall.reach import LEAST
from bethink.recall.reader import RecallOutcome

WORDS = "kiln bread glaze clay oven river boat garden piano winter".split()
PEOPLE = ("Ann", "Bob Stone", "Cleo")
NOBODY_CUTS = 10**9
FEW = 2
"""So few in any case, so that most of what is kept is kept for a reason."""

docs_of = st.lists(
    st.tuples(
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=6),
        st.sampled_from([None, None, "s1", "s2", "s3"]),
        st.sampled_from(PEOPLE),
    ),
    min_size=8,
    max_size=60,
)
questions = st.tuples(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=3),
    st.sampled_from(["", "Ann ", "Bob ", "Cleo and Ann "]),
    st.sampled_from(["", "yesterday ", "last week "]),
)


def house_of(told: list[tuple[list[str], str | None, str]], *, linked: bool) -> House:
    docs: list[Doc] = []
    for key, (words, session, who) in enumerate(told, 1):
        text, entities = " ".join(words), ("e1",) if linked and "river" in words else ()
        given = {"seq": key, "session": session, "event_at": START, "entities": entities}
        docs.append(turn(key, text, who, **given) if session else belief(key, text, subject=who, entities=entities))
    return House(docs, entities=(NamedEntity("e1", "river", "user:ann"),) if linked else ())


def ask(house: House, least: int, request: RecallRequest) -> RecallOutcome:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arms, "LEAST", least)
        patch.setattr(reach, "LEAST", least)
        return recall(request, house.reader())


def told(outcome: RecallOutcome) -> tuple[object, ...]:
    """What a caller sees of an answer, but for how many were considered, and the ranks and ids that go with that."""
    result = outcome.result
    items = [(item.id, item.score, item.explanation.passed, item.explanation.parts) for item in result.items]
    return result.rendered, items, result.empty_reason, result.notices, outcome.trace.mismatch


@settings(deadline=None, max_examples=200)
@given(
    docs_of, questions, st.booleans(), st.sampled_from(["task", "passive", "deep"]), st.sampled_from([None, "fusion"])
)
def test_no_answer_is_another_for_what_was_left_out(told_docs, question, linked, profile, policy):
    words, names, time = question
    house = house_of(told_docs, linked=linked)
    request = RecallRequest(f"{names}{time}{' '.join(words)}?", profile=profile, policy=policy)
    whole = ask(house, NOBODY_CUTS, request)
    near = ask(house, FEW, request)

    assert told(near) == told(whole)
    assert near.trace.passed_over - whole.trace.passed_over == whole.result.considered - near.result.considered >= 0


def far_and_near(near: int, far: int) -> House:
    docs = [belief(key, f"kiln glaze clay oven {key}", subject=None) for key in range(1, near + 1)]
    return House([*docs, *(belief(100 + key, "kiln " + " ".join(WORDS[5:]), subject=None) for key in range(far))])


def test_what_is_out_of_reach_is_counted_and_not_looked_up():
    outcome = ask(far_and_near(LEAST + 2, 30), LEAST, RecallRequest("kiln glaze clay oven", max_items=50))

    assert (outcome.result.considered, outcome.trace.passed_over) == (LEAST + 2, 30)
    assert outcome.result.short_reason == "weak_rest"


def test_some_of_what_is_refused_is_looked_up_all_the_same_so_that_its_number_is_known():
    outcome = ask(far_and_near(4, 30), LEAST, RecallRequest("kiln glaze clay oven"))

    assert (outcome.result.considered, outcome.trace.passed_over) == (LEAST, 34 - LEAST)
    assert {cut.reason for cut in outcome.trace.cuts} == {"relative floor"}


@pytest.mark.parametrize("on_weak", ["lexical", "fallback_scope"])
def test_where_the_refused_may_be_the_answer_all_are_looked_up(on_weak):
    outcome = ask(far_and_near(4, 30), LEAST, RecallRequest("kiln glaze clay oven", on_weak=on_weak))

    assert (outcome.result.considered, outcome.trace.passed_over) == (34, 0)


def test_a_conflict_with_what_is_out_of_reach_is_shown_whole():
    house = far_and_near(LEAST, 30)
    near, far = house.docs[0].candidate, house.docs[-1].candidate
    house.docs[0] = replace_candidate(house.docs[0], conflicts=(far.id,))
    outcome = ask(house, LEAST, RecallRequest("kiln glaze clay oven", max_items=50))

    assert {near.id, far.id} <= {item.id for item in outcome.result.items}


def replace_candidate(doc: Doc, **change: object) -> Doc:
    candidate: Candidate = doc.candidate._replace(**change)
    return Doc(doc.entry, candidate, doc.body, doc.words, doc.entities, doc.embedded)


def reached(match: list[float], *, lifts: dict[str, object] | None = None, lexical: Matches | None = None) -> list[int]:
    """Which of the rows 0, 1, .. are in reach of half the best match, none being kept in any case but the best two."""
    count = len(match)
    rows = Bearings(np.arange(count), [""] * count, [None] * count, np.ones(count))
    given = {"before": np.array(match), "named": np.zeros(count), "session": np.full(count, -1), **(lifts or {})}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reach, "LEAST", FEW)
        return reach.within_reach(rows, Lifted(np.array(match), **given), [], lexical, 0.5).keys.tolist()


def test_what_lifts_another_of_its_session_is_kept_with_it():
    lifts = {"before": np.array([0.9, 0.7, 0.5, 0.1, 0.2]), "session": np.array([-1, -1, 4, 4, 1])}

    assert reached([0.9, 0.7, 0.4, 0.46, 0.2], lifts=lifts) == [0, 1, 2, 3]


def test_those_that_the_gate_counts_as_agreeing_in_a_name_alone_are_all_kept():
    def words(said: int, coverage: float) -> Matches:
        keys = np.arange(1, 4)
        one, few = np.ones(3, np.int64), np.full(3, said, np.int64)
        return Matches(keys, np.ones(3), np.full(3, coverage), one, few, np.zeros(3, np.bool_), 3)

    assert reached([0.9, 0.7, 0.1, 0.1, 0.1], lexical=words(0, 0.3)) == [0, 1, 2, 3]
    assert reached([0.9, 0.7, 0.1, 0.1, 0.1], lexical=words(1, 0.3)) == [0, 1]
    assert reached([0.9, 0.7, 0.1, 0.1, 0.1], lexical=words(0, 1.0)) == [0, 1]
