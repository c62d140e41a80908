"""Gate: a trace is faithful. Its hash is that of the very bytes that were given, and its items give them again."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.memory import BoundMemory
from bethink.recall.policies import RANKERS
from bethink.testing.fakes import ManualClock
from bethink.tracing.verify import MISMATCH, VERIFIED, verified
from tests.behaviour.house import House, know
from tests.behaviour.requirements import requirement
from tests.store.trace_things import trace

QUESTION = "Which blue kiln is hot?"


def furnish(house: House) -> BoundMemory:
    """A store that can answer every kind of recall."""
    maya = house.bind()
    with maya.session("talk") as talk:
        talk.turn("The blue kiln is hot & <loud>.")
    know(maya, "The blue kiln is hot at noon", type="preference")
    know(maya, "The blue kiln is cold at noon", subject="kiln", attribute="heat")
    maya.documents.add(text="# Kilns\nThe blue kiln opens at dawn.", name="manual")
    house.clock.advance(minutes=1)
    return maya


RECALLS: dict[str, Any] = {
    "recall": lambda maya: maya.recall(QUESTION),
    "best last": lambda maya: maya.recall(QUESTION, order="best_last", max_items=2),
    "passive": lambda maya: maya.recall(QUESTION, profile="passive", session="talk"),
    "empty": lambda maya: maya.recall("Where do penguins nest?"),
    "episodes": lambda maya: maya.recall_episodes(session="talk"),
    "snapshot": lambda maya: maya.snapshot(QUESTION, session="talk"),
    "passages": lambda maya: maya.documents.search(QUESTION),
    **{policy: lambda maya, policy=policy: maya.recall(QUESTION, policy=policy) for policy in RANKERS},
}


@requirement("A156", "A174")
@pytest.mark.parametrize("kind", RECALLS)
def test_every_recall_stores_the_hash_of_the_bytes_it_gave_and_its_items_give_them_again(house, kind):
    maya = furnish(house)
    given_ = RECALLS[kind](maya)
    found = maya.trace(given_.trace_id)

    assert (given_.rendered == "") is (kind == "empty")
    assert found.trace.rendered_sha256 == sha256(given_.rendered.encode()).hexdigest()
    assert found.trace.rendered == given_.rendered
    assert (found.verification, found.reproduced) == (VERIFIED, True)


@requirement("A156", "A174")
@given(place=st.integers(0), other=st.characters(exclude_categories=["Cs"]))
def test_one_changed_character_of_a_stored_block_is_a_mismatch(place, other):
    whole = trace(ManualClock(), query={"order": "best_first"})
    at = place % len(whole.rendered)
    changed = whole.rendered[:at] + other + whole.rendered[at + 1 :]
    same = changed == whole.rendered

    assert verified(whole).verification == VERIFIED
    assert verified(replace(whole, rendered=changed)).verification == (VERIFIED if same else MISMATCH)


@requirement("A174")
@pytest.mark.parametrize("kind", ["recall", "episodes", "snapshot", "passages"])
def test_a_changed_item_of_a_trace_does_not_give_its_block_again(house, kind):
    maya = furnish(house)
    stored = maya.trace(RECALLS[kind](maya).trace_id).trace
    for at, item in enumerate(stored.beliefs):
        changed = replace(item, statement=f"{item.statement} not")
        found = verified(replace(stored, beliefs=(*stored.beliefs[:at], changed, *stored.beliefs[at + 1 :])))
        assert (found.verification, found.reproduced) == (VERIFIED, False)
    assert stored.beliefs
