"""What the core asks of the skills of a store."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from bethink.operations.skills import Skill, SkillDescriptor


class SkillReads(Protocol):
    """Reading skills of a tenant."""

    def described(self, scope_keys: Sequence[str]) -> tuple[SkillDescriptor, ...]:
        """The descriptors of the skills of these scopes, by id, then scope."""
        ...

    def get(self, scope_key: str, skill_id: str) -> Skill | None:
        """One skill of a scope."""
        ...


class SkillWrites(SkillReads, Protocol):
    """Writing skills."""

    def put(self, skill: Skill, at: datetime) -> None:
        """Register a skill, in the place of the one of its scope and id."""
        ...

    def drop(self, scope_key: str, skill_id: str) -> bool:
        """Remove one; whether there was one."""
        ...
