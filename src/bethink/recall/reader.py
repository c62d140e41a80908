"""What a recall is given beside its request, and what it carries from step to step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from bethink.domain.calibration import Calibration
from bethink.domain.fence import Fence
from bethink.domain.hit import Arm, Body, Candidate
from bethink.domain.query import FieldWeights, Query
from bethink.domain.scope import Caller
from bethink.domain.taxonomy import Topics
from bethink.domain.trace import Trace
from bethink.operations.recall import Order, RecallRequest, RecallResult
from bethink.ports.clock import Clock
from bethink.ports.embedder import Embedder
from bethink.ports.ids import Ids
from bethink.ports.recall import QueryFormer, Ranker, Reranker
from bethink.ports.search import NamedEntity
from bethink.ports.store import Snapshot
from bethink.ports.taxonomy import Classifier
from bethink.recall.asking import Asking
from bethink.recall.policies import order_of, policy_named
from bethink.recall.policy import policy_of
from bethink.recall.profiles import Profile
from bethink.recall.query import TextFormer
from bethink.settings import RecallSettings

STAGES = (
    *("form", "classify", "fence", "embed", "structured", "lexical", "fuzzy", "dense", "entity", "time"),
    *("fuse", "rank", "gate", "collapse", "rerank", "safety", "fit", "render", "trace"),
)
"""The timed steps, in order.

