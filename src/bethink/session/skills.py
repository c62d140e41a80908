"""Skills: registered by the user or the host, seen by their descriptors, loaded one at a time, with an event.

A skill is no memory: recall never finds it, and remembering never makes one. It is text for a model that asked for it,
and what it declares grants nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from bethink.domain.ids import check_id
from bethink.domain.scope import SPECIFIC, Scope, Target, readable_scopes
from bethink.errors import AccessDenied, InvalidInput, NotFound
from bethink.formation.access import writable_scope
from bethink.formation.desk import Desk
from bethink.operations.skills import RegisterSkillRequest, Skill, SkillDescriptor, SkillsResult
from bethink.ports.store import Snapshot, UnitOfWork
from bethink.text.door import check_text

DESCRIPTION_LIMIT = 500
MAX_TOOLS = 50


def register_skill(request: RegisterSkillRequest, desk: Desk) -> Skill:
    """Register a skill; the same again changes nothing.

    Raises:
        InvalidInput: an unusable id, text or tool name.
        AccessDenied: an agent asks in its own voice, or the caller may not write the target.
    """
    if desk.caller.voice != "user":
        raise AccessDenied("An agent registers no skills: instructions come from the user or the host.")
    tools = tuple(dict.fromkeys(check_id(name, "tool name") for name in request.tool_names))
    if len(tools) > MAX_TOOLS:
        raise InvalidInput(f"A skill declares at most {MAX_TOOLS} tools.")
    item = check_id(request.id, "id")
    description = check_text(request.description, "description", DESCRIPTION_LIMIT)
    instructions = check_text(request.instructions, "instructions", desk.content_limit)
    with desk.store.write(desk.tenant) as work:
        scope = writable_scope(desk.caller, request.target, work.grants.of(desk.caller))
        known = work.skills.get(scope.key, item)
        skill = Skill(
            id=item,
            description=description,
            instructions=instructions,
            tool_names=tools,
            scope=scope.key,
            version=1 if known is None else known.version + 1,
            sha256=hashlib.sha256(instructions.encode()).hexdigest(),
            creator=desk.caller.principal.agent,
        )
        if known is not None and _said(known) == _said(skill):
            return known
        work.skills.put(skill, work.recorded_at)
        work.event("skill.registered", item, {"scope": scope.key, "version": skill.version, "tools": list(tools)})
        return skill


def list_skills(desk: Desk) -> SkillsResult:
    """The descriptors of the skills the caller may load, by id."""
    with desk.store.snapshot(desk.tenant) as snapshot:
        return SkillsResult(tuple(_seen(snapshot, desk).values()))


def load_skill(skill_id: str, desk: Desk) -> Skill:
    """One skill, whole, and an event that it was loaded; on a store that can only be read there is no event.

    Raises:
        NotFound: no such skill of the caller's; another's and an absent one answer alike.
    """
    wanted = check_id(skill_id, "id")
    with desk.store.snapshot(desk.tenant) as snapshot:
        seen = _seen(snapshot, desk).get(wanted)
        skill = None if seen is None else snapshot.skills.get(seen.scope, wanted)
    if skill is None:
        raise NotFound(f"There is no skill {wanted[:60]!r}.")
    if not desk.store.read_only:
        with desk.store.write(desk.tenant) as work:
            told = {"scope": skill.scope, "version": skill.version, "tools": list(skill.tool_names)}
            work.event("skill.load", skill.id, {**told, "agent": desk.caller.principal.agent})
    return skill


def remove_skill(skill_id: str, desk: Desk, target: Target = "personal") -> bool:
    """Remove a skill with its text; whether there was one.

    Raises:
        AccessDenied: an agent asks in its own voice, or the caller may not write the target.
    """
    if desk.caller.voice != "user":
        raise AccessDenied("An agent removes no skills.")
    wanted = check_id(skill_id, "id")
    with desk.store.write(desk.tenant) as work:
        scope = writable_scope(desk.caller, target, work.grants.of(desk.caller))
        gone = work.skills.drop(scope.key, wanted)
        if gone:
            work.event("skill.removed", wanted, {"scope": scope.key})
        return gone


def _said(skill: Skill) -> tuple[str, str, tuple[str, ...]]:
    """What a registration says, whoever makes it."""
    return skill.description, skill.sha256, skill.tool_names


def _seen(source: Snapshot | UnitOfWork, desk: Desk) -> dict[str, SkillDescriptor]:
    """The caller's skills by id, of each the most specific owner's."""
    scopes = readable_scopes(desk.caller, source.grants.of(desk.caller))
    found: dict[str, SkillDescriptor] = {}
    for skill in sorted(source.skills.described([s.key for s in scopes]), key=lambda s: (s.id, _rank(s, scopes))):
        found.setdefault(skill.id, skill)
    return found


def _rank(skill: SkillDescriptor, scopes: Sequence[Scope]) -> tuple[int, str]:
    """The most specific owner first."""
    kind = next(scope.kind for scope in scopes if scope.key == skill.scope)
    return SPECIFIC.index(kind), skill.scope
