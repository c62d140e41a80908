"""Snapshot: one block of memory for the head of a session's prompt, taken once and frozen.

It is recalled by types and not by a question: durable records of the user, and a few that the opening goal brings.
Nothing provisional is read, and no model is asked. What is frozen is given again byte for byte, whatever is written
later: a correction is told beside the turn. Only what may not be shown any more ends it, since it was forgotten or a
grant was taken back; then a new one is taken, in the next epoch.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import get_args

from bethink.domain.ids import check_id
from bethink.domain.moments import FrozenLine, SessionSnapshot
from bethink.domain.scope import Caller, Scope, readable_scopes
from bethink.domain.session import Session
from bethink.domain.trace import Trace, rendered_hash
from bethink.domain.types import TYPES
from bethink.errors import InvalidInput, NotFound, StoreError
from bethink.formation.access import writable_session
from bethink.formation.desk import Desk
from bethink.operations.moments import SnapshotItem, SnapshotRequest, SnapshotResult, SnapshotSize
from bethink.operations.recall import RecallRequest
from bethink.ports.store import Snapshot, UnitOfWork
from bethink.recall.pipeline import recall
from bethink.recall.reader import Reader, RecallOutcome
from bethink.recall.render import CLOSING
from bethink.text.tokens import estimate_tokens
from bethink.tracing.withhold import unreadable

CAPS: dict[SnapshotSize, tuple[int, int]] = {
    "interactive": (40, 1_500),
    "long_running": (80, 3_000),
    "child": (15, 500),
}
"""Items and tokens at most, by size. A larger window lifts neither."""

WINDOW_PERCENT = 2
"""The share of a model's window that a snapshot takes at most."""

LASTING_DAYS = 180
"""The decay time from which on a type of belief lasts."""

LASTING = tuple(name for name, rule in TYPES.items() if rule.writable and (rule.decay_days or 0) >= LASTING_DAYS)
"""What a snapshot looks up: preferences, relationships, attributes of the user, constraints."""

TRIES = 5
"""How often a snapshot is recalled of which something is forgotten before it is frozen."""

LOOKED_AT = 8
"""Records looked at for each that may be shown, the newest where there are more."""


def take_snapshot(
    request: SnapshotRequest, reader: Reader, desk: Desk, *, scope: Scope | None = None
) -> tuple[SnapshotResult, Trace | None]:
    """The frozen block of a session, taken now where there is none that may still be shown; and the trace of taking it.

    Args:
        request: the session, and what the snapshot is taken from.
        reader: what it is recalled with.
        desk: what it is stored with.
        scope: whose session of that id; the first the caller may use unless given.

    Raises:
        InvalidInput: no session, an unknown size, or a window of no size.
        NotFound: there is no such session that this caller may use.
        AccessDenied: it has no snapshot yet, and the caller may not write it.
        StoreError: something of what was recalled was forgotten meanwhile, time after time.
    """
    session_id = named_session(request.session, reader.caller)
    asked = _asked(request, session_id)
    with reader.open(reader.settings.timeout_ms / 1000) as snapshot:
        session = found_session(session_id, reader.caller, snapshot, scope)
        known = held(session, reader, snapshot)
        if known is not None and _may_be_shown(known, reader, snapshot):
            return _result(known, taken=False), None
    for _ in range(TRIES):
        outcome = recall(asked, _by_rules(reader, asked))
        with desk.store.write(desk.tenant) as work:
            session = writable_session(session_id, desk.caller, work, session.scope)
            latest = work.moments.get(session.scope.key, session_id, reading(reader.caller))
            faster = latest is not None and latest.epoch > (0 if known is None else known.epoch)
            if latest is not None and faster and _may_be_shown(latest, reader, work):
                return _result(latest, taken=False), None  # another process took it meanwhile
            taken = _frozen(outcome, session, reader, 1 if latest is None else latest.epoch + 1)
            if _may_be_shown(taken, reader, work):  # else something was forgotten since it was recalled
                work.moments.put(taken, work.recorded_at)
                return _result(taken, taken=True), outcome.trace
    raise StoreError("What the snapshot was to show was forgotten each time it was recalled.")


def named_session(given: str | None, caller: Caller) -> str:
    """The session a request names, or that of the binding.

    Raises:
        InvalidInput: neither names one.
    """
    named = given or caller.session
    if named is None:
        raise InvalidInput("No session is named.", remedy="Pass session=, or ask through memory.session(...).")
    return check_id(named, "session")


