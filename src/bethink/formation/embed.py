"""Embed: each text to a vector, outside any transaction. A model that fails delays the vector, never the write.

A text longer than the model's window is split where `split_to_windows` says. Each window that holds words of the entry
becomes a node with its own vector; the entry's vector is their normalised mean. A split is said, never silent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bethink.errors import EmbedderError, InvalidInput
from bethink.formation.desk import Desk
from bethink.operations.common import Notice
from bethink.ports.embedder import Embedder, pooled, sound
from bethink.ports.nodes import TextNodes
from bethink.ports.store import UnitOfWork
from bethink.text.template import Phrase
from bethink.text.windows import covered, split_to_windows


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """What a model made of texts: a row for each, shape (len(texts), dims), and the nodes of those it had to split."""

    rows: NDArray[np.float32]
    nodes: tuple[TextNodes | None, ...]
    window: int

    @property
    def windows(self) -> list[NDArray[np.float32]]:
        """For each text the vectors of its windows that hold words of its own, at least one row."""
        rows = zip(self.rows, self.nodes, strict=True)
        return [row[None] if found is None else found.vectors for row, found in rows]

    def split(self, rows: Iterable[int]) -> tuple[Notice, ...]:
        """A word about those of the rows whose text was split."""
        return _said([len(nodes.ranges) for row in rows if (nodes := self.nodes[row]) is not None], self.window)


@dataclass(frozen=True, slots=True)
class Added:
    """What became of the vectors of a write: whether one is missing, and a word about texts that were split."""

    missing: bool = False
    split: tuple[Notice, ...] = ()


def embedded(desk: Desk, texts: Sequence[Phrase]) -> tuple[Vectors | None, tuple[Notice, ...]]:
    """Vectors of the texts; None without an embedder, or with a notice where it failed."""
    if desk.embedder is None or desk.space is None or not texts:
        return None, ()
    try:
        return read_whole(desk.embedder, texts), ()
    except EmbedderError as error:
        text = f"The text is stored and found by its words; its vector follows later ({error.code})."
        return None, (Notice("embedding_pending", text),)


def foretold(desk: Desk, texts: Sequence[Phrase]) -> tuple[Notice, ...]:
    """What would be said of the split of these texts, without embedding them."""
    if desk.embedder is None or desk.space is None:
        return ()
    try:
        windows = [_windows(desk.embedder, text) for text, _ in texts]
    except EmbedderError:
        return ()
    split = [(parts, phrase.lead) for parts, phrase in zip(windows, texts, strict=True) if len(parts) > 1]
    counts = [sum(place is not None for place in covered(parts, lead)) for parts, lead in split]
    return _said(counts, desk.embedder.spec.max_tokens)


def _said(counts: Sequence[int], window: int) -> tuple[Notice, ...]:
    """A word about texts that were split, by the nodes of each."""
    if not counts:
        return ()
    what = "1 text is" if len(counts) == 1 else f"{len(counts)} texts are"
    text = (
        f"{what} longer than the {window} tokens that the model reads at once, and split into"
        f" {sum(counts)} nodes with a vector each; nothing is cut."
    )
    return (Notice("split_into_nodes", text),)


def read_whole(embedder: Embedder, texts: Sequence[Phrase]) -> Vectors:
    """Vectors of texts, each read to its end; the same texts and model give the same nodes.

    Raises:
        EmbedderError: the model cannot answer.
    """
    spec = embedder.spec
    windows = [_windows(embedder, text) for text, _ in texts]
    flat = [window for parts in windows for window in parts]
    found = sound(embedder.embed_documents(flat), spec, len(flat))
    rows = np.empty((len(texts), spec.dims), dtype=np.float32)
    nodes: list[TextNodes | None] = []
    start = 0
    for row, (parts, phrase) in enumerate(zip(windows, texts, strict=True)):
        own = found[start : start + len(parts)]
        rows[row] = pooled(own)
        nodes.append(_nodes(parts, phrase.lead, own))
        start += len(parts)
    return Vectors(rows, tuple(nodes), spec.max_tokens)


def _windows(embedder: Embedder, text: str) -> list[str]:
    """The text as the model reads it."""
    if embedder.windows(text) == 1:
        return [text]
    return split_to_windows(text, embedder.spec.max_tokens, embedder.count_tokens)


def _nodes(parts: Sequence[str], lead: int, vectors: NDArray[np.float32]) -> TextNodes | None:
    """The nodes of a text in several windows; what the template alone fills is none."""
    if len(parts) == 1:
        return None
    ranges = covered(parts, lead)
    held = [at for at, place in enumerate(ranges) if place is not None]
    return TextNodes(tuple(place for place in ranges if place is not None), vectors[held])


def put_vectors(work: UnitOfWork, desk: Desk, vectors: Vectors, rows: Sequence[tuple[int, int]]) -> bool:
    """Store vectors, as (key, row of `vectors`), with what the transaction writes; whether they are in.

    What cannot be stored, because the model serves the store no more or gave no numbers, stays queued.
    """
    if desk.space is None or not rows:
        return False
    nodes = {key: found for key, row in rows if (found := vectors.nodes[row]) is not None}
    try:
        work.put_vectors(desk.space, [(key, vectors.rows[row]) for key, row in rows], nodes)
    except (EmbedderError, InvalidInput):
        return False
    return True


def put_added(work: UnitOfWork, desk: Desk, vectors: Vectors | None, keys: Sequence[int | None]) -> Added:
    """Store the vectors of what was added; whether something is left without one, and which texts were split.

    Args:
        work: the write under way.
        desk: whose model made the vectors.
        vectors: one row for each key, None without a model.
        keys: index keys of the texts, None for one that was not added.
    """
    added = [(key, row) for row, key in enumerate(keys) if key is not None]
    if not added:
        return Added()
    if vectors is None or not put_vectors(work, desk, vectors, added):
        return Added(missing=True)
    return Added(split=vectors.split(row for _, row in added))


def waits(desk: Desk) -> bool:
    """Whether what is written without a vector waits for one: some model serves the store, here or elsewhere."""
    return desk.space is not None or desk.store.vectors.active() is not None
