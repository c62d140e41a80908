"""`Memory`: one open store, and what concerns all of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, Never, Self

from bethink.domain.job import JobState
from bethink.domain.scope import Caller, Grant, Principal, Scope
from bethink.domain.taxonomy import Node
from bethink.errors import InvalidInput
from bethink.memory.bound import BoundMemory
from bethink.memory.parts import Parts
from bethink.memory.requests import as_request, built
from bethink.operations.jobs import JobsListed, JobsResult
from bethink.operations.receipts import HonouredResult, ReceiptsResult
from bethink.operations.records import Receipt
from bethink.operations.taxonomy import RemovedNodes
from bethink.operations.upkeep import CheckResult, EmbedResult, RepairResult
from bethink.operations.users import EraseSessionRequest, EraseUserRequest, ExportItem
from bethink.ports.embedder import Embedder
from bethink.settings import Settings
from bethink.text.door import check_flag, check_whole
from bethink.upkeep.embed_pending import embed_pending
from bethink.upkeep.erase_session import erase_session
from bethink.upkeep.erase_user import erase_user
from bethink.upkeep.export import export
from bethink.upkeep.grants import put_grant, revoke_grant, vouch
from bethink.upkeep.honour import honour
from bethink.upkeep.receipts import receipts_after
from bethink.upkeep.reembed import reembed
from bethink.upkeep.taxonomy import put_node, remove_node
from bethink.upkeep.worker import run_jobs
from bethink.upkeep.workshop import Workshop

Progress = Callable[[int], None]


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
        caller = built(Caller, surroundings, principal=principal, project=project)
        if self._parts.owner and not self._parts.store.read_only:
            vouch(self._parts.store, self._parts.clock, principal)
        return BoundMemory(self._parts, caller)

    def grant(  # noqa: PLR0913 - a grant has that many parts, all plain
        self, user: str, agent: str, scope: str, *, read: bool = True, write: bool = False, tenant: str | None = None
    ) -> Grant:
        """Let an agent, for a user, read or write a scope (``kind:id``).

        Raises:
            InvalidInput: a private agent scope, which no grant opens, an unusable id, or a flag that is none.
        """
        who, now = Principal(self._tenant(tenant), user, agent), self._parts.clock.now()
        check_flag(read, "read")
        check_flag(write, "write")
        made = Grant(who.user, who.agent, Scope.parse(scope), read=read, write=write, granted_at=now)
        return put_grant(self._parts.store, who.tenant, made)

    def revoke(self, user: str, agent: str, scope: str, *, tenant: str | None = None) -> bool:
        """Take a grant back; whether there was one.

        It binds the next operation of every process; of one that reads from a replica, once that has replayed it.

        Raises:
            InvalidInput: an unusable id, or no scope.
        """
        who = Principal(self._tenant(tenant), user, agent)
        return revoke_grant(self._parts.store, who, Scope.parse(scope))

    def grants(self, *, tenant: str | None = None) -> tuple[Grant, ...]:
        """Every grant of a tenant."""
        with self._parts.store.snapshot(self._tenant(tenant)) as snapshot:
            return snapshot.grants.all()

    def put_node(self, path: str, name: str | None = None, *, tenant: str | None = None) -> Node:
        """Add a node to a tenant's taxonomy, or name it anew; without a name it is called by its path's last word.

        Raises:
            InvalidInput: no path, an unusable name, no node above it, or too many nodes.
        """
        return put_node(self._parts.store, self._parts.clock, self._tenant(tenant), path, name)

    def remove_node(self, path: str, *, tenant: str | None = None) -> RemovedNodes:
        """Remove a node with everything below it, and what says that records are filed there; no record goes.

        Raises:
            NotFound: there is no such node.
        """
        return remove_node(self._parts.store, self._tenant(tenant), path)

    def nodes(self, *, tenant: str | None = None) -> tuple[Node, ...]:
        """The taxonomy of a tenant, by path."""
        with self._parts.store.snapshot(self._tenant(tenant)) as snapshot:
            return snapshot.taxonomy.nodes()

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

    def embed_pending(self, progress: Progress | None = None) -> EmbedResult:
        """Embed what waits for a vector; what was, and what was split. Interrupted, it goes on where it stopped."""
        parts = self._parts
        if parts.embedder is None or parts.space is None:
            return EmbedResult()
        return embed_pending(parts.store, parts.embedder, progress=progress)

    def run_jobs(self, limit: int = 100) -> JobsResult:
        """Do what is due now, at most `limit` jobs, in this process; other workers may do so at the same time.

        Raises:
            InvalidInput: a limit that lets nothing be done.
            StoreError: the store cannot be written; jobs that were done stay done.
        """
        check_whole(limit, "limit", 1)
        return run_jobs(self._workshop, limit)

    def jobs(self, state: JobState | str | None = None, *, tenant: str | None = None, limit: int = 100) -> JobsListed:
        """Jobs that wait, run or died, those due first in front; of every tenant when none is named.

        Raises:
            InvalidInput: `state` is none of waiting, running, dead, or a limit lists nothing.
        """
        check_whole(limit, "limit", 1)
        if state is not None and state not in set(JobState):
            raise InvalidInput(f"state {str(state)[:40]!r} is none of {', '.join(JobState)}.")
        queue = self._parts.store.jobs
        return JobsListed(
            queue.listed(tenant, None if state is None else JobState(state), limit), queue.counted(tenant)
        )

    def retry_job(self, job_id: str, *, tenant: str | None = None) -> bool:
        """Let a dead job be tried anew, now; whether there was such."""
        return self._parts.store.jobs.revive(self._tenant(tenant), job_id, self._parts.clock.now())

    def receipts(self, after: int = 0, limit: int = 100, *, tenant: str | None = None) -> ReceiptsResult:
        """What a tenant forgot and erased, in a chain; those behind a number, in order.

        Raises:
            InvalidInput: a limit that lists nothing or too much.
        """
        return receipts_after(self._parts.store, self._tenant(tenant), after, limit)

    def honour(self, receipts: Iterable[Receipt], *, tenant: str | None = None) -> HonouredResult:
        """Erase what the receipts of another store say was erased: for a backup, before it is served again.

        Raises:
            InvalidInput: a receipt that was altered.
            StoreError: the store cannot be written; what was done before stays done.
        """
        return honour(receipts, self._workshop.own_desk(self._tenant(tenant)), self._parts.traces)

    def export(self, user: str, *, tenant: str | None = None) -> Iterator[ExportItem]:
        """All that is one user's, a page at a time out of one snapshot; the last item says that it is whole.

        Raises:
            InvalidInput: an unusable id.
        """
        return export(user, self._workshop.own_desk(self._tenant(tenant)))

    def erase_user(self, request: EraseUserRequest | str, *, tenant: str | None = None, **fields: Any) -> Receipt:
        """Erase all that is one user's; the receipt of the whole, behind those of its pages.

        Raises:
            InvalidInput: an unusable id.
            StoreError: the store cannot be written; what was done before stays done, and a repeat goes on.
        """
        asked = as_request(EraseUserRequest, request, "user", fields)
        desk = self._workshop.own_desk(self._tenant(tenant))
        receipt = erase_user(asked, desk, self._parts.traces)
        if self._parts.rewrites is not None:
            self._parts.rewrites.clear()
        return receipt

    def erase_session(self, request: EraseSessionRequest | str, *, tenant: str | None = None, **fields: Any) -> Receipt:
        """Erase one session of a user's, with what was made of it and the traces of what its turns were given.

        Raises:
            InvalidInput: an unusable id.
            NotFound: the user has no such session.
            StoreError: the store cannot be written; what was done before stays done, and a repeat goes on.
        """
        asked = as_request(EraseSessionRequest, request, "user", fields)
        desk = self._workshop.own_desk(self._tenant(tenant))
        receipt = erase_session(asked, desk, self._parts.traces)
        if self._parts.rewrites is not None:
            self._parts.rewrites.clear()
        return receipt

    def _tenant(self, given: str | None) -> str:
        """The tenant meant."""
        return self.settings.caller.tenant if given is None else given

    @property
    def _workshop(self) -> Workshop:
        parts = self._parts
        return Workshop(
            store=parts.store,
            clock=parts.clock,
            ids=parts.ids,
            embedder=parts.embedder,
            space=parts.space,
            settings=parts.settings,
            advisers=parts.advisers,
            traces=parts.traces,
            readers=parts.readers,
            files=parts.files,
            calibration=parts.calibration,
        )

    @property
    def pending(self) -> int:
        """How many entries wait for a vector."""
        return self._parts.pending

    def close(self) -> None:
        """Write waiting traces and release the files; closing twice is harmless."""
        self._parts.traces.close()
        self._parts.store.close()

    if not TYPE_CHECKING:  # a type checker says so by itself, and should go on saying it

        def __getattr__(self, name: str) -> Never:
            """Say where a caller's operations are: the first thing anybody tries is to ask the store itself."""
            where = f" One bound to a caller has: memory.bind(user=...).{name}." if hasattr(BoundMemory, name) else ""
            raise AttributeError(f"A Memory has no {name!r}.{where}", name=name, obj=self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
