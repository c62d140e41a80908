"""What was published of a growing array stands, however it grew, and whether or not its numbers are all alike."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from bethink.store.growing import Growing

VALUES = st.sampled_from([7, 7, 7, 8])
STEPS = st.one_of(
    st.tuples(st.just("add"), st.lists(VALUES, max_size=5)),
    st.tuples(st.just("put"), st.lists(st.tuples(st.integers(0, 30), VALUES), max_size=3)),
    st.tuples(st.just("reserve"), st.integers(0, 600)),
    st.tuples(st.just("publish"), st.none()),
)


@given(st.lists(STEPS, max_size=14))
def test_it_holds_what_a_list_would_and_changes_nothing_that_was_published(steps):
    array, model = Growing(np.int32), list[int]()
    published: list[tuple[NDArray[np.int32], list[int]]] = []
    for step, given_ in steps:
        if step == "add":
            array.add(given_)
            model += given_
        elif step == "reserve":
            array.reserve(given_)
        elif step == "publish":
            published.append((array.publish(), list(model)))
        elif model:
            at = [place % len(model) for place, _ in given_]
            array.put(np.array(at, dtype=np.int64), np.array([value for _, value in given_], dtype=np.int64))
            for place, (_, value) in zip(at, given_, strict=True):
                model[place] = value
        assert array.view.tolist() == model
        assert array.view.dtype == np.int32
    assert [held.tolist() for held, _ in published] == [then for _, then in published]


def test_numbers_that_are_all_alike_take_the_memory_of_one():
    array = Growing(np.int64)
    for _ in range(3):
        array.add(np.full(1_000, 5))

    assert array.view.strides == (0,)
    array.add([6])
    assert array.view.strides == (8,)
    assert array.view.tolist() == [5] * 3_000 + [6]


def test_rows_with_a_shape_of_their_own_grow_too():
    array = Growing(np.int8, (2,))
    array.add([[1, 2]])
    before = array.publish()
    array.add(np.full((600, 2), 3))
    array.put(np.array([0]), np.array([[9, 9]]))

    assert before.tolist() == [[1, 2]]
    assert array.view[[0, 1, 600]].tolist() == [[9, 9], [3, 3], [3, 3]]
