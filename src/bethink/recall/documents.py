"""Search documents: a read of its own, beside recall. It shares the shape of fusion and ranking, and nothing else.

fence → words and meaning of every passage inside → mix → gate → rank → fit → screen → render. Whole passages are placed
or left out; a block of documents never holds a memory, and a block of memory never a passage.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from bethink.domain.fence import Fence
from bethink.domain.record import short_ids
from bethink.domain.trace import Cut, rendered_hash
from bethink.domain.types import TYPES
from bethink.errors import EmbedderError, NotFound
from bethink.operations.documents import (
    Document,
    DocumentsResult,
    FoundPassage,
    SearchDocumentsRequest,
    SearchDocumentsResult,
)
from bethink.ports.documents import Cited, StoredPassage
from bethink.ports.search import Matches
from bethink.ports.store import Snapshot
from bethink.recall.filter import lookup_fence, present
from bethink.recall.passage_block import CLOSING, POLICY, block, line, opening, place, shown
from bethink.recall.passage_trace import PassagesOutcome, Seen, passage_trace, pool_of
from bethink.recall.pool import POOL, Beside, mixed
from bethink.recall.reader import Reader
from bethink.text.analyse import QueryTerms, analyse_query
from bethink.text.door import check_text, check_whole
from bethink.text.tokens import BYTES_PER_TOKEN, estimate_tokens

MATCH, SCOPE, RECENCY, FLAGGED = 0.85, 0.10, 0.05, 0.2
"""The weights of the score: how well the words and meaning answer, whose project it is from, how new it is; and what
one that reads like orders loses. What a document's word is worth is the same for all, and so no term."""

CARRIED = 0.55
"""The share of `SCOPE` for a document of another project."""

YEAR = 365.0
"""Days in which a document's newness halves."""

SHARE, RELATIVE = 0.5, 0.5
"""The gate: the share of the question's terms a passage must hold where meaning says nothing, and of the best match."""

PER_DOCUMENT = 2
"""Passages of one document in a block."""

MAX_LIMIT, MAX_BUDGET, TEXT_LIMIT = 20, 20_000, 8_192

Empty = Literal["no_documents", "no_match", "below_threshold", "budget"]


@dataclass(frozen=True, slots=True)
class _Judged:
    """A passage with its score, the parts of that, and what it says."""

    cited: Cited
    of: Document
    passage: StoredPassage
    score: float
    parts: Mapping[str, float]


def list_documents(reader: Reader) -> DocumentsResult:
    """The documents the caller may read, by source."""
    with reader.open(reader.settings.timeout_ms / 1000) as snapshot:
        return DocumentsResult(snapshot.documents.documents(documents_fence(reader, snapshot)))


def search_documents(request: SearchDocumentsRequest, reader: Reader) -> PassagesOutcome:
    """Answer one question from the documents.

    Raises:
        InvalidInput: a value that cannot be used.
        NotFound: the document that is named is none the caller may read.
        StoreError, DeadlineExceeded: the store cannot be read, or not in time.
    """
    text = _checked(request)
    terms = analyse_query(text, reader.language)
    vector, degraded = _vector(text, reader)
    with reader.open(reader.settings.timeout_ms / 1000) as snapshot:
        now = present(reader.clock.now(), snapshot.latest)
        instant = snapshot.latest or now
        documents, fence = _inside(request, reader, snapshot)
        found, missing = _found(snapshot, tuple(documents), (terms, vector), reader)
        short = {"lexical": snapshot.search.outdated, "dense": degraded or missing}
        admitted, cuts = _gate(found, terms, reader)
        judged = _ranked(snapshot, documents, admitted, (reader, instant))
        seen = Seen(fence, instant, snapshot.position, _pool(judged, admitted))
    placed, lines, more = _fit(judged, request, instant)
    rendered = block(lines, instant, POLICY)
    result = SearchDocumentsResult(
        passages=tuple(placed),
        rendered=rendered,
        sha256=rendered_hash(rendered),
        tokens=estimate_tokens(rendered),
        policy=POLICY,
        considered=len(found),
        cuts=(*cuts, *more),
        empty_reason=_reason(documents, len(found), len(admitted), len(placed)),
        degraded=tuple(arm for arm, fell in short.items() if fell),
    )
    trace = passage_trace(request, text, result, seen, reader)
    return PassagesOutcome(replace(result, trace_id=trace.id), trace)


