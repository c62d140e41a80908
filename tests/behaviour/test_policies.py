"""The policies that rank, on a store: what each block says, and which vectors come back."""

from __future__ import annotations

from pathlib import Path

import pytest

from bethink.recall import composite, fusion
from bethink.recall.policies import RANKERS
from bethink.recall.prior import OUTSIDE, Prior
from tests.behaviour.blocks import QUESTION, furnish
from tests.behaviour.house import ByHand, ids, know, texts
from tests.behaviour.requirements import requirement

GOLDEN = Path(__file__).parents[1] / "golden"


@requirement("C23", "A121")
@pytest.mark.parametrize("policy", ["composite", "fusion"])
def test_a_block_of_each_policy_is_these_bytes(house, policy):
    result = furnish(house).recall(QUESTION, policy=policy)

    assert result.rendered + "\n" == (GOLDEN / f"recall_{policy}.txt").read_text("utf-8")


@requirement("A121")
@pytest.mark.parametrize("profile", ["core", "deep"])
def test_a_block_of_each_profile_is_these_bytes(house, profile):
    result = furnish(house).recall(QUESTION, profile=profile)

    assert result.rendered + "\n" == (GOLDEN / f"recall_{profile}.txt").read_text("utf-8")


@requirement("C62", "C21")
def test_the_five_of_twenty_records_that_are_nearest_in_meaning_come_back(house):
    near = {f"number {at:02}.": round(0.99 - 0.02 * at, 2) for at in range(20)}
    house.embedder = ByHand(near)
    maya = house.bind()
    known = {
        at: know(maya, f"Record number {at:02}.") for at in (7, 3, 19, 0, 12, 5, 1, 15, 9, 2, 4, 18, 6, 8, 10, 11, 13)
    }
    known |= {at: know(maya, f"Record number {at:02}.") for at in (14, 16, 17)}
    result = maya.recall("What was it?", policy="composite", max_items=5)

    assert ids(result) == [known[at] for at in range(5)]
    assert [item.explanation.cosine for item in result.items] == pytest.approx([0.99, 0.97, 0.95, 0.93, 0.91], abs=1e-5)


@requirement("C18", "C20")
def test_a_newer_record_passes_a_closer_one_when_recency_outweighs_the_difference(house):
    house.embedder = ByHand({"brass": 0.90, "steel": 0.80})
    maya = house.bind()
    old = know(maya, "The key is made of brass")
    house.clock.advance(days=180)
    new = know(maya, "The key is made of steel")
    soon = maya.recall("Which key?", policy="composite")
    scores = {item.id: item.score for item in soon.items}

    assert ids(soon) == [new, old]
    assert scores[old] == pytest.approx(0.45 + 0.15 + 0.18, abs=1e-3)
    assert scores[new] == pytest.approx(0.40 + 0.30 + 0.18, abs=1e-3)
    assert texts(maya.recall("Which key?", policy="fusion"))[0] == "The key is made of brass"


def test_a_policy_has_a_version_and_these_numbers():
    """A change here without a new version of the policy makes two answers of one policy incomparable."""
    assert {name: ranker.policy for name, ranker in RANKERS.items()} == {
        "task": "task@7",
        "composite": "composite@1",
        "fusion": "fusion@1",
    }
    assert (composite.COSINE, composite.RECENCY, composite.CONFIDENCE) == (0.5, 0.3, 0.2)
    assert (composite.EPISODE_DAYS, composite.BELIEF_DAYS) == (30, 180)
    assert OUTSIDE == {"sure": 0.5, "likely": 0.7, "vague": 0.85}
    assert Prior() == Prior(None, None, None, 1.0, 0.0, 0.3, None, "vague")
    assert fusion.FusionRanker().prior == Prior()


def test_the_settings_may_choose_the_policy_of_every_recall(house):
    memory = house.open(recall__policy="composite")
    maya = memory.bind("maya", "aria", voice="user")
    know(maya, "The blue kiln burns gas")
    result = maya.recall("blue kiln")

    assert (result.policy, result.order) == ("composite@1", "best_last")
    assert 'policy="composite@1"' in result.rendered
    assert maya.trace(result.trace_id).trace.policy == "composite@1"
