from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from bethink.embedding.blas import _controls, one_thread, thread_count
from bethink.embedding.encoder import encode
from bethink.embedding.weights import load_weights


@pytest.fixture
def three_threads() -> Iterator[None]:
    """A host that lets BLAS use three threads."""
    before = thread_count()
    if not before:
        pytest.skip("this numpy brings no OpenBLAS whose threads could be counted")
    _controls()[1](3)
    yield
    _controls()[1](before)


def test_one_thread_inside_and_the_hosts_number_again_after(three_threads):
    with one_thread():
        assert thread_count() == 1
        with one_thread():
            assert thread_count() == 1
        assert thread_count() == 1
    assert thread_count() == 3


def test_an_error_gives_the_threads_back(three_threads):
    with pytest.raises(KeyError), one_thread():
        raise KeyError
    assert thread_count() == 3


def test_the_last_of_many_to_leave_gives_the_threads_back(three_threads):
    gate = Barrier(4)

    def visit(_: int) -> int:
        with one_thread():
            gate.wait()
            return thread_count()

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(visit, range(4))) == [1, 1, 1, 1]
    assert thread_count() == 3


def test_the_encoder_runs_with_one_thread(three_threads):
    seen: list[int] = []

    class Ids(list[int]):
        def __len__(self) -> int:
            seen.append(thread_count())
            return super().__len__()

    encode(load_weights(), [Ids([101, 2000, 102])])
    assert 1 in seen
    assert thread_count() == 3
