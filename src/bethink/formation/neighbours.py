"""Neighbours: the records a statement meets in its own scope. Reads only, inside the transaction that decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bethink.domain.fence import Fence
from bethink.domain.record import LIVE, Record
from bethink.domain.types import Portability
from bethink.formation.decide import Neighbours, Proposal
from bethink.formation.timing import Stages
from bethink.ports.store import RecordReads


def meet(records: RecordReads, fence: Fence, proposal: Proposal, stages: Stages) -> Neighbours:
    """Find the records with the same words, and those of the same fact.

    Args:
        records: where to look.
        fence: what the caller may see of the scope.
        proposal: the statement.
        stages: where the time goes.
    """
    content = proposal.content
    with stages.stage("duplicate"):
        twins = records.by_digest(replace(fence, statuses=LIVE), content.digest, content.type)
        twins = _within_reach(twins, proposal)
        supporters = {twin.id: frozenset(records.supports(twin.id)) for twin in twins}
    with stages.stage("contradiction"):
        track = records.same_fact(fence, content.subject_key, content.attribute_key) if proposal.keyed else ()
        return Neighbours(twins, _within_reach(track, proposal), supporters)


def _within_reach(records: Sequence[Record], proposal: Proposal) -> tuple[Record, ...]:
    """The records a statement can concern: one that stays local meets those of its own project alone."""
    if proposal.content.portability is not Portability.LOCAL:
        return tuple(records)
    return tuple(record for record in records if record.content.origin.project == proposal.content.origin.project)
