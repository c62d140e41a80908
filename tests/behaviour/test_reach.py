"""How far a record holds: narrowed by its user, left behind by its source."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bethink.domain.record import Status
from bethink.domain.source import SourceKind
from bethink.domain.types import Kind, Portability
from tests.behaviour.house import MARCH, ids
from tests.behaviour.requirements import requirement

DAY = timedelta(days=1)
USER, AGENT = SourceKind.USER_STATEMENT, SourceKind.AGENT_INFERENCE


@requirement("P24")
@pytest.mark.parametrize("source", [USER, AGENT])
def test_saying_again_that_it_holds_here_alone_withdraws_it_elsewhere(house, source):
    wide, loom, mill = house.bind(), house.bind(project="loom"), house.bind(project="mill")
    said = "Indent with tabs"
    first = wide.remember(said, type="constraint", source=source, subject="style", attribute="indent")
    house.clock.advance(days=1)
    before = ids(mill.recall("Indent with tabs or spaces?"))
    house.clock.advance(days=1)
    told = loom.remember(said, type="constraint", portability=Portability.LOCAL, subject="style", attribute="indent")
    house.clock.advance(days=1)
    record = loom.get(first.id, history=True)

    assert first.id in before
    assert (told.outcome, told.id, [notice.code for notice in told.notices]) == ("narrowed", first.id, ["narrowed"])
    assert (record.record.version, record.record.content.portability) == (2, Portability.LOCAL)
    assert (record.record.content.origin.project, record.versions[0].content.portability) == (
        "loom",
        Portability.PORTABLE,
    )
    assert first.id in ids(loom.recall("Indent with tabs or spaces?"))
    for elsewhere in (mill, wide):
        assert elsewhere.recall("Indent with tabs or spaces?", on_weak="lexical").items == ()
    assert ids(mill.recall("Indent with tabs or spaces?", known_at=MARCH + DAY))[:1] == before[:1]


@requirement("P24")
def test_narrowing_leaves_one_record_where_the_project_had_its_own(house):
    wide, loom = house.bind(), house.bind(project="loom")
    own = house.bind(project="loom", voice="agent").remember("Indent with tabs", portability=Portability.LOCAL)
    first = wide.remember("Indent with tabs")
    house.clock.advance(days=1)
    told = loom.remember("Indent with tabs", portability=Portability.LOCAL)

    assert first.id != own.id
    assert (told.outcome, told.id, told.superseded, told.status) == ("narrowed", own.id, (first.id,), Status.ACTIVE)
    assert house.bind(project="mill").recall("Indent with tabs").items == ()
    assert [item.id for item in loom.recall("Indent with tabs").items if item.kind is Kind.SEMANTIC] == [own.id]


@requirement("P24")
def test_only_the_users_own_word_from_a_project_narrows(house):
    told = house.bind().remember("Indent with tabs")
    house.bind(project="loom", voice="agent").remember("Indent with tabs", portability=Portability.LOCAL)
    house.bind().remember("Indent with tabs", portability=Portability.LOCAL)
    house.bind(project="loom").remember("Indent with tabs")

    assert house.bind().get(told.id).record.content.portability is Portability.CONTEXTUAL


def test_what_is_typed_for_one_project_stays_there_with_its_turn(house):
    house.bind(project="loom").remember("The loom needs oil", portability=Portability.LOCAL)

    assert len(house.bind(project="loom").recall("What does the loom need?").items) >= 1
    assert house.bind(project="mill").recall("What does the loom need?", on_weak="lexical").items == ()
    assert house.bind(project="mill").episodes(since=MARCH).turns == ()


@requirement("D52")
def test_what_a_source_said_before_it_moved_on_is_shown_as_stale(house, maya):
    def read(text: str, revision: str, **fields: Any) -> Any:
        house.clock.advance(days=1)
        return maya.remember(
            text, source=SourceKind.DOCUMENT, source_ref="handbook", source_revision=revision, **fields
        )

    kept, again = read("The gate closes at ten", "1"), read("The gate is painted green", "1")
    user = maya.remember("The gate is old", source_ref="handbook", source_revision="1").id
    other = maya.remember("The gate squeaks", source=SourceKind.DOCUMENT, source_ref="log", source_revision="1").id
    scores = {item.id: item.score for item in maya.recall("gate", as_of=MARCH + 99 * DAY).items}
    before = house.clock.advance(days=1)
    moved = read("The gate opens at six", "2")
    confirmed = read("The gate is painted green", "2")
    result = maya.recall("gate", as_of=MARCH + 99 * DAY, include_superseded=True, max_items=40)
    shown = {item.id: item for item in result.items}

    assert [notice.code for notice in moved.notices] == ["source_moved_on"]
    assert (confirmed.outcome, confirmed.id) == ("already_reinforced", again.id)
    assert {
        item: "stale" in maya.get(item).record.content.flags for item in (kept.id, again.id, user, other, moved.id)
    } == {
        kept.id: True,
        again.id: False,
        user: False,
        other: False,
        moved.id: False,
    }
    assert (shown[kept.id].flags, shown[kept.id].status) == (("stale",), Status.ACTIVE)
    assert (shown[kept.id].explanation.parts["penalty"], shown[kept.id].score < scores[kept.id]) == (-0.1, True)
    line = next(line for line in result.rendered.splitlines() if "closes at ten" in line)
    assert "stale" in line
    assert maya.get(again.id).record.content.source.revision == "2"
    assert "stale" not in maya.get(kept.id, known_at=before).record.content.flags


def test_marking_as_stale_costs_no_vector(house, maya):
    about = {"source": SourceKind.DOCUMENT, "source_ref": "handbook"}
    kept = maya.remember("The gate closes at ten", source_revision="1", **about).id
    maya.remember("The gate opens at six", source_revision="2", **about)

    assert house.opened[0].pending == 0
    found = {item.id: item.explanation.cosine for item in maya.recall("The gate closes at ten").items}
    assert found[kept] == pytest.approx(1.0, abs=0.3)
