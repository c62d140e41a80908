from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Thread

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bethink
from bethink.embedding.minilm import SPEC, MiniLmEmbedder, _Once
from bethink.embedding.weights import FOLDER, VOCABULARY_NAME, WEIGHTS_NAME
from bethink.errors import WeightsCorrupt

LONG = "\n\n".join(f"Day {day}: the ferry left late, and nobody aboard complained about it." for day in range(60))


def test_vectors_equal_a_float64_forward_pass_over_the_same_weights(minilm, golden):
    vectors = minilm.embed_documents([row["text"] for row in golden])
    expected = np.array([row["w8a32_16"] for row in golden])
    assert np.abs(vectors[:, :16] - expected).max() < 1e-5


def test_int8_weights_stay_close_to_the_official_model(minilm, golden):
    vectors = minilm.embed_documents([row["text"] for row in golden])
    official = np.array([row["fp32_e5"] for row in golden]) / 1e5
    cosines = np.sum(vectors * official, axis=1) / np.linalg.norm(official, axis=1)
    blank = np.array([not row["text"] for row in golden])
    assert cosines[~blank].min() >= 0.998
    assert cosines[blank].min() >= 0.996
    assert cosines.mean() >= 0.999


def test_a_text_has_the_same_bits_alone_and_in_any_batch(minilm, recorded_ids):
    pool = [text for text, ids in recorded_ids[::4] if len(ids) < 32] + ["ferry " * 100]
    alone = [minilm.embed_query(text) for text in pool]

    @settings(max_examples=20, deadline=None)
    @given(picks=st.lists(st.integers(0, len(pool) - 1), min_size=1, max_size=12))
    def holds(picks: list[int]) -> None:
        batch = minilm.embed_documents([pool[pick] for pick in picks])
        assert all(np.array_equal(row, alone[pick]) for row, pick in zip(batch, picks, strict=True))

    holds()


def test_the_same_holds_with_the_products_of_an_older_processor():
    # With these kernels the last bits of a product depend on how many rows it has.
    code = (
        "import numpy as np; from bethink.embedding.minilm import MiniLmEmbedder; embedder = MiniLmEmbedder();"
        "texts = [f'On day {n} the ferry left ' + 'very ' * n + 'late.' for n in range(12)];"
        "batch = embedder.embed_documents(texts);"
        "raise SystemExit(sum(not np.array_equal(row, embedder.embed_query(text)) for row, text in zip(batch, texts)))"
    )
    source = str(Path(bethink.__file__).parent.parent)
    environment = {**os.environ, "PYTHONPATH": source, "OPENBLAS_CORETYPE": "Haswell"}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)


def test_every_text_has_a_finite_vector_of_length_one(minilm, any_text):
    @settings(max_examples=60, deadline=None)
    @given(texts=st.lists(any_text, max_size=3))
    def holds(texts: list[str]) -> None:
        vectors = minilm.embed_documents(texts)
        assert vectors.shape == (len(texts), 384)
        assert vectors.dtype == np.float32
        assert np.isfinite(vectors).all()
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)

    holds()


def test_blank_texts_share_the_vector_of_an_empty_one(minilm):
    empty = minilm.embed_query("")
    blank = minilm.embed_documents([" ", "\n\t", "\u3000", "\x00", "\ud800", "\u200b"])
    assert all(np.array_equal(row, empty) for row in blank)


def test_meaning_beats_shared_words(minilm):
    query = minilm.embed_query("keep it brief")
    meant, trap = minilm.embed_documents(["prefers concise writing", "keep the dog"])
    assert query @ meant > query @ trap


def test_a_long_text_is_split_said_so_and_heard_to_its_end(minilm):
    assert minilm.windows("short") == 1
    assert minilm.count_tokens(LONG) > SPEC.max_tokens
    count = minilm.windows(LONG)
    assert 1 < count <= 2 * -(-minilm.count_tokens(LONG) // SPEC.max_tokens)
    changed = LONG + " The cello was stolen from the museum in Oslo."
    assert minilm.embed_query(changed) @ minilm.embed_query(LONG) < 0.9999


def test_a_long_text_has_the_normalised_mean_of_its_windows(minilm):
    windows = minilm._split(LONG)
    assert len(windows) > 1
    mean = minilm.embed_documents(windows).mean(axis=0)
    assert np.allclose(minilm.embed_query(LONG), mean / np.linalg.norm(mean), atol=1e-6)


def test_counting_includes_the_two_framing_tokens(minilm):
    assert [minilm.count_tokens(text) for text in ("", "word", "two words")] == [2, 3, 4]


def test_making_an_embedder_reads_nothing_and_its_spec_is_known(tmp_path):
    assert MiniLmEmbedder(tmp_path / "nowhere").spec == SPEC


@pytest.mark.parametrize("missing", [WEIGHTS_NAME, VOCABULARY_NAME])
def test_a_missing_file_is_named_with_what_to_do_and_its_return_is_noticed(tmp_path, missing):
    for name in (WEIGHTS_NAME, VOCABULARY_NAME):
        (tmp_path / name).symlink_to(FOLDER / name)
    (tmp_path / missing).unlink()
    embedder = MiniLmEmbedder(tmp_path)
    with pytest.raises(WeightsCorrupt) as caught:
        embedder.embed_query("anything")
    assert str(tmp_path / missing) in str(caught.value)
    assert "Reinstall" in str(caught.value)
    assert '"none"' in str(caught.value)
    (tmp_path / missing).symlink_to(FOLDER / missing)
    assert embedder.embed_query("anything").shape == (384,)


@pytest.mark.parametrize("name", [WEIGHTS_NAME, VOCABULARY_NAME])
def test_one_changed_byte_is_refused_by_name(tmp_path, name):
    for each in (WEIGHTS_NAME, VOCABULARY_NAME):
        shutil.copy(FOLDER / each, tmp_path / each)
    with (tmp_path / name).open("r+b") as file:
        file.seek(100_000)
        byte = file.read(1)[0]
        file.seek(100_000)
        file.write(bytes([byte ^ 1]))
    with pytest.raises(WeightsCorrupt, match=name):
        MiniLmEmbedder(tmp_path).embed_query("anything")


def test_it_embeds_with_no_socket_to_be_had(monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a socket was asked for")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    assert MiniLmEmbedder().embed_query("offline").shape == (384,)


def test_threads_that_meet_at_the_first_use_get_the_same_bits(minilm):
    embedder = MiniLmEmbedder()
    texts = [f"thread number {number} asks" for number in range(4)]
    gate = Barrier(len(texts))

    def ask(text: str) -> np.ndarray:
        gate.wait()
        return embedder.embed_query(text)

    with ThreadPoolExecutor(len(texts)) as pool:
        answers = list(pool.map(ask, texts))
    assert all(np.array_equal(row, minilm.embed_query(text)) for row, text in zip(answers, texts, strict=True))


def test_a_value_made_once_is_made_once_whoever_asks():
    made: list[int] = []
    answers: list[int] = []
    second = Thread(target=lambda: answers.append(once.get()))

    def make() -> int:
        if not made:
            # The second asker finds nothing made yet and has to wait for the first.
            second.start()
            second.join(timeout=0.1)
        made.append(1)
        return len(made)

    once = _Once(make)
    answers.append(once.get())
    second.join()
    assert answers == [1, 1]
    assert made == [1]
