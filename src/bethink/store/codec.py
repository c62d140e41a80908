"""Rows to values and back: the one place where instants become integers and lists become JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, cast

from bethink.domain.fence import Entry
from bethink.domain.hit import Body, Candidate
from bethink.domain.record import Content, Origin, Record, Status, StatusSpan, Usage
from bethink.domain.scope import Scope, Sensitivity
from bethink.domain.session import Role, Turn
from bethink.domain.source import CONFIDENCE, Derivation, Evidence, Source, SourceKind
from bethink.domain.time import BEGINNING, FOREVER, from_micros, lower_micros, optional_instant, to_micros, upper_micros
from bethink.domain.types import Kind, Portability, type_rule
from bethink.errors import InvalidInput
from bethink.store.database import Row
from bethink.text.screen import clean_under, still_clean
from bethink.text.template import belief_text

# Looking a value up is several times faster than constructing an enumeration's member, and a recall decodes hundreds.
_STATUS = {item.value: item for item in Status}
_KIND = {item.value: item for item in Kind}
_SOURCE = {item.value: item for item in SourceKind}
_SENSITIVITY = {item.value: item for item in Sensitivity}
_PORTABILITY = {item.value: item for item in Portability}
_NONE: frozenset[str] = frozenset()
_RECORD = (
    "key id kind type scope channel sensitivity portability project session valid_from valid_until event_at recorded_at"
    " retired_at created_at source_kind subject_entity flags status ends_at successor number subject attribute polarity"
    " source_ref source_revision source_role creator derivation review_at file_path parents tags evidence metadata"
    " content supersedes"
).split()
"""The columns of ``get_records`` before those of ``usage``."""


def canonical(value: Any) -> str:
    """Canonical JSON: sorted keys, no blanks, letters as they are.

    Raises:
        InvalidInput: not JSON (NaN, infinity, an object of another kind).
    """
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"A value cannot be kept as JSON: {error}.") from None


def id_hash(record_id: str) -> str:
    """The first 16 hex digits of the id's SHA-256: what short ids are cut from."""
    return hashlib.sha256(record_id.encode()).hexdigest()[:16]


def optional_micros(value: datetime | None) -> int | None:
    """The stored form of an instant that may be absent."""
    return None if value is None else to_micros(value)


def scope(key: str) -> Scope:
    """A scope from its key."""
    return Scope.parse(key)


def span(row: Row, known: int) -> StatusSpan:
    """A status span as known at an instant: an end that was not known yet is open."""
    _, status, recorded_from, recorded_to, ends_at, successor, reason, *_ = row
    end = optional_instant(recorded_to) if recorded_to <= known else None
    return StatusSpan(_STATUS[status], from_micros(recorded_from), end, optional_instant(ends_at), successor, reason)


def entry(row: Row, statuses: Sequence[StatusSpan], positions: Sequence[int]) -> Entry:
    """What the fence looks at, from a row of ``entries_of``, its statuses and where each began."""
    key, record_id, kind, type_name, scope_key, channel, sensitivity, portability, project, subject_key = row[:10]
    valid_from, valid_until, event_at, recorded_at, retired_at, source = row[10:]
    return Entry(
        key=key,
        record=record_id,
        kind=_KIND[kind],
        type=type_name,
        scope=scope(scope_key),
        recorded_at=from_micros(recorded_at),
        statuses=tuple(statuses),
        source=_SOURCE[source],
        channel=channel,
        sensitivity=_SENSITIVITY[sensitivity],
        portability=_PORTABILITY[portability],
        project=project,
        subject_key=subject_key,
        valid_from=optional_instant(valid_from),
        valid_until=optional_instant(valid_until),
        event_at=optional_instant(event_at),
        retired_at=optional_instant(retired_at),
        positions=tuple(positions),
    )


def entry_values(content: Content) -> dict[str, Any]:
    """The columns of ``entry`` that follow from a version's content."""
    return {
        "type": content.type,
        "scope": content.scope.key,
        "channel": content.channel,
        "sensitivity": int(content.sensitivity),
        "portability": int(content.portability),
        "project": content.origin.project,
        "session_id": content.origin.session,
        "seq": 0,
        "subject_key": content.subject_key,
        "attribute_key": content.attribute_key,
        "digest": content.digest,
        "valid_from": lower_micros(content.valid_from),
        "valid_until": upper_micros(content.valid_until),
        "event_at": optional_micros(content.event_at),
        "source_kind": content.source.kind,
        "subject_entity": content.subject_entity,
        "speaker_key": None,
        "flags": canonical(sorted(content.flags)),
    }


