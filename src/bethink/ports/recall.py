"""The replaceable steps of a read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from bethink.domain.hit import Fused, RankContext, Scored
from bethink.domain.query import Query
from bethink.operations.episodes import EpisodesRequest, EpisodesResult
from bethink.operations.recall import RecallRequest, RecallResult


class MemoryRetriever(Protocol):
    """The whole read."""

    def recall(self, request: RecallRequest) -> RecallResult:
        """Answer one request and record its trace."""
        ...


class QueryFormer(Protocol):
    """From a request to what the arms are asked."""

    def form(self, request: RecallRequest) -> Query:
        """Form the query; the default one calls no model."""
        ...


class QueryRewriter(Protocol):
    """Says a question in other words. It is the host's and may use a model; without one nothing is rewritten."""

    def rewrite(self, text: str, context: Sequence[str]) -> str:
        """The question in other words, empty to leave it as it is.

        Args:
            text: the question as it was asked.
            context: the objective, the open questions and the entities in play, as far as they were given.

        Whatever it raises is reported with the answer, which is then that of the question as it was asked.
        """
        ...


class Reranker(Protocol):
    """Reads a question beside each text and says how well it answers, such as a cross-encoder. It is the host's."""

    def scores(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """A number from 0 to 1 for each text, in order.

        Whatever it raises, and being late, is reported with the answer, which is then in its fused order.
        """
        ...


class RecordProvider(Protocol):
    """Something of the host's that knows records of this store by id: a graph, another index, a list of favourites."""

    def nominate(self, text: str, limit: int) -> Iterable[tuple[str, float]]:
        """Ids of records and turns with how well each answers, 0 to 1, at most `limit` of them.

        What the caller may not read is passed over, and whatever it raises is reported with the answer.
        """
        ...


class Ranker(Protocol):
    """From fused candidates to an order. `policy` names it and its version on every trace."""

    @property
    def policy(self) -> str: ...  # noqa: D102 - the class docstring says it

    def rank(self, candidates: Sequence[Fused], context: RankContext) -> tuple[Scored, ...]:
        """Score every candidate and order by score descending, then id ascending."""
        ...


class EpisodeSearch(Protocol):
    """What happened: scoped by session or time, ordered, not deduplicated."""

    def search(self, request: EpisodesRequest) -> EpisodesResult:
        """Answer in the order things were said."""
        ...
