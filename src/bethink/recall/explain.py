"""Explain: why each item is here, and why the answer is empty or short."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache

from bethink.domain.query import Query
from bethink.domain.time import iso
from bethink.operations.common import Notice
from bethink.operations.recall import Explanation, Fallback, RecalledItem
from bethink.recall.account import Account
from bethink.recall.budget import Placed
from bethink.recall.collapse import ENOUGH, SPENT
from bethink.recall.render import band, carried

EMPTY_REASONS = {
    "no_scope": "The caller may read no scope.",
    "count_zero": "Zero items were asked for.",
    "only_function_words": "The question holds function words only, and names no subject.",
    "not_searched": "Not all of memory was searched, for an arm was late or failed; see what is degraded.",
    "no_candidates": "Nothing that the caller may read matches.",
    "filtered": "Something matches, but outside the asked kinds, types, sources, times, position, channel or project.",
    "narrowed": "Nothing of what matches is filed under the asked nodes of the taxonomy.",
    "below_floor": "Everything found was too weak.",
    "outdated": "What matches holds no longer, or not yet.",
    "resting": "Everything found was shown in the last turns.",
    "held": "The prompt holds everything found already.",
    "unhelpful": "Nothing found would help the draft.",
    "budget": "Not even the best item fits into the budget.",
}
"""Why an answer can be empty, by code."""

SHORTENED = {"budget": "budget", "quota": "quota", "resting": "rest", "held": "held", "unhelpful": "admission"}
"""By code the stage whose cuts made an answer short, the first to hold."""

FALLBACKS: dict[Fallback, str] = {
    "few_filed": "Fewer than three records are filed under the topics of the question; everything was ranked.",
    "weak_filed": "What is filed under the topics of the question scored too little; everything was ranked.",
}
"""Why the topics of a question gave way, by code."""


def empty_reason(account: Account) -> str | None:
    """The code of the first thing that emptied the answer, None when it is not empty."""
    asked, found = account.asked, account.findings
    if account.fitted.placed:
        return None
    causes = {
        "no_scope": not asked.fence.scopes,
        "count_zero": asked.limit == 0,
        "outdated": found.hidden == "outdated"
        or (bool(account.gated.admitted) and len(account.gated.admitted) == _spent(account)),
        "resting": any(cut.stage == "rest" for cut in account.cuts),
        "held": any(cut.stage == "held" for cut in account.cuts),
        "unhelpful": any(cut.stage == "admission" for cut in account.cuts),
        "budget": bool(account.gated.admitted),
        "narrowed": bool(found.candidates) and not account.ranked,
        "below_floor": bool(found.candidates),
        "filtered": found.hidden == "filtered",
        "not_searched": found.hidden == "not_searched",
        "only_function_words": asked.query.function_words_only,
        "no_candidates": True,
    }
    return next(code for code, holds in causes.items() if holds)


def _spent(account: Account) -> int:
    """How many admitted turns said what was superseded since."""
    return sum(cut.reason == SPENT for cut in account.cuts)


def short_reason(account: Account) -> str | None:
    """Why fewer items than asked for came back; None when the count is full or the answer empty."""
    placed = account.fitted.placed
    if not placed:
        return None
    if all(one.shown.blocked for one in placed):
        return "all_blocked"
    if len(placed) >= account.asked.limit:
        return None
    stages = {cut.stage for cut in account.cuts}
    if cause := next((code for code, stage in SHORTENED.items() if stage in stages), None):
        return cause
    if any(cut.reason == ENOUGH for cut in account.cuts):
        return "subject_cap"
    return "weak_rest" if account.gated.cuts or account.findings.passed_over else "no_more"


def notices(account: Account) -> tuple[Notice, ...]:
    """What the caller should know beside the items."""
    found = []
    if why := account.ranking.fallback:
        found.append(Notice(why, FALLBACKS[why]))
    found += _unread(account.asked.query)
    if account.asked.query.vague:
        found.append(Notice("vague", "The message alone says too little to be searched by its meaning."))
    if problem := account.asked.not_reranked:
        found.append(Notice("not_reranked", f"The order is the fused one; the reranker: {problem}."))
    if problem := account.asked.query.not_rewritten:
        found.append(Notice("not_rewritten", f"The question was searched as it was asked; its rewriter: {problem}."))
    if cut := account.findings.cut_partners:
        found.append(Notice("partners_cut", f"{cut} records in conflict with what was found were not fetched."))
    if cut := sum(cut.stage == "quota" for cut in account.cuts):
        found.append(
            Notice("quota_cut", f"{cut} items were left out: nobody vouches for their source, which had its share.")
        )
    if weak := account.gated.weak:
        found.append(Notice("weak", f"Nothing passed the gate; the items are shown because on_weak is {weak}."))
    return tuple(found)


def _unread(query: Query) -> Iterator[Notice]:
    """What of a long question was left out."""
    if cut := query.cut_text:
        yield Notice("context_cut", f"{cut:,} characters of the objective and the open questions were too many.")
    if terms := query.cut_terms:
        yield Notice("terms_cut", f"{len(terms)} words of the long question were not searched: the commonest.")
    if cut := query.cut_names:
        yield Notice("names_cut", f"{cut} runs of words of the long question were not looked up as names.")


def items(account: Account) -> tuple[RecalledItem, ...]:
    """The answer's items, best first."""
    order = sorted((-item.found.match, item.found.candidate.id) for item in account.ranked)
    ranks = {id_: rank for rank, (_, id_) in enumerate(order, 1)}
    return tuple(_item(one, account, ranks[one.shown.item.candidate.id]) for one in account.fitted.placed)


