"""Entities: what records are about. Resolution is exact alias in a readable scope, never fuzzy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bethink.domain.record import fold
from bethink.domain.scope import Scope

EntityKind = Literal["person", "project", "org", "repo", "product", "other"]


@dataclass(frozen=True, slots=True)
class Entity:
    """A named thing in one scope. A provisional one was made by a mention nobody confirmed."""

    id: str
    kind: EntityKind
    name: str
    scope: Scope
    aliases: tuple[str, ...] = ()
    provisional: bool = True

    @property
    def keys(self) -> tuple[str, ...]:
        """The normalised names it answers to, its canonical one first."""
        return tuple(dict.fromkeys(fold(name) for name in (self.name, *self.aliases)))
