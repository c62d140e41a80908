"""Entities: what a statement is about and names. Exact alias in a readable scope, else a new provisional entity."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bethink.domain.entity import Entity, EntityKind
from bethink.domain.record import Content, fold
from bethink.domain.scope import Scope, ScopeKind
from bethink.domain.types import Kind, type_rule
from bethink.formation.desk import Desk
from bethink.operations.common import Notice
from bethink.operations.remember import Mention
from bethink.ports.store import UnitOfWork

_DECORATION = re.compile("[\ufe0e\ufe0f\u200d\U0001f3fb-\U0001f3ff\u2600-\u27bf\U0001f000-\U0001faff]+")
"""Emoji and what joins them: decoration of a name, not a part of it."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """The entities of a statement: links of (id, role), the one it is about, new ones to store, and notices."""

    links: tuple[tuple[str, str], ...] = ()
    about: Entity | None = None
    created: tuple[Entity, ...] = ()
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing a request names, under all the spellings it used."""

    names: tuple[str, ...]
    kind: EntityKind
    about: bool


def resolve(
    work: UnitOfWork, desk: Desk, content: Content, mentions: Sequence[Mention], scopes: Sequence[str]
) -> Resolved:
    """Resolve the subject and the mentions of a statement.

    Args:
        work: the write under way; only read here.
        desk: the caller, for new ids.
        content: the statement; its scope owns new entities.
        mentions: the entities named.
        scopes: keys of the scopes whose entities may be used.
    """
    named = clustered(content.subject, mentions)
    if not any(item.about for item in named):
        named = (*named, *implied(content.scope, content.type))
    links: list[tuple[str, str]] = []
    created: list[Entity] = []
    notices: list[Notice] = []
    about: Entity | None = None
    for item in named:
        entity, is_new = _one(work, desk, item, content.scope, scopes)
        if entity is None:
            text = f"Several entities are called {item.names[0]!r}; the statement is linked to none of them."
            notices.append(Notice("entity_ambiguous", text))
            continue
        if is_new:
            created.append(entity)
        links.append((entity.id, "about" if item.about else "mentions"))
        about = entity if item.about else about
    return Resolved(tuple(dict.fromkeys(links)), about, tuple(created), tuple(notices))


def subject_of(subject: str | None, mentions: Sequence[Mention]) -> str | None:
    """What a statement is about: its subject, else the mention marked so."""
    return subject or next((mention.name for mention in mentions if mention.role == "about"), None)


def clustered(subject: str | None, mentions: Sequence[Mention]) -> tuple[Thing, ...]:
    """What a request names, each thing once: spellings that differ in case, width or decoration are one.

    A decorated name answers to the bare one too, so that the next statement finds it, however it spells the name.
    """
    given = [Mention(subject, "other", "about")] if subject else []
    clusters: dict[str, list[Mention]] = {}
    for mention in (*given, *mentions):
        clusters.setdefault(_key(mention.name), []).append(mention)
    return tuple(
        Thing(
            names=tuple(dict.fromkeys(name for mention in group for name in (mention.name, _bare(mention.name)))),
            kind=next((mention.kind for mention in group if mention.kind != "other"), "other"),
            about=bool(subject) and _key(subject or "") == key,
        )
        for key, group in clusters.items()
    )


def _key(name: str) -> str:
    """The folded name without decoration."""
    return fold(_bare(name))


def _bare(name: str) -> str:
    """The name without decoration, or with it when nothing else is left."""
    return " ".join(_DECORATION.sub(" ", name).split()) or name


def implied(scope: Scope, type_name: str) -> tuple[Thing, ...]:
    """What a statement that names nothing is about: whoever or whatever owns it. An event is about nobody by itself.

    In a user's own scope, and in what an agent keeps for one user, that is the user; in a project's or a task's scope
    the project or task.
    """
    if type_rule(type_name).kind is Kind.EPISODIC:
        return ()
    if scope.user is not None:
        return (Thing((scope.user,), "person", about=True),)
    kinds: dict[ScopeKind, EntityKind] = {
        ScopeKind.PROJECT: "project",
        ScopeKind.TASK: "other",
        ScopeKind.ORG: "org",
        ScopeKind.AGENT: "other",
    }
    return (Thing((scope.id,), kinds[scope.kind], about=True),)


def _one(work: UnitOfWork, desk: Desk, item: Thing, scope: Scope, scopes: Sequence[str]) -> tuple[Entity | None, bool]:
    """The entity of one name, and whether it is new; None when several answer to it.

    One of the record's own scope goes before others, one that was confirmed before one that a mention made. An entity
    of another user is none of this one's, also where a grant lets both be read: nobody said that the two are one.
    """
    user = desk.caller.principal.user
    known = (entity for name in item.names for entity in work.entities.resolve(scopes, fold(name)))
    found = {entity.id: entity for entity in known if entity.scope.user in {None, user}}
    own = [entity for entity in found.values() if entity.scope == scope]
    confirmed = [entity for entity in found.values() if not entity.provisional]
    matches = own or confirmed or list(found.values())
    if len(matches) == 1:
        return matches[0], False
    if matches:
        return None, False
    made = Entity(desk.ids.new(work.recorded_at), item.kind, item.names[0], scope, item.names[1:], provisional=True)
    return made, True
