"""Generated corpora for measuring: language-like text, natural questions, clustered vectors. No data set is needed.

Function words are real English; content words are invented and follow the Zipf-Mandelbrot law (rank r with weight
1/(r + 40)), so that the words of a question match as large a share of the texts as those of a LoCoMo question do: a
tenth at the median, a quarter at the 95th percentile. The turns of the speaker it names, one in eight, come on top.
Lengths are those of chat turns: mean about 22 words, a long right tail.

Vectors are unit vectors around random centres; a text's centre is its rarest word, so that a question lies near what
it asks about.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bethink.ports.embedder import EmbedSpec

_COMMON = (
    "the i you a to and it of that in is was for my so we me have on with this be at but just are really they do not"
    " what how about like can when your all been out up it's from had as or one there got time going more would some"
).split()
_QUESTION = ("what", "when did", "how does", "where is", "who told me about", "why did we choose", "which")
_SYLLABLES = "ba ce di fo gu ha ke li mo nu pa re si to va we ya zo bra cle dri flo gru sta tre".split()
_NAMES = ("Amara", "Bruno", "Chiara", "Dmitri", "Elif", "Farid", "Greta", "Hugo")
VOCABULARY = 20_000
SHIFT = 40
CENTRES = 400
DIMS = 384
_LONG = 40
"""Words of filler in a long question."""

_MOST = 20
"""How many of the vocabulary's words count as common: each stands in 3 to 5 of a hundred texts."""


@dataclass(frozen=True, slots=True)
class Planted:
    """A question, and the text that it was made of."""

    question: str
    text: str


@dataclass(frozen=True)
class Corpus:
    """A reproducible source of texts and questions for one seed."""

    seed: int

    @cached_property
    def words(self) -> list[str]:
        """The invented vocabulary, most frequent first."""
        return ["".join(_SYLLABLES[int(d, 25)] for d in _base25(rank + 625)) for rank in range(VOCABULARY)]

    @cached_property
    def _shares(self) -> NDArray[np.float64]:
        """The cumulated weights of the vocabulary: what `Generator.choice` makes of weights, made once."""
        weights = 1.0 / (np.arange(1, VOCABULARY + 1) + SHIFT)
        shares = (weights / weights.sum()).cumsum()
        return np.asarray(shares / shares[-1])

    def texts(self, count: int) -> Iterator[tuple[str, str]]:
        """`count` pairs of (speaker, text)."""
        random = np.random.default_rng(self.seed)
        for _ in range(count):
            length = int(np.clip(random.lognormal(2.9, 0.55), 3, 120))
            rare = self._shares.searchsorted(random.random(max(1, length * 45 // 100)), side="right")
            common = random.integers(0, len(_COMMON), size=length - len(rare))
            parts = [self.words[i] for i in rare] + [_COMMON[i] for i in common]
            order = random.permutation(len(parts))
            yield _NAMES[int(random.integers(len(_NAMES)))], " ".join(parts[i] for i in order)

    def questions(self, texts: Sequence[tuple[str, str]], count: int) -> list[str]:
        """`count` natural questions about the given texts: one name, two to five of a text's words, common filler."""
        return [planted.question for planted in self.planted(texts, count)]

    def planted(self, texts: Sequence[tuple[str, str]], count: int) -> list[Planted]:
        """The questions of `questions`, each with the text it is about."""
        random = np.random.default_rng(self.seed + 1)
        asked = []
        for _ in range(count):
            speaker, text = texts[int(random.integers(len(texts)))]
            content = [word for word in text.split() if word not in _COMMON] or ["nothing"]
            chosen = random.choice(len(content), size=min(len(content), int(random.integers(2, 6))), replace=False)
            opening = _QUESTION[int(random.integers(len(_QUESTION)))]
            filler = _COMMON[int(random.integers(len(_COMMON)))]
            question = f"{opening} {speaker} {filler} the {' and '.join(content[i] for i in chosen)}?"
            asked.append(Planted(question, text))
        return asked

    def nameless(self, texts: Sequence[tuple[str, str]], count: int) -> list[str]:
        """`count` questions of two to five of a text's words, which name nobody: words and meaning alone answer."""
        random = np.random.default_rng(self.seed + 2)
        asked = []
        for _ in range(count):
            _, text = texts[int(random.integers(len(texts)))]
            content = [word for word in text.split() if word not in _COMMON] or ["nothing"]
            chosen = random.choice(len(content), size=min(len(content), int(random.integers(2, 6))), replace=False)
            asked.append(f"what about the {' and the '.join(content[i] for i in chosen)}?")
        return asked

    def long_questions(self, texts: Sequence[tuple[str, str]], count: int) -> list[Planted]:
        """`count` questions of some fifty words, as people talk: all that a text says, half of another, and filler."""
        random = np.random.default_rng(self.seed + 3)
        asked = []
        for _ in range(count):
            (speaker, text), (_, beside) = (texts[int(random.integers(len(texts)))] for _ in range(2))
            told = [word for word in text.split() if word not in _COMMON] or ["nothing"]
            more = [word for word in beside.split() if word not in _COMMON]
            filler = [_COMMON[int(at)] for at in random.integers(len(_COMMON), size=_LONG)]
            middle = " ".join(f"{word} {common}" for word, common in zip(told, filler, strict=False))
            asked.append(
                Planted(
                    f"so I was wondering about {speaker} and {middle} because {' '.join(more[: len(more) // 2])} came"
                    f" up {' '.join(filler[: max(0, _LONG - 2 * len(told))])} what did {speaker} say about it?",
                    text,
                )
            )
        return asked

    def common_questions(self, count: int) -> list[str]:
        """`count` questions of three of the most frequent words: as many texts match as ever can."""
        random = np.random.default_rng(self.seed + 4)
        chosen = (random.choice(_MOST, size=3, replace=False) for _ in range(count))
        return [f"what do they say about {' and '.join(self.words[int(at)] for at in of)}?" for of in chosen]


def _base25(value: int) -> str:
    """Digits of `value` in base 25, as characters `int(_, 25)` reads."""
    digits = ""
    while value:
        value, digit = divmod(value, 25)
        digits = "0123456789abcdefghijklmno"[digit] + digits
    return digits


class ClusteredVectors:
    """Stands in for an encoder: unit vectors around `CENTRES` centres, a pure function of the text. Not a model."""

    spec = EmbedSpec(
        provider="bench",
        model="clustered",
        revision="1",
        weights_sha256=None,
        numerics="fp32",
        dims=DIMS,
        max_tokens=1_000_000,
        pooling="none",
        normalize=True,
        query_prefix="",
        doc_prefix="",
        text_template="v1",
    )

    def __init__(self) -> None:
        centres = np.random.default_rng(7).standard_normal((CENTRES, DIMS))
        self._centres = centres / np.linalg.norm(centres, axis=1, keepdims=True)

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row per text."""
        return np.stack([self.embed_query(text) for text in texts]) if texts else np.zeros((0, DIMS), np.float32)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The text's centre plus noise drawn from its words, normalised."""
        words = text.casefold().replace("?", "").split()
        longest = max(words, key=lambda word: (len(word), word), default="")
        centre = self._centres[int.from_bytes(hashlib.blake2b(longest.encode(), digest_size=4).digest()) % CENTRES]
        seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())
        noisy = centre + np.random.default_rng(seed).standard_normal(DIMS) * (0.9 / DIMS**0.5)
        return np.asarray(noisy / np.linalg.norm(noisy), dtype=np.float32)

    def count_tokens(self, text: str) -> int:
        """Words."""
        return len(text.split())

    def windows(self, text: str) -> int:
        """Never split."""
        del text
        return 1
