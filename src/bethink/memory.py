"""`Memory` over one store, `BoundMemory` for one caller: facades that hand each request to the part that answers.

A request is passed as its dataclass, or as its main argument with the other fields by name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import TracebackType
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from bethink.domain.ids import check_id
from bethink.domain.scope import Caller, Grant, Principal, Scope, ScopeKind, Target
from bethink.domain.session import Role, Session
from bethink.errors import InvalidInput
from bethink.formation.desk import Desk
from bethink.formation.explicit import remember
from bethink.formation.revise import revise
from bethink.importing.run import import_transcript
from bethink.operations.episodes import EpisodesRequest, EpisodesResult
from bethink.operations.explain import TraceResult, WhyRequest, WhyResult
from bethink.operations.importing import ImportRequest, ImportResult
from bethink.operations.recall import RecallRequest, RecallResult
from bethink.operations.records import ForgetRequest, GetRequest, GetResult, Receipt
from bethink.operations.remember import RememberRequest, RememberResult
from bethink.operations.revise import ReviseRequest, ReviseResult
from bethink.operations.sessions import OpenSessionRequest, TurnInput, TurnsResult
from bethink.operations.upkeep import CheckResult, RepairResult
from bethink.ports.clock import Clock
from bethink.ports.embedder import Embedder
from bethink.ports.ids import Ids
from bethink.ports.store import Store
from bethink.ports.traces import TraceStore
from bethink.recall.episodes import episodes
from bethink.recall.get import get
from bethink.recall.pipeline import recall
from bethink.recall.reader import Reader
from bethink.session.close import close_session
from bethink.session.open import open_session
from bethink.session.rehearse import rehearse_turns
from bethink.session.turns import append_turns
from bethink.settings import Settings
from bethink.tracing.verify import readable, verified
from bethink.tracing.view import withheld
from bethink.tracing.why import why
from bethink.upkeep.embed_pending import embed_pending
from bethink.upkeep.forget import forget
from bethink.upkeep.reembed import reembed

Progress = Callable[[int], None]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Parts:
    """What a memory is wired from.

    `space` is None when recall goes by words alone, `dense_off` says why. `canary` embeds the fixed sentences by which
    a model is told from another.
    """

    store: Store
    traces: TraceStore
    clock: Clock
    ids: Ids
    settings: Settings
    embedder: Embedder | None
    space: str | None
    dense_off: str
    canary: Callable[[Embedder], NDArray[np.float32]]
    owner: bool = True


class Memory:
    """One open store. Use it as a context manager, or call `close`."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    @property
    def settings(self) -> Settings:
        """The settings it was opened with."""
        return self._parts.settings

    @property
    def embedder(self) -> Embedder | None:
        """What embeds, None when recall goes by words alone."""
        return self._parts.embedder

    def bind(
        self,
        user: str | None = None,
        agent: str | None = None,
        project: str | None = None,
        *,
        tenant: str | None = None,
        **surroundings: Any,
    ) -> BoundMemory:
        """This memory as one caller sees it.

        The owner of a local store vouches for the callers it binds: the agent is granted the user's scope, unless that
        grant was ever given or taken back before.

        Args:
            user: who is remembered; the settings' default where None.
            agent: which agent asks; the settings' default where None.
            project: the current project, which ranks and does not isolate.
            tenant: the tenant; the settings' default where None.
            surroundings: the further fields of `Caller`: task, channel, surface, voice, ceiling, session, read_scopes.

        Raises:
            InvalidInput: an unusable id, or a field `Caller` does not have.
        """
        default = self.settings.caller
        named = zip((tenant, user, agent), (default.tenant, default.user, default.agent), strict=True)
        principal = Principal(*(usual if given is None else given for given, usual in named))
        caller = _built(Caller, surroundings, principal=principal, project=project)
        if self._parts.owner and not self._parts.store.read_only:
            self._vouch(principal)
        return BoundMemory(self._parts, caller)

    def _vouch(self, principal: Principal) -> None:
        """Grant an agent its user's scope where nobody has decided about it yet."""
        scope = Scope(ScopeKind.USER, principal.user)
        with self._parts.store.snapshot(principal.tenant) as snapshot:
            if snapshot.grants.decided(principal.user, principal.agent, scope.key):
                return
        self.grant(principal.user, principal.agent, scope.key, write=True, tenant=principal.tenant)

    def grant(  # noqa: PLR0913 - a grant has that many parts, all plain
        self, user: str, agent: str, scope: str, *, read: bool = True, write: bool = False, tenant: str | None = None
    ) -> Grant:
        """Let an agent, for a user, read or write a scope (``kind:id``).

        Raises:
            InvalidInput: a private agent scope, which no grant opens, or an unusable id.
        """
        named = Principal(self.settings.caller.tenant if tenant is None else tenant, user, agent)
        target = Scope.parse(scope)
        if target.private:
            msg = f"{scope} is private to its agent and user; no grant opens it."
            raise InvalidInput(msg, remedy="Grant a user, project, task, org or plain agent scope.")
        made = Grant(named.user, named.agent, target, read=read, write=write, granted_at=self._parts.clock.now())
        with self._parts.store.write(named.tenant) as work:
            work.grants.put(made)
            work.event("grant.added", target.key, {"agent": named.agent, "user": named.user, "write": write})
        return made

    def revoke(self, user: str, agent: str, scope: str, *, tenant: str | None = None) -> bool:
        """Take a grant back; whether there was one.

        It binds the next operation of every process; of one that reads from a replica, once that has replayed it.
        """
        with self._parts.store.write(self.settings.caller.tenant if tenant is None else tenant) as work:
            gone = work.grants.revoke(user, agent, Scope.parse(scope).key)
            if gone:
                work.event("grant.revoked", scope, {"agent": agent, "user": user})
        return gone

    def grants(self, *, tenant: str | None = None) -> tuple[Grant, ...]:
        """Every grant of a tenant."""
        with self._parts.store.snapshot(self.settings.caller.tenant if tenant is None else tenant) as snapshot:
            return snapshot.grants.all()

    def check(self) -> CheckResult:
        """Compare the store and its traces with their own rules; changes nothing."""
        found, seen = self._parts.store.check(), self._parts.traces.check()
        return replace(
            found,
            findings=(*found.findings, *seen.findings),
            counts={**found.counts, "traces": seen.count},
            traces_waiting=self._parts.traces.waiting(),
            embedding_pending=self.pending,
        )

    def repair(self, *, rebuild_vectors: bool = False, progress: Progress | None = None) -> RepairResult:
        """Rebuild what derives from records and traces; with `rebuild_vectors` every vector, under the set embedder."""
        parts = self._parts
        if rebuild_vectors and parts.embedder is not None:
            reembed(parts.store, parts.embedder, parts.canary(parts.embedder), parts.clock.now(), progress)
        truth, traces = parts.store.repair(), parts.traces.repair()
        return RepairResult({**truth.rebuilt, **traces.rebuilt}, (*truth.left, *traces.left))

    def embed_pending(self, progress: Progress | None = None) -> int:
        """Embed what waits for a vector; how many were. Interrupted, it goes on where it stopped."""
        parts = self._parts
        if parts.embedder is None or parts.space is None:
            return 0
        return embed_pending(parts.store, parts.embedder, progress=progress)

    @property
    def pending(self) -> int:
        """How many entries wait for a vector."""
        active = self._parts.store.vectors.active()
        return self._parts.store.vectors.pending_count(active.space_id) if active else 0

    def close(self) -> None:
        """Write waiting traces and release the files; closing twice is harmless."""
        self._parts.traces.close()
        self._parts.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


