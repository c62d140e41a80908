"""A stored trace shows its user what may still be read, says what it withholds, and keeps the bytes as they were."""

from __future__ import annotations

from dataclasses import replace

from bethink.domain.scope import Sensitivity
from bethink.domain.types import Portability
from bethink.memory import BoundMemory
from bethink.operations.explain import TraceResult
from bethink.tracing.withhold import WITHHELD
from tests.behaviour.house import know, stored
from tests.behaviour.requirements import requirement
from tests.databases import rows_of

WORD = "heliotrope"
ASKED = "Which word opens the vault, and who keeps the vault?"


def two(memory: BoundMemory, **about: object) -> tuple[str, str, str]:
    """A record with a word, one without, and the trace of a recall that showed both."""
    first = know(memory, f"The word {WORD} opens the vault", subject=WORD, **about)
    second = know(memory, "Otto keeps the vault")
    result = memory.recall(ASKED)
    assert {item.id for item in result.items} == {first, second}
    return first, second, result.trace_id


def hides(found: TraceResult, whole: TraceResult, record: str, other: str) -> None:
    """What is withheld is withheld whole, and nothing else is; the verdict is that of the stored bytes."""
    assert found.withheld == (record,)
    assert (found.verification, found.recomputed_sha256, found.reproduced) == (
        "verified",
        whole.recomputed_sha256,
        True,
    )
    assert WORD not in repr(replace(found.trace, query={}))
    lines = {line.split()[0]: line for line in found.trace.rendered.splitlines()}
    before = {line.split()[0]: line for line in whole.trace.rendered.splitlines()}
    short = {belief.id: belief.short_id for belief in whole.trace.beliefs}
    assert lines.keys() == before.keys()
    assert WITHHELD in lines[short[record]]
    assert {name for name in lines if lines[name] != before[name]} == {short[record]}
    assert next(item for item in found.trace.beliefs if item.id == other) in whole.trace.beliefs
    assert found.trace.rendered_sha256 == whole.trace.rendered_sha256


@requirement("A141", "A161", "P44")
def test_what_was_forgotten_is_withheld_from_a_trace_until_it_is_restored(maya):
    record, other, asked = two(maya)
    whole = maya.trace(asked)
    rows = rows_of(maya._parts.store, "select * from trace", traces=True)
    maya.forget(record)
    found = maya.trace(asked)
    assert rows_of(maya._parts.store, "select * from trace", traces=True) == rows
    maya.forget(record, mode="restore")

    hides(found, whole, record, other)
    assert (whole.withheld, maya.trace(asked)) == ((), whole)


@requirement("A141", "E64")
def test_a_grant_that_was_taken_back_binds_the_traces_too(house):
    memory = house.open()
    memory.grant("maya", "aria", "project:loom", write=True)
    maya = house.bind(project="loom")
    record = know(maya, f"The word {WORD} opens the vault", subject=WORD, target="project")
    other = know(maya, "Otto keeps the vault")
    asked = maya.recall(ASKED).trace_id
    whole = maya.trace(asked)
    assert house.open().revoke("maya", "aria", "project:loom")
    found = maya.trace(asked)
    memory.grant("maya", "aria", "project:loom")

    hides(found, whole, record, other)
    assert maya.trace(asked) == whole


@requirement("A161")
def test_what_became_more_sensitive_than_the_recall_could_see_is_withheld_from_every_surface(house, maya):
    record, other, asked = two(maya)
    whole = maya.trace(asked)
    with stored(maya) as work:
        content = maya.get(record).record.content
        work.records.add_version(record, replace(content, sensitivity=Sensitivity.RESTRICTED), work.recorded_at)

    for ceiling in (Sensitivity.NORMAL, Sensitivity.SECRET):
        hides(house.bind(ceiling=ceiling).trace(asked), whole, record, other)


def test_what_was_superseded_or_belongs_to_another_project_may_still_be_read(house):
    loom = house.bind(project="loom")
    first = know(loom, f"The word {WORD} opens the vault", subject="vault", attribute="word")
    know(loom, "Otto keeps the vault", portability=Portability.LOCAL)
    asked = loom.recall(ASKED).trace_id
    whole = loom.trace(asked)
    house.clock.advance(days=1)
    know(loom, "The word begonia opens the vault", subject="vault", attribute="word")

    assert loom.get(first).record.status == "superseded"
    assert len(whole.trace.beliefs) == 2
    assert house.bind(project="mill").trace(asked) == whole


def test_a_block_that_was_changed_is_not_shown_beside_what_is_withheld(maya):
    record, _, asked = two(maya)
    changed = "update trace set body = replace(body, 'opens the vault (', 'opens the gate (')"
    rows_of(maya._parts.store, changed, traces=True)
    changed = maya.trace(asked)
    maya.forget(record)
    found = maya.trace(asked)

    assert (changed.verification, "gate" in changed.trace.rendered) == ("mismatch", True)
    assert (found.verification, found.trace.rendered, found.withheld) == ("mismatch", "", (record,))


def test_everything_withheld_leaves_a_block_that_says_so(maya):
    record, other, asked = two(maya)
    for item in (record, other):
        maya.forget(item)
    found = maya.trace(asked)

    assert sorted(found.withheld) == sorted((record, other))
    assert found.trace.rendered.count(WITHHELD) == 2
    assert "Otto" not in repr(found.trace)


def test_a_trace_that_showed_nothing_withholds_nothing(maya):
    maya.remember("The shed is cold")
    asked = maya.recall("Where do penguins nest?").trace_id

    assert (maya.trace(asked).withheld, maya.trace(asked).trace.rendered) == ((), "")
