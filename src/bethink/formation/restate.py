"""Restate: what a request to revise a record says, in the terms of a statement, so that it is admitted like one.

To confirm is to say the record's words again; to supersede, to state others about the same thing; to let it expire, to
retract it. What the record is about, whose it is and how far it carries stay the record's: a revision moves none of it.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import get_args

from bethink.domain.record import LIVE, QUARANTINED, TEMPORARY, Content, Origin, Record
from bethink.domain.time import earliest, utc
from bethink.domain.types import Kind
from bethink.errors import InvalidInput
from bethink.formation.desk import Desk
from bethink.formation.draft import Draft, drafted
from bethink.formation.evidence import Grounds
from bethink.formation.proposal import RETRACT
from bethink.formation.timeline import start
from bethink.operations.remember import RememberRequest
from bethink.operations.revise import ReviseAction, ReviseRequest
from bethink.text.entailment import entails

_TAKES: dict[ReviseAction, tuple[str, ...]] = {
    "confirm": (),
    "supersede": ("content", "at"),
    "expire": ("content", "at"),
    "merge": ("other",),
}
"""Which of content, other and at an action takes."""

_GROUNDS = ("evidence", "session", "source", "source_ref", "source_revision")


def check_shape(request: ReviseRequest) -> None:
    """Pass when the action exists, has what it needs, and nothing it would not look at.

    Raises:
        InvalidInput: it does not; the message names the argument.
    """
    action = request.action
    if action not in get_args(ReviseAction):
        names = ", ".join(get_args(ReviseAction))
        raise InvalidInput(f"Action {str(action)[:40]!r} is none of {names}.")
    for name in ("content", "other", "at"):
        if getattr(request, name) is not None and name not in _TAKES[action]:
            raise InvalidInput(f"{name} says nothing when a record is to {action}.", remedy=f"Leave {name} out.")
    needed = {"supersede": "content", "merge": "other"}.get(action)
    if needed is not None and getattr(request, needed) is None:
        raise InvalidInput(f"To {action} a record, {needed} is needed.")
    if request.at is not None:
        utc(request.at, "at")
    given = [name for name in _GROUNDS if getattr(request, name) is not None]
    if action == "merge" and given:
        raise InvalidInput(f"A merge looks at the two records and at no {given[0]}.", remedy=f"Leave {given[0]} out.")
    if action == "expire" and request.evidence is not None and request.content is None:
        msg = "Evidence that a record is over needs a statement that it supports."
        raise InvalidInput(msg, remedy="Say it in content, such as 'Ada moved out of Lisbon'.")


def statement(request: ReviseRequest, record: Record) -> RememberRequest:
    """The revision as the statement it makes, to be checked, redacted and grounded like any."""
    content = record.content
    return RememberRequest(
        content=content.text if request.content is None else request.content,
        type=content.type,
        subject=content.subject,
        attribute=content.attribute,
        evidence=request.evidence,
        session=request.session,
        source=request.source,
        source_ref=request.source_ref,
        source_revision=request.source_revision,
        polarity="retract" if request.action == "expire" else "assert",
        valid_from=request.at,
        temporary=TEMPORARY in content.flags,
        portability=content.portability,
        sensitivity=content.sensitivity,
        tags=content.tags,
        metadata=content.metadata,
        file_path=content.file_path,
        idempotency_key=request.idempotency_key,
    )


def confirmed(record: Record, grounds: Grounds, flags: frozenset[str]) -> Draft:
    """The record's own words, said now by whoever confirms it. Nobody typed them again, so no turn goes along."""
    old = record.content
    said_at = old.event_at if record.kind is Kind.EPISODIC else grounds.said_at
    flags |= old.flags & {TEMPORARY}
    content = replace(old, source=grounds.source, event_at=said_at, valid_from=None, flags=flags)
    return Draft(content, grounds.support)


def restated(said: RememberRequest, record: Record, desk: Desk, grounds: Grounds, flags: frozenset[str]) -> Draft:
    """The statement that replaces a record or retracts it, about what the record is about.

    What begins later than now is replaced from its beginning on.
    """
    old = record.content
    begins = start(old, record.created_at)
    if said.valid_from is None and begins > desk.clock.now():
        said = replace(said, valid_from=begins)
    made = drafted(said, desk, old.scope, grounds, flags)
    content = replace(
        made.content,
        channel=old.channel,
        origin=Origin(old.origin.project, made.content.origin.session),
        subject_entity=old.subject_entity,
    )
    return replace(made, content=content)


def check_standing(action: ReviseAction, record: Record, now: datetime) -> None:
    """Pass when the record is one that the action can change.

    Raises:
        InvalidInput: it is over, held back, or an event that is to be replaced.
    """
    over = earliest(record.ends_at, record.content.valid_until)
    if record.status not in LIVE or (over is not None and over <= now):
        state = record.status if record.status not in LIVE else "over"
        remedy = "Remember it anew, with what supports it."
        if record.superseded_by is not None:
            remedy = f"Revise {record.superseded_by}, which took its place."
        raise InvalidInput(f"{record.id} is {state}; only what holds now can be revised.", remedy=remedy)
    if action != "confirm" and record.kind is Kind.EPISODIC:
        msg = f"{record.id} is an event: it happened, and nothing takes its place."
        raise InvalidInput(msg, remedy="Remember what happened as another event, or forget this one.")
    if action in {"supersede", "merge"} and QUARANTINED in record.content.flags:
        msg = f"{record.id} is held back for review and neither replaces nor is replaced."
        raise InvalidInput(msg, remedy="Confirm it in the user's name, or forget it.")


def check_times(record: Record, content: Content, now: datetime) -> None:
    """Pass when what replaces or retracts a record begins while the record holds.

    Raises:
        InvalidInput: the record is over by then, or a retraction comes before its beginning.
    """
    at = start(content, now)
    ends = earliest(record.ends_at, record.content.valid_until)
    if ends is not None and ends <= at:
        raise InvalidInput(f"{record.id} is over by then.", remedy="Pass an earlier at, or confirm the record first.")
    if content.polarity == RETRACT and at < start(record.content, record.created_at):
        raise InvalidInput(f"{record.id} does not hold yet at that time.", remedy="Pass a later at, or forget it.")


def check_words(record: Record, words: str | None) -> None:
    """Pass when the statement that a record is over, if there is one, does not say the record again.

    Raises:
        InvalidInput: it does, so that what supports it would support the record.
    """
    if words is not None and entails(words, record.content.text):
        msg = f"The statement says what {record.id} says, and not that it is over."
        raise InvalidInput(msg, remedy="Say what is no longer so, such as 'Ada moved out of Lisbon'.")
