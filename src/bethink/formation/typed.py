"""Words the user typed: recorded as a turn, so that they are their own evidence.

They go to a session of their own, one per binding and scope, whose id is made of nothing but who typed and where. So a
typed sentence is found like any other utterance, and never by anyone who may not read the record it became.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from bethink.domain.fence import Fence
from bethink.domain.record import LIVE, Record, Status, StatusSpan
from bethink.domain.scope import Caller, Scope
from bethink.domain.session import TYPED, Session, Turn, is_typed
from bethink.ports.store import Snapshot, UnitOfWork
from bethink.ports.turns import TurnReads


def typed_session(caller: Caller, scope: Scope, at: datetime) -> Session:
    """The session that holds what this binding's user typed into `scope`: the same id whenever it is asked for."""
    principal = caller.principal
    parts = (principal.user, principal.agent, scope.key, caller.project or "", caller.channel or "")
    digest = hashlib.sha256("\x1f".join(parts).encode()).hexdigest()
    return Session(
        id=TYPED + digest[:24],
        scope=scope,
        user=principal.user,
        agent=principal.agent,
        project=caller.project,
        channel=caller.channel,
        opened_at=at,
    )


def typed_among(turns: TurnReads, fence: Fence, ids: Sequence[str]) -> tuple[Turn, ...]:
    """Those of the turns that exist only because a record was typed; they share its fate."""
    return tuple(turn for turn in turns.get(fence, ids) if is_typed(turn.session)) if ids else ()


def follow(work: UnitOfWork, fence: Fence, spans: Sequence[tuple[str, StatusSpan]]) -> None:
    """Give typed turns the standing their records get, so that a value typed and corrected does not live on as talk.

    Args:
        work: the write under way.
        fence: where records and turns may be seen, in whatever status they have.
        spans: (record id, its next span).
    """
    wanted = dict(spans)
    evidence = ((record.id, record.content.source.evidence) for record in work.records.get(fence, tuple(wanted)))
    by_turn = {
        quote.turn_id: wanted[item] for item, quote in evidence if quote is not None and quote.turn_id is not None
    }
    for turn in turns_anywhere(work, fence, tuple(by_turn)):
        if is_typed(turn.session):
            work.records.set_status(turn.id, followed(by_turn[turn.id]))


def followed(span: StatusSpan) -> StatusSpan:
    """A turn's span beside its record's: a turn is not provisional, and no turn succeeds it."""
    return replace(span, status=Status.ACTIVE if span.status in LIVE else span.status, successor=None)


def default_speaker(role: str, caller: Caller) -> str:
    """Who speaks in a role when nobody is named."""
    return {"user": caller.principal.user, "assistant": caller.principal.agent}.get(role, role)


def turns_anywhere(source: Snapshot | UnitOfWork, fence: Fence, ids: Sequence[str]) -> tuple[Turn, ...]:
    """The turns, those that stay in projects of their own included."""
    found = source.turns.get(fence, ids) if ids else ()
    return (*found, *(one for home in homes(source, fence, ids, found) for one in source.turns.get(home, ids)))


def homes(
    source: Snapshot | UnitOfWork, fence: Fence, ids: Sequence[str], found: Sequence[Record | Turn]
) -> tuple[Fence, ...]:
    """The fence as it stands in the other projects that those of the ids stay in which were not found."""
    missing = set(ids) - {one.id for one in found}
    about = (source.records.entries(fence, item)[:1] for item in sorted(missing))
    projects = {entry.project for entries in about for entry in entries} - {None, fence.project}
    return tuple(replace(fence, project=project) for project in sorted(map(str, projects)))