@dataclass(frozen=True, slots=True)
class _Found:
    """A passage that some arm found: its match, how many of the question's terms it holds, its cosine."""

    cited: Cited
    match: float
    matched: int
    distinctive: bool
    cosine: float | None


def _checked(request: SearchDocumentsRequest) -> str:
    """The question, when it can be asked."""
    for name, value, most in (
        ("limit", request.limit, MAX_LIMIT),
        ("budget_tokens", request.budget_tokens, MAX_BUDGET),
    ):
        check_whole(value, name, 1, most)
    return check_text(request.text, "text", TEXT_LIMIT)


def _vector(text: str, reader: Reader) -> tuple[NDArray[np.float32] | None, bool]:
    """The question's vector, and whether it is missing though documents could be searched by meaning."""
    if reader.embedder is None or reader.space is None:
        return None, True
    try:
        return reader.embedder.embed_query(text), False
    except EmbedderError:
        return None, True


def documents_fence(reader: Reader, snapshot: Snapshot) -> Fence:
    """What the caller may read, under the walls of a recall."""
    fence = lookup_fence(reader.caller, snapshot.grants.of(reader.caller), reader.clock.now())
    return replace(fence, isolate=reader.settings.project_policy == "isolate")


def _inside(request: SearchDocumentsRequest, reader: Reader, snapshot: Snapshot) -> tuple[dict[str, Document], Fence]:
    """The documents inside the fence by id, of them the one that is asked alone; and the fence."""
    fence = documents_fence(reader, snapshot)
    documents = {one.id: one for one in snapshot.documents.documents(fence)}
    if request.document is None:
        return documents, fence
    if request.document not in documents:
        raise NotFound(f"There is no document {str(request.document)[:60]!r}.")
    return {request.document: documents[request.document]}, fence


def _pool(judged: Sequence[_Judged], admitted: Iterable[_Found]) -> tuple[Mapping[str, Any], ...]:
    """The ranked passages as the trace keeps them."""
    by = {one.cited: one for one in admitted}
    known = [(one, by[one.cited]) for one in judged]
    return pool_of([(one.cited.id, one.score, one.parts, (of.match, of.cosine, of.matched)) for one, of in known])


def _found(
    snapshot: Snapshot, ids: Sequence[str], asked: tuple[QueryTerms, NDArray[np.float32] | None], reader: Reader
) -> tuple[tuple[_Found, ...], int]:
    """Every passage that holds a term or lies near enough, by id; and how many have no vector yet."""
    terms, vector = asked
    heard = snapshot.documents.lexical(ids, terms.terms, terms.identifiers)
    near, cosines, missing = (
        snapshot.documents.dense(ids, reader.space, vector)
        if vector is not None and reader.space is not None
        else ((), np.empty(0), 0)
    )
    floor = _floor(reader)
    close = {cited: float(value) for cited, value in zip(near, cosines.tolist(), strict=True)}
    said = {cited: at for at, cited in enumerate(heard.passages)}
    every = sorted({*said, *(cited for cited, cosine in close.items() if cosine >= floor)})
    keys = np.arange(len(every), dtype=np.int64)
    lexical = _matches([(at, float(heard.scores[said[one]])) for at, one in enumerate(every) if one in said])
    dense = _matches([(at, close[one]) for at, one in enumerate(every) if one in close]) if len(near) else None
    alone = np.full(len(every), -1, dtype=np.int64)
    match = mixed(lexical, dense, Beside(keys, alone, alone), reader.mix)
    return tuple(
        _Found(
            one,
            round(float(match[at]), 9),
            int(heard.matched[said[one]]) if one in said else 0,
            bool(heard.distinctive[said[one]]) if one in said else False,
            close.get(one),
        )
        for at, one in enumerate(every)
    ), missing


def _matches(scores: Sequence[tuple[int, float]]) -> Matches:
    """An arm's scores by key, as recall's fusion takes them."""
    keys = np.array([key for key, _ in scores], dtype=np.int64)
    none = np.zeros(len(keys), dtype=np.int64)
    values = np.array([value for _, value in scores], dtype=np.float64)
    return Matches(keys, values, none.astype(np.float64), none, none, none.astype(np.bool_), total=len(keys))


