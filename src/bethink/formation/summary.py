"""The one summary of a session: what it was about, in words that were said there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bethink.domain.fence import Fence
from bethink.domain.record import Content, Origin, Record, Status
from bethink.domain.scope import Sensitivity
from bethink.domain.source import Source, SourceKind, derived_kind
from bethink.domain.transcript import Passage, Transcript
from bethink.domain.types import SESSION_SUMMARY, Portability, type_rule
from bethink.formation.apply import Applied, Writing, apply
from bethink.formation.decide import decide
from bethink.formation.desk import Desk
from bethink.formation.evidence import standing_of
from bethink.formation.proposal import Decision, Neighbours, Proposal
from bethink.formation.screening import screened
from bethink.formation.secrecy import Redactor
from bethink.formation.timing import Stages
from bethink.ports.store import UnitOfWork
from bethink.text.template import day_of

LONGEST = 1_200
"""Characters of a summary."""

_LINE = 160
"""Characters taken of one utterance."""

_SENTENCE = re.compile(r"\s*([^.!?\n]*[.!?\n]|[^.!?\n]+$)")
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Summary:
    """What a summary says, in which turns its words stand, how sensitive these are, how far they carry, their worth."""

    text: str
    turns: tuple[str, ...]
    sensitivity: Sensitivity
    last_said: datetime
    portability: Portability = Portability.PORTABLE
    spoken_by: SourceKind = SourceKind.SESSION_SUMMARY


def summarised(transcript: Transcript, given: str | None) -> Summary | None:
    """The summary of a session, None when nothing was said in it.

    Args:
        transcript: the whole session, its unread part and what comes before.
        given: what a model says, used when every number in it was said; else the first words of each utterance of the
            user's, and of others where the user says nothing.
    """
    passages = (*transcript.before, *transcript.unread)
    if not passages and not transcript.hidden:
        return None
    if not passages:
        opened = transcript.session.opened_at
        text = f"Session of {day_of(opened)} with {transcript.user}, {transcript.hidden} turns without words to tell."
        return Summary(text, (), Sensitivity.NORMAL, opened)
    text = _checked(given, passages)
    used = passages if text else _telling(passages)
    text = text or _told(transcript, passages, used)
    return Summary(
        text=text,
        turns=tuple(passage.turn.id for passage in used),
        sensitivity=max(passage.turn.sensitivity for passage in used),
        portability=min(passage.turn.portability for passage in used),
        last_said=max(passage.turn.said_at for passage in passages),
        spoken_by=derived_kind(standing_of(passage.turn) for passage in used),
    )


def summary_content(summary: Summary, transcript: Transcript, creator: str) -> Content:
    """The summary as a record's content: derived from its turns, as sensitive as the most sensitive of them."""
    session = transcript.session
    return Content(
        text=summary.text,
        type=SESSION_SUMMARY,
        scope=session.scope,
        source=Source(SourceKind.SESSION_SUMMARY, f"session:{session.id}", creator),
        channel=session.channel,
        sensitivity=summary.sensitivity,
        portability=min(type_rule(SESSION_SUMMARY).portability, summary.portability),
        origin=Origin(session.project, session.id),
        derivation="derived",
        parents=summary.turns,
        event_at=summary.last_said,
        flags=screened(summary.text, summary.spoken_by).flags,
    )


def write_summary(
    work: UnitOfWork, desk: Desk, writing: tuple[Proposal, Fence], known: Record | None, stages: Stages
) -> tuple[str, Applied]:
    """Store the summary, as the next version of the one the session has; its id, and what to give a vector to."""
    proposal, reach = writing
    decision = decide(proposal, Neighbours())
    if known is not None:
        decision = Decision("already_reinforced", known.id, known.status, restated=proposal.content)
    applied = apply(work, desk, Writing(decision, proposal, reach, event="session.summarised"), stages)
    return decision.id, applied


def known_summary(work: UnitOfWork, reach: Fence, summary_id: str | None) -> Record | None:
    """The session's summary as it stands, when it is there and was not forgotten."""
    if summary_id is None:
        return None
    live = replace(reach, statuses=frozenset({Status.ACTIVE}))
    return next(iter(work.records.get(live, (summary_id,))), None)


def _checked(given: str | None, passages: Sequence[Passage]) -> str:
    """A model's text without secrets and not too long; empty when it holds a number that nobody said."""
    text = Redactor().text(" ".join((given or "").split()))
    said = " ".join(passage.turn.text for passage in passages)
    if not set(_NUMBER.findall(text)) <= set(_NUMBER.findall(said)):
        return ""
    return _cut(text, LONGEST)


def _telling(passages: Sequence[Passage]) -> tuple[Passage, ...]:
    """Whose words tell what the session was about: the user's, else everybody's."""
    return tuple(passage for passage in passages if passage.turn.role == "user") or tuple(passages)


def _told(transcript: Transcript, passages: Sequence[Passage], used: Sequence[Passage]) -> str:
    """The day, how much was said and by whom, then how each utterance begins, as far as there is room."""
    first = min(passage.turn.said_at for passage in passages)
    speakers = ", ".join(dict.fromkeys(passage.turn.speaker for passage in passages))
    text = f"Session of {day_of(first)} with {speakers}, {len(passages)} turns."
    last = ""
    for passage in used:
        line = _cut(" ".join(_first_sentence(passage.text).split()), _LINE)
        if not line or line == last:
            continue
        added = (
            f"{text} {passage.turn.speaker}: {line}" if passage.turn.speaker != transcript.user else f"{text} {line}"
        )
        if len(added) > LONGEST:
            break
        text, last = added, line
    return text


def _first_sentence(text: str) -> str:
    """How an utterance begins."""
    return next((found[1] for found in _SENTENCE.finditer(text) if found[1].strip()), "")


def _cut(text: str, limit: int) -> str:
    """The text, cut at a blank with an ellipsis where it is too long."""
    if len(text) <= limit:
        return text
    return text[: limit - 1].rsplit(" ", 1)[0].rstrip(",;:") + "\u2026"
