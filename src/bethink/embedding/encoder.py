"""The forward pass of all-MiniLM-L6-v2 in numpy: BERT with 6 layers, 12 heads, 384 dimensions, mean pooling.

Every text runs through every product alone, in matrices of its own length and without padding, so a text's vector
cannot depend on what it is embedded with: the last bits of a BLAS product may change with the number of rows. What a
batch shares is the widening of each int8 matrix, which is most of what a short text costs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from bethink.embedding.blas import one_thread
from bethink.embedding.weights import Affine, Floats, Layer, Norm, Weights

HEADS: Final = 12
_NORM_EPSILON: Final = np.float32(1e-12)
# Tokens that pass through the layers together: past some thirty short texts a larger batch is no faster, only larger.
_BATCH_TOKENS: Final = 1024
_GELU_ROWS: Final = 32
# log(erfc(a / sqrt(2)) / 2) for 0 <= a <= 6 as a polynomial, lowest power first: a minimax fit made for this file,
# weighted so that the error counts where it reaches the result. erf comes out within 1.6e-7, all of it rounding.
_LOG_TAIL: Final = tuple(
    np.float32(coefficient)
    for coefficient in (
        -0.6931471228599548,
        -0.7978865504264832,
        -0.3182883858680725,
        -0.036422401666641235,
        0.0049509829841554165,
        -0.0001403371716151014,
        -0.00010902118083322421,
        2.2852411348139867e-05,
        -1.5775689234942547e-06,
    )
)
_TAIL_END: Final = np.float32(6)


def encode(weights: Weights, sequences: Sequence[Sequence[int]]) -> Floats:
    """L2-normalised vectors of shape (len(sequences), dims), one per sequence of token ids.

    A sequence is not empty and not longer than the position table.
    """
    vectors = np.empty((len(sequences), weights.position.shape[1]), dtype=np.float32)
    scratch = np.empty(max(affine.matrix.size for affine in weights.layers[0].affines), dtype=np.float32)
    with one_thread():
        for start, end in _batches(sequences):
            states = [_embed_tokens(weights, np.asarray(ids, dtype=np.intp)) for ids in sequences[start:end]]
            for layer in weights.layers:
                states = _transform(layer, states, scratch)
            for row, state in enumerate(states, start):
                vectors[row] = normalised(np.add.reduce(state, axis=0) / np.float32(len(state)))
    return vectors


def normalised(vector: Floats) -> Floats:
    """The vector at length one; a vector of zeros stays as it is."""
    length = np.sqrt(np.dot(vector, vector))
    return vector / length if length > 0 else vector


def tail(magnitude: Floats) -> Floats:
    """Half of erfc(a / sqrt(2)), the normal distribution's upper tail, for 0 <= a <= 6 in float32; a new array."""
    result = magnitude * _LOG_TAIL[-1]
    result += _LOG_TAIL[-2]
    for coefficient in _LOG_TAIL[-3::-1]:
        result *= magnitude
        result += coefficient
    np.exp(result, out=result)
    return result


def gelu(values: Floats) -> Floats:
    """GELU, x * (1 + erf(x / sqrt(2))) / 2, exact up to float32, written over `values` of shape (rows, columns)."""
    for start in range(0, len(values), _GELU_ROWS):
        block = values[start : start + _GELU_ROWS]
        magnitude = np.minimum(np.abs(block), _TAIL_END)
        lost = tail(magnitude)
        lost *= magnitude
        np.maximum(block, np.float32(0), out=block)
        block -= lost
    return values


def _batches(sequences: Sequence[Sequence[int]]) -> Iterator[tuple[int, int]]:
    """Runs of sequences of about `_BATCH_TOKENS` tokens, as (start, end)."""
    edges, tokens = [0], 0
    for number, ids in enumerate(sequences):
        if tokens and tokens + len(ids) > _BATCH_TOKENS:
            edges.append(number)
            tokens = 0
        tokens += len(ids)
    return pairwise((*edges, len(sequences)))


def _embed_tokens(weights: Weights, ids: np.ndarray[tuple[int], np.dtype[np.intp]]) -> Floats:
    states = weights.word[ids].astype(np.float32)
    states *= weights.word_scale[ids][:, None]
    states += weights.position[: len(ids)]
    return _normalise_rows(states, weights.embed_norm)


def _transform(layer: Layer, states: list[Floats], scratch: Floats) -> list[Floats]:
    """One layer over each text's states of shape (tokens, dims). One matrix at a time is wide, and stays in cache."""
    contexts = [_attend(joined) for joined in _each(layer.qkv, states, scratch)]
    mixed = _each(layer.mix, contexts, scratch)
    states = [_normalise_rows(state + change, layer.mix_norm) for state, change in zip(states, mixed, strict=True)]
    raised = [gelu(rows) for rows in _each(layer.up, states, scratch)]
    lowered = _each(layer.down, raised, scratch)
    return [_normalise_rows(state + change, layer.down_norm) for state, change in zip(states, lowered, strict=True)]


def _each(affine: Affine, texts: list[Floats], scratch: Floats) -> Iterator[Floats]:
    """The matrix over each text's rows, wide for as long as the iteration lasts."""
    wide = affine.widened(scratch)
    return (wide.apply(rows) for rows in texts)


def _attend(joined: Floats) -> Floats:
    """Softmax attention over (tokens, 3 * dims) of query, key and value side by side."""
    tokens, width = len(joined), joined.shape[1] // (3 * HEADS)
    query, key, value = joined.reshape(tokens, 3, HEADS, width).transpose(1, 2, 0, 3)
    scores: Floats = np.matmul(query, key.transpose(0, 2, 1))
    scores *= np.float32(width**-0.5)
    scores -= np.maximum.reduce(scores, axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= np.add.reduce(scores, axis=-1, keepdims=True)
    context: Floats = np.matmul(scores, value)
    return context.transpose(1, 0, 2).reshape(tokens, HEADS * width)


def _normalise_rows(rows: Floats, norm: Norm) -> Floats:
    """Layer normalisation over the last axis, written over `rows`."""
    dims = np.float32(rows.shape[1])
    rows -= np.add.reduce(rows, axis=1, keepdims=True) / dims
    variance = np.add.reduce(rows * rows, axis=1, keepdims=True) / dims
    rows /= np.sqrt(variance + _NORM_EPSILON)
    rows *= norm.gain
    rows += norm.bias
    return rows
