"""Profiles: one row per kind of read. Weights, gates, quotas and budgets are data here and nowhere else."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from bethink.domain.hit import ARMS, Arm, Weights
from bethink.domain.trace import Moment
from bethink.domain.types import Kind
from bethink.errors import InvalidInput
from bethink.operations.recall import RecallRequest
from bethink.settings import RecallSettings

Fusion = Literal["adaptive", "scores", "ranks"]
FUSIONS: tuple[Fusion, ...] = ("adaptive", "scores", "ranks")

BELIEFS = frozenset({Kind.SEMANTIC, Kind.PROCEDURAL})
EPISODES = frozenset({Kind.EPISODIC})


@dataclass(frozen=True, slots=True)
class GateRule:
    """What is admitted. An exact hit passes all but `score`; anything else must show one signal and pass every floor.

    Args:
        answer: the match that at least one candidate must reach, else nothing is admitted: all are weak together.
        leaned: what `answer` rises by, times what a question gives meaning beyond its set share: unrelated texts have
            a little of it too.
        together: the match at which words and meaning together are a signal, where neither is one alone.
        coverage: the share of the question's terms at which a candidate's own words are a signal.
        cosine: added to the floor of its type, times the space's scale, at which meaning is a signal.
        relative: the share of the best match that each candidate must reach.
        score: the least score.

    `answer`, `leaned` and `relative` were measured on LoCoMo, each question asked of its own conversation and of
    another one: at 0.16, 0.10 and 0.5 the questions with an answer get one (99.7 %), recall@10 loses 0.1 points to no
    gate at all, and 87 % of the questions put to the wrong conversation get none.
    """

    answer: float = 0.16
    leaned: float = 0.10
    together: float = 0.10
    coverage: float = 0.5
    cosine: float = 0.0
    relative: float = 0.5
    score: float = 0.10


@dataclass(frozen=True, slots=True)
class Profile:
    """One kind of read.

    `fusion` is how the arms' findings become one number. `beliefs` and `episodes` are the shares of the items that each
    may not be crowded out of, while it has admitted ones; `event_beliefs` and `event_episodes` hold for a question
    about what happened. A kind is not read when it is absent from `kinds`, and where it is `confirmed`, only what its
    user or the host vouches for is: such a block may stand among what a prompt takes for granted. `max_items` and
    `budget_tokens` of None are the settings'. `taxonomy` says that its questions are compared with the names of the
    taxonomy's nodes, `modelled` that a model may do that where one is handed in, `entities` that profiles of entities
    stand beside the answer.
    """

    name: str
    weights: Weights
    gate: GateRule = GateRule()
    arms: tuple[Arm, ...] = ARMS
    fusion: Fusion = "adaptive"
    kinds: frozenset[Kind] | None = None
    beliefs: float = 0.5
    episodes: float = 0.25
    event_beliefs: float = 0.25
    event_episodes: float = 0.5
    max_items: int | None = None
    budget_tokens: int | None = None
    taxonomy: bool = False
    modelled: bool = False
    entities: bool = False
    per_subject: int = 3
    provisional: bool = True
    confirmed: bool = False


TASK = Weights(match=0.40, confidence=0.20, reinforcement=0.10, authority=0.15, scope=0.10, utility=0.05)
"""The hand-set sum of the design's source; the terms are A102 to A106.

Freshness has no weight. On LoCoMo, asked at the end of each conversation, a weight of 0.02 costs 0.8 points of
recall@10, 0.05 costs 2.4 and 0.10 costs 8.4: what was said long ago is asked about as often as what was said lately.
"""

STRICT = GateRule(answer=0.24, together=0.16, coverage=0.6, cosine=0.10, relative=0.6, score=0.12)
"""For text nobody asked for: what is put into a prompt unasked must be surer than what is looked up."""

PROFILES: dict[str, Profile] = {
    "core": Profile(
        "core",
        Weights(match=0.0, confidence=0.25, reinforcement=0.20, authority=0.30, scope=0.20, utility=0.05),
        kinds=BELIEFS,
        beliefs=1.0,
        episodes=0.0,
        max_items=40,
        provisional=False,
        confirmed=True,
    ),
    "task": Profile("task", TASK),
    "deep": Profile("deep", TASK, max_items=50, budget_tokens=4_000, per_subject=6),
    "passive": Profile("passive", TASK, gate=STRICT, max_items=4, budget_tokens=600, taxonomy=True, entities=True),
    "mention": Profile("mention", TASK, max_items=10, budget_tokens=1_000, taxonomy=True, modelled=True, entities=True),
    "agent_query": Profile(
        "agent_query", TASK, max_items=20, budget_tokens=2_000, taxonomy=True, modelled=True, entities=True
    ),
}
"""Every profile by its name in a request."""

UNASKED: frozenset[Moment] = frozenset({"in_turn", "passive"})
"""Moments in which nobody asked memory: the strict gate holds whatever the profile."""


def at_moment(profile: Profile, moment: Moment, limit: int) -> Profile:
    """The profile as it reads at a moment; `limit` is how many items it may show.

    A snapshot never reads what is provisional, and is about one subject above all, its user, whom no cap may cut short.
    In a turn `core` reads what changed of everything that may be read, the provisional at its reduced weight: its block
    stands beside the turn and not among what a prompt takes for granted.
    """
    if moment == "snapshot":
        return replace(profile, provisional=False, per_subject=max(profile.per_subject, limit))
    if moment == "in_turn" and profile.name == "core":
        return replace(profile, provisional=True, confirmed=False)
    return profile


def gate_rule(profile: Profile, moment: Moment) -> GateRule:
    """The gate of a profile at a moment; what a goal brings into a snapshot nobody asked for either."""
    return STRICT if moment in UNASKED or moment == "snapshot" else profile.gate


def fusion_of(profile: Profile, settings: RecallSettings) -> Fusion:
    """How the arms' findings become one number: as the settings say, else as the profile does.

    Raises:
        InvalidInput: the setting names no fusion.
    """
    chosen = settings.fusion or profile.fusion
    found = next((name for name in FUSIONS if name == chosen), None)
    if found is None:
        raise InvalidInput(f"Setting 'recall.fusion' {chosen[:40]!r} is none of {', '.join(FUSIONS)}.")
    return found


def item_limit(request: RecallRequest, profile: Profile, settings: RecallSettings) -> int:
    """How many items at most: the request's, else the profile's, else the settings'."""
    if request.max_items is not None:
        return request.max_items
    return settings.max_items if profile.max_items is None else profile.max_items


def token_budget(request: RecallRequest, profile: Profile, settings: RecallSettings) -> int:
    """The size of the block: the request's, else the profile's, else the settings'."""
    if request.budget_tokens is not None:
        return request.budget_tokens
    return settings.budget_tokens if profile.budget_tokens is None else profile.budget_tokens
