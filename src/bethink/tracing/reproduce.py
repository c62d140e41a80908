"""Reproduce: the block written again from what a trace says of each item, beside the bytes it kept."""

from __future__ import annotations

from bethink.domain.trace import Trace, TracedBelief
from bethink.recall.passage_block import POLICY as PASSAGES
from bethink.recall.passage_block import block as passages
from bethink.recall.passage_block import line
from bethink.recall.render import Line, block
from bethink.recall.safety import shown_name


def reproduced(trace: Trace) -> str:
    """The block that the trace's items amount to, empty for an empty or erased one.

    It equals the stored block unless one of the two was changed since: a trace that cannot say how its block came about
    is a defect of the trace.
    """
    if trace.policy == PASSAGES:
        stands = [line(belief.short_id, belief.speaker, belief.statement) for belief in trace.beliefs]
        return passages(stands, trace.as_of, trace.policy)
    lines = [_line(belief).text for belief in trace.beliefs]
    return block(lines, trace.as_of, trace.policy, trace.query["order"]) if lines else ""


def _line(belief: TracedBelief) -> Line:
    """The line of one item."""
    return Line(
        short_id=belief.short_id,
        origin=shown_name(belief.origin or "") if belief.carried else "",
        day=belief.day,
        speaker=belief.speaker,
        statement=belief.statement,
        authority=belief.authority,
        band=belief.band,
        marks=belief.marks,
    )
