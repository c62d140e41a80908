"""Policy: the name of the rules that an answer went by, which its trace and its block carry."""

from __future__ import annotations

from bethink.domain.query import Query

OWNED_RESOURCES = "owned-resources@1"
"""Name and version of the lookup of what the user owns. Any change of what it finds or is worth is a new version."""


RERANKED = "rerank@1"
"""Name and version of what a reranker's scores do to the order."""


def policy_of(ranking: str, query: Query, *, reranked: bool = False) -> str:
    """The ranking's policy, with the lookup of owned things where it was used, and the reranker where it ranked."""
    return "+".join((ranking, *([OWNED_RESOURCES] if query.owned else []), *([RERANKED] if reranked else [])))
