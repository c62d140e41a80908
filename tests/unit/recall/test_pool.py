"""The pool: of all that the arms found the best go on, whoever found them, and how many were passed over is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.behaviour.requirements import requirement
from tests.unit.recall.house import House, belief, turn

from bethink.domain.hit import ArmHit, ArmReport
from bethink.domain.scope import Sensitivity
from bethink.operations.recall import RecallRequest
from bethink.ports.search import Matches
from bethink.recall.lift import NAMED
from bethink.recall.pipeline import recall
from bethink.recall.pool import LOOKED_UP, NEIGHBOUR, POOL, Beside, distinct, mixed, pooled
from bethink.recall.reader import Mix, RecallOutcome
from bethink.settings import RecallSettings

ARMS = ("structured", "lexical", "fuzzy", "dense", "entity", "time")


def report(arm: str, keys: Sequence[int]) -> ArmReport:
    return ArmReport(arm, tuple(ArmHit(key, rank, 1.0) for rank, key in enumerate(keys, 1)), len(keys))


@st.composite
def hauls(draw: st.DrawFn) -> tuple[list[ArmReport], np.ndarray, np.ndarray]:
    """What the arms found: their reports, every key, and how well the text of each answers, with ties."""
    count, chance = draw(st.integers(0, 220)), np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    keys = np.sort(chance.choice(1_000, size=count, replace=False)).astype(np.int64)
    owners = chance.integers(1, 2 ** len(ARMS), size=count)
    reports = [report(arm, chance.permutation(keys[(owners >> at) & 1 == 1]).tolist()) for at, arm in enumerate(ARMS)]
    return reports, keys, chance.integers(0, draw(st.sampled_from([2, 30, 10**6])), size=count) / 10**6


@given(hauls())
@settings(deadline=None)
def test_what_goes_on_is_the_best_by_text_and_the_first_looked_up_and_nothing_else(haul):
    reports, keys, text = haul
    kept = pooled(reports, keys, text).tolist()

    best = sorted(range(len(keys)), key=lambda place: (-text[place], keys[place]))[:POOL]
    looked_up = {hit.key for one in reports for hit in one.hits[: LOOKED_UP.get(one.arm, 0)]}
    assert kept == sorted({int(keys[place]) for place in best} | (looked_up if len(keys) > POOL else set()))


@requirement("B47")
@given(hauls())
@settings(deadline=None)
def test_the_ten_nearest_are_judged_whatever_their_words_say(haul):
    reports, keys, _ = haul
    nearest = [hit.key for one in reports if one.arm == "dense" for hit in one.hits[:10]]
    text = np.where(np.isin(keys, nearest), 0.0, 0.5)

    assert set(nearest) <= set(pooled(reports, keys, text).tolist())


@given(st.lists(st.integers(-1, 50)))
def test_keys_are_made_distinct_as_a_set_makes_them(keys):
    assert distinct(keys).tolist() == distinct(np.array(keys, np.int64)).tolist() == sorted(set(keys))


def test_of_those_beside_nobody_is_asked_twice_and_nobody_without_a_key():
    around = Beside(np.array([3, 4, 9]), np.array([-1, 3, -1]), np.array([4, 5, -1]))

    assert around.everyone().tolist() == [3, 4, 5, 9]
    some = around.of(np.array([4, 9]))
    assert (some.keys.tolist(), some.before.tolist(), some.after.tolist()) == ([4, 9], [3, -1], [5, -1])


def test_a_reply_means_at_least_what_it_and_its_question_mean_together():
    """At a zero of 0.1 the cosines 0.1, 0.82, 0.46 and 0.28 are 0, 0.8, 0.4 and 0.2; a neighbour weighs 0.4 to 1.4.

    The reply (key 3) is (0.2 + 0.8) / 2 and no longer (0.2 + 0.4 * 0.8) / 1.4; where the reply says more than its
    question (key 5) nothing changes, and the same turn that is no reply has the smaller one.
    """
    dense = _dense([1, 2, 3, 4, 5], [0.1, 0.82, 0.28, 0.28, 0.82])
    around = Beside(np.array([3, 5]), np.array([2, 4]), np.array([-1, 1]), np.array([True, True]))
    plain = replace(around, replies=np.array([False, False]))
    every = Mix(1.0, 0.1)

    assert mixed(None, dense, around, every) == pytest.approx([0.5, (0.8 + 0.4 * 0.2) / 1.4])
    assert mixed(None, dense, plain, every) == pytest.approx([(0.2 + 0.4 * 0.8) / 1.4, (0.8 + 0.4 * 0.2) / 1.4])
    assert around.of(np.array([5])).replies.tolist() == [True]


def test_a_standing_instruction_answers_as_much_as_it_means_and_no_less_than_its_words():
    """Its own cosine of 0.82 is 0.8, more than half of it and half of its words; a neighbour's does not count."""
    dense = _dense([1, 2, 3], [0.82, 0.1, 0.1])
    lone = np.full(3, -1)
    around = Beside(np.array([1, 2, 3]), lone, lone, instructs=np.array([True, True, False]))
    one = np.ones(1, np.int64)
    words = Matches(np.array([2]), np.array([0.6]), np.ones(1), one, one, np.zeros(1, np.bool_), 1)

    assert mixed(words, dense, around, Mix(0.5, 0.1)) == pytest.approx([0.8, 0.3, 0.0])
    assert mixed(words, None, around, Mix(0.5, 0.1)) == pytest.approx([0.0, 0.6, 0.0])
    assert around.of(np.array([2, 3])).instructs.tolist() == [True, False]


