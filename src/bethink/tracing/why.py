"""Why: the first stage of a stored recall that lost a record, with the number it missed by.

The saved trace answers for every record that was ranked. For one that was not, the fence is put up again as the recall
had it; where the arms found more than the pool had room for, the answer says that it may have been among them. A record
the caller may not read and one that does not exist answer alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from bethink.domain.fence import Clause, Entry, Fence
from bethink.domain.record import StatusSpan, short_ids
from bethink.domain.trace import Cut, Trace
from bethink.errors import NotFound
from bethink.operations.explain import WhyRequest, WhyResult
from bethink.recall.fenced import fence_of
from bethink.recall.filter import lookup_fence
from bethink.recall.reader import Reader

CUT_BY: Mapping[str, str] = {
    "narrow": "It was found and not ranked",
    "gate": "It was found and not admitted",
    "collapse": "It was admitted, then collapsed",
    "quota": "It was admitted, and nobody vouches for its source, which has its share",
    "rest": "It was admitted and rests",
    "held": "It was admitted and not asked for",
    "admission": "It was admitted and would not help the draft",
    "rerank": "It was admitted and the reranker dropped it",
    "safety": "It was admitted and not shown",
    "budget": "It was admitted and did not fit into what was left of the budget",
    "count": "It was admitted, behind as many better items as were asked for",
}
"""What each cutting stage says of its cuts."""

KEPT_OUT: Mapping[Clause, str] = {
    "scope": "It lies in a scope that the caller could not read then.",
    "ceiling": "It is more sensitive than that surface may show.",
    "channel": "It belongs to another channel.",
    "recorded": "It was not recorded yet, or that version was already replaced.",
    "valid": "It did not hold at the time asked about.",
    "kind": "Its kind was not asked for.",
    "type": "Its type was not asked for.",
    "source": "Neither its user nor the host vouches for it, and only what they vouch for was asked for.",
    "window": "It lies outside the time window.",
    "changed": "It had not changed since the position asked about.",
    "project": "It was learned in another project and does not carry into this one.",
}
"""What each clause of the fence says; a status says which one."""

_ORDER: tuple[Clause | None, ...] = (None, *get_args(Clause))


def why(request: WhyRequest, trace: Trace, reader: Reader) -> WhyResult:
    """Say which stage lost a record, or that it was returned.

    Args:
        request: the record, by id or short id.
        trace: the caller's own stored trace.
        reader: opens the snapshot in which a record that was not ranked is looked up.

    Raises:
        NotFound: no such record in what the caller may read, or a trace whose contents were erased.
    """
    if trace.erased:
        raise NotFound("The trace's contents were erased, and with them what became of each record.")
    known = _among(request.record_id, trace)
    if known in trace.blocked:
        return WhyResult(known, "safety", "It is in the block as [BLOCKED]: its text did not pass the safety screen.")
    if known in trace.returned:
        place = trace.returned.index(known) + 1
        return WhyResult(known, "returned", f"It was returned, as item {place} of {len(trace.returned)}.")
    cut = next((cut for cut in trace.cuts if cut.id == known), None)
    if cut is not None:
        return _cut(cut)
    if _expired(trace, reader):
        raise NotFound("What this recall considered was kept for its time and is gone; only what it returned is left.")
    return _never_found(known, trace, reader)


def _expired(trace: Trace, reader: Reader) -> bool:
    """Whether the operator's part of a trace has gone on its day."""
    day = trace.operator_fields_expire_at
    return not trace.pool and not trace.arms and day is not None and day <= reader.clock.now()


def _among(given: str, trace: Trace) -> str:
    """The full id of a record of the trace that was named by its short id; anything else as given."""
    if not given.startswith("m:"):
        return given
    ids = sorted({str(row["id"]) for row in trace.pool})
    found = [id_ for id_, short in short_ids(ids).items() if short.startswith(given) or given.startswith(short)]
    return found[0] if len(found) == 1 else given


def _cut(cut: Cut) -> WhyResult:
    """A cut as an answer."""
    text = f"{CUT_BY[cut.stage]}: {cut.reason}"
    if cut.value is not None and cut.bound is not None:
        text += f" ({cut.value:.3f} of {cut.bound:.3f})"
    elif cut.bound is not None:
        text += f" ({cut.bound:.0f})"
    return WhyResult(cut.id, cut.stage, f"{text}.", cut.value, cut.bound)


def _never_found(given: str, trace: Trace, reader: Reader) -> WhyResult:
    """Why a record was not ranked: a clause of the fence, or too little that the question and the record share."""
    with reader.open(reader.settings.timeout_ms / 1000) as snapshot:
        reach = lookup_fence(reader.caller, snapshot.grants.of(reader.caller), reader.clock.now())
        ids = snapshot.records.find(reach, given) if given.startswith("m:") else (given,)
        entries = snapshot.records.entries(reach, ids[0]) if len(ids) == 1 else ()
    if not entries:
        raise NotFound("There is no such record in what the caller may read.")
    fence = fence_of(trace.query["fence"], trace.tenant)
    clauses = [fence.excluded_by(entry) for entry in entries]
    if None in clauses:
        return WhyResult(entries[0].record, *_unmatched(trace))
    nearest = max(range(len(entries)), key=lambda at: (_ORDER.index(clauses[at]), -at))
    return WhyResult(entries[0].record, "fence", _kept_out(entries[nearest], clauses[nearest], fence))


def _unmatched(trace: Trace) -> tuple[str, str]:
    """Stage and sentence for a record inside the fence that never came to be ranked.

    What the arms found past the room in the pool is counted and not named, so of such a recall nobody can say which of
    the two it was.
    """
    degraded = f" These arms fell short: {'; '.join(trace.degraded)}." if trace.degraded else ""
    if trace.passed_over:
        return "pool", (
            f"It could be read, and was not among the {len(trace.pool)} that were ranked. Either no arm found it, or it"
            f" was one of {trace.passed_over} more that the arms found, and whose words and meaning together answered"
            f" less than those of the others.{degraded}"
        )
    return "arms", f"It could be read, and no arm found it: too little in common with the question.{degraded}"


def _kept_out(entry: Entry, clause: Clause | None, fence: Fence) -> str:
    """Why the fence kept an entry out; a status names itself, and the successor where there is one."""
    if clause != "status":
        return KEPT_OUT[clause] if clause else ""
    span = _standing(entry, fence)
    if span is None:
        return KEPT_OUT["recorded"]
    successor = f" by {short_ids([span.successor])[span.successor]}" if span.successor else ""
    if span.status in fence.statuses:
        return f"It was {span.status}, and had expired at the time asked about."
    return f"It was {span.status}{successor}, which a live recall does not read."


def _standing(entry: Entry, fence: Fence) -> StatusSpan | None:
    """The status span known to the recall."""
    for span in entry.statuses:
        begun = fence.known_at is None or span.recorded_from <= fence.known_at
        ended = span.recorded_to is not None and (fence.known_at is None or span.recorded_to <= fence.known_at)
        if begun and not ended:
            return span
    return None
