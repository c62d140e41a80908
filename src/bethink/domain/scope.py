"""Who asks, who owns, and who may. Isolation is decided here and enforced inside every query.

A record has one owner, its `Scope`. A caller reads its own private scope and what grants name; nothing is inherited.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum, StrEnum
from typing import Literal, get_args

from bethink.domain.ids import check_id
from bethink.errors import AccessDenied, InvalidInput


class ScopeKind(StrEnum):
    """The kinds of owner."""

    AGENT = "agent"
    USER = "user"
    PROJECT = "project"
    TASK = "task"
    ORG = "org"


SPECIFIC = (ScopeKind.TASK, ScopeKind.PROJECT, ScopeKind.AGENT, ScopeKind.USER, ScopeKind.ORG)
"""Owners from the most specific on: of several that have a thing of one name, the first one's is taken."""


class Sensitivity(IntEnum):
    """How far a record may travel; a surface reads up to its ceiling."""

    PUBLIC = 0
    NORMAL = 1
    RESTRICTED = 2
    SECRET = 3


@dataclass(frozen=True, slots=True)
class Principal:
    """Who asks: tenant, user and agent, from the host or a credential, never from model-written input."""

    tenant: str
    user: str
    agent: str

    def __post_init__(self) -> None:
        for name in ("tenant", "user", "agent"):
            object.__setattr__(self, name, check_id(getattr(self, name), name))


@dataclass(frozen=True, slots=True, order=True)
class Scope:
    """The owner of a record. `key` is its one stored form, ``kind:id``."""

    kind: ScopeKind
    id: str

    @property
    def key(self) -> str:
        """``kind:id``; private agent scopes read ``agent:<agent>/<user>``."""
        return f"{self.kind}:{self.id}"

    @staticmethod
    def parse(key: str) -> Scope:
        """Read a key back.

        Raises:
            InvalidInput: not ``kind:id`` with a known kind.
        """
        kind, separator, owner = key.partition(":")
        if not separator or kind not in set(ScopeKind):
            msg = f"Scope {key[:60]!r} is not kind:id with kind one of {', '.join(ScopeKind)}."
            raise InvalidInput(msg)
        parts = owner.split("/")
        if len(parts) > 1 and (kind != ScopeKind.AGENT or len(parts) != 2):
            msg = f"Scope {key[:60]!r}: only a private agent scope holds one '/'."
            raise InvalidInput(msg)
        return Scope(ScopeKind(kind), "/".join(check_id(part, "scope id") for part in parts))

    @property
    def user(self) -> str | None:
        """The one user it belongs to, None for what several may share."""
        if self.kind is ScopeKind.USER:
            return self.id
        return self.id.partition("/")[2] if self.private else None

    @property
    def private(self) -> bool:
        """Whether this is some agent's private scope for one user, which no grant can open."""
        return self.kind is ScopeKind.AGENT and "/" in self.id


@dataclass(frozen=True, slots=True)
class Grant:
    """A row that lets an agent, for a user, read or write a scope."""

    user: str
    agent: str
    scope: Scope
    read: bool
    write: bool
    granted_at: datetime


ReadScope = Literal["org", "project", "task", "personal", "agent_private"]
"""Scopes by what they are to a caller: its organisations, the current project and task, its user's, its own."""

Target = Literal["personal", "project", "task", "private"]
Voice = Literal["user", "agent"]


_CEILINGS = f"Pass one of {', '.join(f'Sensitivity.{one.name}' for one in Sensitivity)}."


