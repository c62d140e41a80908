"""Gaps: whether a turn needs memory. What a draft lacks is planned, looked up, and admitted only where it would help.

No floor on similarity decides. Without a gap nothing is searched, however much of memory resembles the turn; what is
found for a gap is weighed against the draft, and the trace says of each what it would do to it. Rules do both, unless
the host brings gaps of its own. What is admitted is appended to the turn; nothing of the prefix changes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import get_args

from bethink.domain.hit import Body, Candidate
from bethink.domain.record import REVIEW, STALE, Status
from bethink.domain.trace import Trace
from bethink.errors import InvalidInput
from bethink.operations.gaps import Disposition, Filled, Gap, GapKind, GapsRequest, GapsResult, Verdict, Weighed
from bethink.operations.recall import RecallRequest
from bethink.recall.filter import lookup_fence
from bethink.recall.query import QUERY_LIMIT, READ, names
from bethink.recall.reader import Reader, RecallOutcome
from bethink.recall.safety import BLOCKED, for_a_model
from bethink.session.planning import MOST, planned
from bethink.text.analyse import analyse
from bethink.text.door import check_text

POLICY = "gaps@1"
"""Name and version of the rules."""

CANDIDATES = 8
"""Records that are admitted for all gaps together at most."""


@dataclass(frozen=True, slots=True)
class DraftAdmission:
    """Weighs a record against a draft by rules alone; `said` are the analysed words of the draft."""

    said: frozenset[str]
    language: str = "english"

    def refused(self, candidate: Candidate, body: Body) -> str:
        """The verdict and its reason, empty for what helps."""
        if for_a_model(body.text, candidate.source, candidate.flags) == BLOCKED:
            return "potentially_harmful: it reads like an instruction"
        if candidate.conflicts or candidate.flags & {STALE, REVIEW}:
            return "stale_or_conflicting: it is contradicted, outdated or to be reviewed"
        if candidate.status is Status.PROVISIONAL:
            return "insufficient: nobody has confirmed it"
        words = frozenset(analyse(body.text, self.language))
        if words and words <= self.said:
            return "redundant: the draft says it"
        return ""


def fill_gaps(
    request: GapsRequest, reader: Reader, ask: Callable[[RecallRequest, Reader], RecallOutcome]
) -> GapsResult:
    """Plan the gaps of a turn, ask memory for each, and admit what would help the draft.

    Args:
        request: the turn, its draft, and what the host found missing.
        reader: what memory is read with.
        ask: answers one request and keeps its trace.

    Raises:
        InvalidInput: no text, or a gap of an unknown kind or without a question.
        StoreError, DeadlineExceeded: as a recall's.
    """
    text = check_text(request.text, "text", QUERY_LIMIT)
    gaps = _planned(text, reader) if request.gaps is None else _given(request.gaps)
    weighing = replace(
        reader, admission=DraftAdmission(frozenset(analyse(request.draft, reader.language)), reader.language)
    )
    filled: list[Filled] = []
    weighed: list[Weighed] = []
    admitted: list[str] = []
    for at, gap in enumerate(gaps):
        asked = RecallRequest(
            gap.question,
            moment="tool",
            max_items=CANDIDATES - len(admitted),
            budget_tokens=request.budget_tokens,
            session=request.session,
            without=tuple(admitted),
        )
        outcome = ask(asked, weighing)
        weighed += _weighed(outcome.trace, at)
        admitted += [item.id for item in outcome.result.items]
        filled.append(Filled(gap, outcome.result))
    return GapsResult(
        needed=bool(admitted),
        disposition=_disposition(gaps, admitted, weighed),
        gaps=gaps,
        filled=tuple(filled),
        weighed=tuple(weighed),
        rendered="\n".join(one.answer.rendered for one in filled if one.answer.rendered),
        policy=POLICY,
    )


def _planned(text: str, reader: Reader) -> tuple[Gap, ...]:
    """The gaps that the rules see. Which names memory knows is looked up, inside what the caller may read."""
    if reader.language not in READ:
        return ()
    said = list(dict.fromkeys(names(text, reader.language)))
    with reader.open(reader.settings.timeout_ms / 1000) as snapshot:
        reach = lookup_fence(reader.caller, snapshot.grants.of(reader.caller), reader.clock.now())
        known = {entity.alias for entity in snapshot.search.named_entities(reach, said)} if said else set()
    return planned(text, known, reader.language)


def _given(gaps: tuple[Gap, ...]) -> tuple[Gap, ...]:
    """The host's gaps, the first three.

    Raises:
        InvalidInput: an unknown kind, or no question.
    """
    for gap in gaps:
        if gap.kind not in get_args(GapKind):
            raise InvalidInput(f"Gap {str(gap.kind)[:40]!r} is none of {', '.join(get_args(GapKind))}.")
        check_text(gap.question, "question", QUERY_LIMIT)
    return tuple(gaps[:MOST])


def _weighed(trace: Trace, gap: int) -> list[Weighed]:
    """What became of each candidate for a gap: the admitted in their order, then the refused."""
    told = [Weighed(item, gap, "helpful", "the draft lacks it") for item in trace.returned]
    for cut in trace.cuts:
        verdict, _, reason = cut.reason.partition(": ")
        if cut.stage == "admission":
            known: Verdict = next(name for name in get_args(Verdict) if name == verdict)
            told.append(Weighed(cut.id, gap, known, reason))
    return told


def _disposition(gaps: tuple[Gap, ...], admitted: list[str], weighed: list[Weighed]) -> Disposition:
    """How it ended."""
    if admitted:
        return "admitted"
    if not gaps:
        return "no_gaps"
    return "nothing_admitted" if weighed else "no_candidates"
