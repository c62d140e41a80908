"""Promote: a belief that was formed independently in two projects is its user's, and no project's any more.

Within a user's own scope the record that both projects support loses its origin (`reach.promoted`). Across the scopes
of projects a record of the user's is derived from those of the projects, which keep theirs. Local beliefs stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bethink.domain.fence import Fence
from bethink.domain.record import LIVE, QUARANTINED, REVIEW, TEMPORARY, Content, Origin, Record, Status
from bethink.domain.scope import Caller, Grant, Principal, Scope, ScopeKind, Sensitivity, readable_scopes
from bethink.domain.source import UPKEEP, Source, SourceKind, derived_kind
from bethink.domain.types import Portability
from bethink.formation.apply import Writing, apply
from bethink.formation.decide import decide
from bethink.formation.desk import Desk
from bethink.formation.embed import Vectors, embedded, put_added
from bethink.formation.neighbours import meet
from bethink.formation.proposal import Proposal
from bethink.formation.timing import Stages
from bethink.ports.store import Snapshot, UnitOfWork
from bethink.text.template import belief_text, phrased

_DOUBTED = frozenset({REVIEW, QUARANTINED, TEMPORARY})


@dataclass(frozen=True, slots=True)
class Promotion:
    """What a user is to be told: whose it becomes, and the records of the projects that say it."""

    user: str
    sources: tuple[Record, ...]


def promotions(snapshot: Snapshot, desk: Desk, record: Record, now: datetime) -> tuple[Promotion, ...]:
    """The users who may read a project's belief in two projects, through one agent that may write for them."""
    if record.content.scope.kind is not ScopeKind.PROJECT or not _plain(record):
        return ()
    grants = snapshot.grants.all()
    found: dict[str, Promotion] = {}
    for user, agent in sorted({(grant.user, grant.agent) for grant in grants if _own(grant)}):
        sources = _sources(snapshot, record, Principal(desk.tenant, user, agent), grants, now)
        if sources and user not in found:
            found[user] = Promotion(user, sources)
    return tuple(found.values())


def promote(desk: Desk, promotion: Promotion) -> bool:
    """Give the user a record derived from those of the projects; whether one was written.

    It is decided about like any statement: what the user knows already, or rejected, stays as it is.
    """
    best = _best(promotion.sources)
    vectors, _ = embedded(desk, [phrased(belief_text(best.content.subject, best.content.text), best.content.text)])
    with desk.store.write(desk.tenant) as work:
        if not _unchanged(work, desk, promotion.sources):
            return False
        return _write(work, desk, promotion, vectors)


def _own(grant: Grant) -> bool:
    """Whether a grant lets an agent write its user's own scope."""
    return grant.write and grant.scope == Scope(ScopeKind.USER, grant.user)


def _sources(
    snapshot: Snapshot, record: Record, principal: Principal, grants: Sequence[Grant], now: datetime
) -> tuple[Record, ...]:
    """The same belief in two projects or more that this principal reads, one record a project; none where it is not."""
    scopes = [scope for scope in readable_scopes(Caller(principal), grants) if scope.kind is ScopeKind.PROJECT]
    if record.content.scope not in scopes:
        return ()
    fence = Fence(principal.tenant, tuple(scopes), Sensitivity.SECRET, frozenset({Status.ACTIVE}), now)
    by_scope: dict[Scope, Record] = {}
    for twin in snapshot.records.by_digest(fence, record.content.digest, record.content.type):
        if _plain(twin) and _same(twin.content, record.content):
            by_scope.setdefault(twin.content.scope, twin)
    sources = tuple(sorted(by_scope.values(), key=lambda twin: twin.id))
    return sources if _independent(sources) else ()


def _plain(record: Record) -> bool:
    """Whether a belief may be its user's: active, not local, not doubted, and asserted."""
    content = record.content
    carries = content.portability is not Portability.LOCAL and not content.flags & _DOUBTED
    return carries and record.status is Status.ACTIVE and content.polarity == "assert"


def _same(one: Content, other: Content) -> bool:
    """Whether two contents state one thing of one subject."""
    keys = (one.subject_key, one.attribute_key) == (other.subject_key, other.attribute_key)
    return keys and one.channel == other.channel


def _independent(sources: Sequence[Record]) -> bool:
    """Whether two projects came to it each by itself: an agent's own inference, repeated, is one voice."""
    inferred = {r.content.source.creator for r in sources if r.content.source.kind is SourceKind.AGENT_INFERENCE}
    told = sum(r.content.source.kind is not SourceKind.AGENT_INFERENCE for r in sources)
    return told + len(inferred) >= 2


def _unchanged(work: UnitOfWork, desk: Desk, sources: Sequence[Record]) -> bool:
    """Whether the sources are what they were."""
    scopes = tuple(sorted({record.content.scope for record in sources}, key=lambda scope: scope.key))
    fence = Fence(desk.tenant, scopes, Sensitivity.SECRET, LIVE, work.recorded_at)
    found = {record.id: record.key for record in work.records.get(fence, [record.id for record in sources])}
    return found == {record.id: record.key for record in sources}


def _best(sources: Sequence[Record]) -> Record:
    """The source whose words stand for all: of the highest rank, then the first by id."""
    return min(sources, key=lambda record: (-record.content.source.rank, record.id))


def _content(promotion: Promotion) -> Content:
    """The user's version: without an origin, as sensitive as the strictest, trusted as the least."""
    best, contents = _best(promotion.sources).content, [record.content for record in promotion.sources]
    kind = derived_kind(content.source.kind for content in contents)
    return replace(
        best,
        scope=Scope(ScopeKind.USER, promotion.user),
        source=Source(kind, f"promoted:{best.digest[:16]}", UPKEEP),
        origin=Origin(),
        derivation="derived",
        parents=tuple(record.id for record in promotion.sources),
        sensitivity=max(content.sensitivity for content in contents),
        portability=min(content.portability for content in contents),
    )


def _write(work: UnitOfWork, desk: Desk, promotion: Promotion, vectors: Vectors | None) -> bool:
    """Decide about the user's version and write it; whether it is a new record."""
    content, at = _content(promotion), work.recorded_at
    proposal = Proposal(
        id=desk.ids.new(at),
        content=content,
        at=at,
        support=content.source.ref,
        entities=work.entities.links(content.parents),
        said_at=max(record.created_at for record in promotion.sources),
    )
    reach = Fence(desk.tenant, (content.scope,), Sensitivity.SECRET, LIVE | {Status.SUPERSEDED}, at, timeless=True)
    stages = Stages(desk.clock)
    decision = decide(proposal, meet(work, reach, proposal, stages))
    if decision.record is None:
        return False
    details = {"projects": sorted(record.content.scope.id for record in promotion.sources)}
    writing = Writing(decision, proposal, reach, event="memory.promoted", details=details)
    applied = apply(work, desk, writing, stages)
    put_added(work, desk, vectors, (applied.record,))
    return True