class BoundMemory:
    """A memory as one caller sees it. Nothing here can name another caller."""

    def __init__(self, parts: Parts, caller: Caller) -> None:
        self._parts = parts
        self.caller = caller

    def remember(self, request: RememberRequest | str, **fields: Any) -> RememberResult:
        """Remember one statement; see `RememberRequest` for the fields, `RememberResult` for what became of it."""
        return remember(_request(RememberRequest, request, "content", fields), self._desk)

    def recall(self, request: RecallRequest | str = "", **fields: Any) -> RecallResult:
        """Answer a question with a block, its items, their explanations and a trace."""
        outcome = recall(_request(RecallRequest, request, "text", fields), self._reader)
        if not self._parts.settings.store.trace:
            return replace(outcome.result, trace="off")
        began = self._parts.clock.elapsed()
        state, reason = self._parts.traces.record(outcome.trace)
        stages = dict(outcome.result.stages_ms)
        stages["trace"] = stages.get("trace", 0.0) + (self._parts.clock.elapsed() - began) * 1000
        return replace(outcome.result, trace=state, trace_reason=reason, stages_ms=stages)

    def episodes(self, request: EpisodesRequest | None = None, **fields: Any) -> EpisodesResult:
        """What happened, by session or time, in order."""
        return episodes(request or _built(EpisodesRequest, fields), self._reader)

    def get(self, request: GetRequest | str, **fields: Any) -> GetResult:
        """One record or turn by id or short id."""
        return get(_request(GetRequest, request, "id", fields), self._reader)

    def revise(self, request: ReviseRequest | str, **fields: Any) -> ReviseResult:
        """Confirm, replace, end or merge one record by id; see `ReviseRequest` for what each `action` takes."""
        return revise(_request(ReviseRequest, request, "id", fields), self._desk)

    def forget(self, request: ForgetRequest | str, **fields: Any) -> Receipt:
        """Hide, bring back or erase a record; the receipt says what was done and what remains."""
        return forget(_request(ForgetRequest, request, "id", fields), self._desk, self._parts.traces)

    def trace(self, trace_id: str) -> TraceResult:
        """A stored recall of this caller's as far as it may still be read, the hash of its block computed again."""
        found = self._parts.traces.get(self.caller.principal, check_id(trace_id, "trace id"))
        return withheld(verified(readable(found, self.caller)), self._reader)

    def why(self, trace_id: str, record_id: str) -> WhyResult:
        """Which stage of a stored recall lost a record, or that it was returned."""
        request = WhyRequest(trace_id, check_id(record_id, "record id"))
        return why(request, self.trace(trace_id).trace, self._reader)

    def session(
        self,
        id: str | None = None,  # noqa: A002 - the word of the request
        *,
        target: Target = "personal",
        opened_at: datetime | None = None,
    ) -> SessionHandle:
        """Open a session, or take one up."""
        opened = open_session(OpenSessionRequest(id, target, opened_at), self._desk)
        return SessionHandle(self, opened)

    def import_transcript(self, request: ImportRequest) -> ImportResult:
        """Import a file of conversations as episodes, or say what that would do; what is known is not stored twice."""
        result = import_transcript(request, _Rehearsal(self._desk, set()) if request.dry_run else _Sink(self))
        return replace(result, embedding_pending=self._pending())

    def _pending(self) -> int:
        return Memory(self._parts).pending

    @property
    def _desk(self) -> Desk:
        parts = self._parts
        return Desk(
            store=parts.store,
            caller=self.caller,
            clock=parts.clock,
            ids=parts.ids,
            embedder=parts.embedder,
            space=parts.space,
            settings=parts.settings,
        )

    @property
    def _reader(self) -> Reader:
        parts, tenant = self._parts, self.caller.principal.tenant
        return Reader(
            open=lambda seconds: parts.store.snapshot(tenant, deadline=seconds, may_lag=True),
            caller=self.caller,
            clock=parts.clock,
            ids=parts.ids,
            settings=parts.settings.recall,
            embedder=parts.embedder,
            space=parts.space,
            dense_off=parts.dense_off,
            language=parts.settings.language,
        )


