"""Two hundred questions about a conversation: the same candidates, scores and block bytes on both databases."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from bethink.evaluation.corpus import Corpus
from bethink.operations.importing import ImportRequest
from bethink.operations.sessions import TurnInput
from tests.behaviour.house import MARCH
from tests.databases import Files, Servers
from tests.differential.pair import Pair, Site

QUESTIONS = 200
TURNS, PER_SESSION = 400, 40
FACTS = 60


@pytest.fixture
def pair(postgres, tmp_path) -> Iterator[Pair]:
    with Files(tmp_path).passing() as file, Servers(postgres).passing() as server:
        made = Pair((Site(file), Site(server)))
        yield made
        made.close()


def ask(pair: Pair, questions: list[str]) -> tuple[int, int]:
    """Ask them all, in several ways; how many blocks held something, how many candidates there were."""
    filled = candidates = 0
    for number, question in enumerate(questions):
        result, trace = pair.recall(question, **({} if number % 4 else {"as_of": pair.now - timedelta(days=1)}))
        filled += bool(result.items)
        candidates += len(trace.pool)
        assert trace.rendered_sha256
    return filled, candidates


def test_two_hundred_questions_about_a_made_up_conversation_are_answered_alike(pair):
    corpus = Corpus(11)
    texts = list(corpus.texts(TURNS))
    for first in range(0, TURNS, PER_SESSION):
        turns = [
            TurnInput(text, speaker=speaker, role="participant", said_at=MARCH - timedelta(minutes=TURNS - number))
            for number, (speaker, text) in enumerate(texts[first : first + PER_SESSION], first)
        ]
        pair.ask(lambda memory, turns=turns, name=f"s{first}": memory.session(name).turns(turns))
    pair.advance()
    for number, (speaker, text) in enumerate(texts[:FACTS]):
        pair.know(f"{speaker} says {text[:60]}", subject=speaker, attribute=f"word {number % 7}")
        pair.advance(timedelta(minutes=1))
    filled, candidates = ask(pair, corpus.questions(texts, QUESTIONS))

    assert filled > QUESTIONS // 2
    assert candidates > QUESTIONS * 10
    pair.check()


@pytest.mark.data
@pytest.mark.skipif("BETHINK_DATA" not in os.environ, reason="BETHINK_DATA names no development data")
def test_two_hundred_questions_about_a_development_conversation_are_answered_alike(pair):
    path = Path(os.environ["BETHINK_DATA"]) / "locomo" / "conv-26.json"
    pair.ask(lambda memory: memory.import_transcript(ImportRequest(path)))
    pair.advance()
    asked = [str(case["question"]) for case in json.loads(path.read_text("utf-8"))["qa"]]
    filled, candidates = ask(pair, (asked * 2)[:QUESTIONS])

    assert filled > QUESTIONS // 2
    assert candidates > QUESTIONS * 10
