"""What a scoring arm answers: matches by key, of which the best are picked out without sorting the rest."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from bethink.ports.search import Matches, leading

SCORES = st.one_of(
    st.lists(st.floats(-1, 1, width=32), max_size=80),
    st.lists(st.sampled_from([0.0, 1e-38, 0.25, 0.2500001, 1.0]), max_size=80),
    st.lists(st.floats(-1e9, 1e9), max_size=80),
)


def matches(scores: NDArray[np.float64]) -> Matches:
    """Matches with the keys 10, 20, 30 and so on."""
    count = np.zeros(len(scores), np.int64)
    keys = 10 * np.arange(1, len(scores) + 1)
    return Matches(keys, scores, np.zeros(len(scores)), count, count, count > 0, len(scores))


@given(SCORES, st.sampled_from([np.float32, np.float64]), st.integers(0, 90), st.booleans())
def test_the_leading_scores_are_those_that_sorting_puts_first_ties_to_the_lower_key(scores, width, wanted, ascending):
    keys = np.arange(len(scores)) if ascending else np.arange(len(scores))[::-1].copy()
    places = leading(np.array(scores, dtype=width), keys, wanted).tolist()

    best = sorted(range(len(scores)), key=lambda place: (-scores[place], keys[place]))
    assert sorted(places) == sorted(best[:wanted])


def test_the_leading_of_many_are_those_that_sorting_puts_first():
    scores = np.random.default_rng(5).gamma(0.3, size=20_000)
    places = leading(scores, np.arange(len(scores)), 60)

    assert sorted(places.tolist()) == sorted(np.argsort(-scores, kind="stable")[:60].tolist())


@given(SCORES, st.integers(0, 90))
def test_the_best_matches_come_best_first_ties_to_the_lower_key(scores, depth):
    order = matches(np.array(scores, np.float64)).best(depth).tolist()

    assert order == sorted(range(len(scores)), key=lambda place: (-scores[place], place))[:depth]


@pytest.mark.parametrize("count", [0, 1, 7])
def test_a_key_that_is_no_match_has_no_place(count):
    places = matches(np.ones(count)).places_of(np.array([-1, 5, 10, 15, 70, 75]))

    assert places.tolist() == [-1, -1, 0 if count else -1, -1, 6 if count == 7 else -1, -1]
