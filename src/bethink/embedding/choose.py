"""The embedder a setting names. Importing this costs nothing: each implementation is imported when it is chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from bethink.errors import InvalidInput

if TYPE_CHECKING:
    from bethink.ports.embedder import Embedder


def _builtin() -> Embedder:
    from bethink.embedding.minilm import MiniLmEmbedder  # noqa: PLC0415 - numpy would slow every start of the CLI

    return MiniLmEmbedder()


def _hash() -> Embedder:
    from bethink.embedding.hashing import HashEmbedder  # noqa: PLC0415 - numpy would slow every start of the CLI

    return HashEmbedder()


def _multilingual() -> Embedder:
    from bethink.embedding.multilingual import MultilingualEmbedder  # noqa: PLC0415 - numpy would slow every start of the CLI

    return MultilingualEmbedder()


def _none() -> None:
    return None


# One line a choice: its name in the settings, and how it is made.
_CHOICES: Final[Mapping[str, Callable[[], Embedder | None]]] = {
    "builtin": _builtin,
    "multilingual": _multilingual,
    "hash": _hash,
    "none": _none,
}


def make_embedder(name: str) -> Embedder | None:
    """The embedder `name` stands for; None for ``none``, which recalls by words alone. No file is read yet.

    Raises:
        InvalidInput: no choice has that name.
    """
    make = _CHOICES.get(name)
    if make is None:
        choices = ", ".join(_CHOICES)
        raise InvalidInput(f"There is no embedder {name!r}.", remedy=f"Set embedder to one of: {choices}.")
    return make()
