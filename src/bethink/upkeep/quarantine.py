"""The quarantine's review: what is held back is listed for a person, who lets it go or turns it down.

Nothing here is offered to a model: it would be asked to judge the text that was held back from it, or to free it.
"""

from __future__ import annotations

from dataclasses import replace

from bethink.domain.record import LIVE, QUARANTINED, Record, Status, short_ids
from bethink.errors import AccessDenied, InvalidInput
from bethink.formation.access import deciding_fence, reading_fence
from bethink.formation.desk import Desk
from bethink.formation.embed import Vectors, embedded, put_added
from bethink.formation.named import Named, named_record
from bethink.formation.neighbours import track_of
from bethink.formation.outdate import outdate
from bethink.formation.secrecy import Redactor
from bethink.formation.typed import follow
from bethink.operations.quarantine import Held, QuarantineRequest, QuarantineResult, ReviewRequest, ReviewResult
from bethink.ports.store import UnitOfWork
from bethink.text.door import check_text, check_whole
from bethink.text.escape import render_safe
from bethink.text.screen import screen
from bethink.text.secrets import redact_secrets
from bethink.text.template import belief_text, phrased
from bethink.upkeep.hide import hide
from bethink.upkeep.release import released

MAX_LIMIT, SHOWN, REASON_LIMIT = 200, 600, 500
"""Records of a page; characters of each that are shown; characters of a reason."""


def quarantined(request: QuarantineRequest, desk: Desk) -> QuarantineResult:
    """One page of what is held back in the scopes that the caller may read.

    Raises:
        InvalidInput: a limit that cannot be used.
        AccessDenied: an agent asks; it is for a person to look at.
    """
    _check_voice(desk)
    check_whole(request.limit, "limit", 1, MAX_LIMIT)
    if request.before is not None:
        check_whole(request.before, "before")
    with desk.store.snapshot(desk.tenant) as snapshot:
        fence = reading_fence(desk.caller, snapshot.grants.of(desk.caller), LIVE)
        found = snapshot.records.flagged(fence, QUARANTINED, request.limit + 1, request.before)
    shown = found[: request.limit]
    short = short_ids({record.id for record in shown})
    more = shown[-1].key if len(found) > len(shown) else None
    return QuarantineResult(tuple(_held(record, short[record.id]) for record in shown), more)


def review(request: ReviewRequest, desk: Desk) -> ReviewResult:
    """Let a record go that is held back, or turn it down; the event log keeps who did.

    Raises:
        InvalidInput: an unknown verdict, or a record that is not held back.
        NotFound: no such record, as far as the caller may know.
        AccessDenied: an agent asks, or the caller may read the record and not write it.
    """
    _check_voice(desk)
    if request.verdict not in {"release", "reject"}:
        raise InvalidInput(f"Verdict {str(request.verdict)[:40]!r} is none of release, reject.")
    reason = Redactor().text(check_text(request.reason, "reason", REASON_LIMIT)) if request.reason else ""
    with desk.store.snapshot(desk.tenant) as snapshot:
        _, record = named_record(snapshot, desk, request.id)
    said = [phrased(belief_text(record.content.subject, record.content.text), record.content.text)]
    vectors = embedded(desk, said)[0] if request.verdict == "release" else None
    with desk.store.write(desk.tenant) as work:
        what, record = named_record(work, desk, request.id)
        if QUARANTINED not in record.content.flags or record.status not in LIVE:
            msg = f"{record.id} is not held back."
            raise InvalidInput(msg, remedy="List what is: `bethink quarantine list`.")
        if request.verdict == "reject":
            hide(work, what.fence, (record.id,), reason or "rejected")
            result = ReviewResult(record.id, "", "reject", Status.DELETED)
        else:
            result = _release(work, desk, what, record, vectors)
        source = record.content.source
        details = {"by": desk.caller.principal.user, "source": source.kind.value, "creator": source.creator}
        work.event(f"quarantine.{request.verdict}", record.id, {**details, "superseded": list(result.superseded)})
    return replace(result, short_id=short_ids([record.id])[record.id])


def _release(work: UnitOfWork, desk: Desk, what: Named, record: Record, vectors: Vectors | None) -> ReviewResult:
    """Write the record's next version and its place, and what it changes for others."""
    content, at = record.content, work.recorded_at
    fence = deciding_fence(desk.caller, what.scope, what.grants)
    free = released(record, track_of(work.records, fence, content), at)
    put_added(work, desk, vectors, (work.records.add_version(record.id, free.content, at).key,))
    follow(work, fence, free.spans[1:])
    for item, span in free.spans:
        work.records.set_status(item, span)
    outdate(work, [item for item, _ in free.spans])
    for other in free.conflicts:
        work.records.link_conflict(record.id, other, at)
    ended = tuple(item for item, _ in free.spans[1:])
    return ReviewResult(record.id, "", "release", free.status, superseded=ended, conflicts=free.conflicts)


def _held(record: Record, short_id: str) -> Held:
    """A record as it may be looked at."""
    content = record.content
    said = belief_text(content.subject, content.text)
    clean = redact_secrets(said).text
    return Held(
        id=record.id,
        short_id=short_id,
        text=render_safe(clean[:SHOWN], trusted=False),
        cut=len(clean) > SHOWN,
        rules=tuple(sorted({finding.rule for finding in screen(said) if finding.strong})),
        type=content.type,
        subject=None if content.subject is None else render_safe(content.subject, trusted=False),
        scope=content.scope.key,
        source=content.source.kind.value,
        source_ref=render_safe(content.source.ref, trusted=False),
        creator=content.source.creator,
        session=content.origin.session,
        recorded_at=record.recorded_at,
        ends_at=record.ends_at,
    )


def _check_voice(desk: Desk) -> None:
    """Pass for a host that speaks for its user.

    Raises:
        AccessDenied: an agent speaks.
    """
    if desk.caller.voice != "user":
        raise AccessDenied("What is held back is for a person to review, and an agent asked.")
