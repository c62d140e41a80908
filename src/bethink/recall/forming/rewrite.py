"""Rewrite: a host's model may say a question in other words, where the settings let a read use a model at all.

What the question names, and the types and possessions it asks for, hold beside the other words, and both forms stand in
the trace. A rewriter that is late, fails or says nothing costs its time and nothing else: the question is searched as
it was asked.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from dataclasses import replace
from threading import Lock

from bethink.domain.query import Query
from bethink.operations.recall import RecallRequest
from bethink.ports.recall import QueryRewriter
from bethink.recall.bounded import Bounded
from bethink.recall.query import QUERY_LIMIT
from bethink.recall.reader import Reader
from bethink.text.door import check_text

SHARE = 0.5
"""The share of a recall's time that rewriting may take."""


class Rewrites:
    """A rewriter with a bound on its time and a bounded memory, so that a question asked again costs nothing.

    What was asked is kept as a digest. What was answered is text, and goes with every erase: see `clear`.
    """

    def __init__(self, rewriter: QueryRewriter, capacity: int = 256) -> None:
        self._rewriter = rewriter
        self._capacity = capacity
        self._lock = Lock()
        self._known: OrderedDict[bytes, str] = OrderedDict()
        self._bounded: Bounded[str] = Bounded("rewriter")

    def within(self, text: str, context: tuple[str, ...], seconds: float) -> tuple[str, str]:
        """The question in other words, and why there are none; one of the two is empty.

        What a call that was late says in the end is remembered.
        """
        key = hashlib.blake2b(repr((text, context)).encode("utf-8", "surrogatepass"), digest_size=16).digest()
        with self._lock:
            known = self._known.get(key)
        if known is not None:
            return known, "" if known else "nothing was said"
        said, problem = self._bounded.call(seconds, self._asked, key, text, context)
        return said or "", problem or ("" if said else "nothing was said")

    def clear(self) -> None:
        """Forget what was answered, as an erase asks."""
        with self._lock:
            self._known.clear()

    def _asked(self, key: bytes, text: str, context: tuple[str, ...]) -> str:
        """Ask, and remember the answer."""
        told = self._rewriter.rewrite(text, context).strip()
        said = check_text(told, "rewritten question", QUERY_LIMIT) if told else ""
        with self._lock:
            self._known[key] = said
            while len(self._known) > self._capacity:
                self._known.popitem(last=False)
        return said


def rewritten(query: Query, request: RecallRequest, reader: Reader) -> Query:
    """The query in its rewritten form, with what the question itself names; as it is where reads use no model."""
    if reader.rewrites is None or not reader.settings.read_models or not request.text.strip():
        return query
    context = (request.objective or "", *request.open_questions, *request.entities)
    limit = reader.settings.timeout_ms if request.timeout_ms is None else request.timeout_ms
    said, problem = reader.rewrites.within(request.text, tuple(filter(None, context)), SHARE * limit / 1000)
    if not said:
        return replace(query, not_rewritten=problem)
    other = reader.form(replace(request, text=said))
    return replace(
        other,
        types=tuple(dict.fromkeys((*query.types, *other.types))),
        names=tuple(dict.fromkeys((*query.names, *other.names))),
        owned=query.owned or other.owned,
        events=query.events or other.events,
        terms=(*other.terms, *(term for term in query.terms if term in query.identifiers - other.identifiers)),
        identifiers=query.identifiers | other.identifiers,
        rewritten=said,
    )
