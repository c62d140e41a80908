"""The order of a recall: the pool of its trace without what gate and collapse took out, before budget and count.

A benchmark's k counts this order. How many items the block holds is another number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bethink.domain.session import Turn
from bethink.domain.trace import Trace
from bethink.evaluation.cases import Level
from bethink.recall.policy import RERANKED

ADMITTING = frozenset({"gate", "collapse", "rerank"})
"""The stages that admit; what a later one cuts was admitted, and did not fit."""

Units = Mapping[str, str]
"""By the id of a stored turn the unit it counts as."""


def units(turns: Iterable[Turn], known: Iterable[str], level: Level) -> Units:
    """What each stored turn counts as: its message, or its session.

    A message that is too long for one turn is stored as a chain (``x``, ``x#2``); its links all count as the message.

    Args:
        turns: what is stored of a conversation.
        known: the ids of the data set's own turns.
        level: what is counted.
    """
    names = frozenset(known)
    return {turn.id: turn.session if level == "session" else _message(turn.message_id, names) for turn in turns}


def ranked(trace: Trace, counted: Units, *, admitted: bool = True) -> list[str]:
    """The units in the order of a recall, each where its best turn stands; records that are no turn have none.

    With `admitted` False it is the order of every candidate, as if nothing had been taken out. Where a reranker ordered
    the survivors, which the pool was before, those that the block shows come first, in its order.
    """
    out = {cut.id for cut in trace.cuts if admitted and cut.stage in ADMITTING}
    anew = trace.returned if admitted and trace.policy.endswith(RERANKED) else ()
    rows = (*anew, *(str(row["id"]) for row in trace.pool))
    return list(dict.fromkeys(counted[id_] for id_ in rows if id_ not in out and id_ in counted))


def _message(stored: str, names: frozenset[str]) -> str:
    """The data set's id of a stored message id."""
    return stored if stored in names else stored.rpartition("#")[0] or stored