def _floor(reader: Reader) -> float:
    """The cosine from which meaning alone speaks, on the space's scale."""
    return reader.calibration.floor(TYPES["resource"].floor)


def _gate(found: Sequence[_Found], terms: QueryTerms, reader: Reader) -> tuple[tuple[_Found, ...], list[Cut]]:
    """What shows enough: by its words, or by its meaning; and not less than half as well as the best."""
    best, floor, count = max((one.match for one in found), default=0.0), _floor(reader), len(terms.terms)
    admitted, cuts = [], []
    for one in found:
        enough = one.matched >= SHARE * count and (one.matched > 1 or count == 1 or one.distinctive)
        near = one.cosine is not None and one.cosine >= floor
        if not (one.matched and enough) and not near:
            cuts.append(Cut("gate", one.cited.id, "too few of the question's words", one.matched, SHARE * count))
        elif one.match < RELATIVE * best:
            cuts.append(Cut("gate", one.cited.id, "relative floor", one.match, round(RELATIVE * best, 9)))
        else:
            admitted.append(one)
    return tuple(admitted), cuts


def _ranked(
    snapshot: Snapshot, documents: Mapping[str, Document], admitted: Iterable[_Found], frame: tuple[Reader, datetime]
) -> list[_Judged]:
    """The best of the admitted by their score, then by document and place, with what they say."""
    reader, instant = frame
    parts = {one.cited: _parts(one, documents[one.cited.document], reader, instant) for one in admitted}
    best = sorted(parts, key=lambda cited: (-sum(parts[cited].values()), cited))[:POOL]
    judged = []
    for cited, passage in snapshot.documents.passages(best).items():
        told = parts[cited] | ({"flagged": -FLAGGED} if passage.flagged else {})
        score = round(sum(told.values()), 9)
        judged.append(_Judged(cited, documents[cited.document], passage, score, told))
    return sorted(judged, key=lambda one: (-one.score, one.cited))


def _parts(one: _Found, of: Document, reader: Reader, instant: datetime) -> dict[str, float]:
    """The terms of a passage's score."""
    at_home = of.project is None or of.project == reader.caller.project
    days = max(0.0, (instant - of.added_at).total_seconds() / 86_400)
    return {
        "match": round(MATCH * one.match, 9),
        "scope": SCOPE if at_home else round(SCOPE * CARRIED, 9),
        "recency": round(RECENCY * 0.5 ** (days / YEAR), 9),
    }


def _fit(
    judged: Sequence[_Judged], request: SearchDocumentsRequest, instant: datetime
) -> tuple[list[FoundPassage], list[str], list[Cut]]:
    """Whole passages into the budget and the count, best first, with their lines, and what gave way to the next."""
    named = short_ids(one.cited.id for one in judged)
    left = request.budget_tokens * BYTES_PER_TOKEN - len(f"{opening(instant, POLICY)}\n{CLOSING}".encode())
    placed: list[FoundPassage] = []
    lines: list[str] = []
    cuts: list[Cut] = []
    taken: Counter[str] = Counter()
    for one in judged:
        item = shown(one.cited, one.of, one.passage, f"d:{named[one.cited.id].removeprefix('m:')}")
        text = line(item.short_id, place(item), item.text)
        size = len(text.encode()) + 1
        if len(placed) >= request.limit:
            cuts.append(Cut("count", one.cited.id, "beyond the count", bound=float(request.limit)))
        elif taken[one.of.id] >= PER_DOCUMENT:
            cuts.append(Cut("document", one.cited.id, "beyond the passages of one document", bound=float(PER_DOCUMENT)))
        elif size > left:
            bound = float(max(left, 0) // BYTES_PER_TOKEN)
            cuts.append(Cut("budget", one.cited.id, "does not fit", float(estimate_tokens(text)), bound))
        else:
            left -= size
            taken[one.of.id] += 1
            placed.append(replace(item, score=one.score, parts=one.parts))
            lines.append(text)
    return placed, lines, cuts


def _reason(documents: Mapping[str, Document], found: int, admitted: int, placed: int) -> Empty | None:
    """Why nothing is shown."""
    if placed:
        return None
    if not documents:
        return "no_documents"
    if not found:
        return "no_match"
    return "budget" if admitted else "below_threshold"
