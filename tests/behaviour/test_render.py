"""The block: golden bytes, the same whenever and in whatever order, never longer than its budget."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bethink.domain.source import SourceKind
from bethink.operations.recall import RecallResult
from bethink.settings import RecallSettings
from bethink.text.tokens import estimate_tokens
from tests.behaviour.blocks import QUESTION, cut_to_fit, everything, furnish, the_best_last, the_past
from tests.behaviour.house import MARCH, House, ids, know, texts
from tests.behaviour.requirements import requirement
from tests.databases import Place

GOLDEN = Path(__file__).parents[1] / "golden"
DAY = timedelta(days=1)


@requirement("A121", "A126", "A127", "A113", "A116", "P67", "A123")
@pytest.mark.parametrize("told", [everything, the_best_last, cut_to_fit, the_past])
def test_a_block_is_these_bytes(house, told: Callable[[House], RecallResult]):
    assert told(house).rendered + "\n" == (GOLDEN / f"recall_{told.__name__}.txt").read_text("utf-8")


@requirement("A128", "D15", "A56")
def test_every_line_names_an_id_that_can_be_looked_up_and_its_source(house):
    here = furnish(house)
    result = here.recall(QUESTION)
    lines = result.rendered.split("\n")[1:-1]

    assert len(lines) == result.returned_count == len(result.items) > 5
    for line, item in zip(lines, result.items, strict=True):
        short, _, rest = line.partition(" ")
        found = here.get(short)
        assert (found.record or found.turn).id == item.id
        assert short == item.short_id
        assert f"({item.authority}, {item.band}" in rest
        assert ("(learned in pottery)" in rest) is item.carried
        assert item.source in {kind.value for kind in SourceKind}
        assert item.source_ref
    assert here.trace(result.trace_id).trace.carried_in == tuple(item.id for item in result.items if item.carried)


@requirement("A123", "A124")
def test_a_block_shows_no_number_of_ours_and_no_clock_but_its_own(house):
    here = furnish(house)
    first = here.recall(QUESTION)
    house.clock.advance(days=20)
    later = here.recall(QUESTION)
    pinned = [here.recall(QUESTION, as_of=MARCH + DAY).rendered]
    house.clock.advance(days=1)
    pinned.append(here.recall(QUESTION, as_of=MARCH + DAY).rendered)

    assert later.rendered == first.rendered
    assert pinned[0] == pinned[1]
    assert '<memory as_of="2026-03-02T00:00:00Z"' in pinned[0]
    assert not re.search(r"\d\.\d", first.rendered)
    assert not re.search(r"\b(ago|yesterday|today|tomorrow|recently|just now)\b", first.rendered)
    assert {item.band for item in first.items} == {"high", "medium", "low"}


class GivenIds:
    """Ids a test chose, in the order it wants them given."""

    def __init__(self, chosen: list[str]) -> None:
        self._left = list(chosen)

    def new(self, _at: datetime) -> str:
        """The next one; the rest are traces."""
        return self._left.pop(0) if self._left else "0198ffff-0000-7000-8000-000000000000"


SAID = {f"0198aaaa-0000-7000-8000-{number:012d}": f"The blue kiln says {'abcdef'[number]}" for number in range(6)}


@requirement("A122", "A125")
@settings(max_examples=8, deadline=None)
@given(st.permutations(sorted(SAID)))
def test_the_same_records_give_the_same_bytes_in_whatever_order_they_were_stored(database, order):
    with database.passing() as place:
        house = House(place, ids=GivenIds(order), embedder=None)
        maya = house.bind()
        for id_ in order:
            maya.session(f"s-{id_}").turn(SAID[id_], said_at=MARCH - DAY)
        result = maya.recall("blue kiln")
        house.close()

    assert ids(result) == sorted(SAID)
    assert len({item.score for item in result.items}) == 1
    assert texts(result) == [SAID[id_] for id_ in sorted(SAID)]
    assert [line.partition(" ")[2] for line in result.rendered.split("\n")[1:-1]] == [
        f"[2026-02-28] maya: {SAID[id_]} (user, high)" for id_ in sorted(SAID)
    ]


WRITES = st.lists(
    st.tuples(
        st.sampled_from(("know", "say", "change", "doubt", "stop")),
        st.integers(0, 3),
        st.sampled_from(("blue", "hot", "old", "loud")),
    ),
    min_size=1,
    max_size=8,
)


def run(place: Place, writes: list[tuple[str, int, str]]) -> list[str]:
    """Every block of a run: written, read, written, read."""
    house = House(place)
    maya, known, blocks = house.bind(), [], []
    for kind, number, word in writes:
        house.clock.advance(hours=1)
        fact = {"subject": f"kiln {number}", "attribute": "looks"}
        if kind == "say":
            maya.session("talk").turn(f"The kiln {number} is {word}")
        elif kind == "stop" and known:
            maya.forget(known[-1])
        elif kind == "doubt":
            house.bind(voice="agent").remember(f"The kiln {number} may be {word}", **fact)
        else:
            known.append(know(maya, f"The kiln {number} is {word}", **(fact if kind == "change" else {})))
        blocks.append(maya.recall("Which kiln is blue?").rendered)
    house.close()
    return blocks


@requirement("A125")
@settings(max_examples=8, deadline=None)
@given(WRITES)
def test_two_runs_of_the_same_writes_give_the_same_bytes_throughout(database, writes):
    with database.passing() as one, database.passing() as other:
        assert run(one, writes) == run(other, writes)


@requirement("A119", "E48", "P67")
def test_a_block_is_filled_best_first_and_never_exceeds_its_budget(house):
    here = furnish(house)
    for number in range(30):
        know(here, f"The blue kiln note {number}: " + "word " * (number * 7))
    default = here.recall(QUESTION, max_items=50)
    query = here.trace(default.trace_id).trace.query

    assert RecallSettings().budget_tokens == query["budget_tokens"] == 1_500
    assert default.tokens == estimate_tokens(default.rendered) <= 1_500
    assert default.truncated
    for budget in (0, 5, 30, 60, 100, 200, 400, 900):
        result = here.recall(QUESTION, max_items=50, budget_tokens=budget)
        assert result.tokens == estimate_tokens(result.rendered) <= budget
        assert [(-item.score, item.id) for item in result.items] == sorted((-i.score, i.id) for i in result.items)
        if result.items and not result.items[0].cut:
            assert ids(result)[0] == ids(default)[0]


@requirement("P67", "B159")
def test_a_best_item_too_long_for_the_budget_is_cut_with_a_mark_and_not_lost_to_shorter_noise(house):
    result = cut_to_fit(house)
    maya = house.bind()
    (item,) = result.items

    assert (item.cut, result.truncated) == (True, True)
    assert item.text.startswith("The blue kiln is described at great length")
    assert result.rendered.split("\n")[1].endswith("cut)")
    assert result.tokens <= 90
    lost = [cut for cut in maya.trace(result.trace_id).trace.cuts if cut.stage == "budget"]
    assert len(lost) == 1
    assert lost[0].value > lost[0].bound
