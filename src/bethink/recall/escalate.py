"""Escalate: when the turns of conversations get more of an answer's places than a question of what is true leaves them.

That is where it asks what happened, and where it clearly names somebody or something of whom no belief passed.
"""

from __future__ import annotations

from dataclasses import replace

from bethink.domain.hit import Candidate
from bethink.domain.types import Kind
from bethink.recall.gate import Gated
from bethink.recall.reader import Asked


def escalated(asked: Asked, gated: Gated) -> Asked:
    """The request with why its episodes are to be seated as for a question about events; unchanged without a reason."""
    if asked.query.events:
        return replace(asked, escalation="events")
    if not asked.query.subjects and not asked.entities:
        return asked
    if any(_about_named(item.candidate, asked) for item in gated.admitted):
        return asked
    return replace(asked, escalation="subject")


def _about_named(candidate: Candidate, asked: Asked) -> bool:
    """Whether a candidate is a belief about a subject that the caller named, or an entity that the text does."""
    if candidate.kind is Kind.EPISODIC:
        return False
    entities = asked.entities or ()
    known = {entity.alias for entity in entities}.union(asked.query.subjects, asked.query.aliases)
    return candidate.subject_key in known or candidate.subject_entity in {entity.id for entity in entities}