def _dense(keys: list[int], cosines: list[float]) -> Matches:
    """What a dense arm matched."""
    none = np.empty(0, np.int64)
    return Matches(np.array(keys), np.array(cosines), np.empty(0), none, none, np.empty(0, np.bool_), len(keys))


def test_without_a_dense_arm_the_words_alone_answer():
    around = Beside(np.array([1, 2]), np.array([-1, 1]), np.array([2, -1]))

    assert mixed(None, None, around, Mix(0.35, 0.1)).tolist() == [0.0, 0.0]


def crowd(extra: int = 0) -> House:
    """A hundred facts of one word, of which the words' arm finds the first sixty and the meaning's the last sixty."""
    docs = [belief(key, "kiln" + " bread" * (101 - key), subject="Maya" if key == 1 else None) for key in range(1, 101)]
    return House([*docs, *(belief(200 + n, "unrelated", embedded=False, subject=None) for n in range(extra))])


def ask(house: House, **change: object) -> RecallOutcome:
    return recall(RecallRequest("kiln", **change), house.reader())


def pool(outcome: RecallOutcome) -> list[int]:
    return sorted(int(row["id"][-12:]) for row in outcome.trace.pool)


@requirement("B36", "B37")
@pytest.mark.parametrize("count", [0, 1, 10, 30])
def test_the_pool_and_what_it_passes_over_do_not_depend_on_how_many_items_are_asked_for(count):
    outcome = ask(crowd(), max_items=count)

    assert pool(outcome) == list(range(37, 101)), "the words say the same of all, the meaning speaks for the last"
    assert (outcome.trace.passed_over, outcome.result.considered) == (36, POOL)


def test_what_is_not_found_is_not_passed_over():
    assert ask(crowd(extra=30)).trace.passed_over == ask(crowd()).trace.passed_over
    few = House([belief(key, f"kiln {key}", subject=None) for key in range(1, 20)])
    assert ask(few).trace.passed_over == 0


def test_a_subject_that_was_named_has_its_place_whatever_its_words_say():
    outcome = ask(crowd(), subjects=("Maya",))

    assert pool(outcome) == [1, *range(37, 101)]
    assert outcome.trace.passed_over == 35
    assert outcome.result.items[0].id[-12:] == f"{1:012d}"


def test_what_a_narrow_arm_finds_competes_with_all_on_equal_terms():
    """A candidate only the words found has its meaning weighed before the cut, though the meaning's arm left it out."""
    house = crowd()
    house.nominated = 60

    assert ask(house).trace.pool == ask(crowd()).trace.pool
    assert ask(house).trace.passed_over == 36


@pytest.mark.parametrize("nominated", [None, 1], ids=["all scored", "one nominated"])
@pytest.mark.parametrize(
    ("hidden", "meaning"),
    [(Sensitivity.NORMAL, (0.707107 + NEIGHBOUR) / (1 + NEIGHBOUR)), (Sensitivity.SECRET, 0.707107)],
)
def test_a_turn_takes_from_the_turn_really_beside_it_which_no_arm_found_if_the_fence_admits_it(
    hidden, meaning, nominated
):
    """`nilk` means what `kiln` does to the embedder of the house, and is another word."""
    docs = [
        turn(1, "kiln tea", "", seq=0),
        belief(2, "nilk", subject=None),
        turn(3, "nilk", "", seq=1, sensitivity=hidden),
    ]
    reader = House(docs, nominated=nominated).reader(settings=RecallSettings(depth=1, fusion="scores"))
    trace = recall(RecallRequest("kiln"), reader).trace
    found = {int(row["id"][-12:]): row["text"] for row in trace.pool}

    assert sorted(found) == [1, 2]
    assert found[1] == pytest.approx((0.65 + 0.35 * meaning) / (1 + NAMED), abs=1e-6)
