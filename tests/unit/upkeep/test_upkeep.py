"""Expiry written down, vectors given to what waits, and a change of model, on the real store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.unit.desks import World

from bethink.domain.record import Status
from bethink.errors import EmbedderError
from bethink.operations.sessions import OpenSessionRequest, TurnInput
from bethink.ports.embedder import EmbedSpec
from bethink.session.open import open_session
from bethink.session.turns import EMBED_AT_ONCE, append_turns
from bethink.upkeep.embed_pending import embed_pending
from bethink.upkeep.expire import expire
from bethink.upkeep.reembed import reembed

Vectors = NDArray[np.float32]


@dataclass
class Lengths:
    """A model that counts characters, and fails when told to."""

    revision: str = "1"
    fails_after: int = 1_000_000
    seen: list[str] = field(default_factory=list)

    @property
    def spec(self) -> EmbedSpec:
        return EmbedSpec("test", "lengths", self.revision, None, "float32", 2, 512, "mean", True, "", "", "v1")

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        if len(self.seen) + len(texts) > self.fails_after:
            raise EmbedderError("The model is gone.")
        self.seen += texts
        rows = np.array([[1.0, len(text)] for text in texts], dtype=np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def embed_query(self, text: str) -> Vectors:
        return self.embed_documents([text])[0]

    def count_tokens(self, text: str) -> int:
        return len(text)

    def windows(self, text: str) -> int:
        return len(text) // 512 + 1


class Broken(Lengths):
    """A model that answers with what is no number."""

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        return np.full((len(texts), 2), np.nan, dtype=np.float32)


CANARY = np.zeros((1, 2), dtype=np.float32)


def serve(world: World, model: Lengths) -> None:
    """Make a model the store's, at every desk."""
    world.store.vectors.register(model.spec, CANARY, world.clock.now())
    world.extra = {"embedder": model, "space": model.spec.space_id}


def pending(world: World, model: Lengths) -> int:
    """How many wait for a vector of the model."""
    return world.store.vectors.pending_count(model.spec.space_id)


def test_a_write_has_its_vector_at_once_and_it_is_the_one_a_rebuild_would_make(world: World) -> None:
    model = Lengths()
    serve(world, model)
    result = world.told("Ana lives in Lisbon.", subject="Ana", attribute="city")
    assert (result.embedding_pending, pending(world, model)) == (False, 0)
    written = sorted(model.seen)
    again = Lengths("2")
    reembed(world.store, again, CANARY, world.clock.now())
    assert sorted(again.seen) == written


def test_a_model_that_fails_delays_the_vector_and_not_the_write(world: World) -> None:
    model = Lengths(fails_after=0)
    serve(world, model)
    result = world.told("Ana lives in Lisbon.")
    assert (result.outcome, result.embedding_pending) == ("created", True)
    assert [notice.code for notice in result.notices] == ["embedding_pending"]
    model.fails_after = 100
    assert embed_pending(world.store, model).embedded == 2
    assert pending(world, model) == 0


def test_vectors_that_are_no_numbers_are_left_out_and_the_write_stands(world: World) -> None:
    model = Lengths()
    serve(world, model)
    world.extra["embedder"] = Broken()
    result = world.told("Ana lives in Lisbon.")
    assert (result.outcome, result.embedding_pending) == ("created", True)
    open_session(OpenSessionRequest("s1"), world.desk())
    assert append_turns("s1", [TurnInput("hello")], world.desk()).embedding_pending == 1
    assert embed_pending(world.store, model).embedded == 3


def test_a_space_that_is_no_more_delays_the_vector_and_not_the_write(world: World) -> None:
    serve(world, Lengths())
    world.extra["space"] = "0123456789abcdef"
    result = world.told("Ana lives in Lisbon.")
    assert (result.outcome, result.embedding_pending) == ("created", True)


def test_nothing_waits_in_a_store_without_a_model(world: World) -> None:
    assert not world.told("Ana lives in Lisbon.").embedding_pending


def test_a_known_statement_is_not_given_a_second_vector(world: World) -> None:
    model = Lengths()
    serve(world, model)
    world.told("Ana likes tea.")
    again = world.told("Ana likes tea.")
    assert (again.outcome, again.embedding_pending, pending(world, model)) == ("already_reinforced", False, 0)


