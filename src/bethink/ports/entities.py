"""What the core asks of the entities of a store. Every read of memory takes a `Fence`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from bethink.domain.entity import Entity


class EntityWrites(Protocol):
    """Entities of a tenant."""

    def resolve(self, scope_keys: Sequence[str], key: str) -> tuple[Entity, ...]:
        """Entities answering exactly to the folded name in these scopes, by id."""
        ...

    def add(self, entity: Entity, at: datetime) -> None:
        """Store a new entity with its aliases."""
        ...