def _item(one: Placed, account: Account, fused_rank: int) -> RecalledItem:
    """One item of the answer."""
    shown, candidate, body = one.shown, one.shown.item.candidate, one.shown.body
    project = account.asked.caller.project
    return RecalledItem(
        id=candidate.id,
        short_id=account.short_ids[candidate.id],
        kind=candidate.kind,
        type=candidate.type,
        text=shown.statement,
        subject=shown.subject,
        status=candidate.status,
        band=band(shown, project),
        authority=one.parts.authority,
        source=candidate.source.value,
        source_ref=body.source_ref,
        score=shown.item.score,
        origin=candidate.project,
        portability=candidate.portability,
        carried=carried(shown, project),
        explanation=_explanation(one, account.gated.passed.get(candidate.id, ""), fused_rank),
        valid_from=candidate.valid_from,
        valid_until=candidate.valid_until,
        event_at=candidate.event_at or body.said_at,
        speaker=None if shown.blocked else shown.speaker or None,
        session=candidate.session,
        message_id=body.message_id,
        conflicts=candidate.conflicts,
        flags=tuple(sorted(candidate.flags)),
        blocked=bool(shown.blocked),
        cut=one.cut,
    )


def _explanation(one: Placed, passed: str, fused_rank: int) -> Explanation:
    """Why the item is here."""
    found, candidate, body = one.shown.item.found, one.shown.item.candidate, one.shown.body
    dates = {
        "recorded_at": candidate.recorded_at,
        "valid_from": candidate.valid_from,
        "valid_until": candidate.valid_until,
        "event_at": candidate.event_at or body.said_at,
        "expires_at": candidate.ends_at,
    }
    return Explanation(
        arms=found.arms,
        parts=one.shown.item.parts,
        match=found.match,
        cosine=found.cosine,
        coverage=found.coverage,
        fused_rank=fused_rank,
        passed=passed,
        source=candidate.source.value,
        status=candidate.status,
        dates={name: None if value is None else _told(value) for name, value in dates.items()},
        entities=body.entities,
    )


@lru_cache(maxsize=4_096)
def _told(instant: datetime) -> str:
    """`iso` of a stored instant, remembered: all are UTC, and what is written together shares its times."""
    return iso(instant)
