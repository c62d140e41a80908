"""The gate: one signal must speak for a candidate, the answer must not be weak, and each cut has its number."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.behaviour.requirements import requirement
from tests.unit.recall.house import belief, turn

from bethink.domain.calibration import Calibration
from bethink.domain.hit import Fused, Scored
from bethink.recall.gate import GateContext, floors, gate, leaned
from bethink.recall.profiles import PROFILES, STRICT, GateRule, gate_rule
from bethink.recall.rank import in_order

RULE = GateRule(answer=0.2, together=0.15, coverage=0.5, cosine=0.0, relative=0.5, score=0.1)
CONTEXT = GateContext(RULE, floors(RULE, Calibration()), terms=4)


def scored(key: int, match: float = 0.4, *, score: float = 0.5, doc=None, **signals: object) -> Scored:
    candidate = (doc or belief(key, f"fact {key}")).candidate
    found = Fused(candidate, match, **{"text": match, **signals})
    return Scored(found, score, {"match": score})


def admitted(*items: Scored, **context: object) -> list[int]:
    return [item.candidate.key for item in gate(items, replace(CONTEXT, **context)).admitted]


def only_cut(item: Scored, *others: Scored, **context: object):
    (cut,) = [cut for cut in gate((item, *others), replace(CONTEXT, **context)).cuts if cut.id == item.candidate.id]
    return cut


STRONG = scored(99, 0.4, coverage=1.0, matched=4)


@requirement("E44")
@pytest.mark.parametrize(
    ("signals", "passes"),
    [
        ({"coverage": 0.5, "matched": 2}, True),
        ({"coverage": 0.49, "matched": 2}, False),
        ({"coverage": 0.5, "matched": 1}, False),
        ({"coverage": 0.5, "matched": 1, "distinctive": True}, True),
        ({"cosine": 0.45}, True),
        ({"cosine": 0.449}, False),
        ({"cosine": None}, False),
        ({"exact": "entity"}, True),
        ({"exact": "subject"}, True),
    ],
)
def test_one_signal_is_enough_and_none_is_not(signals, passes):
    item = scored(1, 0.14, text=0.14, **signals)

    assert (1 in admitted(item, STRONG, rule=replace(RULE, relative=0.0))) is passes


def test_words_and_meaning_together_may_speak_where_neither_does_alone():
    assert admitted(scored(1, 0.3, coverage=0.3, matched=1, cosine=0.3), STRONG) == [1, 99]


@requirement("B47")
def test_however_many_are_good_enough_none_is_cut_for_its_rank():
    many = [scored(key, 0.4 - key / 10_000, coverage=1.0, matched=4) for key in range(1, 601)]

    assert admitted(*many) == list(range(1, 601))
    assert admitted(STRONG, *many[-5:]) == [99, *range(596, 601)], "what stood last passes as it did behind the rest"


def test_the_only_word_of_a_question_need_not_be_two():
    item = scored(1, 0.14, coverage=1.0, matched=1)

    assert 1 in admitted(item, STRONG, terms=1, rule=replace(RULE, relative=0.0))


def test_a_name_that_many_bear_is_no_evidence_and_meaning_may_still_speak():
    bare = [scored(key, 0.3, coverage=0.5, matched=1, distinctive=True) for key in range(1, 6)]
    speaks = scored(6, 0.3, coverage=0.5, matched=1, distinctive=True, cosine=0.45)
    says = scored(7, 0.3, coverage=0.5, matched=1, distinctive=True, said=1)
    cut = only_cut(bare[0], *bare[1:], speaks, says)

    assert admitted(*bare, speaks, says) == [6, 7]
    assert (cut.reason, cut.value, cut.bound) == ("only a common name agrees", 0.0, 0.45)


def test_of_many_linked_to_a_named_entity_those_that_say_more_are_the_answer():
    linked = [scored(key, 0.4, coverage=0.3, matched=1, exact="entity") for key in range(1, 6)]
    says = scored(6, 0.5, coverage=0.6, matched=2, said=1, exact="entity")

    assert admitted(says, *linked) == [6]
    assert admitted(*linked) == [1, 2, 3, 4, 5]
    assert admitted(says, *linked[:3]) == [6, 1, 2, 3]


def test_a_name_that_few_bear_and_a_question_that_is_nothing_but_the_name_are_answered():
    few = [scored(key, 0.3, coverage=0.5, matched=1, distinctive=True) for key in range(1, 4)]
    whole = [scored(key, 0.3, coverage=1.0, matched=1) for key in range(1, 9)]

    assert admitted(*few) == [1, 2, 3]
    assert admitted(*whole, terms=1) == [1, 2, 3, 4, 5, 6, 7, 8]


@requirement("E45")
def test_a_space_has_its_own_floor_by_type():
    fact = scored(1, 0.1, cosine=0.40)
    said = scored(2, 0.1, cosine=0.40, doc=turn(2, "we met"))
    loose = replace(RULE, relative=0.0)

    assert admitted(fact, said, STRONG, rule=loose) == [2, 99]
    assert admitted(fact, said, STRONG, rule=loose, floors=floors(loose, Calibration(0.8))) == [1, 2, 99]
    assert admitted(fact, said, STRONG, rule=loose, floors=floors(loose, Calibration(1.2))) == [99]


def test_a_match_by_neighbours_words_alone_passes_only_above_its_bound():
    above, below = scored(1, 0.21, lent=True), scored(2, 0.14, lent=True)
    gated = gate((above, below, STRONG), CONTEXT)

    assert gated.passed[above.candidate.id] == "neighbours"
    assert only_cut(below, STRONG).bound == 0.15


@requirement("A110", "E44")
def test_when_everything_is_weak_nothing_is_admitted_but_exact_hits():
    weak = [scored(key, 0.19, coverage=1.0, matched=3) for key in (1, 2)]
    exact = scored(3, 0.4, text=0.1, exact="subject")

    assert admitted(*weak) == []
    assert admitted(*weak, exact) == [3]
    cut = only_cut(weak[0])
    assert (cut.reason, cut.value, cut.bound) == ("everything is weak", 0.19, 0.2)


def test_an_exact_hit_does_not_raise_the_bar_for_what_the_text_finds():
    exact = scored(1, 1.0, text=0.1, exact="subject")

    assert admitted(exact, scored(2, 0.3, coverage=1.0, matched=3)) == [1, 2]


def test_what_is_less_than_half_as_good_as_the_best_is_cut_with_its_bound():
    cut = only_cut(scored(1, 0.19, coverage=1.0, matched=3), STRONG)

    assert (cut.reason, cut.value, cut.bound) == ("relative floor", 0.19, 0.2)


def test_the_callers_own_floor_holds_beside_the_profiles():
    low = scored(1, 0.4, score=0.3, coverage=1.0, matched=3)

    assert admitted(low) == [1]
    assert admitted(low, min_score=0.31) == []
    assert only_cut(low, min_score=0.31).bound == 0.31
    assert only_cut(low._replace(score=0.05), min_score=0.01).bound == 0.1


def test_a_cut_names_the_signal_that_came_nearest():
    assert only_cut(scored(1, 0.01, coverage=0.4, matched=2, cosine=0.1)).reason == "too few of the words"
    assert only_cut(scored(1, 0.01, coverage=0.0, cosine=0.4)).reason == "cosine floor"
    assert only_cut(scored(1, 0.14)).reason == "words and meaning together"


def test_the_other_side_of_an_admitted_conflict_is_admitted():
    one = scored(1, 0.4, coverage=1.0, matched=3, doc=belief(1, "a", conflicts=(belief(2, "b").candidate.id,)))
    other = scored(2, 0.01)
    gated = gate((one, other), CONTEXT)

    assert [item.candidate.key for item in gated.admitted] == [1, 2]
    assert gated.passed[other.candidate.id] == "conflict partner"
    assert gated.cuts == ()


def test_a_weak_answer_is_rescued_only_as_the_caller_wants_and_flagged():
    words, nothing = scored(1, 0.1, coverage=0.3, matched=1), scored(2, 0.05)

    assert gate((words, nothing), CONTEXT).admitted == ()
    lexical = gate((words, nothing), replace(CONTEXT, on_weak="lexical"))
    assert ([item.candidate.key for item in lexical.admitted], lexical.weak) == ([1], "lexical")
    scope = gate((words, nothing), replace(CONTEXT, on_weak="fallback_scope"))
    assert ([item.candidate.key for item in scope.admitted], scope.weak) == ([1, 2], "fallback_scope")
    assert scope.cuts == ()


def test_a_strong_answer_is_never_flagged_as_weak():
    gated = gate((STRONG, scored(1, 0.01)), replace(CONTEXT, on_weak="fallback_scope"))

    assert gated.weak == ""
    assert [item.candidate.key for item in gated.admitted] == [99]


def test_what_nobody_asked_for_must_be_surer():
    assert gate_rule(PROFILES["task"], "tool") == PROFILES["task"].gate
    assert gate_rule(PROFILES["task"], "in_turn") == STRICT
    assert gate_rule(PROFILES["passive"], "tool") == STRICT
    for name in ("answer", "together", "coverage", "relative", "score"):
        assert getattr(STRICT, name) > getattr(GateRule(), name)


@requirement("D26", "D27", "E49")
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), st.integers(0, 4), st.floats(-1, 1)), max_size=20))
def test_everything_is_either_admitted_with_a_reason_or_cut_with_one(rows):
    items = in_order(
        scored(key, match, score=match, coverage=coverage, matched=matched, cosine=cosine)
        for key, (match, coverage, matched, cosine) in enumerate(rows, 1)
    )
    gated = gate(items, CONTEXT)
    inside, outside = {item.candidate.id for item in gated.admitted}, {cut.id for cut in gated.cuts}

    assert inside == gated.passed.keys()
    assert inside | outside == {item.candidate.id for item in items}
    assert not inside & outside
    assert all(cut.value is not None and cut.bound is not None and cut.value < cut.bound for cut in gated.cuts)


def test_where_a_question_leans_on_meaning_the_floors_rise_with_it():
    task = PROFILES["task"].gate
    rules = {share: leaned(task, 0.35, share) for share in (0.0, 0.2, 0.35, 0.5)}

    assert rules[0.0] == rules[0.2] == rules[0.35] == task
    assert rules[0.5].answer == pytest.approx(task.answer + task.leaned * 0.15)
    assert 0.5 * task.together / 0.35 == pytest.approx(rules[0.5].together)
    assert leaned(task, 0.0, 0.5) == task