def version_values(content: Content) -> dict[str, Any]:
    """The columns of ``version`` that follow from a version's content."""
    evidence = content.source.evidence
    episodic = type_rule(content.type).kind is Kind.EPISODIC
    said = content.text if episodic else belief_text(content.subject, content.text)
    return {
        "subject": content.subject,
        "attribute": content.attribute,
        "polarity": content.polarity,
        "source_ref": content.source.ref,
        "source_revision": content.source.revision,
        "source_role": content.source.role,
        "creator": content.source.creator,
        "derivation": content.derivation,
        "review_at": optional_micros(content.review_at),
        "file_path": content.file_path,
        "parents": canonical(list(content.parents)),
        "tags": canonical(list(content.tags)),
        "evidence": None
        if evidence is None
        else canonical([evidence.quote, evidence.turn_id, evidence.start, evidence.end]),
        "metadata": canonical(dict(content.metadata)),
        "content": content.text,
        "screened": clean_under(said),
    }


def usage_values(usage: Usage) -> dict[str, Any]:
    """The columns of ``usage``."""
    return {
        "confidence": usage.confidence,
        "evidence_count": usage.evidence_count,
        "last_evidence_at": optional_micros(usage.last_evidence_at),
        "last_used_at": optional_micros(usage.last_used_at),
        "utility": usage.utility,
        "review_flagged_at": optional_micros(usage.review_flagged_at),
    }


def usage(row: Row) -> Usage:
    """The moving counters from the columns of ``usage``."""
    confidence, evidence_count, last_evidence_at, last_used_at, utility, review_flagged_at = row
    return Usage(
        confidence=confidence,
        evidence_count=evidence_count,
        last_evidence_at=optional_instant(last_evidence_at),
        last_used_at=optional_instant(last_used_at),
        utility=utility,
        review_flagged_at=optional_instant(review_flagged_at),
    )


def span_values(value: StatusSpan) -> dict[str, Any]:
    """The columns of ``status_event`` but for its place."""
    return {
        "status": value.status,
        "recorded_from": to_micros(value.recorded_from),
        "recorded_to": upper_micros(value.recorded_to),
        "ends_at": upper_micros(value.ends_at),
        "successor": value.successor,
        "reason": value.reason,
    }


def evidence(text: str | None) -> Evidence | None:
    """Evidence from its stored form."""
    return None if text is None else Evidence(*json.loads(text))


def record(
    row: Row, known: int, history: Sequence[StatusSpan], conflicts: Sequence[str], entities: Sequence[str]
) -> Record:
    """A whole record from a row of ``get_records`` and what belongs to it, as known at an instant."""
    of: dict[str, Any] = dict(zip(_RECORD, row, strict=False))
    return Record(
        id=of["id"],
        key=of["key"],
        kind=_KIND[of["kind"]],
        version=of["number"],
        content=_content(of),
        usage=usage(row[len(_RECORD) :]),
        status=_STATUS[of["status"]],
        created_at=from_micros(of["created_at"]),
        recorded_at=from_micros(of["recorded_at"]),
        retired_at=optional_instant(of["retired_at"]) if of["retired_at"] <= known else None,
        ends_at=optional_instant(of["ends_at"]),
        supersedes=tuple(json.loads(of["supersedes"])),
        superseded_by=of["successor"],
        conflicts=tuple(conflicts),
        entities=tuple(entities),
        history=tuple(history),
    )


