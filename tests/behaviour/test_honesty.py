"""What works at reduced quality says so, what fails is an error, and each step can be replaced at its port."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import replace

import pytest

from bethink.domain.hit import Fused, RankContext, Scored
from bethink.domain.query import Query
from bethink.errors import BethinkError, EmbedderError, StoreError
from bethink.memory import BoundMemory
from bethink.operations.episodes import EpisodesRequest
from bethink.operations.recall import RecallRequest
from bethink.ports.recall import EpisodeSearch, MemoryRetriever, QueryFormer, Ranker
from bethink.ports.traces import TraceStore
from bethink.recall.episodes import StoreEpisodes
from bethink.recall.pipeline import recall
from bethink.recall.query import TextFormer
from bethink.recall.rank import TaskRanker, in_order
from tests.behaviour.house import ByHand, House, TickingClock, ids, know
from tests.behaviour.requirements import requirement
from tests.databases import traces_held


class Broken(ByHand):
    """An embedder that cannot embed what is written, or what is asked."""

    def embed_documents(self, _texts: Sequence[str]):
        raise EmbedderError("The model is gone.")


@requirement("B4", "E10")
def test_a_vector_that_must_wait_is_said_and_the_record_is_found_by_its_words(house):
    house.embedder = ByHand({"kiln": 0.9})
    house.open()
    maya = house.open(embedder=Broken()).bind("maya", "aria", voice="user")
    kept = maya.remember("The blue kiln is hot")

    assert kept.embedding_pending
    (degraded,) = maya.recall("blue kiln").degraded
    assert degraded.startswith("dense: The model is gone.")
    assert house.opened[0].pending == house.opened[0].check().embedding_pending == 2
    assert kept.id in ids(maya.recall("blue kiln"))
    assert house.opened[0].embed_pending().embedded == 2
    assert house.opened[0].pending == 0


@requirement("B4", "A12", "A169")
def test_a_trace_that_cannot_be_written_and_an_arm_that_is_late_are_said_and_cost_no_answer(new_place):
    house = House(new_place(), clock=TickingClock())
    maya = house.bind()
    known = know(maya, "The blue kiln is hot")
    maya.recall("blue kiln")
    with traces_held(house.opened[0]._parts.store):
        deferred = maya.recall("blue kiln")
    assert (ids(deferred), deferred.trace, bool(deferred.trace_reason)) == ([known], "deferred", True)
    assert house.opened[0].check().traces_waiting == 1
    late = maya.recall("blue kiln", timeout_ms=12)
    assert (late.trace, maya.trace(deferred.trace_id).trace.returned) == ("stored", (known,))

    assert ids(late) == [known]
    assert {part for part in late.degraded if "out of time" in part} == set(late.degraded) != set()
    assert maya.trace(late.trace_id).trace.degraded == late.degraded
    house.close()


@requirement("B4", "A100", "A169")
def test_no_time_is_too_short_for_an_answer_that_says_what_fell_short(new_place):
    house = House(new_place(), clock=TickingClock())
    maya = house.bind()
    for number in range(150):
        know(maya, f"The blue kiln number {number} is hot", subject=f"kiln {number}")
    whole = maya.recall("Which blue kiln is hot?", timeout_ms=60_000, subjects=("kiln 7",))
    told = [maya.recall("Which blue kiln is hot?", timeout_ms=given, subjects=("kiln 7",)) for given in range(60)]
    house.close()

    assert whole.degraded == ()
    assert all(answer.degraded for answer in told[:15])
    assert all(answer.items or answer.degraded for answer in told)
    assert [bool(told[given].items) for given in (0, 59)] == [False, True]


@requirement("P66")
def test_a_file_damaged_under_an_open_store_is_an_error_and_never_an_empty_answer(house):
    known = know(house.bind(), "The blue kiln is hot")
    house.close()
    maya = house.open().bind("maya", "aria")
    whole = house.place.read_bytes()
    with house.place.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (len(whole) - 4096))
    with pytest.raises(StoreError):
        maya.recall("blue kiln")
    house.place.write_bytes(whole)
    assert ids(house.open().bind("maya", "aria").recall("blue kiln")) == [known]


@requirement("P66")
@pytest.mark.parametrize("method", ["lexical", "dense"])
def test_a_search_that_fails_is_an_error_and_never_an_empty_answer(house, monkeypatch, method):
    def gone(*_arguments):
        raise StoreError("The disk is gone.")

    know(house.bind(), "The blue kiln is hot")
    with monkeypatch.context() as broken:
        broken.setattr(f"bethink.store.search.SnapshotSearch.{method}", gone)
        with pytest.raises(BethinkError, match="disk is gone"):
            house.bind().recall("blue kiln")


@requirement("E99")
def test_each_step_of_a_write_is_timed(new_place):
    house = House(new_place(), clock=TickingClock())
    stages = house.bind().remember("The blue kiln is hot", subject="kiln", attribute="heat").stages_ms
    house.close()

    wanted = {"permission", "evidence", "entity", "duplicate", "contradiction", "embedding", "index", "event"}
    assert stages.keys() >= wanted
    assert all(stages[name] > 0 for name in wanted)


class Backwards:
    """A ranker that turns the default order round."""

    policy = "backwards@1"

    def rank(self, candidates: Sequence[Fused], context: RankContext) -> tuple[Scored, ...]:
        return in_order(item._replace(score=1 - item.score) for item in TaskRanker().rank(candidates, context))


class Parrot:
    """A former that asks the same whatever was asked."""

    def form(self, _request: RecallRequest) -> Query:
        return TextFormer().form(RecallRequest("blue kiln"))


@requirement("A142")
def test_each_step_of_a_read_is_a_port_with_one_call_and_what_takes_its_place_is_used(maya):
    first, second = know(maya, "The blue kiln is hot"), know(maya, "The blue kiln is beside the old door")
    parts: list[tuple[type, object, str]] = [
        (MemoryRetriever, maya, "recall"),
        (QueryFormer, TextFormer(), "form"),
        (Ranker, TaskRanker(), "rank"),
        (EpisodeSearch, StoreEpisodes(maya._reader), "search"),
        (TraceStore, maya._parts.traces, "record"),
    ]
    for port, wired, call in parts:
        declared = {name for name in vars(port) if not name.startswith("_")}
        assert all(hasattr(wired, name) for name in declared), port
        assert inspect.getdoc(getattr(port, call))
        assert len(inspect.signature(getattr(wired, call)).parameters) >= 1
    assert ids(recall(RecallRequest("blue kiln"), maya._reader).result) == [first, second]
    turned = recall(RecallRequest("blue kiln"), replace(maya._reader, ranker=Backwards()))
    assert ids(turned.result) == [second, first]
    assert (turned.result.policy, turned.trace.policy) == ("backwards@1", "backwards@1")
    asked = recall(RecallRequest("weather"), replace(maya._reader, former=Parrot()))
    assert ids(asked.result) == [first, second]
    assert isinstance(maya, BoundMemory)
    assert StoreEpisodes(maya._reader).search(EpisodesRequest(session="none")).empty_reason == "no_turns"
