"""Reading a session for beliefs: what is suggested, how it is reviewed, what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from bethink.domain.rejection import Reason
from bethink.operations.common import Notice
from bethink.operations.remember import Mention, RememberResult

ExtractOutcome = Literal["stored", "nothing_to_store", "extraction_failed"]

Ruling = Literal["accept", "reject", "narrow"]

Dropped = Literal[
    "quote_not_found",
    "quote_too_short",
    "repeated",
    "known",
    "rejected",
    "rejected_before",
    "overreach",
    "language_changed",
    "erased",
    "no_subject",
    "not_allowed",
    "invalid",
    "over_the_cap",
]
"""Why a suggestion was not stored: its quote stands nowhere in what may be read, or says too little; it repeats another
one, or what this turn gave already; the reviewer rejected it, or somebody did after it was said, or the reviewer
narrowed it into something else; it speaks another language than its quote; its words were erased before; it is about
nobody, outside the user's own scope; it is a way to do something, which no session turns into by itself; the rules
refuse it; there were too many."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What a reader makes of a session: one statement, and the exact words that support it.

    Args:
        content: the statement, in the language of the quote.
        quote: words of one turn, exactly as they stand there.
        turn: the id of that turn; found by the quote when None.
        type: one of the writable types.
        subject, attribute: the key of the same fact; a statement about the user needs no subject.
        event_at: when it happens, as the quote says it. valid_from, valid_until: when it holds. review_at: when to look
            at it again. Each has to follow from an expression of time in the quote.
        polarity: ``retract`` says that it is no longer so.
        temporary: a passing preference.
        mentions: entities it is about or names, beside those that are found in it.
    """

    content: str
    quote: str
    turn: str | None = None
    type: str = "fact"
    subject: str | None = None
    attribute: str | None = None
    polarity: Literal["assert", "retract"] = "assert"
    temporary: bool = False
    event_at: datetime | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    review_at: datetime | None = None
    mentions: tuple[Mention, ...] = ()


@dataclass(frozen=True, slots=True)
class Suggested:
    """All that a reader makes of a session. `summary` is a text for its one summary; without it the rules write one."""

    suggestions: tuple[Suggestion, ...] = ()
    summary: str | None = None


@dataclass(frozen=True, slots=True)
class Assessment:
    """A reviewer's word on the suggestion at a place.

    ``narrow`` replaces content or times by something that says less; it can name no source, scope, quote or subject.
    """

    place: int
    ruling: Ruling
    content: str | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    review_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ExtractRequest:
    """Read one session now, what of it was not read before; with `again` all of it.

    What a turn gave already, what was erased since and what was rejected is not formed again.
    """

    session: str
    again: bool = False


@dataclass(frozen=True, slots=True)
class ExtractResult:
    """What reading a session came to.

    ``stored``: beliefs were admitted. ``nothing_to_store``: none was, and the session has its summary all the same.
    ``extraction_failed``: nothing was written and the turns stay unread; `problem` is the code of what went wrong.
    `beliefs` are the answers of the writes, in order; `dropped` counts suggestions by why they were not stored.
    `summary_id` is the session's one summary. `turns` were read, `hidden` of them hold nothing that may be read.
    """

    outcome: ExtractOutcome
    session: str
    beliefs: tuple[RememberResult, ...] = ()
    dropped: Mapping[str, int] = field(default_factory=dict)
    summary_id: str | None = None
    turns: int = 0
    hidden: int = 0
    problem: str | None = None
    notices: tuple[Notice, ...] = ()
    stages_ms: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RederiveRequest:
    """Read all of one session anew with the reader that is set now; with `dry_run` only say what would change."""

    session: str
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class Replayed:
    """One rejection that stands against what the session says: why, of which record (None once erased), since when."""

    reason: Reason
    record: str | None
    said_at: datetime


@dataclass(frozen=True, slots=True)
class RederiveResult:
    """What deriving a session anew came to, or would come to.

    `beliefs` are the answers of the writes, in order; a belief that is not new reinforces nothing by it. `known` are
    ids of records that said what was suggested already, `replayed` the rejections that stand, which keep a statement
    out, doubt it or narrow it. `not_formed` are live records that quote the session and that this reader does not
    form; they stay as they are. `dropped`, `problem` and `summary_id` are as in `ExtractResult`.
    """

    outcome: Literal["rederived", "nothing_new", "extraction_failed"]
    session: str
    dry_run: bool
    beliefs: tuple[RememberResult, ...] = ()
    known: tuple[str, ...] = ()
    replayed: tuple[Replayed, ...] = ()
    not_formed: tuple[str, ...] = ()
    dropped: Mapping[str, int] = field(default_factory=dict)
    summary_id: str | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class BriefRequest:
    """Ask for a session to be read by the host's own agent."""

    session: str


@dataclass(frozen=True, slots=True)
class BriefTurn:
    """One turn as it may be read: its own words alone, what is not its speaker's blanked out."""

    turn: str
    role: str
    speaker: str
    said_at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Brief:
    """What the host's agent is to read, and the claim its verdict comes with.

    Without `claim` there is nothing to read. `until` is how long the claim holds; `before` is context alone.
    """

    session: str
    claim: str | None = None
    until: datetime | None = None
    instructions: str = ""
    turns: tuple[BriefTurn, ...] = ()
    before: tuple[BriefTurn, ...] = ()
    hidden: int = 0


@dataclass(frozen=True, slots=True)
class VerdictRequest:
    """What the host's agent made of a brief: suggestions with their quotes, none being a good answer too.

    `session` and `claim` are the brief's. `summary` says what the session was about; a rule writes it where None.
    """

    session: str
    claim: str
    suggestions: tuple[Suggestion, ...] = ()
    summary: str | None = None
