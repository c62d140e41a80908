"""Kept vectors are the model's own, and are computed once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.errors import OutputFailed
from bethink.evaluation.corpus import ClusteredVectors
from bethink.evaluation.vectors import KeptVectors

TEXTS = ["the tide", "a fig tree", "the tide", "green paint"]


class Counting(ClusteredVectors):
    """Counts what it embeds."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def embed_query(self, text):
        self.seen.append(text)
        return super().embed_query(text)


def test_vectors_are_those_of_the_model_in_the_order_asked(tmp_path):
    plain, kept = ClusteredVectors(), KeptVectors(Counting(), tmp_path)

    assert np.array_equal(kept.embed_documents(TEXTS), plain.embed_documents(TEXTS))
    assert np.array_equal(kept.embed_query("who?"), plain.embed_query("who?"))
    assert kept.embed_documents([]).shape == (0, plain.spec.dims)
    assert kept.spec == plain.spec


def test_a_text_is_computed_once_in_a_run_and_never_in_the_next(tmp_path):
    first, second = Counting(), Counting()
    before = KeptVectors(first, tmp_path).embed_documents(TEXTS)
    again = KeptVectors(second, tmp_path)

    assert np.array_equal(again.embed_documents(TEXTS), before)
    assert (sorted(first.seen), second.seen, again.computed) == (["a fig tree", "green paint", "the tide"], [], 0)


def test_a_question_and_a_document_of_the_same_words_are_two_vectors(tmp_path):
    counting = Counting()
    kept = KeptVectors(counting, tmp_path)
    kept.embed_documents(["the tide"])
    kept.embed_query("the tide")
    kept.embed_query("the tide")

    assert counting.seen == ["the tide", "the tide"]


@given(cut=st.integers(1, 600))
def test_what_an_interruption_tore_is_computed_again_and_nothing_else(tmp_path_factory, cut):
    folder = tmp_path_factory.mktemp("vectors")
    whole = KeptVectors(ClusteredVectors(), folder).embed_documents(["a", "b"])
    (file,) = folder.iterdir()
    file.write_bytes(file.read_bytes()[:-cut])

    counting = Counting()
    KeptVectors(counting, folder).embed_documents(["a"])
    resumed = KeptVectors(counting, folder)

    assert np.array_equal(resumed.embed_documents(["a", "b"]), whole)
    assert sorted(counting.seen) == ["b"]
    assert np.array_equal(KeptVectors(Counting(), folder).embed_documents(["a", "b"]), whole)


def test_a_damaged_vector_is_never_used(tmp_path):
    whole = KeptVectors(ClusteredVectors(), tmp_path).embed_documents(["a"])
    (file,) = tmp_path.iterdir()
    data = bytearray(file.read_bytes())
    data[40] ^= 1
    file.write_bytes(bytes(data))
    kept = KeptVectors(Counting(), tmp_path)

    assert np.array_equal(kept.embed_documents(["a"]), whole)
    assert kept.computed == 1


def test_a_place_where_nothing_can_be_kept_says_so(tmp_path):
    (tmp_path / "file").write_text("", "utf-8")
    (tmp_path / f"{ClusteredVectors.spec.space_id}.vectors").mkdir()
    kept = KeptVectors(ClusteredVectors(), tmp_path / "fine")
    (tmp_path / "fine").rmdir()

    for use in (
        lambda: KeptVectors(ClusteredVectors(), tmp_path / "file"),
        lambda: KeptVectors(ClusteredVectors(), tmp_path / "file" / "below"),
        lambda: KeptVectors(ClusteredVectors(), tmp_path),
        lambda: kept.embed_query("the tide"),
    ):
        with pytest.raises(OutputFailed):
            use()


def test_what_is_kept_cannot_be_changed_by_who_reads_it(tmp_path):
    vector = KeptVectors(ClusteredVectors(), tmp_path).embed_query("a")

    with pytest.raises(ValueError, match="read-only"):
        vector[0] = 0.0