class SessionHandle:
    """One open session of a caller. As a context manager it closes at the end."""

    def __init__(self, memory: BoundMemory, session: Session) -> None:
        self._memory = BoundMemory(memory._parts, replace(memory.caller, session=session.id))  # noqa: SLF001 - one module, one facade
        self._scope = session.scope
        self.id = session.id

    def turn(self, text: str, *, role: Role = "user", **fields: Any) -> TurnsResult:
        """Append one utterance."""
        return self.turns([_built(TurnInput, fields, text=text, role=role)])

    def turns(self, turns: Sequence[TurnInput]) -> TurnsResult:
        """Append several at once; those the session holds already are left alone."""
        return append_turns(self.id, turns, self._memory._desk, scope=self._scope)  # noqa: SLF001 - one module, one facade

    def remember(self, request: RememberRequest | str, **fields: Any) -> RememberResult:
        """Remember with this session as where the evidence stands."""
        return self._memory.remember(request, **fields)

    def revise(self, request: ReviseRequest | str, **fields: Any) -> ReviseResult:
        """Revise with this session as where the evidence stands."""
        return self._memory.revise(request, **fields)

    def recall(self, request: RecallRequest | str = "", **fields: Any) -> RecallResult:
        """Recall inside this session."""
        return self._memory.recall(request, **fields)

    def close(self) -> None:
        """Close the session; closing twice is harmless."""
        close_session(self.id, self._memory._desk, scope=self._scope)  # noqa: SLF001 - one module, one facade

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class _Sink:
    """Where an import puts its sessions."""

    memory: BoundMemory

    def append(self, session: str, opened_at: datetime | None, turns: Sequence[TurnInput]) -> TurnsResult:
        """Open the session if needed and append the turns."""
        return self.memory.session(session, opened_at=opened_at).turns(turns)


@dataclass(frozen=True, slots=True)
class _Rehearsal:
    """Where a dry run of an import puts its sessions: nowhere. `seen` is what it would have stored."""

    desk: Desk
    seen: set[tuple[str, str]]

    def append(self, session: str, opened_at: datetime | None, turns: Sequence[TurnInput]) -> TurnsResult:
        """What opening the session if needed and appending the turns would come to."""
        return rehearse_turns(OpenSessionRequest(session, opened_at=opened_at), turns, self.desk, self.seen)


def _request(kind: type[T], given: T | str, main: str, fields: dict[str, Any]) -> T:
    """The request as its dataclass, from itself or from its main argument and fields.

    An empty main argument gives way to a field of its name, so that ``recall(text="...")`` asks as ``recall("...")``.
    """
    if isinstance(given, str):
        return _built(kind, fields, **{main: given}) if given else _built(kind, {main: given, **fields})
    if fields:
        msg = f"Pass either a {kind.__name__} or its fields, not both."
        raise InvalidInput(msg)
    if not isinstance(given, kind):
        msg = f"{main} must be text or a {kind.__name__}, not {type(given).__name__}."
        raise InvalidInput(msg)
    return given


def _built(kind: Callable[..., T], fields: dict[str, Any], **fixed: Any) -> T:
    """A value from named fields, with a typed error for a name it does not have."""
    try:
        return kind(**fields, **fixed)
    except TypeError as error:
        msg = f"{getattr(kind, '__name__', 'request')}: {str(error).rpartition('__init__() ')[2]}."
        raise InvalidInput(msg) from None
