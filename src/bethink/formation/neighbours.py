"""Neighbours: the records a statement meets in its own scope. Reads only, inside the transaction that decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bethink.domain.fence import Fence
from bethink.domain.record import LIVE, Content, Record, Status
from bethink.domain.rejection import wanted_statements
from bethink.formation.proposal import RETRACT, Neighbours, Proposal
from bethink.formation.timeline import moment, start
from bethink.formation.timing import Stages
from bethink.ports.records import RecordReads
from bethink.ports.store import UnitOfWork


def meet(work: UnitOfWork, fence: Fence, proposal: Proposal, stages: Stages) -> Neighbours:
    """Find the records with the same words, those of the same fact, those of the same source at other revisions.

    And the rejections of the words.

    Args:
        work: where to look; only read here.
        fence: what the caller may see of the scope.
        proposal: the statement.
        stages: where the time goes.
    """
    content, records = proposal.content, work.records
    with stages.stage("duplicate"):
        live = replace(fence, statuses=LIVE)
        twins = records.by_digest(live, content.digest, content.type)
        supporters = {twin.id: frozenset(records.supports(twin.id)) for twin in twins}
    with stages.stage("contradiction"):
        track = _track(records, fence, proposal, twins) if proposal.keyed else ()
        source = content.source
        outdated = () if source.revision is None else records.by_source(live, source.ref, source.revision)
        rejections = work.rejections.matching(content.scope, wanted_statements(content))
        return Neighbours(twins, track, supporters, outdated, rejections)


def track_of(records: RecordReads, fence: Fence, content: Content) -> tuple[Record, ...]:
    """The records of a statement's fact inside a fence; none where it states no fact."""
    keyed = content.subject_key and content.attribute_key
    return records.same_fact(fence, content.subject_key, content.attribute_key) if keyed else ()


def _track(records: RecordReads, fence: Fence, proposal: Proposal, twins: Sequence[Record]) -> tuple[Record, ...]:
    """The records of a fact that the newcomer's place can depend on, so that a long history costs nothing.

    These are the live ones, and of the superseded ones those that hold where it begins or speak for a later time. All
    are read when it retracts, or when it would change how a known record stands: that is decided by the whole history.
    """
    content, key = proposal.content, (proposal.content.subject_key, proposal.content.attribute_key)
    lifts = any(twin.content.source.rank < content.source.rank for twin in twins)
    if content.polarity == RETRACT or proposal.narrows or lifts:
        return records.same_fact(fence, *key)
    begins = start(content, proposal.at)
    gone = replace(fence, statuses=frozenset({Status.SUPERSEDED}))
    reads = [replace(fence, statuses=LIVE), replace(gone, since=moment(content, proposal.at))]
    if begins < proposal.at:
        reads.append(replace(gone, instant=begins, timeless=False))
    found = {record.id: record for read in reads for record in records.same_fact(read, *key)}
    return tuple(found.values())
