"""The paired bootstrap on differences whose answer is known."""

from __future__ import annotations

import pytest

from bethink.evaluation.compare import compare


def run(values):
    return {f"q{number}": {"R@10": value} for number, value in enumerate(values)}


def test_a_constant_gain_has_an_interval_of_no_width():
    gap = compare(run([0.75] * 20), run([0.5] * 20))["R@10"]

    assert (gap.difference, gap.low, gap.high) == (0.25, 0.25, 0.25)
    assert (gap.ours, gap.theirs, gap.higher, gap.lower, gap.queries) == (0.75, 0.5, 20, 0, 20)
    assert gap.clear


def test_as_many_losses_as_gains_are_no_difference():
    gap = compare(run([1.0, 0.0] * 30), run([0.0, 1.0] * 30))["R@10"]

    assert gap.difference == 0
    assert gap.low < 0 < gap.high
    assert not gap.clear
    assert (gap.higher, gap.lower) == (30, 30)


def test_the_interval_is_that_of_the_mean():
    """Forty gains of 1 in 160 questions: a standard error of sqrt(p(1-p)/n) = 0.0342 around 0.25."""
    gap = compare(run([1.0] * 40 + [0.0] * 120), run([0.0] * 160))["R@10"]

    assert gap.low == pytest.approx(0.25 - 1.96 * 0.0342, abs=0.01)
    assert gap.high == pytest.approx(0.25 + 1.96 * 0.0342, abs=0.01)


def test_the_same_runs_give_the_same_interval():
    ours, theirs = run([0.1 * (n % 7) for n in range(50)]), run([0.1 * (n % 5) for n in range(50)])

    assert compare(ours, theirs) == compare(ours, theirs)
    assert compare(ours, theirs, seed=1) != compare(ours, theirs, seed=2)


def test_only_questions_of_both_runs_with_a_value_in_both_count():
    ours = {"a": {"noise": 0.5}, "b": {"noise": None}, "c": {"noise": 0.1}}
    theirs = {"a": {"noise": 0.25}, "b": {"noise": 0.5}, "d": {"noise": 0.5}}

    assert compare(ours, theirs)["noise"].queries == 1
    assert compare(ours, {"z": {"noise": 0.1}}) == {}
