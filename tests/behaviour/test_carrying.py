"""What was learned in another project: what comes along, how much it weighs there, and what it says of itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from bethink.domain.types import TYPES, Portability
from bethink.memory import BoundMemory
from bethink.operations.recall import RecallResult
from tests.behaviour.house import House, know, record, texts
from tests.behaviour.requirements import requirement

GOLDEN = Path(__file__).parents[1] / "golden"
QUESTION = "What about the blue kiln?"


def furnish(there: BoundMemory, here: BoundMemory) -> dict[str, str]:
    """One record of each reach learned in the pottery, and one of the bakery's own."""
    return {
        "portable": know(there, "The blue kiln is a joy", type="preference"),
        "contextual": know(there, "The blue kiln gets the night shift", type="decision"),
        "local": know(there, "The blue kiln listens on port 9090", subject="kiln port", portability=Portability.LOCAL),
        "own": know(here, "The blue kiln stands by the oven"),
    }


def scope_parts(result: RecallResult) -> dict[str, float]:
    return {item.id: item.explanation.parts["scope"] for item in result.items}


@requirement("A50")
@pytest.mark.parametrize("given", [None, *Portability])
@pytest.mark.parametrize("type_", ["preference", "constraint", "procedure", "decision", "fact", "resource"])
def test_a_record_is_formed_with_the_reach_of_its_type_which_a_writer_may_only_narrow(house, type_, given):
    maya = house.bind(project="pottery")
    formed = record(maya, know(maya, "The blue kiln", type=type_, portability=given)).content.portability

    assert formed == min(TYPES[type_].portability, Portability.PORTABLE if given is None else given)


@requirement("A50")
def test_preferences_norms_and_skills_are_the_ones_that_carry_whole():
    whole = {name for name, rule in TYPES.items() if rule.portability is Portability.PORTABLE}

    assert whole == {"preference", "user_attribute", "constraint", "procedure", "turn"}


@requirement("A50", "A51", "A52", "A105")
def test_what_is_carried_weighs_less_the_less_it_carries_and_says_where_it_is_from(house):
    house.embedder = None
    there, here = house.bind(project="pottery"), house.bind(project="bakery")
    known = furnish(there, here)
    asked = here.recall(QUESTION, subjects=("kiln port",))
    at_home = there.recall(QUESTION)

    assert scope_parts(asked) == pytest.approx(
        {known["own"]: 0.10, known["portable"]: 0.08, known["contextual"]: 0.055, known["local"]: 0.015}, abs=0.001
    )
    assert set(scope_parts(at_home).values()) == {0.1, 0.055}
    assert asked.rendered == (GOLDEN / "recall_carried.txt").read_text("utf-8").rstrip("\n")
    assert here.trace(asked.trace_id).trace.carried_in == tuple(
        item.id for item in asked.items if item.id != known["own"]
    )


@requirement("A52")
@pytest.mark.parametrize(
    ("question", "subjects", "found"),
    [
        (QUESTION, (), False),
        ("On which port does it listen?", (), False),
        (QUESTION, ("Kiln  PORT",), True),
        ("What is the kiln port?", (), True),
    ],
)
def test_what_is_local_elsewhere_comes_only_when_its_subject_is_asked_for(house, question, subjects, found):
    there, here = house.bind(project="pottery"), house.bind(project="bakery")
    known = furnish(there, here)
    result = here.recall(question, subjects=subjects, on_weak="fallback_scope")

    assert (known["local"] in {item.id for item in result.items}) is found
    assert known["local"] in {item.id for item in there.recall(question, subjects=subjects).items}


@requirement("A51", "A10")
def test_isolated_projects_keep_everything_to_themselves(house: House):
    there, here = house.bind(project="pottery"), house.bind(project="bakery")
    known = furnish(there, here)
    walled = house.open(recall__project_policy="isolate").bind("maya", "aria", "bakery", voice="user")

    for result in (walled.recall(QUESTION, subjects=("kiln port",)), here.recall(QUESTION, project_policy="isolate")):
        assert [item.id for item in result.items] == [known["own"]]
        assert "pottery" not in result.rendered
    assert len(texts(here.recall(QUESTION))) == 3
    assert here.trace(here.recall(QUESTION, project_policy="isolate").trace_id).trace.query["fence"]["isolate"]
