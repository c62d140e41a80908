"""Recall of episodes: what was said, in order, rendered and traced like every recall and screened like it.

It is the one read that reaches the archive, and only when asked to. Nothing is ranked, so nothing is collapsed: what
was said twice stands there twice. The budget takes a run from the first turn on, so that a reader can go on behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from bethink.domain.fence import Fence
from bethink.domain.hit import Fused, Scored
from bethink.domain.ids import check_id
from bethink.domain.record import LIVE, Status
from bethink.domain.session import Turn
from bethink.domain.time import iso
from bethink.domain.trace import OPERATOR_DAYS, Trace, rendered_hash
from bethink.errors import InvalidInput
from bethink.operations.episodes import Episode, EpisodesRequest, RecallEpisodesRequest, RecallEpisodesResult
from bethink.ports.store import Snapshot
from bethink.recall.budget import Placed
from bethink.recall.episodes import check_window, episodes_fence, turns_found
from bethink.recall.fenced import fence_data
from bethink.recall.reader import Reader, Stopwatch
from bethink.recall.render import CLOSING, block, carried, opening, parts
from bethink.recall.safety import Show, label, screened
from bethink.recall.trace import traced_belief
from bethink.text.door import check_whole
from bethink.text.tokens import BYTES_PER_TOKEN, estimate_tokens

POLICY = "episodes@1"
"""Name and version of the rules: the order of time, or of the session."""

MAX_LIMIT = 100
MAX_BUDGET = 20_000


@dataclass(frozen=True, slots=True)
class EpisodesOutcome:
    """The answer, and the trace to store beside it; the answer's `trace` field is set by who stores it."""

    result: RecallEpisodesResult
    trace: Trace


@dataclass(frozen=True, slots=True)
class _Told:
    """What of the turns found is in the block: a run from the first on."""

    turns: tuple[Turn, ...]
    placed: tuple[Placed, ...]
    rendered: str
    left_out: bool