The cut to the pool counts as fuse, the check of candidates against the truth as fence, their texts as collapse.
"""


@dataclass(frozen=True, slots=True)
class Mix:
    """How the two scores are mixed: the dense share, and the space's cosines of unrelated texts and of equal ones.

    `votes` is the dense share where ranks are fused: at one half all arms weigh alike.
    """

    dense: float = 0.35
    zero: float = 0.0
    votes: float = 0.5
    one: float = 1.0


@dataclass(frozen=True, slots=True)
class Nominated:
    """What a provider nominated, (id, score) best first, and why it did not."""

    found: tuple[tuple[str, float], ...] = ()
    problem: str = ""


class Nominating(Protocol):
    """Nominates records inside a bound of time."""

    def within(self, text: str, depth: int, seconds: float) -> Nominated:
        """At most `depth` records, and why there are none."""
        ...


class Admitting(Protocol):
    """Says of what passed the gate whether it helps; what does not is left out with the reason."""

    def refused(self, candidate: Candidate, body: Body) -> str:
        """Why it would not help, empty where it does."""
        ...


class Rewriting(Protocol):
    """Rewrites questions inside a bound of time."""

    def within(self, text: str, context: tuple[str, ...], seconds: float) -> tuple[str, str]:
        """The question in other words, and why there are none; one of the two is empty."""
        ...


@dataclass(frozen=True, slots=True)
class Reader:
    """What a recall reads with. Everything here is the host's; nothing comes from the request.

    Args:
        open: opens one snapshot of the caller's tenant, its statements bounded by the given seconds.
        caller: who asks.
        clock, ids: time and ids.
        settings: the settings of the read.
        embedder: what embeds the query; None recalls by words alone and says so.
        space: the id of the store's active space; None searches no vectors.
        calibration: how the space's cosines read.
        dense_off: why there is no embedder or no space, for the answer's `degraded`.
        language: the language the index is made for.
        former, ranker: the replaceable steps; the default former is a `TextFormer` of the language, the default ranker
            the policy of the request or of the settings.
        classifier: a model that names the topics of a question; None leaves that to the rules.
        reranker: a model that orders survivors anew; None leaves them as they are ranked.
        asking: what bounds the time of both. The settings decide whether a read may ask a model at all.
        resting: by id how many turns ago a memory was shown that is not to be shown yet.
        provider: the host's provider of records, one more arm where there is one.
        rewrites: the host's rewriter of questions, which is asked only where the settings let a read use a model.
        admission: what refuses records that would not help a draft; None refuses nothing.
    """

    open: Callable[[float], AbstractContextManager[Snapshot]]
    caller: Caller
    clock: Clock
    ids: Ids
    settings: RecallSettings = field(default_factory=RecallSettings)
    embedder: Embedder | None = None
    space: str | None = None
    dense_off: str = "no embedder"
    calibration: Calibration = field(default_factory=Calibration)
    language: str = "english"
    former: QueryFormer | None = None
    ranker: Ranker | None = None
    classifier: Classifier | None = None
    reranker: Reranker | None = None
    asking: Asking = field(default_factory=Asking)
    resting: Mapping[str, int] = field(default_factory=dict)
    rewrites: Rewriting | None = None
    provider: Nominating | None = None
    weights: FieldWeights = field(default_factory=FieldWeights)
    admission: Admitting | None = None

    def form(self, request: RecallRequest) -> Query:
        """Form the query."""
        return (self.former or TextFormer(self.language)).form(request)

    def ranks(self, request: RecallRequest) -> Ranker:
        """What ranks this request: the policy it names, else the host's own ranker, else the settings' policy.

        Raises:
            InvalidInput: there is no such policy.
        """
        if request.policy is None and self.ranker is not None:
            return self.ranker
        return policy_named(request.policy or self.settings.policy)

    @property
    def mix(self) -> Mix:
        """How lexical and dense scores are mixed."""
        own = self.calibration.own
        return Mix(self.settings.dense_weight, own(self.calibration.zero), self.settings.dense_votes, own(1.0))


@dataclass(frozen=True, slots=True)
class Asked:
    """A request made definite: what is asked, of what, by whom, under which profile.

    `instant` is the time the answer speaks for: the request's `as_of`, else the store's last recorded instant. It
    and not the clock is rendered and ranks, so an unchanged store answers in unchanged bytes. `latest` is the store's
    last recorded instant, `position` its write counter. `entities` are those the query names, None while unknown.
    `escalation` is why episodes get more of the places: events, subject, or nothing. `reranked` says that a reranker
    ordered the survivors, `not_reranked` why it did not though it was asked. `extra` are arms beyond the profile's,
    `nominated` what the outside one found.
    """

    request: RecallRequest
    query: Query
    caller: Caller
    profile: Profile
    fence: Fence
    instant: datetime
    latest: datetime
    position: int
    limit: int
    budget: int
    ranker: Ranker
    topics: Topics = field(default_factory=Topics)
    entities: tuple[NamedEntity, ...] | None = None
    escalation: str = ""
    reranked: bool = False
    not_reranked: str = ""
    extra: tuple[Arm, ...] = ()
    nominated: Nominated | None = None

    @property
    def order(self) -> Order:
        """Which end of the block holds the best item."""
        return order_of(self.request, self.ranker)

    @property
    def policy(self) -> str:
        """The name of the rules that the answer goes by."""
        return policy_of(self.ranker.policy, self.query, reranked=self.reranked)


@dataclass(frozen=True, slots=True)
class RecallOutcome:
    """The answer, and the trace to store beside it; the answer's `trace` field is set by who stores it."""

    result: RecallResult
    trace: Trace


@dataclass(slots=True)
class Stopwatch:
    """Milliseconds per stage, added up over the times a stage is entered; time inside another stage is that one's."""

    clock: Clock
    milliseconds: dict[str, float] = field(default_factory=lambda: dict.fromkeys(STAGES, 0.0))
    inner: float = 0.0

    def __call__(self, stage: str) -> Lap:
        """Time what runs inside."""
        return Lap(self, stage)


class Lap:
    """One stay in a stage. A plain object, for a recall makes dozens: a generator takes three times as long."""

    __slots__ = ("_outer", "_stage", "_start", "_watch")

    def __init__(self, watch: Stopwatch, stage: str) -> None:
        self._watch, self._stage = watch, stage

    def __enter__(self) -> None:
        watch = self._watch
        self._start, self._outer = watch.clock.elapsed(), watch.inner
        watch.inner = 0.0

    def __exit__(self, *raised: object) -> None:
        watch, stage = self._watch, self._stage
        spent = (watch.clock.elapsed() - self._start) * 1000
        watch.milliseconds[stage] = watch.milliseconds.get(stage, 0.0) + spent - watch.inner
        watch.inner = self._outer + spent
