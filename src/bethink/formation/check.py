"""Check: every field of a request, before anything else looks at it. What cannot be used is refused, not bent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from bethink.domain.ids import check_id
from bethink.domain.record import fold
from bethink.domain.scope import Sensitivity
from bethink.domain.source import SourceKind
from bethink.domain.taxonomy import check_paths
from bethink.domain.time import utc
from bethink.domain.types import WRITABLE, Portability
from bethink.errors import InvalidInput
from bethink.operations.remember import Mention, RememberRequest
from bethink.text.door import check_flag, check_text

NAME_LIMIT = 200
"""Characters of a subject, an attribute, a mention's name, a tag."""

REFERENCE_LIMIT = 1_000
"""Characters of a source reference or revision."""

MAX_TAGS = 50
MAX_MENTIONS = 50
METADATA_LIMIT = 16_384
"""Bytes of the metadata as canonical JSON."""

_KINDS = ("person", "project", "org", "repo", "product", "other")


def checked(request: RememberRequest, now: datetime, content_limit: int) -> RememberRequest:
    """The request with texts in NFC, instants in UTC and repeats of tags and mentions dropped.

    Args:
        request: what was asked.
        now: the present; an expiry must lie after it.
        content_limit: the most characters of content and evidence.

    Raises:
        InvalidInput: any field that cannot be used; the message names it.
    """
    _choices(request)
    return replace(
        request,
        content=check_text(request.content, "content", content_limit),
        subject=_optional(request.subject, "subject", NAME_LIMIT),
        attribute=_optional(request.attribute, "attribute", NAME_LIMIT),
        evidence=_optional(request.evidence, "evidence", content_limit),
        session=None if request.session is None else check_id(request.session, "session"),
        source_ref=_optional(request.source_ref, "source_ref", REFERENCE_LIMIT),
        source_revision=_optional(request.source_revision, "source_revision", REFERENCE_LIMIT),
        file_path=_optional(request.file_path, "file_path", REFERENCE_LIMIT),
        mentions=_mentions(request.mentions),
        tags=_tags(request.tags),
        taxonomy=check_paths(request.taxonomy),
        metadata=_metadata(request.metadata),
        idempotency_key=None
        if request.idempotency_key is None
        else check_id(request.idempotency_key, "idempotency_key"),
        **_times(request, now),
    )


def canonical(value: Any, what: str) -> str:
    """The one JSON text of a value: sorted keys, no blanks, letters as they are.

    Raises:
        InvalidInput: NaN, infinity, a key that is no text, nesting too deep, or a value JSON does not have.
    """
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        msg = f"{what} is not plain JSON: {str(error)[:100]}."
        raise InvalidInput(
            msg, remedy="Use text, numbers, true, false, null, lists and objects with text keys."
        ) from None


def _choices(request: RememberRequest) -> None:
    """Refuse a type, polarity, kind or level that does not exist, and a flag that is none."""
    check_flag(request.temporary, "temporary")
    if request.type not in WRITABLE:
        msg = f"Type {str(request.type)[:40]!r} cannot be remembered."
        raise InvalidInput(msg, remedy=f"Use one of {', '.join(WRITABLE)}.")
    if request.polarity not in {"assert", "retract"}:
        raise InvalidInput(f"polarity {str(request.polarity)[:40]!r} is neither assert nor retract.")
    for name, kind, optional in (
        ("source", SourceKind, True),
        ("portability", Portability, True),
        ("sensitivity", Sensitivity, False),
    ):
        value = getattr(request, name)
        if not (isinstance(value, kind) or (optional and value is None)):
            names = ", ".join(item.name.lower() for item in kind)
            raise InvalidInput(f"{name} {str(value)[:40]!r} is none of {names}.")


def _optional(text: str | None, what: str, limit: int) -> str | None:
    """A checked text, or None."""
    return None if text is None else check_text(text, what, limit)


def _times(request: RememberRequest, now: datetime) -> dict[str, Any]:
    """The instants in UTC, in an order that makes sense."""
    names = ("event_at", "valid_from", "valid_until", "expires_at", "review_at")
    times: dict[str, datetime | None] = {}
    for name in names:
        value = getattr(request, name)
        if value is not None and not isinstance(value, datetime):
            raise InvalidInput(f"{name} must be a datetime, not {type(value).__name__}.")
        times[name] = None if value is None else utc(value, name)
    begins, ends, expires = times["valid_from"], times["valid_until"], times["expires_at"]
    if begins is not None and ends is not None and begins >= ends:
        raise InvalidInput("valid_from is not before valid_until.", remedy="Pass an interval that holds some time.")
    if expires is not None and expires <= now:
        raise InvalidInput("expires_at has passed already.", remedy="Pass a later expires_at, or none.")
    if expires is not None and begins is not None and expires <= begins:
        raise InvalidInput("expires_at is not after valid_from.", remedy="Pass a later expires_at.")
    return times


def _mentions(mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
    """The mentions, checked, at most one of them what the content is about."""
    if len(mentions) > MAX_MENTIONS:
        raise InvalidInput(f"{len(mentions)} mentions were passed; at most {MAX_MENTIONS} are allowed.")
    clean = []
    for mention in mentions:
        if mention.kind not in _KINDS or mention.role not in {"about", "mentions"}:
            raise InvalidInput("A mention has an unknown kind or role.", remedy=f"Kinds are {', '.join(_KINDS)}.")
        clean.append(replace(mention, name=check_text(mention.name, "mention", NAME_LIMIT)))
    if len({fold(mention.name) for mention in clean if mention.role == "about"}) > 1:
        raise InvalidInput("The content is said to be about two things.", remedy="Mark one mention as about.")
    return tuple(dict.fromkeys(clean))


def _tags(tags: object) -> tuple[str, ...]:
    """The tags, checked, each once."""
    if not isinstance(tags, (tuple, list)) or len(tags) > MAX_TAGS:
        raise InvalidInput(f"tags must be a list of at most {MAX_TAGS} texts.")
    return tuple(dict.fromkeys(check_text(tag, "tag", NAME_LIMIT) for tag in tags))


def _metadata(metadata: Mapping[str, Any]) -> Mapping[str, Any]:
    """The metadata as its JSON reads back: what is stored is what was checked."""
    if not isinstance(metadata, Mapping):
        raise InvalidInput("metadata must be an object.", remedy="Pass a mapping of text keys to JSON values.")
    text = canonical(dict(metadata), "metadata")
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise InvalidInput("metadata holds half of a surrogate pair, which no database can store.") from None
    if size > METADATA_LIMIT:
        raise InvalidInput(f"metadata has {size:,} bytes as JSON; at most {METADATA_LIMIT:,} are allowed.")
    if "\\u0000" in text:
        raise InvalidInput("metadata holds a NUL character, which no database can store.")
    clean: dict[str, Any] = json.loads(text)
    if clean != dict(metadata) and set(map(str, clean)) != set(metadata):
        raise InvalidInput("metadata has keys that are no texts.", remedy="Use text keys.")
    return clean
