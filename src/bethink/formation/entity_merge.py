"""Merge entities, as a recipe: find both, check, let every subject follow, settle what states one fact now, log.

One transaction. Links and names stay where they are and are read through the merge, so that history keeps who was
meant; records about the entity get a next version under the name of the one that stands for both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bethink.domain.entity import Entity
from bethink.domain.fence import Fence
from bethink.domain.record import LIVE, Status, StatusSpan
from bethink.domain.scope import Scope, Sensitivity, check_writable
from bethink.domain.time import EPOCH
from bethink.errors import InvalidInput
from bethink.formation.access import reading_fence
from bethink.formation.desk import Desk
from bethink.formation.embed import waits
from bethink.formation.entity_named import cards, named_entity
from bethink.formation.settle import settle
from bethink.operations.entities import EntityCard, MergeEntitiesRequest, MergeEntitiesResult
from bethink.ports.store import UnitOfWork


def merge_entities(request: MergeEntitiesRequest, desk: Desk) -> MergeEntitiesResult:
    """Let one entity stand for another one too.

    Raises:
        InvalidInput: a name that several answer to, or two entities that cannot be one; nothing was changed.
        NotFound, AccessDenied: one of them is not the caller's to change.
        StoreError, DeadlineExceeded: the write did not happen.
    """
    with desk.store.write(desk.tenant) as work:
        grants = work.grants.of(desk.caller)
        gone = named_entity(work, desk, request.entity, grants)
        kept = named_entity(work, desk, request.into, grants)
        check_writable(desk.caller, gone.scope, grants)
        fence = reading_fence(desk.caller, grants, LIVE)
        if gone.id == kept.id:
            return MergeEntitiesResult("already_merged", cards(work, fence, [kept])[0], request.entity)
        _check_pair(gone, kept)
        return _merged(work, desk, (gone, kept), fence)


def confirm_entity(given: str, desk: Desk) -> EntityCard:
    """Vouch for an entity that a mention made; it goes before others of its name from now on.

    Raises:
        InvalidInput, NotFound, AccessDenied: the name is no entity of the caller's.
    """
    with desk.store.write(desk.tenant) as work:
        grants = work.grants.of(desk.caller)
        entity = named_entity(work, desk, given, grants)
        check_writable(desk.caller, entity.scope, grants)
        if entity.provisional:
            work.entities.confirm(entity.id, entity.kind)
            work.event("entity.confirmed", entity.id, {})
        return cards(work, reading_fence(desk.caller, grants, LIVE), [replace(entity, provisional=False)])[0]


def _check_pair(gone: Entity, kept: Entity) -> None:
    """Pass when the two may be one.

    Raises:
        InvalidInput: they belong to different owners, or are of different kinds.
    """
    if gone.scope != kept.scope:
        msg = f"{gone.name!r} belongs to {gone.scope.key} and {kept.name!r} to {kept.scope.key}."
        raise InvalidInput(msg, remedy="Leave both: what one owner calls a thing is not told to another.")
    if gone.kind != kept.kind and "other" not in {gone.kind, kept.kind}:
        raise InvalidInput(f"A {gone.kind} and a {kept.kind} are not one.", remedy="Leave both.")


def _merged(work: UnitOfWork, desk: Desk, pair: tuple[Entity, Entity], reading: Fence) -> MergeEntitiesResult:
    """Write the merge of a pair, of which the second stands for both; what the reader may know of it."""
    gone, kept = pair
    members = work.entities.members([gone.id, kept.id])
    wide, renamed = _follow(work, desk, pair, members[gone.id])
    work.entities.merge(gone.id, kept.id, work.recorded_at)
    work.entities.confirm(kept.id, gone.kind)
    _retire_profiles(work, wide, members)
    settled = settle(work, wide, renamed)
    told = {"merged": gone.id, "records": list(renamed), "superseded": list(settled.superseded)}
    work.event("entity.merged", kept.id, {**told, "conflicts": list(settled.conflicts)})
    one = work.entities.get([kept.scope.key], [kept.id])[kept.id]
    shown = replace(reading, statuses=frozenset(Status), timeless=True)
    known = {record.id for record in work.records.get(shown, [*renamed, *settled.superseded, *settled.conflicts])}
    mine = [item for item in renamed if item in known]
    return MergeEntitiesResult(
        outcome="merged",
        entity=cards(work, reading, [one])[0],
        merged=gone.id,
        records=len(mine),
        superseded=tuple(item for item in settled.superseded if item in known),
        conflicts=tuple(item for item in settled.conflicts if item in known),
        waiting=len(mine) if waits(desk) else 0,
    )


def _follow(
    work: UnitOfWork, desk: Desk, pair: tuple[Entity, Entity], members: Sequence[str]
) -> tuple[Fence, tuple[str, ...]]:
    """Give every record about the first its next version; where such records can be seen, and their ids, oldest first.

    A statement about the user that names nobody goes on naming nobody.
    """
    gone, kept = pair
    about = work.entities.subjects(members)
    fence = Fence(
        tenant=desk.tenant,
        scopes=tuple(Scope.parse(scope) for scope in sorted({gone.scope.key, *(scope for _, scope, _ in about)})),
        ceiling=Sensitivity.SECRET,
        statuses=frozenset(Status),
        instant=EPOCH,
        timeless=True,
        named_subjects=frozenset({*(key for _, _, key in about), *kept.keys}),
    )
    renamed = []
    for record in work.records.get(fence, [item for item, _, _ in about]):
        content = record.content
        subject = kept.name if content.subject_key in gone.keys else content.subject
        work.records.add_version(record.id, replace(content, subject=subject, subject_entity=kept.id), work.recorded_at)
        renamed.append(record.id)
    return fence, tuple(renamed)


def _retire_profiles(work: UnitOfWork, fence: Fence, members: Mapping[str, Sequence[str]]) -> None:
    """Take profiles of what is one entity now out of every read; a new one is due."""
    pointed = work.entities.profiles([member for group in members.values() for member in group])
    ids = [record for _, record in pointed]
    work.entities.end_profiles(ids)
    for record in work.records.get(replace(fence, statuses=LIVE), ids):
        work.records.set_status(record.id, StatusSpan(Status.ARCHIVED, work.recorded_at, reason="merged"))
