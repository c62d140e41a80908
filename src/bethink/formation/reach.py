"""Reach: which records a statement can concern, and what saying it again more narrowly, or from a newer source, does.

A statement that stays local meets the records of its own project. When the user says a known statement again and names
a narrower reach, the wide record is withdrawn everywhere else. When a source comes with another revision, what its
earlier revisions said is stale. Pure: values in, values out.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from bethink.domain.record import STALE, Content, Origin, Record
from bethink.domain.scope import ScopeKind
from bethink.domain.types import Portability


def within_reach(records: Sequence[Record], content: Content) -> tuple[Record, ...]:
    """The records a statement can concern: one that stays local meets those of its own project alone."""
    if content.portability is not Portability.LOCAL:
        return tuple(records)
    return tuple(record for record in records if record.content.origin.project == content.origin.project)


def wider(record: Record, content: Content) -> bool:
    """Whether a record carries beyond what a narrower statement of the same words allows, and may be narrowed by it."""
    outranked = record.content.source.rank <= content.source.rank
    return outranked and record.content.portability > content.portability


def narrowed(old: Content, new: Content) -> Content:
    """The next version of a record whose reach was narrowed: it belongs where the narrower statement was made."""
    return replace(old, source=new.source, portability=new.portability, origin=new.origin, flags=old.flags - {STALE})


def confirmed(old: Content, new: Content) -> Content | None:
    """The next version of a record that its source says again at another revision, None where nothing moved.

    It goes on quoting what it quotes, for the words are the same.
    """
    same = old.source.ref == new.source.ref and old.source.rank <= new.source.rank
    if not same or new.source.revision in {None, old.source.revision}:
        return None
    evidence = old.source.evidence or new.source.evidence
    return replace(old, source=replace(new.source, evidence=evidence), flags=old.flags - {STALE})


def promoted(old: Content, new: Content, again: Content | None) -> Content | None:
    """The next version of a user's record that two projects support now: it belongs to neither any more.

    Args:
        old: the record, as it is.
        new: the same statement, made in another project.
        again: the next version the record gets anyway, if any; that is what comes back where nothing is promoted.
    """
    projects = {old.origin.project, new.origin.project}
    local = Portability.LOCAL in {old.portability, new.portability}
    if local or None in projects or len(projects) < 2 or old.scope.kind not in {ScopeKind.USER, ScopeKind.AGENT}:
        return again
    return replace(again or old, origin=Origin(None, old.origin.session))


def left_behind(records: Sequence[Record], content: Content, but: Collection[str]) -> tuple[tuple[str, Content], ...]:
    """The next versions of records that an earlier revision of the statement's source left behind.

    Args:
        records: live records of the same source at other revisions.
        content: the statement; a source cannot make what outranks it stale.
        but: ids that the statement itself confirms or ends.
    """
    return tuple(
        (record.id, replace(record.content, flags=record.content.flags | {STALE}))
        for record in records
        if record.id not in but
        and STALE not in record.content.flags
        and record.content.source.rank <= content.source.rank
    )