def recall_episodes(request: RecallEpisodesRequest, reader: Reader) -> EpisodesOutcome:
    """Answer one request for episodes.

    Raises:
        InvalidInput: neither a session nor a time is named, or a value that cannot be used.
        StoreError, DeadlineExceeded: the store cannot be read, or not in time.
    """
    asked = _checked(request)
    statuses = LIVE | {Status.ARCHIVED} if request.archived else LIVE
    watch = Stopwatch(reader.clock)
    with reader.open(reader.settings.timeout_ms / 1000) as snapshot:
        fence = episodes_fence(asked, reader, snapshot, statuses)
        found = turns_found(asked, fence, snapshot, reader.language)
        instant, position = snapshot.latest or fence.instant, snapshot.position
        scored, show = _scored(found.turns, fence, snapshot, watch)
    told = _told(found.turns, scored, show, _Frame(reader.caller.project, instant, request.budget_tokens))
    reason = found.empty_reason or (None if told.placed else "budget")
    trace = _trace(request, told, reader, (fence, instant, position, reason))
    items = tuple(map(_episode, told.turns, told.placed, [reader.caller.project] * len(told.turns)))
    result = RecallEpisodesResult(
        items=items,
        rendered=told.rendered,
        sha256=trace.rendered_sha256,
        tokens=trace.tokens,
        trace_id=trace.id,
        trace="off",
        policy=POLICY,
        more=found.more or told.left_out,
        empty_reason=reason,
    )
    return EpisodesOutcome(result, trace)


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where a block is shown, the instant it speaks for, and its size."""

    project: str | None
    instant: datetime
    budget: int


def _checked(request: RecallEpisodesRequest) -> EpisodesRequest:
    """The plain request for turns."""
    if request.session is None and request.since is None and request.until is None:
        raise InvalidInput(
            "Episodes are recalled of a session or a time, and neither is named.",
            remedy="Pass session, since or until.",
        )
    if request.session is not None:
        check_id(request.session, "session")
    for name, most in (("limit", MAX_LIMIT), ("budget_tokens", MAX_BUDGET)):
        check_whole(getattr(request, name), name, 1, most)
    asked = EpisodesRequest(
        session=request.session,
        since=request.since,
        until=request.until,
        text=request.text,
        limit=request.limit,
        after_seq=request.after_seq,
    )
    check_window(asked)
    return asked


def _scored(
    turns: Sequence[Turn], fence: Fence, snapshot: Snapshot, watch: Stopwatch
) -> tuple[dict[int, Scored], Show]:
    """The turns as candidates by key, all of one score, and the screen over their texts."""
    keys = sorted(turn.key for turn in turns)
    candidates = snapshot.records.candidates(fence, keys) if keys else ()
    bodies = snapshot.records.bodies(fence, [candidate.key for candidate in candidates]) if candidates else {}
    scored = {candidate.key: Scored(Fused(candidate, 1.0), 1.0, {}) for candidate in candidates}
    return scored, screened(bodies, fence.ceiling, watch)


def _told(turns: Sequence[Turn], scored: dict[int, Scored], show: Show, frame: _Frame) -> _Told:
    """The block of as many turns, from the first on, as the budget holds."""
    short_ids = label([scored[turn.key] for turn in turns if turn.key in scored])
    left = frame.budget * BYTES_PER_TOKEN - len(f"{opening(frame.instant, POLICY)}\n{CLOSING}")
    kept: list[Turn] = []
    placed: list[Placed] = []
    full = False
    for turn in turns:
        shown = show(scored[turn.key]) if turn.key in scored else None
        if shown is None:
            continue
        line = parts(shown, short_ids, frame.project)
        left -= len(line.text.encode()) + 1
        full = left < 0
        if full:
            break
        kept.append(turn)
        placed.append(Placed(shown, line, line.text))
    rendered = block([one.line for one in placed], frame.instant, POLICY, "best_first")
    return _Told(tuple(kept), tuple(placed), rendered, full)


def _episode(turn: Turn, one: Placed, project: str | None) -> Episode:
    """One turn of the answer, as the block shows it."""
    candidate = one.shown.item.candidate
    return Episode(
        id=turn.id,
        short_id=one.parts.short_id,
        session=turn.session,
        seq=turn.seq,
        role=turn.role,
        speaker=one.shown.speaker,
        said_at=turn.said_at,
        text=one.shown.statement,
        authority=one.parts.authority,
        source=candidate.source.value,
        message_id=turn.message_id,
        origin=candidate.project,
        carried=carried(one.shown, project),
        blocked=bool(one.shown.blocked),
    )


def _trace(
    request: RecallEpisodesRequest, told: _Told, reader: Reader, state: tuple[Fence, datetime, int, str | None]
) -> Trace:
    """The trace of one recall of episodes."""
    fence, instant, position, reason = state
    at, caller = reader.clock.now(), reader.caller
    ids = [one.shown.item.candidate.id for one in told.placed]
    return Trace(
        id=reader.ids.new(at),
        tenant=caller.principal.tenant,
        user=caller.principal.user,
        agent=caller.principal.agent,
        created_at=at,
        moment="tool",
        surface=caller.surface,
        ceiling=fence.ceiling.name.lower(),
        query=_query(request, fence, instant),
        policy=POLICY,
        position=position,
        rendered=told.rendered,
        rendered_sha256=rendered_hash(told.rendered),
        as_of=instant,
        session=caller.session,
        returned=tuple(ids),
        blocked=tuple(id_ for id_, one in zip(ids, told.placed, strict=True) if one.shown.blocked),
        carried_in=tuple(id_ for id_, one in zip(ids, told.placed, strict=True) if carried(one.shown, caller.project)),
        beliefs=tuple(traced_belief(one, caller.project) for one in told.placed),
        empty_reason=reason,
        tokens=estimate_tokens(told.rendered),
        operator_fields_expire_at=at + timedelta(days=OPERATOR_DAYS),
    )


def _query(request: RecallEpisodesRequest, fence: Fence, latest: datetime) -> dict[str, Any]:
    """What was asked, as plain data; what is not set is left out."""
    told = {
        "text": request.text,
        "episodes_of": request.session,
        "since": None if request.since is None else iso(request.since),
        "until": None if request.until is None else iso(request.until),
        "after_seq": request.after_seq if request.after_seq >= 0 else None,
        "archived": request.archived or None,
        "max_items": request.limit,
        "budget_tokens": request.budget_tokens,
        "order": "best_first",
    }
    return {
        **{name: value for name, value in told.items() if value not in (None, "")},
        "fence": fence_data(fence, latest),
    }
