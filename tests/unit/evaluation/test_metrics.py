"""Every metric on lists small enough to be worked out on paper."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.behaviour.requirements import requirement

from bethink.evaluation.metrics import Shown, auc, macro, micro, of_block, of_order, of_pool, percentile

ORDER = ["a", "x", "b", "y", "z", "w"]


def test_recall_by_evidence_share_counts_what_stands_among_the_first():
    values = of_order(ORDER, {"a", "b", "missing"})

    assert values["R@1"] == pytest.approx(1 / 3)
    assert values["R@5"] == pytest.approx(2 / 3)
    assert values["R@50"] == pytest.approx(2 / 3)


def test_any_and_all_differ_by_one_missed_piece():
    some, every = of_order(ORDER, {"b", "missing"}), of_order(ORDER, {"a", "b"})

    assert (some["recall_any@1"], some["recall_any@5"], some["recall_all@5"]) == (0.0, 1.0, 0.0)
    assert (every["recall_all@1"], every["recall_all@5"], every["recall_all@10"]) == (0.0, 1.0, 1.0)
    assert (some["hit@1"], some["hit@5"], every["hit@1"]) == (0.0, 1.0, 1.0)


def test_the_reciprocal_rank_is_that_of_the_first_hit_however_deep():
    assert of_order(ORDER, {"b", "y"})["MRR"] == pytest.approx(1 / 3)
    assert of_order(["n"] * 0 + [f"n{i}" for i in range(40)] + ["a"], {"a"})["MRR"] == pytest.approx(1 / 41)
    assert of_order(ORDER, {"missing"})["MRR"] == 0.0


def test_ndcg_discounts_by_rank_and_divides_by_the_best_possible_list():
    values = of_order(ORDER, {"x", "y"})
    gain = 1 / math.log2(3) + 1 / math.log2(5)

    assert values["NDCG@10"] == pytest.approx(gain / (1 + 1 / math.log2(3)))
    assert of_order(["a", "b"], {"a", "b"})["NDCG@10"] == pytest.approx(1.0)
    assert of_order([f"n{i}" for i in range(10)] + ["a"], {"a"})["NDCG@10"] == 0.0


def test_more_evidence_than_ten_can_still_be_found_perfectly_among_ten():
    wanted = {f"g{i}" for i in range(30)}
    values = of_order([f"g{i}" for i in range(10)], wanted)

    assert values["capped_R@10"] == 1.0
    assert values["NDCG@10"] == pytest.approx(1.0)
    assert values["R@10"] == pytest.approx(1 / 3)


@requirement("D28")
def test_candidates_count_before_anything_is_taken_out():
    values = of_pool([f"n{i}" for i in range(9)] + ["a", "b"], {"a", "b", "c", "d"})

    assert values == {"candidate_recall": 0.5, "ungated_R@10": 0.25}


def test_noise_is_the_share_of_the_block_that_was_not_asked_for():
    values = of_block(Shown(("a", "x", None, "b"), 120), {"a", "b", "c"})

    assert (values["precision"], values["noise"]) == (0.5, 0.5)
    assert values["block_recall"] == pytest.approx(2 / 3)
    assert (values["items"], values["tokens"], values["empty"]) == (4.0, 120.0, 0.0)


def test_an_empty_block_has_no_noise_and_no_precision():
    values = of_block(Shown((), 0), {"a"})

    assert (values["precision"], values["noise"], values["empty"]) == (None, None, 1.0)
    assert values["block_recall"] == 0.0


def test_micro_is_over_questions_and_macro_over_categories():
    many, few = [{"m": 1.0}, {"m": 1.0}, {"m": 1.0}], [{"m": 0.0}]

    assert micro([*many, *few]) == {"m": 0.75}
    assert macro([many, few]) == {"m": 0.5}


def test_a_question_without_a_value_is_left_out_of_that_mean_alone():
    assert micro([{"noise": None, "n": 1.0}, {"noise": 0.5, "n": 0.0}]) == {"noise": 0.5, "n": 0.5}
    assert micro([{"noise": None}]) == {}


def test_percentiles_are_values_that_were_measured():
    assert [percentile([4.0, 1.0, 3.0, 2.0], share) for share in (0.5, 0.95)] == [2.0, 4.0]
    assert percentile([], 0.5) == 0.0


@given(st.lists(st.sampled_from("abcdefghijkl"), unique=True), st.sets(st.sampled_from("abcdefghijkl"), min_size=1))
def test_every_rank_metric_lies_between_nothing_and_all_and_grows_with_depth(order, wanted):
    values = of_order(order, wanted)

    assert all(0 <= value <= 1 for value in values.values())
    assert values["R@1"] <= values["R@5"] <= values["R@10"] <= values["R@20"] <= values["R@50"]
    assert values["recall_all@10"] <= values["R@10"] <= values["recall_any@10"]
    assert (values["NDCG@10"] > 0) == (values["hit@10"] > 0)


@pytest.mark.parametrize(
    ("above", "below", "area"),
    [
        ([3, 4], [1, 2], 1.0),
        ([1, 2], [3, 4], 0.0),
        ([1, 3], [2], 0.5),
        ([2, 2], [2], 0.5),
        ([2, 3], [1, 3], 0.625),
        ([], [1], 0.5),
    ],
)
def test_the_area_is_the_chance_that_one_of_the_first_exceeds_one_of_the_second(above, below, area):
    assert auc(above, below) == pytest.approx(area)


SCORES = st.lists(st.integers(0, 5).map(float), min_size=1, max_size=12)


@given(above=SCORES, below=SCORES)
def test_the_area_by_ranks_is_the_one_by_counting_every_pair(above, below):
    wins = sum((a > b) + (a == b) / 2 for a in above for b in below)

    assert auc(above, below) == pytest.approx(wins / len(above) / len(below))
