"""Answers kept for repeated requests: the question as a hash, the answer as ids and codes, never memory text."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, TypeVar

from bethink.domain.record import Status
from bethink.domain.scope import Caller
from bethink.domain.source import SourceKind
from bethink.domain.time import iso
from bethink.errors import IdempotencyMismatch
from bethink.operations.common import Notice
from bethink.operations.remember import RememberRequest, RememberResult
from bethink.operations.revise import ReviseRequest, ReviseResult
from bethink.ports.store import IdempotencyWrites

Answer = TypeVar("Answer", RememberResult, ReviseResult)


@dataclass(frozen=True, slots=True)
class Question:
    """A request as it is kept: who asks, the key it came with, if any, and its hash."""

    caller: Caller
    key: str | None
    asked: str

    @staticmethod
    def of(request: RememberRequest | ReviseRequest, caller: Caller, session: str | None) -> Question:
        """The question that a checked, redacted request puts, with the session its evidence is looked up in."""
        asked = asdict(request) | {"session": session}
        text = json.dumps(asked, sort_keys=True, ensure_ascii=False, default=_plain)
        return Question(caller, request.idempotency_key, hashlib.sha256(text.encode()).hexdigest())

    @property
    def principal(self) -> str:
        """Whose keys are one namespace: a user through an agent, for every operation alike."""
        return f"{self.caller.principal.user}/{self.caller.principal.agent}"


def replayed(answers: IdempotencyWrites, question: Question, kind: type[Answer]) -> Answer | None:
    """The answer of an earlier call with this key, None when it is new.

    Raises:
        IdempotencyMismatch: the key belongs to another request.
    """
    kept = None if question.key is None else answers.get(question.principal, question.key)
    if kept is None:
        return None
    if kept[0] != question.asked:
        msg = f"Idempotency key {question.key!r} was used before with another request."
        raise IdempotencyMismatch(msg)
    return replace(_decoded(kept[1], kind), outcome="replayed")


def keep(answers: IdempotencyWrites, question: Question, result: RememberResult | ReviseResult) -> None:
    """Keep an answer under the request's key, if it has one."""
    if question.key is not None:
        answer = json.dumps(asdict(result), sort_keys=True)
        answers.put(question.principal, question.key, question.asked, answer, result.id)


def _decoded(answer: str, kind: type[Answer]) -> Answer:
    """A kept answer as a value."""
    found: dict[str, Any] = json.loads(answer)
    found["status"], found["source"] = Status(found["status"]), SourceKind(found["source"])
    found["notices"] = tuple(Notice(**item) for item in found["notices"])
    for name in ("superseded", "conflicts"):
        found[name] = tuple(found[name])
    return kind(**found)


def _plain(value: object) -> str:
    """A value JSON does not have, as text."""
    return iso(value) if isinstance(value, datetime) else str(value)
