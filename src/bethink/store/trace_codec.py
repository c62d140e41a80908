"""Traces to rows and back: what a user may see as JSON, what only an operator may packed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, replace
from datetime import datetime
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from bethink.domain.time import from_micros, to_micros
from bethink.domain.trace import Mismatch, Moment, Trace, TracedBelief
from bethink.ports.traces import Unanswered
from bethink.store.codec import canonical, optional_micros
from bethink.store.trace_pack import pack, unpack


def trace_row(trace: Trace) -> dict[str, Any]:
    """The columns of ``trace`` and ``trace_ref``, and the position it read at."""
    return {
        "tenant": trace.tenant,
        "id": trace.id,
        "user_id": trace.user,
        "agent_id": trace.agent,
        "session_id": trace.session,
        "created_at": to_micros(trace.created_at),
        "operator_expire_at": optional_micros(trace.operator_fields_expire_at),
        "erased": int(trace.erased),
        "body": canonical(_body(trace)),
        "operator": None if trace.erased else pack(trace),
        "hashes": hashes(named(trace)).tobytes(),
        "position": trace.position,
    }


def read_query(body: str) -> Mapping[str, Any]:
    """What a trace says was asked."""
    return dict(json.loads(body)["query"])


def begin_of(millisecond: int) -> str:
    """What every id of this millisecond since 1970 and later sorts after: ids begin with their time."""
    digits = f"{max(0, millisecond):012x}"
    return f"{digits[:8]}-{digits[8:]}"


def read_unanswered(trace_id: str, user: str, agent: str, body: str) -> Unanswered:
    """What an empty answer was asked."""
    of = json.loads(body)
    asked = of["query"]
    return Unanswered(
        user=user,
        agent=agent,
        at=int(trace_id[:8] + trace_id[9:13], 16),
        empty_reason=of["empty_reason"],
        subjects=tuple(asked.get("subjects", ())),
        names=tuple(asked.get("names", ())),
    )


def read_trace(body: str, operator: bytes | None) -> Trace:
    """A trace from its columns; expired operator fields are empty."""
    of = json.loads(body)
    held: dict[str, Any] = {} if operator is None else unpack(operator)
    return Trace(
        id=of["id"],
        tenant=of["tenant"],
        user=of["user"],
        agent=of["agent"],
        created_at=from_micros(of["created_at"]),
        moment=cast("Moment", of["moment"]),
        surface=of["surface"],
        ceiling=of["ceiling"],
        query=of["query"],
        policy=of["policy"],
        position=of["position"],
        rendered=of["rendered"],
        rendered_sha256=of["rendered_sha256"],
        as_of=from_micros(of["as_of"]),
        session=of["session"],
        returned=tuple(of["returned"]),
        considered=of.get("considered", len(held.get("pool", ()))),
        blocked=tuple(of["blocked"]),
        carried_in=tuple(of["carried_in"]),
        conflicts=tuple((first, second) for first, second in of["conflicts"]),
        cited=tuple(of["cited"]),
        beliefs=tuple(_read_belief(item) for item in of["beliefs"]),
        degraded=tuple(of["degraded"]),
        notices=tuple(of["notices"]),
        empty_reason=of["empty_reason"],
        mismatch=Mismatch(*told) if (told := of.get("mismatch")) else None,
        tokens=of["tokens"],
        operator_fields_expire_at=_optional(of["operator_fields_expire_at"]),
        erased=of["erased"],
        **held,
    )


def blanked(trace: Trace) -> Trace:
    """The trace without any words: ids, hash, counts and times are left."""
    return replace(
        trace,
        query={},
        rendered="",
        arms=(),
        pool=(),
        cuts=(),
        beliefs=(),
        notices=(),
        mismatch=None,
        stages_ms={},
        erased=True,
    )


def noted(trace: Trace, ids: Sequence[str]) -> Trace:
    """The trace with these of its items marked as used, beside those that were."""
    used = {*trace.cited, *ids}
    beliefs = tuple(replace(item, used=True) if item.id in used else item for item in trace.beliefs)
    return replace(trace, beliefs=beliefs, cited=tuple(item.id for item in beliefs if item.used))


def named(trace: Trace) -> set[str]:
    """Ids of the records and turns a trace names anywhere."""
    found = {row["id"] for row in trace.pool}
    found |= {hit[0] for arm in trace.arms for hit in arm["hits"]}
    found |= {cut.id for cut in trace.cuts} | {belief.id for belief in trace.beliefs}
    for ids in (trace.returned, trace.blocked, trace.carried_in, trace.cited, *trace.conflicts):
        found.update(ids)
    return found


def hashes(ids: Iterable[str]) -> NDArray[np.uint64]:
    """The first 8 bytes of the SHA-256 of each id, ascending."""
    packed = b"".join(hashlib.sha256(item.encode()).digest()[:8] for item in ids)
    return np.sort(np.frombuffer(packed, dtype="<u8"))


def _body(trace: Trace) -> dict[str, Any]:
    """What its user may see."""
    return {
        "id": trace.id,
        "tenant": trace.tenant,
        "user": trace.user,
        "agent": trace.agent,
        "created_at": to_micros(trace.created_at),
        "moment": trace.moment,
        "surface": trace.surface,
        "ceiling": trace.ceiling,
        "query": dict(trace.query),
        "policy": trace.policy,
        "position": trace.position,
        "rendered": trace.rendered,
        "rendered_sha256": trace.rendered_sha256,
        "as_of": to_micros(trace.as_of),
        "session": trace.session,
        "returned": list(trace.returned),
        "considered": trace.considered,
        "blocked": list(trace.blocked),
        "carried_in": list(trace.carried_in),
        "conflicts": [list(pair) for pair in trace.conflicts],
        "cited": list(trace.cited),
        "beliefs": [_belief(belief) for belief in trace.beliefs],
        "degraded": list(trace.degraded),
        "notices": list(trace.notices),
        "empty_reason": trace.empty_reason,
        "mismatch": astuple(trace.mismatch) if trace.mismatch else None,
        "tokens": trace.tokens,
        "operator_fields_expire_at": optional_micros(trace.operator_fields_expire_at),
        "erased": trace.erased,
    }


def _belief(belief: TracedBelief) -> list[Any]:
    """A rendered item as a list."""
    return [
        belief.id,
        belief.short_id,
        belief.subject,
        belief.statement,
        to_micros(belief.learned_at),
        belief.origin,
        belief.carried,
        belief.authority,
        belief.source_episode,
        belief.band,
        belief.used,
        belief.day,
        belief.speaker,
        list(belief.marks),
    ]


def _read_belief(item: list[Any]) -> TracedBelief:
    """A rendered item from its list."""
    *told, marks = item
    id_, short_id, subject, statement, learned_at, *rest = told
    belief = TracedBelief(id_, short_id, subject, statement, from_micros(learned_at), *rest)
    return replace(belief, marks=tuple(marks))


def _optional(value: int | None) -> datetime | None:
    """An instant that may be absent."""
    return None if value is None else from_micros(value)
