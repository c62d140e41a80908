"""Skills of a tenant."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime

from bethink.domain.time import to_micros
from bethink.operations.skills import Skill, SkillDescriptor
from bethink.store.codec import canonical
from bethink.store.context import Reading, Writing
from bethink.store.predicate import array


class Skills:
    """The `SkillWrites` port."""

    def __init__(self, context: Reading | Writing) -> None:
        self._on = context.connection
        self._tenant = context.tenant

    def described(self, scope_keys: Sequence[str]) -> tuple[SkillDescriptor, ...]:
        """The descriptors of the skills of these scopes, by id, then scope."""
        rows = self._on.rows("list_skills", tenant=self._tenant, scopes=array(scope_keys))
        return tuple(SkillDescriptor(*row) for row in rows)

    def get(self, scope_key: str, skill_id: str) -> Skill | None:
        """One skill of a scope."""
        row = self._on.row("get_skill", tenant=self._tenant, scope=scope_key, id=skill_id)
        if row is None:
            return None
        item, description, instructions, tools, scope, version, sha256, creator = row
        return Skill(item, description, instructions, tuple(json.loads(tools)), scope, version, sha256, creator)

    def put(self, skill: Skill, at: datetime) -> None:
        """Register a skill, in the place of the one of its scope and id."""
        self._on.post(
            "put_skill",
            tenant=self._tenant,
            scope=skill.scope,
            id=skill.id,
            version=skill.version,
            description=skill.description,
            tool_names=canonical(list(skill.tool_names)),
            sha256=skill.sha256,
            creator=skill.creator,
            at=to_micros(at),
            instructions=skill.instructions,
        )

    def drop(self, scope_key: str, skill_id: str) -> bool:
        """Remove one; whether there was one."""
        return bool(self._on.run("drop_skill", tenant=self._tenant, scope=scope_key, id=skill_id))
