"""Review: pairs that say nearly the same are decided about, ten at a time: keep both, let one give way, or merge.

Whoever judges, the rules of every merge hold: nothing gives way to a source of lower rank, to another subject, or to
what holds for less time; a merged text says nothing that neither said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bethink.domain.record import GRACE, NewRecord, Record, Status, StatusSpan, Usage
from bethink.domain.source import UPKEEP, Source, SourceKind, derived_kind
from bethink.domain.time import earliest
from bethink.errors import AdviserError, InvalidInput
from bethink.formation.apply import Writing, apply
from bethink.formation.compose import invented
from bethink.formation.desk import Desk
from bethink.formation.embed import Vectors, embedded, put_added
from bethink.formation.merge import merge_pair
from bethink.formation.merging import Pair, check_pair
from bethink.formation.pair_questions import BATCH, Loaded, claimed, reach, unchanged
from bethink.formation.pair_rules import PairRules
from bethink.formation.proposal import Decision, Proposal
from bethink.formation.timing import Stages
from bethink.ports.advice import PairJudge, PairVerdict
from bethink.ports.pairs import Decided
from bethink.ports.store import UnitOfWork
from bethink.text.door import check_text
from bethink.text.screen import screen
from bethink.text.secrets import redact_secrets
from bethink.text.template import belief_text, phrased

LONGEST_MERGED = 600
"""Characters of a text that stands for two: a few statements. Merged again and again, no record grows beyond it."""

_RULES = PairRules()


@dataclass(frozen=True, slots=True)
class Judged:
    """A pair, what was decided about it, and the vector of the text that stands for both, if there is one."""

    one: Loaded
    verdict: PairVerdict
    vectors: Vectors | None = None


def review(desk: Desk, limit: int) -> tuple[int, dict[str, int]]:
    """Decide about up to ten pairs; how many were looked at, and what was decided how often.

    Raises:
        AdviserError: the judge cannot answer; its pairs are decided about when their claim has run out.
        StoreError, DeadlineExceeded: a write did not happen; decisions before stay.
    """
    pairs = claimed(desk, "near", min(limit, BATCH))
    judge = desk.advisers.pairs or _RULES
    counts: dict[str, int] = {}
    for judged in _judged(desk, judge, pairs):
        with desk.store.write(desk.tenant) as work:
            if not unchanged(work, desk, judged.one):
                continue
            decision, by = _carry_out(work, desk, judged, judge.name)
            work.pairs.decide(judged.one.pair, _as_kept(decision, judged.one), by, work.recorded_at)
            counts[decision] = counts.get(decision, 0) + 1
    return len(pairs), counts


def _as_kept(decision: Decided, one: Loaded) -> Decided:
    """A decision about the older and the younger as one about the first and the second of the pair."""
    turned: dict[Decided, Decided] = {"supersede_a": "supersede_b", "supersede_b": "supersede_a"}
    return decision if one.a.id == one.pair.first else turned.get(decision, decision)


def _judged(desk: Desk, judge: PairJudge, pairs: Sequence[Loaded]) -> list[Judged]:
    """What the judge says of each, with the vectors of what it wrote.

    Raises:
        AdviserError: it answered for more pairs or fewer than it was asked about.
    """
    verdicts = judge.review([one.question for one in pairs]) if pairs else ()
    if len(verdicts) != len(pairs):
        raise AdviserError(f"{judge.name} was asked about {len(pairs)} pairs and answered for {len(verdicts)}.")
    made = []
    for one, verdict in zip(pairs, verdicts, strict=True):
        fit = _fit(desk, one, verdict)
        vectors = None
        if fit.decision == "merge" and fit.text is not None:
            vectors, _ = embedded(desk, [phrased(belief_text(_better(one)[0].content.subject, fit.text), fit.text)])
        made.append(Judged(one, fit, vectors))
    return made


def _fit(desk: Desk, one: Loaded, verdict: PairVerdict) -> PairVerdict:
    """The verdict, or to keep both where it merges into a text that cannot stand for them."""
    if verdict.decision != "merge":
        return verdict
    said = [one.a.content.text, one.b.content.text]
    bound = min(desk.content_limit, len(said[0]) + len(said[1]) + 2, max(LONGEST_MERGED, *map(len, said)))
    try:
        text = redact_secrets(check_text(verdict.text, "merged text", bound)).text
    except InvalidInput:
        return PairVerdict("keep_both")
    wrong = bool(invented(text, said)) or bool(screen(text))
    return PairVerdict("keep_both") if wrong else PairVerdict("merge", text)


def _carry_out(work: UnitOfWork, desk: Desk, judged: Judged, name: str) -> tuple[Decided, str]:
    """Do what was decided, as far as the rules allow; what was done, and who decided."""
    one, decision = judged.one, judged.verdict.decision
    if decision == "keep_both":
        return "keep_both", name
    try:
        if decision == "merge":
            _merge(work, desk, judged)
        else:
            kept, gone = (one.b, one.a) if decision == "supersede_a" else (one.a, one.b)
            pair = _pair(work, kept, gone)
            check_pair(pair)
            merge_pair(work, desk, pair, reach(desk, kept, work), Stages(desk.clock))
    except InvalidInput:
        return "keep_both", f"{name}, held back by rules"
    return decision, name


def _pair(work: UnitOfWork, kept: Record, gone: Record) -> Pair:
    """The two as the rules of a merge look at them; the judge the host chose is taken at its word."""
    supporting, others = work.records.supporters(kept.id), work.records.supporters(gone.id)
    return Pair(kept, gone, supporting, others, SourceKind.USER_STATEMENT, work.recorded_at)


def _better(one: Loaded) -> tuple[Record, Record]:
    """The record whose place a merged one takes, by rank and then by age, and the other."""
    a, b = one.a, one.b
    return (a, b) if a.content.source.rank > b.content.source.rank else (b, a)


def _merge(work: UnitOfWork, desk: Desk, judged: Judged) -> None:
    """One new record in the place of both.

    Raises:
        InvalidInput: the rules keep the two apart.
    """
    kept, gone = _better(judged.one)
    pair = _pair(work, kept, gone)
    check_pair(pair)
    record = _merged(work, desk, pair, judged.verdict.text or "")
    at = work.recorded_at
    over = StatusSpan(Status.SUPERSEDED, at, ends_at=at, successor=record.id, reason="merged")
    ids = (kept.id, gone.id)
    decision = Decision(
        "superseded", record.id, record.status, record=record, spans=tuple((i, over) for i in ids), superseded=ids
    )
    proposal = Proposal(record.id, record.content, at, record.content.source.ref)
    details = {"action": "merge", "record": record.id, "outcome": "merged", "parents": sorted(ids)}
    writing = Writing(decision, proposal, reach(desk, kept, work), event="memory.merged", details=details)
    applied = apply(work, desk, writing, Stages(desk.clock))
    for ref, kind in {*pair.supporting, *pair.others}:
        work.records.add_support(record.id, ref, kind, at)
    put_added(work, desk, judged.vectors, (applied.record,))


def _merged(work: UnitOfWork, desk: Desk, pair: Pair, text: str) -> NewRecord:
    """The new record: of the better one's subject, as sensitive as the stricter, trusted as the lesser."""
    kept, gone, at = pair.survivor, pair.other, pair.now
    both = (kept, gone)
    status = Status.ACTIVE if all(record.status is Status.ACTIVE for record in both) else Status.PROVISIONAL
    content = replace(
        kept.content,
        text=text,
        source=Source(derived_kind(r.content.source.kind for r in both), f"merged:{kept.id}", UPKEEP),
        sensitivity=max(record.content.sensitivity for record in both),
        portability=min(record.content.portability for record in both),
        derivation="derived",
        parents=tuple(sorted(record.id for record in both)),
        valid_from=at,
        event_at=None,
        flags=kept.content.flags | gone.content.flags,
        tags=tuple(sorted({*kept.content.tags, *gone.content.tags})),
    )
    item = desk.ids.new(at)
    last = max((r.usage.last_evidence_at for r in both if r.usage.last_evidence_at), default=None)
    usage = Usage(
        confidence=min(record.usage.confidence for record in both),
        evidence_count=len({ref for ref, _ in (*pair.supporting, *pair.others)}),
        last_evidence_at=last,
    )
    return NewRecord(
        id=item,
        content=content,
        status=status,
        usage=usage,
        created_at=at,
        ends_at=earliest(kept.ends_at, gone.ends_at, at + GRACE if status is Status.PROVISIONAL else None),
        reason="merged",
        supersedes=content.parents,
        entities=work.entities.links(content.parents),
    )
