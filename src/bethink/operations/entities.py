"""`entities`, `merge_entities`, `confirm_entity` and `profile`: what records are about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bethink.domain.entity import EntityKind
from bethink.domain.record import Record
from bethink.operations.common import Notice


@dataclass(frozen=True, slots=True)
class EntityCard:
    """An entity as its reader may see it.

    `scope` is who owns it, as ``kind:id``. `mentions` counts the records that speak of it and that the reader may read.
    `provisional` says that nobody vouched for it yet.
    """

    id: str
    name: str
    kind: EntityKind
    scope: str
    aliases: tuple[str, ...] = ()
    provisional: bool = True
    mentions: int = 0


@dataclass(frozen=True, slots=True)
class EntitiesRequest:
    """Which entities to list: all, or those that answer exactly to `name`; `limit` from behind `after`."""

    name: str | None = None
    limit: int = 50
    after: str | None = None


@dataclass(frozen=True, slots=True)
class EntitiesResult:
    """The entities, by owner and id. `next` is what to pass as `after` for more, None at the end."""

    entities: tuple[EntityCard, ...]
    next: str | None = None


@dataclass(frozen=True, slots=True)
class MergeEntitiesRequest:
    """Two entities that are one: `entity` goes into `into`. Each is an id, or a name that only one answers to."""

    entity: str
    into: str


@dataclass(frozen=True, slots=True)
class MergeEntitiesResult:
    """What became of it.

    `entity` stands for both from now on. `records` counts those whose subject followed; where that makes two of them
    state one fact, `superseded` and `conflicts` name those that gave way or disagree. `waiting` says how many of them
    wait for a new vector.
    """

    outcome: Literal["merged", "already_merged"]
    entity: EntityCard
    merged: str
    records: int = 0
    superseded: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    waiting: int = 0


@dataclass(frozen=True, slots=True)
class ProfileRequest:
    """The profile of an entity, by id or name; with `refresh` it is made anew where its sources have changed."""

    entity: str
    refresh: bool = False


@dataclass(frozen=True, slots=True)
class ProfileResult:
    """The profile of an entity as far as the caller may read it; `record` is None where there is none.

    `outcome` is ``current``, ``created``, ``renewed`` or ``none``.
    """

    outcome: Literal["current", "created", "renewed", "none"]
    entity: EntityCard
    record: Record | None = None
    notices: tuple[Notice, ...] = ()
