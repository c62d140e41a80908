"""What a scenario may say, and what tells one corpus of them from another."""

from __future__ import annotations

import json
from importlib import resources

import pytest

from bethink.errors import InvalidInput
from bethink.evaluation.scenario import corpus, shipped


@pytest.fixture
def raw():
    """The scenarios as plain data, for a test to change."""
    folder = resources.files("bethink.evaluation") / "scenarios"
    return {item.name.removesuffix(".json"): json.loads(item.read_text("utf-8")) for item in folder.iterdir()}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"wanted": ["nobody"]}, "nothing is called nobody"),
        ({"category": "riddle"}, "no category"),
        ({"colour": "red"}, "unknown colour"),
        ({"as_of": "soon"}, "instant"),
    ],
)
def test_a_scenario_that_says_nonsense_is_refused(raw, change, words):
    raw["kitchen"]["probes"][0].update(change)

    with pytest.raises(InvalidInput, match=words):
        corpus(raw)


def test_a_label_names_one_thing(raw):
    raw["kitchen"]["sessions"][1]["writes"][0]["label"] = "almonds"

    with pytest.raises(InvalidInput, match="twice"):
        corpus(raw)


def test_the_digest_is_of_every_word(raw):
    assert corpus(raw).digest == shipped().digest
    raw["kitchen"]["about"] += " "
    assert corpus(raw).digest != shipped().digest
