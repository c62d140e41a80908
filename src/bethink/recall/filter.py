"""Fence: what this request may read, decided before anything is scored."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from bethink.domain.fence import Fence
from bethink.domain.hit import RankContext
from bethink.domain.query import Query
from bethink.domain.record import HISTORICAL, LIVE, Status
from bethink.domain.scope import Caller, Grant, Scope, readable_scopes, resolve_target
from bethink.domain.source import CONFIRMED
from bethink.domain.types import Kind
from bethink.errors import InvalidInput
from bethink.operations.recall import RecallRequest
from bethink.ports.store import Snapshot
from bethink.recall.gated import ceiling_of
from bethink.recall.policies import seats_of
from bethink.recall.profiles import PROFILES, Profile, at_moment, item_limit, token_budget
from bethink.recall.reader import Asked, Reader
from bethink.settings import RecallSettings

POLICIES = ("carry", "isolate")


def present(now: datetime, latest: datetime | None) -> datetime:
    """The present of a read: the clock's, or the newest write's where the clock runs behind it.

    An acknowledged write is visible to the next recall, also on a machine whose clock was set back.
    """
    return now if latest is None else max(now, latest)


def frame(request: RecallRequest, query: Query, reader: Reader, snapshot: Snapshot) -> Asked:
    """Make the request definite against one snapshot.

    Args:
        request: the checked request.
        query: the formed query, for the subjects it names.
        reader: who asks, when, and the settings.
        snapshot: the state read: its grants open the scopes, its last write sets the time.
    """
    ranker = reader.ranks(request)
    profile = PROFILES[request.profile]
    limit = item_limit(request, profile, reader.settings)
    profile = at_moment(seats_of(profile, ranker), request.moment, limit)
    caller, latest = reader.caller, snapshot.latest
    fence = Fence(
        tenant=caller.principal.tenant,
        scopes=_scopes(request, caller, snapshot),
        ceiling=ceiling_of(request, caller),
        statuses=_statuses(request, profile),
        instant=request.as_of or present(reader.clock.now(), latest),
        known_at=request.known_at,
        kinds=_kinds(request, profile),
        types=frozenset(request.types) or None,
        sources=CONFIRMED if request.confirmed_only or profile.confirmed else None,
        channel=caller.channel,
        since=request.since,
        until=request.until,
        after=request.after_position,
        project=caller.project,
        isolate=_isolated(request, reader.settings),
        named_subjects=frozenset((*query.subjects, *query.names)),
        timeless=request.include_superseded and request.as_of is None,
    )
    return Asked(
        request=request,
        query=query,
        caller=caller,
        profile=profile,
        fence=fence,
        instant=request.as_of or latest or fence.instant,
        latest=latest or fence.instant,
        position=snapshot.position,
        limit=limit,
        budget=token_budget(request, profile, reader.settings),
        ranker=ranker,
    )


def lookup_fence(caller: Caller, grants: Iterable[Grant], instant: datetime) -> Fence:
    """The fence of a look-up by id: what the caller may read at all, whatever its status and validity."""
    return Fence(
        tenant=caller.principal.tenant,
        scopes=readable_scopes(caller, grants),
        ceiling=caller.ceiling,
        statuses=frozenset(Status),
        instant=instant,
        channel=caller.channel,
        project=caller.project,
        timeless=True,
    )


def rank_context(asked: Asked) -> RankContext:
    """What ranking may know of the request."""
    request = asked.request
    return RankContext(
        weights=asked.profile.weights,
        instant=asked.instant,
        project=asked.caller.project,
        pinned=request.as_of is not None and request.known_at is not None,
        windowed=request.since is not None or request.until is not None,
        position=asked.position,
    )


def _statuses(request: RecallRequest, profile: Profile) -> frozenset[Status]:
    """Live ones; history too when an instant of the past is asked about or the caller wants it."""
    wanted = HISTORICAL if request.as_of is not None or request.include_superseded else LIVE
    if request.include_provisional and profile.provisional and not request.confirmed_only:
        return wanted
    return wanted - {Status.PROVISIONAL}


def _scopes(request: RecallRequest, caller: Caller, snapshot: Snapshot) -> tuple[Scope, ...]:
    """The scopes the caller reads; of them only the one the request names, where it names one."""
    readable = readable_scopes(caller, snapshot.grants.of(caller))
    if request.target is None:
        return readable
    named = resolve_target(caller, request.target)
    return (named,) if named in readable else ()


def _kinds(request: RecallRequest, profile: Profile) -> frozenset[Kind] | None:
    """The kinds the profile reads, narrowed by the request's."""
    if not request.kinds:
        return profile.kinds
    asked = frozenset(request.kinds)
    return asked if profile.kinds is None else asked & profile.kinds


def _isolated(request: RecallRequest, settings: RecallSettings) -> bool:
    """Whether projects are walls."""
    policy = request.project_policy or settings.project_policy
    if policy not in POLICIES:
        msg = f"Project policy {policy[:40]!r} is none of {', '.join(POLICIES)}."
        raise InvalidInput(msg)
    return policy == "isolate"
