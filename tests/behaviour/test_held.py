"""What a prompt, a relation, a node and a trace hold at once is erased from each, byte for byte."""

from __future__ import annotations

import pytest

from bethink.domain.source import SourceKind
from bethink.errors import NotFound
from bethink.operations.recall import RecallRequest
from tests.behaviour.house import House, know
from tests.behaviour.requirements import requirement
from tests.databases import everything_held, rows_of

MARK = "heliotrope"
LONG = f"I like {MARK} glaze. " + "It is dipped twice, and it rests for a day in the shade. " * 60
OTHER = "I like cobalt glaze."


def held(house: House) -> list[str]:
    """The files or tables that hold the mark."""
    found = everything_held(house.opened[0]._parts.store)
    return sorted(place for place, data in found if MARK.encode() in data.lower())


def counted(house: House, table: str) -> int:
    """Rows of a table."""
    return int(rows_of(house.opened[0]._parts.store, f"select count(*) from {table}")[0][0])


def lived(house: House) -> dict[str, str]:
    """A record and a turn, held by a frozen line, a delta, two relations, nodes, traces, and beside an own document."""
    maya = house.bind()
    with maya.session("talk") as talk:
        turn = talk.turn(f"The {MARK} glaze is my best.", role="user").ids[0]
        other = know(maya, OTHER, type="preference")
        record = maya.remember(LONG, type="preference", source=SourceKind.SYSTEM).id
        frozen = talk.snapshot(f"Plan the {MARK} week")
        house.clock.advance(minutes=1)
        maya.revise(record, action="confirm")
        delta = talk.delta(asked=RecallRequest(f"What of {MARK}?"))
    for name in ("glaze", "kiln"):
        maya.associations.register(name)
    maya.associations.relate("glaze", predicate="is", object="kiln", source=record, evidence=f"like {MARK} glaze")
    maya.associations.relate("kiln", predicate="has", object="glaze", source=turn, evidence=f"{MARK} glaze is my best")
    kept = maya.associations.relate("kiln", predicate="melts", object="glaze").relation.id
    maya.documents.add(text="# Glaze\nThe glaze is dipped twice.", name="glaze.md")
    asked = maya.documents.search(f"Is the {MARK} glaze dipped twice?")
    seen = maya.recall(f"Which {MARK} glaze?")
    assert {record, other} <= {item.id for item in frozen.items}
    assert counted(house, "text_node") > 0
    traces = {"frozen": frozen, "delta": delta.changes, "asked": asked, "seen": seen}
    told = {name: one.trace_id for name, one in traces.items()}
    return {"turn": turn, "record": record, "other": other, "kept": kept, **told}


@requirement("P46")
@pytest.mark.parametrize("first", ["record", "turn"])
def test_what_everything_holds_at_once_leaves_no_byte(house, first):
    mine = lived(house)
    maya = house.bind()
    assert held(house)
    second = "turn" if first == "record" else "record"
    receipts = [maya.forget(mine[name], mode="erase") for name in (first, second)]

    assert [one.complete for one in receipts] == [True, True]
    assert held(house) == []
    assert sum(one.removed.get("relations", 0) for one in receipts) == 2
    assert sum(one.removed.get("lines", 0) for one in receipts) == 1
    assert counted(house, "text_node") == 0
    assert [one.id for one in maya.associations.list().relations] == [mine["kept"]]
    for name in ("frozen", "asked", "seen"):
        assert maya.trace(mine[name]).verification == "erased", name
    assert {one.query for one in maya.reads().reads if one.erased} == {""}
    assert MARK not in repr(maya.reads())
    with maya.session("talk") as talk:
        again = talk.snapshot("Plan the week")
    assert (again.epoch, [item.id for item in again.items]) == (2, [mine["other"]])
    assert maya.documents.search("Is the glaze dipped twice?").passages
    for name in ("record", "turn"):
        with pytest.raises(NotFound):
            maya.get(mine[name])
    assert house.opened[0].check().findings == ()
