"""Policy: the name of the rules that an answer went by, which its trace and its block carry."""

from __future__ import annotations

from bethink.domain.query import Query

OWNED_RESOURCES = "owned-resources@1"
"""Name and version of the lookup of what the user owns. Any change of what it finds or is worth is a new version."""


def policy_of(ranking: str, query: Query) -> str:
    """The ranking's policy, with the name of the lookup of owned things where the query used it."""
    return f"{ranking}+{OWNED_RESOURCES}" if query.owned else ranking