def _content(of: Mapping[str, Any]) -> Content:
    """A version's content from named columns."""
    source = Source(
        kind=_SOURCE[of["source_kind"]],
        ref=of["source_ref"],
        creator=of["creator"],
        revision=of["source_revision"],
        evidence=evidence(of["evidence"]),
        role=of["source_role"],
    )
    return Content(
        text=of["content"],
        type=of["type"],
        scope=scope(of["scope"]),
        source=source,
        subject=of["subject"],
        attribute=of["attribute"],
        subject_entity=of["subject_entity"],
        polarity=of["polarity"],
        channel=of["channel"],
        sensitivity=_SENSITIVITY[of["sensitivity"]],
        portability=_PORTABILITY[of["portability"]],
        origin=Origin(of["project"], of["session"]),
        derivation=cast("Derivation", of["derivation"]),
        parents=tuple(json.loads(of["parents"])),
        valid_from=optional_instant(of["valid_from"]),
        valid_until=optional_instant(of["valid_until"]),
        event_at=optional_instant(of["event_at"]),
        review_at=optional_instant(of["review_at"]),
        flags=frozenset(json.loads(of["flags"])),
        tags=tuple(json.loads(of["tags"])),
        file_path=of["file_path"],
        metadata=json.loads(of["metadata"]),
    )


def candidate(row: Row, scopes: Mapping[str, Scope]) -> Candidate:
    """A slim value from a row of ``candidates``. A turn has no counters: its source's confidence stands for them.

    A recall decodes hundreds, so values go by place, and open ends are told apart before anything is called.
    """
    (
        key, record_id, kind, type_name, status, scope_key, recorded_at, created_at, source, confidence, evidence_count,
        utility, last_evidence_at, digest, portability, sensitivity, project, subject_key, attribute_key,
        subject_entity, valid_from, valid_until, event_at, ends_at, flags, session_id, seq,
    ) = row  # fmt: skip
    recorded, kind_of_source = _instant(recorded_at), _SOURCE[source]
    return Candidate(
        key,
        record_id,
        _KIND[kind],
        type_name,
        _STATUS[status],
        scopes[scope_key],
        recorded,
        recorded if created_at == recorded_at else _instant(created_at),
        kind_of_source,
        CONFIDENCE[kind_of_source] if confidence is None else confidence,
        evidence_count or 1,
        utility or 0.0,
        digest,
        _PORTABILITY[portability],
        _SENSITIVITY[sensitivity],
        project,
        subject_key,
        attribute_key,
        subject_entity,
        None if valid_from == BEGINNING else _instant(valid_from),
        None if valid_until == FOREVER else _instant(valid_until),
        None if event_at is None else _instant(event_at),
        None if ends_at == FOREVER else _instant(ends_at),
        None if last_evidence_at is None else _instant(last_evidence_at),
        _NONE if flags == "[]" else frozenset(json.loads(flags)),
        (),
        (),
        session_id,
        seq,
    )


@lru_cache(maxsize=8_192)
def _instant(value: int) -> datetime:
    """`from_micros`, remembered: what is written together shares its times."""
    return from_micros(value)


def record_body(row: Row, entities: Sequence[str]) -> Body:
    """The words of a record from a row of ``record_bodies``."""
    key, _, text, subject, role, quoted, source_ref, creator, revision, tags, kept = row
    found = evidence(quoted)
    return Body(
        key=key,
        text=text,
        subject=subject,
        speaker=None,
        role=role,
        quote=None if found is None else found.quote,
        source_ref=source_ref,
        creator=creator,
        revision=revision,
        entities=tuple(entities),
        tags=tuple(json.loads(tags)),
        clean=still_clean(kept),
    )


def turn_body(row: Row) -> Body:
    """The words of a turn from a row of ``turn_bodies``; its reference is ``session/message``."""
    key, text, speaker, role, session_id, message_id, said_at, kept = row
    return Body(
        key=key,
        text=text,
        subject=None,
        speaker=speaker,
        role=role,
        quote=None,
        source_ref=f"{session_id}/{message_id}",
        creator=speaker,
        said_at=from_micros(said_at),
        message_id=message_id,
        clean=still_clean(kept),
    )


def turn(row: Row) -> Turn:
    """A turn from a row of ``get_turns`` and its kin."""
    key, turn_id, session_id, seq, role, speaker, text, said_at, message_id, time_text, zone_assumed = row[:11]
    source_kind, sensitivity, recorded_at, portability = row[11:]
    return Turn(
        id=turn_id,
        session=session_id,
        seq=seq,
        role=cast("Role", role),
        speaker=speaker,
        text=text,
        said_at=from_micros(said_at),
        message_id=message_id,
        key=key,
        source=_SOURCE[source_kind],
        sensitivity=_SENSITIVITY[sensitivity],
        recorded_at=from_micros(recorded_at),
        zone_assumed=bool(zone_assumed),
        time_text=time_text,
        portability=Portability(portability),
    )
