"""The floor on meaning lies where F1 is near its best, on the pairs it was measured on."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.behaviour.requirements import requirement

from bethink.domain.calibration import CALIBRATIONS
from bethink.domain.types import TYPES, Kind
from bethink.embedding.hashing import HashEmbedder
from bethink.embedding.minilm import MiniLmEmbedder
from bethink.errors import InvalidInput
from bethink.evaluation.cases import Case, Conversation, Dataset, Utterance
from bethink.evaluation.floor import band, cosines, f1, floor_of
from bethink.evaluation.scenario import shipped
from bethink.text.template import belief_text, turn_text

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
MEASURED = sorted((Path(__file__).parents[3] / "docs" / "benchmarks").glob("floor*.json"))


def test_f1_is_that_of_what_is_taken_from_the_threshold_on():
    assert f1([0.6, 0.4], [0.5], 0.5) == pytest.approx(2 * 1 / (1 + 1 + 2))
    assert f1([0.6, 0.4], [0.5], 0.0) == pytest.approx(2 * 2 / (2 + 1 + 2))
    assert f1([0.6], [0.1], 0.7) == 0.0


@requirement("E113")
def test_the_band_holds_every_threshold_near_the_best():
    found = band([0.8, 0.6, 0.5], [0.3, 0.2])

    assert (found.best, found.at) == (1.0, 0.31)
    assert (found.low, found.high) == (0.31, 0.5)


@requirement("E113")
@pytest.mark.parametrize("path", MEASURED, ids=lambda path: path.stem)
def test_the_floor_of_a_turn_lies_inside_the_band_that_was_measured(path):
    told = json.loads(path.read_text("utf-8"))
    floor = CALIBRATIONS[told["model"]].floor(TYPES[told["type"]].floor)

    assert told["pairs"] > 500
    assert told["low"] <= floor <= told["high"]


@requirement("E113")
def test_the_floor_of_a_belief_lies_inside_the_band_of_the_scenarios_beliefs():
    """No data set holds beliefs, so theirs is measured on ours: what a probe wants, and as many others of its story."""
    encoder, wanted, others = MiniLmEmbedder(), [], []
    for scenario in shipped().scenarios:
        writes = [one for talk in scenario.sessions for one in talk.writes]
        texts = [belief_text(one.subject, one.content) for one in writes]
        vectors = dict(zip((one.label for one in writes), encoder.embed_documents(texts), strict=True))
        for probe in scenario.probes:
            right = [label for label in probe.wanted if label in vectors]
            wrong = [label for label in vectors if label not in {*probe.wanted, *probe.also, *probe.stale}]
            asked = encoder.embed_query(probe.question)
            wanted += [float(asked @ vectors[label]) for label in right]
            others += [float(asked @ vectors[label]) for label in wrong[: len(right)]]
    found = band(wanted, others)

    assert (len(wanted) > 50, len(others) > 50) == (True, True)
    for name, rule in TYPES.items():
        if rule.kind is not Kind.EPISODIC:
            assert found.low <= CALIBRATIONS[encoder.spec.model].floor(rule.floor) <= found.high, name


def test_every_measured_model_has_its_band_on_record():
    assert {json.loads(path.read_text("utf-8"))["model"] for path in MEASURED} == set(CALIBRATIONS)


@pytest.mark.parametrize("path", MEASURED, ids=lambda path: path.stem)
def test_a_calibration_reads_evidence_and_unrelated_texts_as_the_built_in_encoder_has_them(path):
    told = json.loads(path.read_text("utf-8"))
    built_in = json.loads(MEASURED[-1].with_name("floor.json").read_text("utf-8"))
    reads = CALIBRATIONS[told["model"]].read

    for place in ("unrelated", "evidence"):
        assert reads(told[place]) == pytest.approx(built_in[place], abs=0.01)


def test_a_floor_is_measured_on_questions_their_evidence_and_turns_drawn_the_same_way_every_time():
    talks = {"a": ("Ann", "the kiln is hot", "the boat is red"), "b": ("Bob", "the garden is wet", "the oven is cold")}
    conversations = tuple(
        Conversation(
            scope,
            {str(at): "s1" for at in (1, 2)},
            NOON,
            tuple(Utterance(str(at), "s1", who, said, NOON, "noon") for at, said in enumerate(words, 1)),
        )
        for scope, (who, *words) in talks.items()
    )
    cases = (
        Case("1", "a", "is the kiln hot", "c", frozenset({"1"}), frozenset({"s1"})),
        Case("2", "b", "is the oven cold", "c", frozenset({"2"}), frozenset({"s1"})),
        Case("3", "b", "never answered", "c", frozenset({"1"}), frozenset({"s1"}), answerable=False),
    )
    dataset = Dataset("rows", "all", conversations, cases, 0, "d")
    embedder = HashEmbedder()

    def cosine(question: str, scope: str, at: int) -> float:
        who, *words = talks[scope]
        (row,) = embedder.embed_documents([turn_text(who, words[at - 1], NOON)])
        return float(row @ embedder.embed_query(question))

    found = cosines(dataset, embedder)
    assert found.wanted == pytest.approx((cosine("is the kiln hot", "a", 1), cosine("is the oven cold", "b", 2)))
    assert found.others == pytest.approx((cosine("is the kiln hot", "a", 2), cosine("is the oven cold", "b", 1)))
    assert found == cosines(dataset, embedder)
    told = floor_of(dataset, embedder)
    assert (told["pairs"], told["model"], told["low"] <= told["at"] <= told["high"]) == (2, embedder.spec.model, True)
    assert told["evidence"] == pytest.approx(sum(found.wanted) / 2, abs=1e-3)


def test_one_conversation_is_not_enough_to_measure_a_floor():
    alone = Dataset("rows", "all", (Conversation("a", {}, NOON),), (), 0, "d")
    with pytest.raises(InvalidInput, match="two conversations"):
        cosines(alone, HashEmbedder())
