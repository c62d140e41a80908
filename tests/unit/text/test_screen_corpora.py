"""The screen against the development corpora: a floor under what it finds, a ceiling over what it disturbs."""

import json
import os
from collections import Counter
from pathlib import Path

import pytest

from bethink.text.escape import render_safe
from bethink.text.screen import outcome, screen
from bethink.text.secrets import find_secrets

pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif("BETHINK_DATA" not in os.environ, reason="BETHINK_DATA names no development data"),
]


def rows(name):
    path = Path(os.environ["BETHINK_DATA"]) / name
    text = path.read_text("utf-8")
    return json.loads(text) if path.suffix == ".json" else [json.loads(line) for line in text.splitlines()]


def outcomes(texts, channel):
    return Counter(outcome(screen(text), channel) for text in texts)


def test_no_benign_imperative_memory_of_the_user_is_withheld():
    found = outcomes([row["text"] for row in rows("security/benign_imperative_memories.jsonl")], "user_statement")
    assert found["quarantine"] == 0
    assert found["label"] <= 3


def test_benign_prompts_full_of_trigger_words_pass_even_as_documents():
    found = outcomes([row["prompt"] for row in rows("security/notinject_one.json")], "document")
    assert found["quarantine"] <= 1


def test_half_of_the_poison_is_withheld_from_documents():
    """Most of the rest are plain false facts, which no screen can know."""
    found = outcomes([row["text"] for row in rows("security/memory_poison.jsonl")], "document")
    assert found["quarantine"] >= 0.5 * found.total()


def test_most_injections_are_withheld_and_no_benign_trap_is():
    labelled = rows("security/bastion_injections.jsonl")
    malicious = outcomes([row["text"] for row in labelled if row["label"] == "malicious"], "document")
    benign = outcomes([row["text"] for row in labelled if row["label"] == "benign"], "document")
    assert malicious["quarantine"] >= 0.8 * malicious.total()
    assert benign["quarantine"] <= 1


@pytest.mark.parametrize(("folder", "share"), [("locomo", 0.0), ("tmd", 0.0), ("beam-100k", 0.01)])
def test_ordinary_conversations_are_hardly_ever_withheld(folder, share):
    texts = [row["body"] for row in rows(f"{folder}/docs.jsonl")][:800]
    assert outcomes(texts, "import")["quarantine"] <= share * len(texts)


def test_ordinary_conversations_hold_no_secrets():
    assert not any(find_secrets(row["body"]) for row in rows("locomo/docs.jsonl"))


def test_every_poisoned_text_is_rendered_dead():
    texts = [row["text"] for name in ("memory_poison", "bastion_injections") for row in rows(f"security/{name}.jsonl")]
    for text in texts:
        shown = render_safe(text, trusted=False)
        assert not set("<>\n") & set(shown)
        assert not any(live in shown.lower() for live in ("http://", "https://", "![", "]("))
