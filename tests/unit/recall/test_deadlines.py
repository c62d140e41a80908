"""A short deadline costs arms, never the answer: what follows them has time of its own."""

from __future__ import annotations

import pytest
from tests.behaviour.requirements import requirement
from tests.unit.recall.house import House
from tests.unit.recall.test_pipeline import FACTS, QUESTION, TALK, ask


@requirement("A100", "B4")
@pytest.mark.parametrize(("given", "arms", "rest"), [(0, 0.0, 0.5), (10, 0.007, 0.5), (2_000, 1.4, 0.6)])
def test_what_follows_the_arms_has_a_reserve_of_its_own(given, arms, rest):
    house = House(TALK)
    ask(house, QUESTION, timeout_ms=given)

    assert house.limits == pytest.approx([rest, arms, rest])


@requirement("B4", "A100")
def test_a_late_look_for_why_nothing_was_found_costs_no_answer():
    house = House(TALK + FACTS, failing=frozenset({"lexical again"}))
    result = ask(house, "support group", types=("decision",)).result

    assert (result.items, result.degraded, result.empty_reason) == ((), (), "no_candidates")


@requirement("B4", "A100", "D27")
def test_an_arm_that_was_late_is_no_proof_that_nothing_is_known():
    house = House(TALK + FACTS, failing=frozenset({"lexical"}))
    result = ask(house, "support group", types=("decision",)).result

    assert (result.items, result.empty_reason) == ((), "not_searched")
    assert any(part.startswith("lexical: deadline_exceeded") for part in result.degraded)
