"""Written: what came into memory in one session, as a host shows it to its user. For people and not for models."""

from __future__ import annotations

from dataclasses import replace

from bethink.domain.ids import check_id
from bethink.domain.record import Record, lasts, short_ids
from bethink.errors import InvalidInput
from bethink.operations.written import WrittenCard, WrittenRequest, WrittenResult
from bethink.recall.filter import lookup_fence
from bethink.recall.get import SHOWN
from bethink.recall.reader import Reader
from bethink.text.door import check_whole

MOST = 200
"""Records of a page."""


def written(request: WrittenRequest, reader: Reader) -> WrittenResult:
    """The records that a session left, whatever became of them but forgotten, the newest first.

    Raises:
        InvalidInput: no session is named, or a limit lists nothing or too much.
    """
    session = request.session or reader.caller.session
    if session is None:
        raise InvalidInput("No session is named.", remedy="Name one, or bind the caller to one.")
    check_whole(request.limit, "limit", 1, MOST)
    if request.before is not None:
        check_whole(request.before, "before")
    session = check_id(session, "session")
    with reader.open(reader.settings.timeout_ms / 1000) as snapshot:
        reach = lookup_fence(reader.caller, snapshot.grants.of(reader.caller), reader.clock.now())
        reach = replace(reach, statuses=SHOWN)
        found = snapshot.records.written(reach, session, request.limit + 1, request.before)
    page = found[: request.limit]
    short = short_ids([record.id for record in page])
    more = page[-1].key if len(found) > len(page) else None
    return WrittenResult(session, tuple(_card(record, short[record.id]) for record in page), more)


def _card(record: Record, short_id: str) -> WrittenCard:
    """A record as its user sees it."""
    content = record.content
    return WrittenCard(
        id=record.id,
        short_id=short_id,
        type=content.type,
        text=content.text,
        subject=content.subject,
        status=record.status,
        source=content.source.kind,
        lasting=lasts(content),
        recorded_at=record.recorded_at,
    )
