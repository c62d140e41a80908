"""The formed query: what the arms are asked, made once from the request without any model."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple


class TimeSpan(NamedTuple):
    """A half-open window of time that a question names: aware UTC, `start` before `end`."""

    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class Query:
    """What the arms read.

    `terms` are the analysed words left after function words and the cap of 32; `cut_terms` were dropped by the cap
    and are reported. `names` are runs of the text that may name an entity or a speaker (folded, at most 4 words), and
    last the `aliases` of those that do. `subjects` are folded subjects the caller named; `types` anchor the structured
    arm (OR), `owned` anchors it to statements of owning. `events` says the question is about what happened rather than
    what is true. `cut_names` counts the names past the bound, `cut_text` the characters that were left out of what
    stands around the message. `spans` are the windows of time it names, in its order and known only once the instant
    and the sessions are; `time_only` says that it asks what was said then and nothing else. `rewritten` is
    the question in a rewriter's words, `not_rewritten` why a rewriter that was asked gave none. `vague` says that the
    text is not embedded, for it says too little alone. `sweep` says that what changed is asked for and nothing else:
    all of it is looked up.
    """

    text: str
    terms: tuple[str, ...] = ()
    identifiers: frozenset[str] = frozenset()
    dropped_terms: tuple[str, ...] = ()
    cut_terms: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    owned: bool = False
    events: bool = False
    function_words_only: bool = False
    cut_names: int = 0
    cut_text: int = 0
    aliases: tuple[str, ...] = ()
    rewritten: str = ""
    not_rewritten: str = ""
    spans: tuple[TimeSpan, ...] = ()
    time_only: bool = False
    vague: bool = False
    sweep: bool = False


@dataclass(frozen=True, slots=True)
class FieldWeights:
    """BM25F weights and constants of the lexical arm, measured, not guessed.

    `neighbours` is what a turn's words weigh for the turns beside it, `replies` for the one that answers it; `answered`
    is what its words weigh for itself then.
    """

    content: float = 1.0
    subject: float = 2.0
    aliases: float = 3.0
    speaker: float = 1.0
    date: float = 0.5
    neighbours: float = 0.35
    replies: float = 0.7
    answered: float = 0.7
    k1: float = 1.2
    b: float = 0.75
