"""Skills: procedures that a host registers, apart from what is remembered. What one declares grants nothing."""

from __future__ import annotations

from dataclasses import dataclass

from bethink.domain.scope import Target


@dataclass(frozen=True, slots=True)
class RegisterSkillRequest:
    """A skill to be registered, or registered anew under its id.

    Args:
        id: its name, unique within its owner.
        description: what it is for, in a sentence or two; all that is seen before it is loaded.
        instructions: what to do, read once it was chosen.
        tool_names: the tools it expects. They are declared, and nothing is granted by it.
        target: which of the caller's scopes owns it.
    """

    id: str
    description: str
    instructions: str
    tool_names: tuple[str, ...] = ()
    target: Target = "personal"


@dataclass(frozen=True, slots=True)
class SkillDescriptor:
    """What is seen of a skill before it is loaded. `scope` is its owner, as ``kind:id``."""

    id: str
    description: str
    scope: str


@dataclass(frozen=True, slots=True)
class SkillsResult:
    """The skills a caller may load, by id; of several of one id the most specific owner's."""

    skills: tuple[SkillDescriptor, ...]


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill, whole. `version` counts its registrations, `sha256` is that of its instructions."""

    id: str
    description: str
    instructions: str
    tool_names: tuple[str, ...]
    scope: str
    version: int
    sha256: str
    creator: str
