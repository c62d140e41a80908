"""Synthesize: what is known of an entity as one derived record, for one owner and one project.

gather → compose → embed, and then in one transaction: gather again → apply → point the entity to it. The profile is as
sensitive as the most sensitive of its sources, trusted as little as the least trusted, carries no further than any of
them, and holds no longer than the first of them to end. Records of several owners never meet in one profile.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from bethink.domain.entity import Entity
from bethink.domain.fence import Fence
from bethink.domain.record import (
    LIVE,
    QUARANTINED,
    REVIEW,
    STALE,
    TEMPORARY,
    Content,
    NewRecord,
    Origin,
    Record,
    Status,
    StatusSpan,
    Usage,
)
from bethink.domain.scope import Scope, Sensitivity
from bethink.domain.source import UPKEEP, Source, derived_kind
from bethink.domain.time import earliest
from bethink.domain.types import ENTITY_PROFILE, Portability, type_rule
from bethink.formation.apply import Writing, apply
from bethink.formation.compose import ordered
from bethink.formation.desk import Desk
from bethink.formation.embed import Vectors, embedded, put_added
from bethink.formation.profile_text import worded
from bethink.formation.proposal import Decision, Proposal
from bethink.formation.timing import Stages
from bethink.operations.common import Notice
from bethink.ports.entities import ProfilePlace
from bethink.ports.store import Snapshot, UnitOfWork
from bethink.text.template import belief_text, phrased

ENOUGH = 5
"""Records that speak of an entity for the same owner and project before a profile is made unasked (C29)."""

MOST = 500
"""Records a profile is made from at most, the oldest first."""

_SET_ASIDE = frozenset({REVIEW, QUARANTINED, STALE, TEMPORARY})
_TRIES = 3

Made = Literal["current", "created", "renewed", "none"]


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a profile is made of: the entity, whose profile for what, its sources by id, and the profile there is."""

    entity: Entity
    place: ProfilePlace
    sources: tuple[Record, ...]
    known: Record | None

    @property
    def current(self) -> bool:
        """Whether the profile there is was made from these sources."""
        parents = tuple(record.id for record in self.sources)
        return self.known is not None and self.known.content.parents == parents


def synthesize(
    desk: Desk, entity_id: str, *, least: int = ENOUGH, owners: Collection[Scope] | None = None
) -> tuple[Made, tuple[Notice, ...]]:
    """Make or renew every profile that an entity is due; the most telling of what was done, and what to say of it.

    Args:
        desk: where; its caller says only which tenant.
        entity_id: an entity that stands for itself.
        least: the records that an owner's project needs.
        owners: for whom; for everyone unless given.

    Raises:
        StoreError, DeadlineExceeded: a write did not happen; profiles made before stay.
    """
    done: list[Made] = []
    notices: list[Notice] = []
    for place in _places(desk, entity_id, least):
        if owners is not None and place.scope not in owners:
            continue
        made, said = _renewed(desk, place, least)
        done.append(made)
        notices += said
    telling: tuple[Made, ...] = ("created", "renewed", "current")
    return next((made for made in telling if made in done), "none"), tuple(notices)


def _places(desk: Desk, entity_id: str, least: int) -> tuple[ProfilePlace, ...]:
    """The owners and projects for which an entity is spoken of often enough, or points to a profile that ended."""
    counts: dict[ProfilePlace, int] = defaultdict(int)
    with desk.store.snapshot(desk.tenant) as snapshot:
        for record in _sources(snapshot, desk, entity_id, desk.clock.now()):
            counts[ProfilePlace(entity_id, record.content.scope, record.content.origin.project)] += 1
        pointed = {place for place, _ in snapshot.entities.profiles([entity_id])}
    due = {place for place, count in counts.items() if count >= least} | pointed
    return tuple(sorted(due, key=lambda place: (place.scope.key, place.project or "")))


def _renewed(desk: Desk, place: ProfilePlace, least: int) -> tuple[Made, tuple[Notice, ...]]:
    """One profile made, or made anew where its sources are others by now."""
    for _ in range(_TRIES):
        with desk.store.snapshot(desk.tenant) as snapshot:
            found = _gathered(snapshot, desk, place, max(desk.clock.now(), snapshot.latest or desk.clock.now()))
        if found is None or len(found.sources) < least:
            return "none", ()
        if found.current:
            return "current", ()
        text, notices = worded(desk, found.entity, ordered(found.sources))
        vectors, waiting = embedded(desk, [phrased(belief_text(found.entity.name, text), text)])
        with desk.store.write(desk.tenant) as work:
            if _gathered(work, desk, place, work.recorded_at) == found:
                _write(work, desk, found, _content(found, text, work.recorded_at), vectors)
                return "created" if found.known is None else "renewed", (*notices, *waiting)
    return "none", (Notice("sources_moved", "The sources changed while the profile was made; it is left for later."),)


