"""What a match gains and loses beside its text: by its session above all."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.domain.query import Query
from bethink.recall.lift import ELSEWHERE, NAMED, REPEATED, SESSION, Bearings, Covered, lifted

QUERY = Query("boat", ("boat",))


def matches(text: list[float], sessions: list[str | None], covered: list[float]) -> list[float]:
    rows = Bearings(np.arange(len(text)), [""] * len(text), sessions, np.array(covered))
    return lifted(np.array(text), rows, [], QUERY).match.tolist()


def test_of_two_equal_turns_the_one_whose_session_says_more_of_the_question_matches_better():
    whole, half, belief = matches([0.5, 0.5, 0.5], ["s", "t", None], [1.0, 0.5, 1.0])

    assert whole == belief == pytest.approx(0.5 / (1 + NAMED))
    assert half == pytest.approx(whole * (1 - ELSEWHERE / 2))


def test_a_session_helps_its_best_turn_most_and_the_others_less_and_less():
    text = [0.5, 0.6, 0.4]
    own = [
        part / (1 + NAMED) * (1 - ELSEWHERE * (1 - place**-REPEATED)) for part, place in ((0.6, 1), (0.5, 2), (0.4, 3))
    ]
    first, second, third = ((1 - SESSION) * part + SESSION * own[0] for part in own)

    assert matches(text, ["s"] * 3, [1.0] * 3) == pytest.approx([second, first, third])


@given(
    st.lists(
        st.tuples(st.floats(0, 1), st.sampled_from([None, "s", "t", "u"]), st.floats(0, 1)), min_size=1, max_size=30
    )
)
def test_a_match_stays_in_bounds_and_the_better_text_of_a_session_stays_before_the_weaker(rows):
    shares = {name: covered for _, name, covered in rows}
    text, sessions = [row[0] for row in rows], [row[1] for row in rows]
    found = matches(text, sessions, [1.0 if name is None else shares[name] for name in sessions])

    assert all(0 <= match <= 1 for match in found)
    for name in set(sessions):
        together = sorted((one, match) for one, of, match in zip(text, sessions, found, strict=True) if of == name)
        assert all(low[1] <= high[1] for low, high in pairwise(together) if low[0] < high[0])


def test_a_key_that_nothing_is_known_of_is_covered_whole():
    known = Covered(np.array([2, 5]), np.array([0.2, 0.5]))

    assert known.of(np.array([1, 2, 5, 9])).tolist() == [1.0, 0.2, 0.5, 1.0]
    assert Covered().of(np.array([4])).tolist() == [1.0]