def found_session(session_id: str, caller: Caller, snapshot: Snapshot, scope: Scope | None) -> Session:
    """The session in a scope that the caller reads.

    Raises:
        NotFound: there is none.
    """
    scopes = {item.key for item in readable_scopes(caller, snapshot.grants.of(caller))}
    session = snapshot.sessions.get(session_id, sorted(scopes if scope is None else scopes & {scope.key}))
    if session is None:
        raise NotFound(f"There is no session {session_id[:60]!r} that this caller may use.")
    return session


def held(session: Session, reader: Reader, snapshot: Snapshot) -> SessionSnapshot | None:
    """What was frozen for this reader of a session."""
    return snapshot.moments.get(session.scope.key, session.id, reading(reader.caller))


def reading(caller: Caller) -> str:
    """A digest of all that decides what a caller may read: whoever differs in it has a snapshot of their own."""
    opened = None if caller.read_scopes is None else sorted(str(item) for item in caller.read_scopes)
    said = (
        *(caller.principal.user, caller.principal.agent, caller.project, caller.task, caller.channel),
        *(int(caller.ceiling), opened),
    )
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def rendered(taken: SessionSnapshot) -> str:
    """The block; empty without lines."""
    return "\n".join((taken.opening, *(line.text for line in taken.lines), CLOSING)) if taken.lines else ""


def _asked(request: SnapshotRequest, session_id: str) -> RecallRequest:
    """The recall that takes the snapshot.

    Raises:
        InvalidInput: an unknown size, or a window of no size.
    """
    if request.size not in get_args(SnapshotSize):
        raise InvalidInput(f"size {str(request.size)[:40]!r} is none of {', '.join(get_args(SnapshotSize))}.")
    window = request.window_tokens
    if window is not None and (type(window) is not int or window < 1):
        raise InvalidInput(f"window_tokens {str(window)[:40]!r} is no size of a window.")
    items, tokens = CAPS[request.size]
    return RecallRequest(
        objective=request.goal or None,
        type_hints=LASTING,
        profile="core",
        moment="snapshot",
        include_provisional=False,
        include_owned_resources=False,
        max_items=items,
        budget_tokens=tokens if window is None else min(tokens, window * WINDOW_PERCENT // 100),
        order="best_first",
        without=request.persona,
        session=session_id,
    )


def _by_rules(reader: Reader, asked: RecallRequest) -> Reader:
    """The reader without a model, that looks at more records than a question needs."""
    depth = max(reader.settings.depth, LOOKED_AT * (asked.max_items or 0))
    settings = replace(reader.settings, depth=depth, read_models=False)
    return replace(reader, settings=settings, classifier=None, reranker=None, rewrites=None)


def _frozen(outcome: RecallOutcome, session: Session, reader: Reader, epoch: int) -> SessionSnapshot:
    """What a recall found, as it is kept."""
    result = outcome.result
    opening, *lines = (result.rendered or "\n").split("\n")[:-1]
    shown = zip(result.items, lines, strict=True)
    return SessionSnapshot(
        scope=session.scope,
        session=session.id,
        reader=reading(reader.caller),
        epoch=epoch,
        position=result.position,
        trace_id=result.trace_id,
        sha256=result.sha256,
        opening=opening,
        lines=tuple(FrozenLine(item.id, item.short_id, line) for item, line in shown),
    )


def _may_be_shown(known: SessionSnapshot, reader: Reader, snapshot: Snapshot | UnitOfWork) -> bool:
    """Whether the whole of a frozen block is there and may still be read by its reader."""
    if rendered_hash(rendered(known)) != known.sha256:
        return False
    ids = {line.record for line in known.lines}
    return not unreadable(ids, reader.caller.ceiling, reader, snapshot)


def _result(known: SessionSnapshot, *, taken: bool) -> SnapshotResult:
    """A frozen block as it is given."""
    text = rendered(known)
    return SnapshotResult(
        session=known.session,
        rendered=text,
        sha256=known.sha256,
        tokens=estimate_tokens(text),
        items=tuple(SnapshotItem(line.record, line.short_id) for line in known.lines),
        watermark=known.position,
        epoch=known.epoch,
        trace_id=known.trace_id,
        taken=taken,
    )