def _gathered(source: Snapshot | UnitOfWork, desk: Desk, place: ProfilePlace, at: datetime) -> Gathered | None:
    """What the profile of a place is made of at an instant, None when there is no such entity."""
    entity = source.entities.one(place.entity)
    if entity is None or entity.id != place.entity:
        return None
    sources = [
        record
        for record in _sources(source, desk, place.entity, at)
        if record.content.scope == place.scope and record.content.origin.project == place.project
    ]
    pointed = [record for where, record in source.entities.profiles([place.entity]) if where == place]
    fence = Fence(desk.tenant, (place.scope,), Sensitivity.SECRET, LIVE, at, project=place.project)
    known = next(iter(source.records.get(fence, pointed)), None)
    return Gathered(entity, place, tuple(sorted(sources, key=lambda record: record.id)), known)


def _sources(source: Snapshot | UnitOfWork, desk: Desk, entity_id: str, at: datetime) -> list[Record]:
    """Active records that speak of an entity and hold at an instant; nothing local, passing, doubted or a profile."""
    owners = source.entities.owners(entity_id)
    fence = Fence(desk.tenant, owners, Sensitivity.SECRET, frozenset({Status.ACTIVE}), at)
    found = source.records.get(fence, source.entities.speaking_of(fence, entity_id, MOST))
    return [
        record
        for record in found
        if record.content.type != ENTITY_PROFILE
        and record.content.file_path is None
        and record.content.polarity == "assert"
        and record.content.portability is not Portability.LOCAL
        and not record.content.flags & _SET_ASIDE
    ]


def _content(found: Gathered, text: str, at: datetime) -> Content:
    """The profile as a version: what its sources allow at most."""
    contents = [record.content for record in found.sources]
    channels = {content.channel for content in contents}
    ceiling = type_rule(ENTITY_PROFILE).portability
    return Content(
        text=text,
        type=ENTITY_PROFILE,
        scope=found.place.scope,
        source=Source(derived_kind(c.source.kind for c in contents), f"entity:{found.entity.id}", UPKEEP),
        subject=found.entity.name,
        subject_entity=found.entity.id,
        channel=channels.pop() if len(channels) == 1 else None,
        sensitivity=max(content.sensitivity for content in contents),
        portability=min(ceiling, *(content.portability for content in contents)),
        origin=Origin(found.place.project),
        derivation="derived",
        parents=tuple(record.id for record in found.sources),
        valid_from=at,
        valid_until=earliest(*(end for r in found.sources for end in (r.content.valid_until, r.ends_at))),
    )


def _write(work: UnitOfWork, desk: Desk, found: Gathered, content: Content, vectors: Vectors | None) -> None:
    """Store the profile with its sources' mentions, end the one before it, and point the entity to it."""
    item, at, known = desk.ids.new(work.recorded_at), work.recorded_at, found.known
    usages = [record.usage for record in found.sources]
    links = work.entities.links(content.parents)
    record = NewRecord(
        id=item,
        content=content,
        status=Status.ACTIVE,
        usage=Usage(
            confidence=min(usage.confidence for usage in usages),
            last_evidence_at=max((usage.last_evidence_at for usage in usages if usage.last_evidence_at), default=None),
        ),
        created_at=at,
        reason="synthesized",
        supersedes=() if known is None else (known.id,),
        entities=tuple(sorted({(entity, _role(entity, found.entity)) for entity, _ in links})),
    )
    gone = () if known is None else ((known.id, StatusSpan(Status.SUPERSEDED, at, ends_at=at, successor=item)),)
    decision = Decision("created", item, Status.ACTIVE, record=record, spans=gone, superseded=record.supersedes)
    proposal = Proposal(item, content, at, content.source.ref)
    reach = Fence(desk.tenant, (content.scope,), Sensitivity.SECRET, LIVE, at, timeless=True)
    details = {"entity": found.entity.id, "sources": len(found.sources), "project": found.place.project}
    writing = Writing(decision, proposal, reach, event="entity.profiled", details=details)
    applied = apply(work, desk, writing, Stages(desk.clock))
    put_added(work, desk, vectors, (applied.record,))
    work.entities.point(found.place, item)


def _role(entity: str, about: Entity) -> str:
    """How a profile is linked: about its entity, and mentioning what its sources mention."""
    return "about" if entity == about.id else "mentions"
