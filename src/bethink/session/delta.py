"""Delta: what changed since a session's snapshot was taken, for the turn at hand and never for its prefix.

The watermark is the head of the store when the snapshot was taken. What was written behind it is ranked by `core`, the
provisional included at its reduced weight, whatever the turn asks: words, types and possessions anchor nothing here.
What of the snapshot does not hold any more is said in lines that name ids and fixed instants.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from bethink.domain.moments import FrozenLine, SessionSnapshot
from bethink.domain.record import LIVE, Record, short_ids
from bethink.domain.scope import Scope
from bethink.domain.trace import Trace
from bethink.operations.moments import Correction, DeltaRequest, DeltaResult
from bethink.operations.recall import RecallRequest
from bethink.ports.store import Snapshot
from bethink.recall.filter import lookup_fence, present
from bethink.recall.get import SHOWN
from bethink.recall.pipeline import recall
from bethink.recall.reader import Reader
from bethink.session.snapshot import found_session, held, named_session

FURTHEST = 20
"""Records that may have replaced one another since, from what the snapshot shows to what holds now."""


def delta(request: DeltaRequest, reader: Reader, *, scope: Scope | None = None) -> tuple[DeltaResult, Trace | None]:
    """What to place beside a turn: corrections of the snapshot, what changed besides, and the trace of that recall.

    A session of which this reader has no snapshot has neither.

    Args:
        request: the session, the turn's own request, and what the turn has room for.
        reader: what it is recalled with.
        scope: whose session of that id; the first the caller may use unless given.

    Raises:
        InvalidInput: no session, or a field of the turn's request that cannot be used.
        NotFound: there is no such session that this caller may use.
    """
    session_id = named_session(request.session, reader.caller)
    with reader.open(reader.settings.timeout_ms / 1000) as snapshot:
        known = held(found_session(session_id, reader.caller, snapshot, scope), reader, snapshot)
        if known is None:
            return DeltaResult(session_id), None
        corrections = tuple(_corrections(known, reader, snapshot))
    outcome = recall(behind(known, request), replace(reader, rewrites=None, classifier=None, reranker=None))
    return DeltaResult(session_id, known.position, corrections, outcome.result), outcome.trace


def behind(known: SessionSnapshot, request: DeltaRequest) -> RecallRequest:
    """All that was written behind the watermark, within the reach of the turn's request; nothing of what that asks."""
    asked = request.asked or RecallRequest()
    shown = (line.record for line in known.lines)
    return RecallRequest(
        include_provisional=asked.include_provisional,
        confirmed_only=asked.confirmed_only,
        include_owned_resources=False,
        profile="core",
        moment="in_turn",
        after_position=known.position,
        without=tuple(dict.fromkeys((*asked.without, *request.seen, *shown))),
        max_items=request.max_items,
        budget_tokens=request.budget_tokens,
        order=asked.order,
        project_policy=asked.project_policy,
        target=asked.target,
        session=known.session,
        gate=asked.gate,
        timeout_ms=asked.timeout_ms,
    )


def _corrections(known: SessionSnapshot, reader: Reader, snapshot: Snapshot) -> Iterator[Correction]:
    """A correction for each line of a snapshot that does not hold any more, in the order of the lines."""
    now = present(reader.clock.now(), snapshot.latest)
    reach = replace(lookup_fence(reader.caller, snapshot.grants.of(reader.caller), now), statuses=SHOWN)
    found = {record.id: record for record in snapshot.records.get(reach, [line.record for line in known.lines])}
    for line in known.lines:
        record = found.get(line.record)
        if record is None:
            yield Correction(line.record, line.short_id, f"{line.short_id} was withdrawn: leave it out.")
        elif (ended := _ended(record, now)) is not None:
            heir = record
            for _ in range(FURTHEST):
                later = snapshot.records.get(reach, [heir.superseded_by]) if heir.superseded_by else ()
                heir = later[0] if later else heir
            yield _ending(line, ended, heir if _ended(heir, now) is None else None)


def _ended(record: Record, now: datetime) -> datetime | None:
    """Since when a record does not hold, None while it does."""
    standing = record.history[-1]
    if record.status not in LIVE:
        return standing.ends_at or standing.recorded_from
    ends = [end for end in (record.content.valid_until, record.ends_at) if end is not None and end <= now]
    return min(ends, default=None)


def _ending(line: FrozenLine, ended: datetime, heir: Record | None) -> Correction:
    """The line about a record that ended, naming what holds instead where there is something."""
    text, successor = f"{line.short_id} does not hold since {ended:%Y-%m-%dT%H:%M:%SZ}", None
    if heir is not None:
        successor = heir.id
        text += f"; {short_ids([heir.id])[heir.id]} holds instead"
    return Correction(line.record, line.short_id, f"{text}.", ended, successor)
