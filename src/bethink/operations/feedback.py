"""`used`: what became of a block."""

from __future__ import annotations

from dataclasses import dataclass

from bethink.domain.trace import TraceState


@dataclass(frozen=True, slots=True)
class UsedRequest:
    """Which items of a recall were used.

    Args:
        trace_id: the recall.
        ids: ids or short ids of the items that were cited.
        answer: what was written with the block at hand; short ids in it, and items it says word for word, count too.
    """

    trace_id: str
    ids: tuple[str, ...] = ()
    answer: str = ""


@dataclass(frozen=True, slots=True)
class UsedResult:
    """What the trace now holds, and what this call moved.

    Args:
        cited: every item of the recall that was used, by this call or an earlier one, in the order of the block.
        credited: records whose utility and last use moved now.
        passed_over: records whose utility fell now, for they were shown and not used.
        carried: those of `cited` that were carried in from another project.
        unknown: what was given and names no item of the recall, or several.
        trace: whether the trace now says so; `trace_reason` why not. A repeat of the call makes up for it.
    """

    trace_id: str
    cited: tuple[str, ...]
    credited: tuple[str, ...]
    passed_over: tuple[str, ...]
    carried: tuple[str, ...]
    unknown: tuple[str, ...]
    trace: TraceState
    trace_reason: str = ""
