"""How candidates come to be: by what they say and not by age, as deep as the server looks, with a model or without."""

from __future__ import annotations

from dataclasses import fields

import pytest

from bethink.domain.hit import ARMS
from bethink.errors import InvalidInput
from bethink.memory import BoundMemory
from bethink.operations.recall import RecallRequest
from bethink.operations.sessions import TurnInput
from bethink.ports.search import NamedEntity
from bethink.recall.pipeline import recall
from bethink.settings import RecallSettings, load_settings
from tests.behaviour.house import House, arms, ids, know, pool
from tests.behaviour.requirements import requirement
from tests.unit.recall.house import START as NEW_YEAR
from tests.unit.recall.house import House as Docs
from tests.unit.recall.house import belief, turn


def crowded(memory: BoundMemory) -> str:
    """One old record that answers, under two hundred newer turns that do not, each with a word of the question."""
    known = know(memory, "The spare key hangs in the boathouse")
    newer = [TurnInput(f"It rained on the spare boat, day {n}", speaker="Maya") for n in range(200)]
    memory.session("later").turns(newer)
    return known


@requirement("A58")
def test_what_is_nominated_is_what_answers_and_not_what_is_new(house: House, maya: BoundMemory):
    """Every arm that scores finds more than it hands on, and the answer is the oldest of all it finds."""
    known = crowded(maya)
    house.opened[0].embed_pending()
    house.clock.advance(days=400)
    result = maya.recall("Where does the spare key hang?")
    found = {arm["arm"]: arm["matched"] for arm in maya.trace(result.trace_id).trace.arms}

    assert found["lexical"] == found["dense"] == 201 > RecallSettings().depth
    assert ids(result)[0] == known
    assert pool(maya, result)[0] == known
    assert [arms(maya, result)[arm][0] for arm in ("lexical", "dense")] == [known, known]


@requirement("A58")
def test_an_arm_that_has_not_proved_its_worth_runs_only_where_it_is_set(maya: BoundMemory):
    """Relations, an outside provider, a rewriter and a reranker: each was no clear gain, or was never measured."""
    know(maya, "The spare key hangs in the boathouse")
    result = maya.recall("Where does the spare key hang?")
    ran = [arm["arm"] for arm in maya.trace(result.trace_id).trace.arms]
    usual = load_settings({}, {}).recall

    assert ran == ["structured", "lexical", "fuzzy", "dense", "entity", "time"] == list(ARMS)
    assert (usual.graph, usual.read_models, usual.rerank, usual.policy) == (False, False, "off", "task")


@requirement("A180")
def test_without_any_model_recall_answers_and_leaves_a_trace_that_verifies(house: House):
    house.embedder = "none"
    maya = house.bind()
    known = crowded(maya)
    result = maya.recall("Where does the spare key hang?")
    found = maya.trace(result.trace_id)

    assert ids(result) == [known]
    assert arms(maya, result)["dense"] == []
    assert (found.verification, found.reproduced) == ("verified", True)


@requirement("A168")
def test_a_block_is_small_and_its_best_item_stands_first_or_beside_what_follows(maya: BoundMemory):
    for number in range(60):
        know(maya, f"The boathouse {'key ' * (number % 5)}is on pier {number}")
    usual = maya.recall("boathouse key")
    first, last = (maya.recall("boathouse key", order=order) for order in ("best_first", "best_last"))
    lines = [line.split()[0] for line in first.rendered.splitlines()[1:-1]]

    assert usual.rendered == first.rendered
    assert first.tokens <= RecallSettings().budget_tokens == 1_500
    assert len(first.items) <= RecallSettings().max_items == 20
    assert lines == [item.short_id for item in first.items]
    assert [item.score for item in first.items] == sorted((item.score for item in first.items), reverse=True)
    assert [line.split()[0] for line in last.rendered.splitlines()[1:-1]] == lines[::-1]


@requirement("B33", "B35")
@pytest.mark.parametrize("depth", [1, 7, 12])
def test_every_arm_looks_as_deep_as_the_server_says_and_no_deeper_for_anybody(depth: int):
    """No floor lifts a small depth, and a request has no word for it. Each of five arms has more to hand on."""
    met = [turn(key, f"the support group met, time {key}", seq=key, event_at=NEW_YEAR) for key in range(1, 90)]
    known = [belief(key, f"the support group is {key}", subject="Ann", entities=("g",)) for key in range(90, 170)]
    house = Docs([*met, *known], entities=(NamedEntity("g", "guild", "user:ann"),))
    request = RecallRequest("support group of the Guild on 1 January 2026", subjects=("Ann",), max_items=50)
    trace = recall(request, house.reader(settings=RecallSettings(depth=depth))).trace
    found = {arm["arm"]: len(arm["hits"]) for arm in trace.arms if arm["hits"]}

    assert set(house.depths) == {depth}
    assert found == dict.fromkeys(("structured", "lexical", "dense", "entity", "time"), depth)
    assert "depth" not in {field.name for field in fields(RecallRequest)}


@requirement("B33")
def test_the_depth_has_a_default_and_a_least():
    assert load_settings({}, {}).recall.depth == 60
    with pytest.raises(InvalidInput, match="at least 1"):
        load_settings({"recall.depth": 0}, {})