@dataclass(frozen=True, slots=True)
class Caller:
    """A principal with the host's surroundings: what a binding of `Memory` stands for.

    `voice` says whose words an unquoted write is: the human's at the command line, the agent's over a tool.
    `ceiling` is the most sensitive record this surface may show. `read_scopes` narrows what grants open, to scopes or
    to words for them; it never opens any, and a list with anything unusable in it reads nothing.
    """

    principal: Principal
    project: str | None = None
    task: str | None = None
    channel: str | None = None
    surface: str = "library"
    voice: Voice = "agent"
    ceiling: Sensitivity = Sensitivity.NORMAL
    session: str | None = None
    read_scopes: tuple[Scope | ReadScope, ...] | None = field(default=None)

    def __post_init__(self) -> None:
        for name in ("project", "task", "channel", "session"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, check_id(value, name))
        if self.voice not in get_args(Voice):
            raise InvalidInput(f"voice {str(self.voice)[:40]!r} is none of {', '.join(get_args(Voice))}.")
        if not isinstance(self.ceiling, Sensitivity):
            raise InvalidInput(f"ceiling {str(self.ceiling)[:40]!r} is no Sensitivity.", remedy=_CEILINGS)
        if self.read_scopes is not None:
            object.__setattr__(self, "read_scopes", _usable(self.read_scopes))

    @property
    def private_scope(self) -> Scope:
        """The one scope a caller holds without a grant: its agent's own for this user."""
        return Scope(ScopeKind.AGENT, f"{self.principal.agent}/{self.principal.user}")


def resolve_target(caller: Caller, target: Target) -> Scope:
    """The scope a symbolic target names for this caller. Models name targets; only the host knows scopes.

    Raises:
        InvalidInput: the target is unknown, or the caller has no project or task.
    """
    if target == "personal":
        return Scope(ScopeKind.USER, caller.principal.user)
    if target == "private":
        return caller.private_scope
    if target == "project" and caller.project is not None:
        return Scope(ScopeKind.PROJECT, caller.project)
    if target == "task" and caller.task is not None:
        return Scope(ScopeKind.TASK, caller.task)
    if target in {"project", "task"}:
        msg = f"Target {target!r} needs the caller to be bound to a {target}."
        raise InvalidInput(msg, remedy=f"Bind one: memory.bind({target}=...) or --{target}.")
    msg = f"Target {target!r} is none of personal, project, task, private."
    raise InvalidInput(msg)


def readable_scopes(caller: Caller, grants: Iterable[Grant]) -> tuple[Scope, ...]:
    """The scopes the caller reads, sorted: its private one and what grants open, narrowed by `read_scopes`.

    A grant on another's private scope is ignored, however it came into the store.
    """
    mine = {caller.private_scope}
    mine |= {g.scope for g in grants if g.read and _belongs(caller, g)}
    if caller.read_scopes is not None:
        mine = {scope for scope in mine if any(_means(name, scope, caller) for name in caller.read_scopes)}
    return tuple(sorted(mine, key=lambda scope: scope.key))


def _usable(names: object) -> tuple[Scope | ReadScope, ...]:
    """The list as it narrows: whole, or empty where anything in it is neither a scope nor a word for one."""
    if not isinstance(names, (tuple, list)):
        return ()
    return tuple(names) if all(isinstance(name, Scope) or name in get_args(ReadScope) for name in names) else ()


def _means(name: Scope | ReadScope, scope: Scope, caller: Caller) -> bool:
    """Whether an entry of the list names this scope for this caller."""
    if isinstance(name, Scope):
        return name == scope
    if name == "agent_private":
        return scope == caller.private_scope
    if name == "org":
        return scope.kind is ScopeKind.ORG
    owners = {"project": caller.project, "task": caller.task, "personal": caller.principal.user}
    kinds = {"project": ScopeKind.PROJECT, "task": ScopeKind.TASK, "personal": ScopeKind.USER}
    return scope.kind is kinds[name] and scope.id == owners[name]


def may_write(caller: Caller, scope: Scope, grants: Iterable[Grant]) -> bool:
    """Whether the caller may write `scope`: its private one, or one that a grant opens to it for writing."""
    return scope == caller.private_scope or any(g.write and g.scope == scope and _belongs(caller, g) for g in grants)


def check_writable(caller: Caller, scope: Scope, grants: Iterable[Grant]) -> None:
    """Pass when the caller may write `scope`.

    Raises:
        AccessDenied: no grant allows it.
    """
    if may_write(caller, scope, grants):
        return
    msg = f"Agent {caller.principal.agent!r} may not write for user {caller.principal.user!r} into {scope.kind} scope."
    raise AccessDenied(msg)


def _belongs(caller: Caller, grant: Grant) -> bool:
    """Whether the grant names this caller and a scope that grants can open."""
    same = grant.user == caller.principal.user and grant.agent == caller.principal.agent
    return same and not grant.scope.private
