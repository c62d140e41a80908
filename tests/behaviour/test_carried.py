"""What was learned elsewhere says so and gives way; what is doubtful, old, said already or too much steps back."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bethink.domain.source import SourceKind
from bethink.domain.types import Kind, Portability
from bethink.operations.recall import RecalledItem, RecallResult
from tests.behaviour.house import MARCH, ByHand, House, ids, know, stored
from tests.behaviour.requirements import requirement

BANDS = ("low", "medium", "high")


def item(result: RecallResult, record: str) -> RecalledItem:
    return next(found for found in result.items if found.id == record)


def line(result: RecallResult, record: str) -> str:
    """The line of one item in the block."""
    short = item(result, record).short_id
    return next(text for text in result.rendered.split("\n") if text.startswith(f"{short} "))


@requirement("A53")
@pytest.mark.parametrize("portability", [Portability.PORTABLE, Portability.CONTEXTUAL, Portability.LOCAL])
@pytest.mark.parametrize("source", [SourceKind.SYSTEM, SourceKind.TOOL_RESULT, SourceKind.DOCUMENT])
def test_what_was_learned_elsewhere_says_where_and_drops_one_band(house, portability, source):
    there, here = house.bind(project="pottery"), house.bind(project="bakery")
    about = {"subject": "kiln", "portability": portability, "source": source, "source_ref": "kiln.md"}
    record = know(there, "The blue kiln burns gas", **about)
    asked = "What does the blue kiln burn?"
    home, away, nowhere = (memory.recall(asked, subjects=("kiln",)) for memory in (there, here, house.bind()))

    assert "(learned in" not in line(home, record)
    for result in (away, nowhere):
        assert " (learned in pottery) " in line(result, record)
        assert item(result, record).carried
        lower = BANDS[max(0, BANDS.index(item(home, record).band) - 1)]
        assert item(result, record).band == lower
        assert f", {lower}" in line(result, record)


@requirement("A57")
@pytest.mark.parametrize("override_first", [True, False])
@pytest.mark.parametrize("source", [SourceKind.SYSTEM, SourceKind.DOCUMENT])
@pytest.mark.parametrize("target", ["personal", "project"])
def test_an_override_of_this_project_outranks_what_is_carried_whatever_its_source_and_age(
    house: House, override_first, source, target
):
    house.open().grant("maya", "aria", "project:bakery", write=True)
    there, here = house.bind(project="pottery"), house.bind(project="bakery")
    fact = {"type": "preference", "subject": "Maya", "attribute": "editor"}
    own = {"source": source, "source_ref": "bakery.md", "target": target, "portability": Portability.LOCAL, **fact}

    def write(*, override: bool) -> str:
        house.clock.advance(days=1)
        if override:
            return know(here, "Maya prefers the red editor", **own)
        return know(there, "Maya prefers the blue editor", portability=Portability.PORTABLE, **fact)

    known = {override: write(override=override) for override in (override_first, not override_first)}
    for question in ("Which editor does Maya prefer?", "Does Maya prefer the blue editor?"):
        assert ids(here.recall(question, kinds=(Kind.SEMANTIC,))) == [known[True]]
        assert ids(there.recall(question, kinds=(Kind.SEMANTIC,))) == [known[False]]


@requirement("A106")
def test_a_review_flag_a_passed_expiry_and_a_near_duplicate_ranked_above_each_cost_a_penalty(house):
    house.embedder = None
    maya = house.bind()
    said = "uses the blue kiln on most days of the week"
    plain = know(maya, said, subject="one")
    flagged = know(maya, said, subject="two")
    past = know(maya, said, subject="three", expires_at=MARCH + timedelta(days=2))
    near = know(maya, f"{said} now", subject="one")
    with stored(maya) as work:
        content = replace(maya.get(flagged).record.content, flags=frozenset({"review"}))
        work.records.add_version(flagged, content, work.recorded_at)
    house.clock.advance(days=3)
    know(maya, "It rained")
    result = maya.recall("blue kiln", include_superseded=True)
    parts = {found.id: found.explanation.parts for found in result.items}
    cost = {name: round(sum(value for value in found.values() if value < 0), 6) for name, found in parts.items()}

    assert cost == {plain: 0.0, flagged: -0.2, past: -0.1, near: -0.1}
    assert {"penalty", "near_duplicate"}.isdisjoint(parts[plain])
    assert ids(result)[0] == plain
    assert ids(result)[-1] == flagged


@requirement("A107")
def test_core_goes_by_durability_and_authority_and_task_by_match(house):
    house.embedder = ByHand({"glazes": 0.5, "hot": 0.95})
    maya = house.bind()
    lasting = maya.remember("keeps the blue kiln in the yard for glazes", type="preference").id
    fitting = know(maya, "the blue kiln in the yard is hot", source=SourceKind.SYSTEM)
    house.clock.advance(days=60)
    know(maya, "It rained")
    asked = "Is the blue kiln in the yard hot?"
    core, task = (maya.recall(asked, profile=name, kinds=(Kind.SEMANTIC,)) for name in ("core", "task"))

    assert (ids(core), ids(task)) == ([lasting, fitting], [fitting, lasting])
    assert {found.explanation.parts["match"] for found in core.items} == {0.0}
    gap = {
        name: {
            part: item(result, lasting).explanation.parts[part] - item(result, fitting).explanation.parts[part]
            for part in ("authority", "reinforcement")
        }
        for name, result in (("core", core), ("task", task))
    }
    assert min(gap["task"].values()) > 0
    assert gap["core"] == pytest.approx({part: 2 * value for part, value in gap["task"].items()}, abs=1e-6)


@requirement("A107")
def test_of_equal_matches_task_puts_what_was_learned_here_first(house):
    house.embedder = None
    here = house.bind(project="bakery")
    away = know(house.bind(project="pottery"), "uses the blue kiln", subject="one", portability=Portability.CONTEXTUAL)
    home = know(here, "uses the blue kiln", subject="two")
    result = here.recall("blue kiln", kinds=(Kind.SEMANTIC,))

    assert len({found.explanation.match for found in result.items}) == 1
    assert ids(result) == [home, away]


@requirement("A114")
@pytest.mark.parametrize("backwards", [True, False])
def test_a_subject_has_three_beliefs_and_the_other_side_of_a_conflict_beside_them(house, backwards):
    house.embedder = None
    maya = house.bind()
    one, two, three, four, partner = (know(maya, f"The kiln has {n} doors", subject="kiln") for n in "abcde")
    with stored(maya) as work:
        work.records.link_conflict(*((partner, one) if backwards else (one, partner)), work.recorded_at)
    result = maya.recall("How many doors has the kiln?")
    cuts = maya.trace(result.trace_id).trace.cuts

    assert ids(result) == [one, two, three, partner]
    assert (item(result, one).conflicts, item(result, partner).conflicts) == ((partner,), (one,))
    assert [(cut.id, cut.reason, cut.bound) for cut in cuts] == [(four, "enough of its subject", 3.0)]
