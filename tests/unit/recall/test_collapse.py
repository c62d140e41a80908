"""Collapse: one survivor per wording and per fact, conflicts whole, no subject crowding out the rest."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st
from tests.behaviour.requirements import requirement
from tests.unit.recall.house import START, Doc, belief, turn

from bethink.domain.hit import Fused, Scored
from bethink.domain.source import SourceKind
from bethink.recall.collapse import cap, current, demote, merge
from bethink.recall.rank import in_order

LATER = START + timedelta(days=9)


def ranked(*docs: Doc, score: float = 0.9) -> tuple[Scored, ...]:
    """The documents as ranked items, best first, a hundredth apart."""
    return tuple(
        Scored(Fused(doc.candidate, 0.5), round(score - at / 100, 9), {"match": 0.5}) for at, doc in enumerate(docs)
    )


def keys(items) -> list[int]:
    return [item.candidate.key for item in items]


def id_of(key: int) -> str:
    return belief(key, "").candidate.id


@requirement("A115", "E46")
def test_exact_restatements_become_the_higher_scored_one():
    collapsed = merge(ranked(belief(2, "Ann plays the cello"), belief(1, "Ann  plays the cello")), None)

    assert keys(collapsed.kept) == [2]
    assert collapsed.cuts[0].reason == f"says the same as {id_of(2)}"


def test_the_same_words_of_another_subject_or_speaker_are_no_restatement():
    docs = (
        belief(1, "likes tea", subject="Ann"),
        belief(2, "likes tea", subject="Bob"),
        turn(3, "likes tea", speaker="Ann"),
        turn(4, "likes tea", speaker="Bob"),
    )

    assert keys(merge(ranked(*docs), None).kept) == [1, 2, 3, 4]


@requirement("A111")
def test_a_record_is_never_shown_beside_the_one_it_superseded():
    old, new = belief(1, "lives in Lyon"), belief(2, "lives in Nice", supersedes=(id_of(1),))
    collapsed = merge(ranked(old, new), None)

    assert keys(collapsed.kept) == [2]
    assert collapsed.cuts[0].reason == f"superseded by {id_of(2)}"


def test_a_spent_turn_is_cut_with_its_reason_and_the_rest_stays():
    spent, said = turn(1, "I live in Lyon"), turn(2, "Nice is sunny")
    collapsed = current(ranked(spent, said), {spent.candidate.id})

    assert keys(collapsed.kept) == [2]
    assert [(cut.id, cut.reason) for cut in collapsed.cuts] == [(spent.candidate.id, "evidence of a superseded record")]


@requirement("A111")
def test_of_two_values_of_one_fact_the_current_one_survives():
    docs = (
        belief(1, "lives in Lyon", attribute="home", valid_from=START),
        belief(2, "lives in Nice", attribute="home", valid_from=START + timedelta(days=9)),
    )

    assert keys(merge(ranked(*docs), None).kept) == [2]


def test_a_higher_source_holds_the_fact_against_a_later_lower_one():
    docs = (
        belief(
            1, "lives in Nice", attribute="home", source=SourceKind.AGENT_INFERENCE, valid_from=START + timedelta(9)
        ),
        belief(2, "lives in Lyon", attribute="home", valid_from=START),
    )

    assert keys(merge(ranked(*docs), None).kept) == [2]


def test_a_projects_own_value_goes_before_a_carried_one():
    docs = (belief(1, "tabs", attribute="indent"), belief(2, "spaces", attribute="indent", project="here"))

    assert keys(merge(ranked(*docs), "here").kept) == [2]


def test_values_without_an_attribute_are_different_facts():
    assert keys(merge(ranked(belief(1, "has a dog"), belief(2, "has a cat")), None).kept) == [1, 2]


@requirement("A112", "D31")
def test_both_sides_of_an_open_conflict_survive():
    docs = (
        belief(1, "lives in Lyon", attribute="home", conflicts=(id_of(2),)),
        belief(2, "lives in Nice", attribute="home"),
    )

    assert keys(merge(ranked(*docs), None).kept) == [1, 2]


@requirement("A166")
def test_a_subject_has_so_many_beliefs_and_its_conflict_partners_beside_them():
    docs = [belief(key, f"fact {key}") for key in range(1, 6)]
    docs[1] = belief(2, "fact 2", conflicts=(id_of(5),))
    collapsed = cap(ranked(*docs), 3)

    assert keys(collapsed.kept) == [1, 2, 3, 5]
    assert [(cut.id, cut.bound) for cut in collapsed.cuts] == [(id_of(4), 3.0)]


def test_the_cap_binds_beliefs_alone():
    docs = [turn(key, f"said {key}") for key in range(1, 7)] + [belief(9, "no subject", subject=None)] * 1

    assert len(cap(ranked(*docs), 1).kept) == 7


@requirement("A115")
def test_near_duplicates_are_moved_down_by_a_tenth_and_not_dropped():
    docs = (
        belief(1, "Ann plays the old cello every day"),
        belief(2, "Ann plays the old cello every single day"),
        belief(3, "Ann has a dog"),
    )
    items = ranked(*docs)
    demoted = demote(items, {doc.body.key: doc.body for doc in docs})

    assert keys(demoted) == [1, 3, 2]
    assert demoted[2].score == round(items[1].score - 0.1, 9)
    assert demoted[2].parts["near_duplicate"] == -0.1


def test_a_near_duplicate_of_another_type_or_subject_stays_where_it_is():
    docs = (
        belief(1, "plays the old cello every day"),
        belief(2, "plays the old cello every day now", subject="Bob"),
        belief(3, "plays the old cello every day now", type="preference"),
        turn(4, "plays the old cello every day"),
    )

    assert keys(demote(ranked(*docs), {doc.body.key: doc.body for doc in docs})) == [1, 2, 3, 4]


def test_the_penalty_never_takes_a_score_below_zero():
    docs = (belief(1, "Ann plays the old cello"), belief(2, "Ann plays the old cello"))
    items = ranked(*docs, score=0.05)

    assert demote(items, {doc.body.key: doc.body for doc in docs})[1].score == 0.0


@requirement("P68")
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["", "home"]), st.integers(0, 2)), max_size=12))
def test_collapsing_never_empties_an_answer_and_accounts_for_every_item(rows):
    docs = [
        belief(key, f"text {word}", attribute=attribute, supersedes=(id_of(key - 1),) if back == 1 else ())
        for key, (word, attribute, back) in enumerate(rows, 1)
    ]
    items = in_order(ranked(*docs))
    merged = merge(items, None)
    capped = cap(merged.kept, 2)

    assert bool(capped.kept) == bool(items)
    assert len(capped.kept) + len(merged.cuts) + len(capped.cuts) == len(items)
