"""The ranking policies by name, and what each of them changes beside the score."""

from __future__ import annotations

from dataclasses import replace

from bethink.errors import InvalidInput
from bethink.operations.recall import Order, RecallRequest
from bethink.ports.recall import Ranker
from bethink.recall.composite import CompositeRanker
from bethink.recall.fusion import FusionRanker
from bethink.recall.profiles import Profile
from bethink.recall.rank import TaskRanker

RANKERS: dict[str, Ranker] = {"task": TaskRanker(), "composite": CompositeRanker(), "fusion": FusionRanker()}
"""Every policy by its name in a request or in the settings."""

BEST_LAST = frozenset({"composite"})
"""Policies whose block ends with the best item, nearest to what follows it, unless the request says otherwise."""

UNSHARED = frozenset({"composite"})
"""Policies under which no kind of record has reserved seats: the highest scores are kept, whatever they are."""


def policy_named(name: str) -> Ranker:
    """The policy of a name.

    Raises:
        InvalidInput: there is none.
    """
    found = RANKERS.get(name)
    if found is None:
        raise InvalidInput(f"Policy {name[:40]!r} is none of {', '.join(RANKERS)}.")
    return found


def base(ranker: Ranker) -> str:
    """The name of a policy without its version."""
    return ranker.policy.partition("@")[0]


def order_of(request: RecallRequest, ranker: Ranker) -> Order:
    """Which end of the block holds the best item: as the request says, else as the policy does."""
    return request.order or ("best_last" if base(ranker) in BEST_LAST else "best_first")


def seats_of(profile: Profile, ranker: Ranker) -> Profile:
    """The profile with the seats that the policy leaves to kinds of records."""
    if base(ranker) not in UNSHARED:
        return profile
    return replace(profile, beliefs=0.0, episodes=0.0, event_beliefs=0.0, event_episodes=0.0)
