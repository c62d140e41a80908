from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.embedding.encoder import _batches, encode, gelu, normalised, tail
from bethink.embedding.weights import load_weights


def test_the_tail_gives_erf_to_two_ten_millionths():
    magnitude = np.linspace(0, 6, 60_001, dtype=np.float32)
    erf = 1 - 2 * tail(magnitude).astype(np.float64)
    exact = [math.erf(value / math.sqrt(2)) for value in magnitude.tolist()]
    assert np.abs(erf - exact).max() < 2e-7


@pytest.mark.parametrize("rows", [1, 2, 31, 32, 33, 100])
def test_gelu_equals_its_definition_at_every_height(rows):
    values = np.linspace(-30, 30, rows * 7, dtype=np.float32).reshape(rows, 7)
    exact = [0.5 * value * (1 + math.erf(value / math.sqrt(2))) for value in values.ravel().tolist()]
    result = gelu(values)
    assert result is values
    assert np.allclose(result.ravel(), exact, rtol=2e-7, atol=5e-7)


def test_a_vector_of_zeros_is_left_as_it_is():
    assert normalised(np.zeros(3, dtype=np.float32)).tolist() == [0, 0, 0]
    assert normalised(np.array([3, 4], dtype=np.float32)).tolist() == pytest.approx([0.6, 0.8])


def test_no_sequences_give_no_rows():
    assert encode(load_weights(), []).shape == (0, 384)


@given(lengths=st.lists(st.integers(2, 256), max_size=40))
def test_batches_keep_the_order_and_stay_small(lengths):
    sequences = [[0] * length for length in lengths]
    batches = list(_batches(sequences))
    assert [number for start, end in batches for number in range(start, end)] == list(range(len(lengths)))
    assert all(sum(lengths[start:end]) <= 1024 for start, end in batches)


def test_sequences_of_every_length_keep_their_row_across_batches():
    weights = load_weights()
    sequences = [[101, *range(2000, 2000 + length), 102] for length in (0, 254, 1, 254, 254, 3, 254, 254, 20)]
    together = encode(weights, sequences)
    assert all(np.array_equal(row, encode(weights, [ids])[0]) for row, ids in zip(together, sequences, strict=True))
