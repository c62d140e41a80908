"""Where evidence was lost: exactly one code for each piece that a recall missed, read off its trace.

The codes are a fixed list. A recall of turns alone can earn these; the others speak of writing, of reconstruction and
of the agent, which nothing here exercises.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bethink.domain.trace import Cut, Trace
from bethink.evaluation.order import ADMITTING
from bethink.recall.collapse import SPENT

CAPTURE = "CAPTURE_MISS"
DEGRADED = "SYSTEM_DEGRADED"
CANDIDATE = "CANDIDATE_MISS"
FILTER = "FILTER_DROP"
STALE = "STALE_CONFLICT"
RANKING = "RANKING_MISS"
UNATTRIBUTED = "UNATTRIBUTED"

CODES: Mapping[str, str] = {
    CAPTURE: "it is not in the store",
    DEGRADED: "no arm found it, and an arm that should have looked fell short",
    CANDIDATE: "every arm looked, and none handed it on, or the pool had no room for it",
    FILTER: "it was found, and the fence, the gate or the collapse took it out",
    STALE: "it was found, and taken out for a newer value of the same fact",
    RANKING: "it was admitted, behind too many others",
    UNATTRIBUTED: "the trace does not say",
}
"""What each code means, in the order of the pipeline."""

_STALE = (SPENT, "superseded by ", "older value of the fact")


@dataclass(frozen=True, slots=True)
class Lost:
    """One missed piece of evidence: its unit, the code, the stage that lost it and why, its rank where it had one."""

    unit: str
    code: str
    stage: str
    reason: str
    rank: int | None = None


def attribute(unit: str, turns: Sequence[str], order: Sequence[str], trace: Trace, expected: Sequence[str]) -> Lost:
    """Why a unit was missed.

    Args:
        unit: the unit.
        turns: the ids of the stored turns that count as it; whichever came furthest speaks for it.
        order: the units in the order of the recall.
        trace: the recall's trace.
        expected: the arms that the run does without, whose absence is no failure.
    """
    if not turns:
        return Lost(unit, CAPTURE, "store", "not stored")
    if unit in order:
        return Lost(unit, RANKING, "rank", "ranked too low", order.index(unit) + 1)
    pool = {str(row["id"]) for row in trace.pool}
    if found := pool & set(turns):
        return _taken_out(unit, [cut for cut in trace.cuts if cut.id in found and cut.stage in ADMITTING])
    fell = [reason for reason in trace.degraded if reason.partition(":")[0] not in expected]
    if fell:
        return Lost(unit, DEGRADED, "arms", fell[0])
    narrowed = sorted({"since", "until", "types", "channel"} & trace.query.get("fence", {}).keys())
    if narrowed:
        return Lost(unit, FILTER, "fence", f"fence narrowed by {', '.join(narrowed)}")
    stage, room = ("pool", ", or the pool had no room for it") if trace.passed_over else ("arms", "")
    return Lost(unit, CANDIDATE, stage, f"no arm handed it on{room}")


def tally(lost: Iterable[Lost]) -> dict[str, int]:
    """How many pieces each code lost, codes in the order of the pipeline; the unattributed are always counted."""
    counts = Counter(item.code for item in lost)
    return {code: counts[code] for code in CODES if counts[code] or code == UNATTRIBUTED}


def case_code(lost: Sequence[Lost]) -> str | None:
    """The one code of a failed case: what lost most of its evidence, the earlier stage of equals; None without loss."""
    counts = tally(lost)
    return max(counts, key=lambda code: counts[code]) if lost else None


def _taken_out(unit: str, cuts: Sequence[Cut]) -> Lost:
    """A unit whose turns were found and all taken out: the latest stage speaks."""
    if not cuts:
        return Lost(unit, UNATTRIBUTED, "", "in the pool and neither ranked nor cut")
    cut = max(cuts, key=lambda one: one.stage != "gate")
    stale = cut.stage == "collapse" and cut.reason.startswith(_STALE)
    reason = cut.reason.partition(" as m:")[0] if stale else _general(cut.reason)
    return Lost(unit, STALE if stale else FILTER, cut.stage, reason)


def _general(reason: str) -> str:
    """A reason without the id in it, so that like reasons count together."""
    if reason.startswith("asks nearly what "):
        return "asks nearly what another asks"
    return "says the same as another" if reason.startswith("says the same as ") else reason
