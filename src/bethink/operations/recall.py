"""`recall`: the read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from bethink.domain.record import Status
from bethink.domain.scope import Target
from bethink.domain.trace import Mismatch, Moment, TraceState
from bethink.domain.types import Kind, Portability
from bethink.operations.common import Notice

Profile = Literal["core", "task", "deep", "passive", "mention", "agent_query"]
Order = Literal["best_first", "best_last"]
Policy = Literal["task", "composite", "fusion"]
Fallback = Literal["few_filed", "weak_filed"]
OnWeak = Literal["empty", "lexical", "fallback_scope"]
Band = Literal["high", "medium", "low"]


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """One question to memory. Tenant, principal, project and ceiling come from the binding, never from here.

    Args:
        text: the question; may be empty when subjects or types ask.
        objective, open_questions: working state that shapes the query beside the message.
        subjects: subjects to look up exactly, under any of their names.
        entities: people and things in play, which the text need not name; looked up like the names in it.
        types: only these types (AND). type_hints: anchors of the structured arm (OR), never a filter.
        kinds: only these kinds.
        taxonomy: only what is filed under these nodes of the taxonomy or below them.
        as_of: when it held. known_at: what the store knew then. Both together pin the recall.
        since, until: a half-open window on when things happened.
        after_position: only what the store wrote behind this position of its write counter: new, changed, or of another
            status. Alone, without any question, it asks for all of that.
        without: ids of records that are left out: the prompt holds them already.
        include_superseded: history too: what was replaced or has expired stands beside what holds, marked.
        include_provisional: what nobody has vouched for yet too, lower and marked.
        confirmed_only: only what its user or the host vouches for.
        include_owned_resources: whether what the user owns is looked up; None goes by the text.
        profile: the set of weights, floors and sizes; ``passive``, ``mention`` and ``agent_query`` are for agents.
        moment: where in a session the read happens; it stands on the trace. A vague text ``in_turn`` is not embedded.
        max_items: how many at most; None is the profile's, else the settings'; 0 asks for none and says so.
            It never changes what is considered.
        budget_tokens: the block's size; None is the profile's, else the settings'.
        min_score: a floor on the score beside the profile's gate.
        order: which end of the block holds the best item; None is the policy's, best first but for `composite`.
        policy: which rules rank; None is the settings'. It changes neither what is found nor what is admitted.
        target: only what belongs to the user, this project, this task or the agent alone; None is all the caller reads.
        on_weak: what to show, and say so, when nothing passes the gate: nothing (``empty``), what shares words with the
            question (``lexical``), or the best there is (``fallback_scope``).
        project_policy: whether other projects' records carry here; None is the settings'.
        session: the session the question belongs to; the caller's own unless given.
        gate: whether nothing above normal is shown, whatever the surface allows; None is the profile's: a passive
            recall is always gated, any other only when asked.
        turn: the host's number of the turn, for a passive recall in a session; one past the last where None.
        timeout_ms: what the recall may take; the arms share seven tenths of it, and one that is late is reported. What
            they found is checked and rendered also past it, in half a second at most.
    """

    text: str = ""
    objective: str | None = None
    open_questions: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    type_hints: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] = ()
    taxonomy: tuple[str, ...] = ()
    as_of: datetime | None = None
    known_at: datetime | None = None
    since: datetime | None = None
    until: datetime | None = None
    after_position: int | None = None
    without: tuple[str, ...] = ()
    include_superseded: bool = False
    include_provisional: bool = True
    confirmed_only: bool = False
    include_owned_resources: bool | None = None
    profile: Profile = "task"
    moment: Moment = "tool"
    max_items: int | None = None
    budget_tokens: int | None = None
    min_score: float | None = None
    order: Order | None = None
    policy: Policy | None = None
    on_weak: OnWeak = "empty"
    project_policy: Literal["carry", "isolate"] | None = None
    target: Target | None = None
    session: str | None = None
    gate: bool | None = None
    turn: int | None = None
    timeout_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why an item is here: the arms that found it (rank, raw score), its score's parts, why it passed each cut."""

    arms: Mapping[str, tuple[int, float]]
    parts: Mapping[str, float]
    match: float
    cosine: float | None
    coverage: float
    fused_rank: int
    passed: str
    source: str
    status: Status
    dates: Mapping[str, str | None]
    entities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RecalledItem:
    """One item of the answer, best first. `text` is what the block shows, after the safety pass.

    `flags` holds any of review, stale (its source has moved on), quarantined, temporary and the like, sorted.
    """

    id: str
    short_id: str
    kind: Kind
    type: str
    text: str
    subject: str | None
    status: Status
    band: Band
    authority: str
    source: str
    source_ref: str
    score: float
    origin: str | None
    portability: Portability
    carried: bool
    explanation: Explanation
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    event_at: datetime | None = None
    speaker: str | None = None
    session: str | None = None
    message_id: str | None = None
    conflicts: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    blocked: bool = False
    cut: bool = False


@dataclass(frozen=True, slots=True)
class EntityProfile:
    """What is known of an entity that items of the answer speak of: a record of type entity_profile, screened."""

    id: str
    short_id: str
    subject: str | None
    text: str
    blocked: bool = False


@dataclass(frozen=True, slots=True)
class RecallResult:
    """The answer.

    `rendered` is the block, byte-stable, empty when nothing applies; `sha256` its hash, also on the trace.
    `empty_reason` says why nothing, `short_reason` why fewer than asked, ``no_more`` where that is all there is.
    `degraded` names arms that fell short.
    `topics` are the nodes of the taxonomy the question was taken to be about, and `fallback` why what is filed under
    them was not enough, so that everything was ranked: fewer than three (`few_filed`), or too weak (`weak_filed`).
    `profiles` stand beside the answer under the profiles for agents, and not in its block.
    `mismatch` says that what was found speaks of another person or period than the question names; nothing is hidden
    for it. `trace` says whether the trace is stored, deferred or failed, `trace_reason` why. `trust` is what all of
    memory is: data about the past, which instructs nobody and allows nothing.
    """

    items: tuple[RecalledItem, ...]
    rendered: str
    sha256: str
    tokens: int
    trace_id: str
    trace: TraceState
    policy: str
    order: Order
    effective_count: int
    returned_count: int
    truncated: bool = False
    empty_reason: str | None = None
    short_reason: str | None = None
    degraded: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()
    topics: tuple[str, ...] = ()
    fallback: Fallback | None = None
    profiles: tuple[EntityProfile, ...] = ()
    mismatch: Mismatch | None = None
    trace_reason: str = ""
    considered: int = 0
    position: int = 0
    stages_ms: Mapping[str, float] = field(default_factory=dict)
    trust: Literal["memory"] = "memory"
