"""Merging: two records that say the same become one. Pure: values in, a decision or a refusal out.

The survivor keeps its words, its source and its times, and gains the support of the other, which is superseded by it
and goes on answering for the time before the survivor begins. Nothing is merged that the rules keep apart: another
subject or attribute, a passing and a standing preference, a better source under a worse one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bethink.domain.record import TEMPORARY, Content, Record, Status, StatusSpan, Usage
from bethink.domain.source import RANK, SourceKind, reinforced
from bethink.domain.time import EPOCH, earliest
from bethink.domain.types import Portability
from bethink.errors import InvalidInput
from bethink.formation.decide import raised
from bethink.formation.proposal import Decision
from bethink.text.entailment import entails

Support = tuple[str, SourceKind]
"""A source that supports a record: its reference and kind."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two records of which the first survives, with what supports each.

    `source` is what the word of whoever merges them is worth; `now` the recorded present.
    """

    survivor: Record
    other: Record
    supporting: tuple[Support, ...]
    others: tuple[Support, ...]
    source: SourceKind
    now: datetime

    @property
    def gained(self) -> tuple[Support, ...]:
        """The sources that only the other had."""
        known = {ref for ref, _ in self.supporting}
        return tuple(support for support in self.others if support[0] not in known)


def check_pair(pair: Pair) -> None:
    """Pass when the two may become one.

    Raises:
        InvalidInput: the rules keep them apart; the message says which.
    """
    survivor, other = pair.survivor, pair.other
    kept, gone = survivor.content, other.content
    turned = f"Keep {other.id} instead, and merge {survivor.id} into it."
    apart = "Leave both, or supersede the one that is wrong."
    refusals = (
        (survivor.id == other.id, "A record cannot be merged into itself.", "Name two records."),
        (kept.scope != gone.scope or kept.channel != gone.channel, "The two belong to different owners.", apart),
        (kept.type != gone.type or kept.polarity != gone.polarity, "The two are of different types.", apart),
        (_differ(kept.subject_key, gone.subject_key), "The two are about different subjects.", apart),
        (_differ(kept.attribute_key, gone.attribute_key), "The two give different attributes.", apart),
        ((TEMPORARY in kept.flags) != (TEMPORARY in gone.flags), "One is a passing preference, one stands.", apart),
        (_far(kept, gone), "The other carries further than the survivor.", turned),
        (_longer(gone, kept), "The other holds longer than the survivor.", turned),
        (_named_only_by(gone, kept), "The other names what it is about and the survivor does not.", turned),
        (_firmer(other, survivor), "The other is active and the survivor is provisional.", turned),
        (gone.source.rank > kept.source.rank, "The other comes from a better source.", turned),
        (
            not _vouched(pair),
            "Nothing shows that the survivor says what the other says.",
            "Ask the user to merge them.",
        ),
    )
    for refused, message, remedy in refusals:
        if refused:
            raise InvalidInput(message, remedy=remedy)


def merged(pair: Pair, track: Sequence[Record]) -> Decision:
    """What to write to make the two one.

    Args:
        pair: two records that may become one.
        track: live and superseded records of the survivor's fact; empty for one without a fact.
    """
    survivor, other, now = pair.survivor, pair.other, pair.now
    end = max(survivor.content.valid_from or EPOCH, other.content.valid_from or EPOCH)
    status = Status.SUPERSEDED if end <= now else other.status
    gone = StatusSpan(status, now, ends_at=end, successor=survivor.id, reason="merged")
    counted = _counted(pair)
    rest = [record for record in track if record.id != other.id]
    own = raised(survivor, rest, now) if counted else None
    return Decision(
        "superseded",
        survivor.id,
        survivor.status if own is None else own.status,
        spans=((other.id, gone), *(() if own is None else ((survivor.id, own),))),
        usage=_usage(pair, counted) if counted else None,
        restated=_restated(survivor.content, other.content),
        superseded=(other.id,),
    )


def _counted(pair: Pair) -> int:
    """How many of the gained sources are new evidence: an inference is none for its author, nor for a better source."""
    kept, gone = pair.survivor.content.source, pair.other.content.source
    counted = 0
    for ref, kind in pair.gained:
        others = gone.creator != kept.creator if ref == gone.ref else ref != f"agent:{kept.creator}"
        inferred = kept.kind is SourceKind.AGENT_INFERENCE and others
        counted += kind is not SourceKind.AGENT_INFERENCE or inferred
    return counted


def _usage(pair: Pair, counted: int) -> Usage:
    """The survivor's counters with the other's evidence."""
    usage, theirs = pair.survivor.usage, pair.other.usage
    confidence = usage.confidence
    for _ in range(counted):
        confidence = reinforced(confidence)
    last = max(filter(None, (usage.last_evidence_at, theirs.last_evidence_at)), default=None)
    return replace(usage, confidence=confidence, evidence_count=usage.evidence_count + counted, last_evidence_at=last)


def _restated(kept: Content, gone: Content) -> Content | None:
    """The survivor's next version: as sensitive as the more sensitive of the two; None where it is so already."""
    strictest = max(kept.sensitivity, gone.sensitivity)
    return None if strictest is kept.sensitivity else replace(kept, sensitivity=strictest)


def _firmer(other: Record, survivor: Record) -> bool:
    """Whether the other stands and the survivor would lapse."""
    return other.status is Status.ACTIVE and survivor.status is Status.PROVISIONAL


def _vouched(pair: Pair) -> bool:
    """Whether it is shown that the survivor says what the other says: by its words, or by a word of enough rank."""
    gone = pair.other.content
    return RANK[pair.source] >= gone.source.rank or bool(entails(pair.survivor.content.text, gone.text))


def _differ(one: str, other: str) -> bool:
    """Whether two keys are both there and not the same."""
    return bool(one and other) and one != other


def _far(kept: Content, gone: Content) -> bool:
    """Whether the other is read where the survivor is not."""
    if kept.portability is not Portability.LOCAL:
        return False
    return gone.portability is not Portability.LOCAL or gone.origin.project != kept.origin.project


def _longer(gone: Content, kept: Content) -> bool:
    """Whether the other holds when the survivor does no more."""
    return kept.valid_until is not None and earliest(kept.valid_until, gone.valid_until) != gone.valid_until


def _named_only_by(gone: Content, kept: Content) -> bool:
    """Whether the other has a subject or attribute that would be lost."""
    return bool(gone.subject_key and not kept.subject_key) or bool(gone.attribute_key and not kept.attribute_key)