def test_a_small_batch_of_turns_is_embedded_at_once_and_a_large_one_waits(world: World) -> None:
    model = Lengths()
    serve(world, model)
    open_session(OpenSessionRequest("s1"), world.desk())
    few = [TurnInput(f"line {n}", message_id=f"m{n}") for n in range(EMBED_AT_ONCE)]
    assert append_turns("s1", few, world.desk()).embedding_pending == 0
    many = [TurnInput(f"line {n}", message_id=f"n{n}") for n in range(EMBED_AT_ONCE + 1)]
    assert append_turns("s1", many, world.desk()).embedding_pending == EMBED_AT_ONCE + 1
    assert pending(world, model) == EMBED_AT_ONCE + 1


def test_a_repeated_turn_in_a_batch_does_not_shift_the_vectors_of_the_others(world: World) -> None:
    model = Lengths()
    serve(world, model)
    open_session(OpenSessionRequest("s1"), world.desk())
    append_turns("s1", [TurnInput("a", message_id="m1")], world.desk())
    append_turns("s1", [TurnInput("a", message_id="m1"), TurnInput("b" * 400, message_id="m2")], world.desk())
    key = world.turns("s1")[1].key
    with world.store.snapshot(world.tenant) as snapshot:
        query = model.embed_query("b" * 400)
        keys, (cosine,) = snapshot.search.cosines(world.fence(), model.spec.space_id, query, np.array([key]))
    assert keys.tolist() == [key]
    assert cosine > 0.9999


def test_embedding_goes_on_where_it_stopped(world: World) -> None:
    model = Lengths()
    serve(world, Lengths())
    world.extra = {}
    world.said("s1", *(TurnInput(f"line {n}", message_id=f"m{n}") for n in range(25)))
    model.fails_after = 12
    counts: list[int] = []
    with pytest.raises(EmbedderError):
        embed_pending(world.store, model, batch=5, progress=counts.append)
    assert (counts, pending(world, model)) == ([5, 10], 15)
    model.fails_after = 100
    assert embed_pending(world.store, model, batch=5).embedded == 15
    assert sorted(model.seen) == sorted(set(model.seen))


def test_a_new_model_serves_only_once_it_is_whole(world: World) -> None:
    old, new = Lengths(), Lengths("2", fails_after=3)
    serve(world, old)
    world.said("s1", *(TurnInput(f"line {n}", message_id=f"m{n}") for n in range(6)))
    with pytest.raises(EmbedderError):
        reembed(world.store, new, CANARY, world.clock.now())
    assert world.store.vectors.active() == old.spec
    new.fails_after = 100
    assert reembed(world.store, new, CANARY, world.clock.now()).embedded == 6
    assert world.store.vectors.active() == new.spec
    assert reembed(world.store, new, CANARY, world.clock.now()).embedded == 0


def test_expiry_is_written_down_once(world: World) -> None:
    guess = world.noted("Ana lives in Lisbon.").id
    kept = world.told("Ana likes tea.").id
    assert expire(world.desk()) == 0
    world.clock.advance(days=31)
    assert (expire(world.desk()), expire(world.desk())) == (1, 0)
    assert world.record(guess).status is Status.EXPIRED
    assert world.record(kept).status is Status.ACTIVE
    assert [kind for kind, _ in world.events()].count("memory.lapsed") == 1


def test_what_a_future_statement_ended_is_superseded_when_its_time_came(world: World) -> None:
    fact = {"subject": "Ana", "attribute": "city"}
    old = world.told("Ana lives in Lisbon.", **fact).id
    begins = world.clock.now().replace(year=2027)
    new = world.told("Ana lives in Porto.", valid_from=begins, **fact).id
    assert world.fact("ana", "city") == ["Ana lives in Lisbon."]
    world.clock.set(begins)
    assert world.fact("ana", "city") == ["Ana lives in Porto."]
    assert (expire(world.desk()), expire(world.desk())) == (2, 0), "the record and the turn it was typed in"
    assert (world.record(old).status, world.record(old).superseded_by) == (Status.SUPERSEDED, new)
    assert world.as_of("ana", "city", begins.replace(month=1, day=1, year=2026, hour=1)) == ["Ana lives in Lisbon."]
