"""Answers kept for repeated requests: the question as a hash, the answer as ids and codes, never memory text."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from bethink.domain.record import Status
from bethink.domain.scope import Caller
from bethink.domain.source import SourceKind
from bethink.domain.time import iso
from bethink.errors import IdempotencyMismatch
from bethink.operations.common import Notice
from bethink.operations.remember import RememberRequest, RememberResult
from bethink.ports.store import IdempotencyWrites


def principal_of(caller: Caller) -> str:
    """Whose keys are one namespace: a user through an agent."""
    return f"{caller.principal.user}/{caller.principal.agent}"


def request_hash(request: RememberRequest, session: str | None) -> str:
    """SHA-256 over the checked, redacted request and the session its evidence is looked up in."""
    asked = asdict(request) | {"session": session}
    text = json.dumps(asked, sort_keys=True, ensure_ascii=False, default=_plain)
    return hashlib.sha256(text.encode()).hexdigest()


def replayed(answers: IdempotencyWrites, caller: Caller, key: str | None, asked: str) -> RememberResult | None:
    """The answer of an earlier call with this key, None when it is new.

    Raises:
        IdempotencyMismatch: the key belongs to another request.
    """
    kept = None if key is None else answers.get(principal_of(caller), key)
    if kept is None:
        return None
    if kept[0] != asked:
        msg = f"Idempotency key {key!r} was used before with another request."
        raise IdempotencyMismatch(msg)
    return replace(_decoded(kept[1]), outcome="replayed")


def keep(answers: IdempotencyWrites, caller: Caller, key: str | None, asked: str, result: RememberResult) -> None:
    """Keep an answer under the request's key, if it has one."""
    if key is not None:
        answers.put(principal_of(caller), key, asked, json.dumps(asdict(result), sort_keys=True), result.id)


def _decoded(answer: str) -> RememberResult:
    """A kept answer as a value."""
    found: dict[str, Any] = json.loads(answer)
    found["status"], found["source"] = Status(found["status"]), SourceKind(found["source"])
    found["notices"] = tuple(Notice(**item) for item in found["notices"])
    for name in ("superseded", "conflicts"):
        found[name] = tuple(found[name])
    return RememberResult(**found)


def _plain(value: object) -> str:
    """A value JSON does not have, as text."""
    return iso(value) if isinstance(value, datetime) else str(value)
