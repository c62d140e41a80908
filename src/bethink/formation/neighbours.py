"""Neighbours: the records a statement meets in its own scope. Reads only, inside the transaction that decides."""

from __future__ import annotations

from dataclasses import replace

from bethink.domain.fence import Fence
from bethink.domain.record import LIVE
from bethink.formation.decide import Neighbours, Proposal
from bethink.formation.timing import Stages
from bethink.ports.store import RecordReads


def meet(records: RecordReads, fence: Fence, proposal: Proposal, stages: Stages) -> Neighbours:
    """Find the records with the same words, those of the same fact, and those of the same source at other revisions.

    Args:
        records: where to look.
        fence: what the caller may see of the scope.
        proposal: the statement.
        stages: where the time goes.
    """
    content = proposal.content
    with stages.stage("duplicate"):
        live = replace(fence, statuses=LIVE)
        twins = records.by_digest(live, content.digest, content.type)
        supporters = {twin.id: frozenset(records.supports(twin.id)) for twin in twins}
    with stages.stage("contradiction"):
        track = records.same_fact(fence, content.subject_key, content.attribute_key) if proposal.keyed else ()
        source = content.source
        outdated = () if source.revision is None else records.by_source(live, source.ref, source.revision)
        return Neighbours(twins, track, supporters, outdated)
