"""Words the user typed: recorded as a turn, so that they are their own evidence.

They go to a session of their own, one per binding and scope, whose id is made of nothing but who typed and where. So a
typed sentence is found like any other utterance, and never by anyone who may not read the record it became.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime

from bethink.domain.fence import Fence
from bethink.domain.scope import Caller, Scope
from bethink.domain.session import Session, Turn
from bethink.ports.store import TurnReads

PREFIX = "typed-"


def typed_session(caller: Caller, scope: Scope, at: datetime) -> Session:
    """The session that holds what this binding's user typed into `scope`: the same id whenever it is asked for."""
    principal = caller.principal
    parts = (principal.user, principal.agent, scope.key, caller.project or "", caller.channel or "")
    digest = hashlib.sha256("\x1f".join(parts).encode()).hexdigest()
    return Session(
        id=PREFIX + digest[:24],
        scope=scope,
        user=principal.user,
        agent=principal.agent,
        project=caller.project,
        channel=caller.channel,
        opened_at=at,
    )


def is_typed(session: str) -> bool:
    """Whether a session id is one of those."""
    return session.startswith(PREFIX)


def typed_among(turns: TurnReads, fence: Fence, ids: Sequence[str]) -> tuple[Turn, ...]:
    """Those of the turns that exist only because a record was typed; they share its fate."""
    return tuple(turn for turn in turns.get(fence, ids) if is_typed(turn.session)) if ids else ()


def default_speaker(role: str, caller: Caller) -> str:
    """Who speaks in a role when nobody is named."""
    return {"user": caller.principal.user, "assistant": caller.principal.agent}.get(role, role)
