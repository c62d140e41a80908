"""Records longer than the model's window: split into nodes with a vector each, said so, and outside every search."""

from __future__ import annotations

import numpy as np
import pytest

from bethink.domain.source import SourceKind
from bethink.embedding.hashing import HashEmbedder
from bethink.operations.sessions import TurnInput
from bethink.text.template import turn_text
from bethink.text.windows import split_to_windows
from tests.behaviour.house import MARCH, counted, know
from tests.behaviour.requirements import requirement
from tests.databases import everything_held, rows_of

LONG = " ".join(f"The kiln reached {n} degrees at noon, and cone {n} fell." for n in range(60))
SHORT = "The kiln is in the yard."


def nodes(memory, item):
    """A record's or turn's nodes, as stored."""
    parts = memory._parts
    with parts.store.snapshot("default") as snapshot:
        key = key_of(memory, item)
        return snapshot.nodes.of(parts.space, [key]).get(key)


def key_of(memory, item):
    """The index key of a record's live version, or of a turn."""
    found = memory.get(item)
    return found.record.key if found.record is not None else found.turn.key


@requirement("B51", "B52")
def test_a_record_longer_than_the_window_is_split_into_nodes_with_a_vector_each_and_says_so(maya):
    result = maya.remember(LONG, source=SourceKind.SYSTEM)
    found = nodes(maya, result.id)
    model = HashEmbedder()

    expected = split_to_windows(LONG, model.spec.max_tokens, model.count_tokens)
    assert len(expected) > 2
    assert [LONG[start:end] for start, end in found.ranges] == expected
    assert np.array_equal(found.vectors, model.embed_documents(expected))
    assert [notice.code for notice in result.notices] == ["split_into_nodes"]
    assert "256 tokens" in result.notices[0].text
    assert f"{len(expected)} nodes" in result.notices[0].text


@requirement("B51", "B52")
def test_what_fits_the_window_has_no_nodes_and_says_nothing(maya):
    result = maya.remember(SHORT, source=SourceKind.SYSTEM)

    assert (nodes(maya, result.id), result.notices, counted(maya, "text_node")) == (None, (), 0)


@requirement("B51", "B52")
def test_a_turn_is_split_by_what_the_model_reads_of_it_and_its_nodes_hold_its_own_words(maya):
    with maya.session("s1") as talk:
        said = talk.turns([TurnInput(LONG, speaker="Noor")])
    found = nodes(maya, said.ids[0])
    model = HashEmbedder()
    windows = split_to_windows(turn_text("Noor", LONG, MARCH), model.spec.max_tokens, model.count_tokens)

    assert "".join(LONG[start:end] for start, end in found.ranges) == LONG
    assert (found.ranges[0][0], found.ranges[-1][1]) == (0, len(LONG))
    assert np.array_equal(found.vectors, model.embed_documents(windows))
    assert [notice.code for notice in said.notices] == ["split_into_nodes"]


@requirement("B52")
def test_what_waits_for_its_vector_is_split_and_reported_when_it_is_embedded(house):
    know(house.open(embedder=None).bind("maya", "aria", voice="user"), LONG)
    memory = house.open()
    done = memory.embed_pending()

    assert (done.embedded, done.split, done.nodes > 2) == (1, 1, True)
    assert memory.check().counts["text nodes"] == done.nodes
    assert memory.check().findings == ()


@requirement("B51")
def test_written_at_once_or_later_the_nodes_are_the_same(house, maya):
    first = know(maya, LONG)
    at_once = nodes(maya, first)
    waits = "insert into embedding_pending select tenant, space, key from vector returning 1"
    assert rows_of(maya._parts.store, waits)
    assert house.opened[0].embed_pending().nodes == len(at_once.ranges)
    later = nodes(maya, first)

    assert later.ranges == at_once.ranges
    assert np.array_equal(later.vectors, at_once.vectors)


@requirement("B51")
def test_another_model_splits_against_its_own_window_and_the_old_nodes_go(house, maya):
    first = know(maya, LONG)
    before = nodes(maya, first).vectors.shape
    house.opened[0].close()
    house.embedder = HashEmbedder(32)
    house.open(any_space=True).repair(rebuild_vectors=True)
    bound = house.open().bind("maya", "aria", voice="user")
    found = nodes(bound, first)

    assert (found.vectors.shape, before[1]) == ((before[0], 32), 64)
    assert counted(bound, "text_node") == before[0]
    assert bound._parts.store.check().findings == ()


def test_nodes_are_outside_the_search_and_the_record_is_found_as_one(maya):
    first = know(maya, LONG)
    know(maya, SHORT)
    result = maya.recall("Which degrees did the kiln reach at noon?")

    assert [item.id for item in result.items].count(first) == 1
    assert all(row["id"] for row in maya.trace(result.trace_id).trace.pool)


@requirement("P38")
def test_an_erase_takes_the_nodes_with_it(house, maya):
    first = know(maya, LONG)
    found = nodes(maya, first)
    receipt = maya.forget(first, mode="erase")

    assert receipt.removed["nodes"] == len(found.ranges)
    assert counted(maya, "text_node") == 0
    blob = found.vectors[1].astype("<f4").tobytes()
    assert [name for name, data in everything_held(maya._parts.store) if blob in data] == []
    assert house.opened[0].check().findings == ()


@pytest.mark.parametrize(
    "statement",
    [
        "delete from text_node where ordinal = 1",
        "delete from text_node where ordinal = (select max(ordinal) from text_node)",
        "update text_node set last = last - 1 where ordinal = 2",
        "update text_node set key = 999",
    ],
)
def test_torn_nodes_are_found_and_mended(house, maya, statement):
    first = know(maya, LONG)
    whole = nodes(maya, first)
    assert rows_of(maya._parts.store, f"{statement} returning 1")
    memory = house.opened[0]

    assert [finding.place for finding in memory.check().findings] == ["text_node"]
    memory.repair()
    memory.embed_pending()
    assert "999" in statement or nodes(maya, first).ranges == whole.ranges
    assert memory.check().findings == ()
