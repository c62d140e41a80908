"""The reranker: off unless handed in and switched on, over survivors alone, and never worth the answer."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest
from tests.behaviour.requirements import requirement
from tests.unit.recall.house import House, belief

from bethink.errors import InvalidInput
from bethink.operations.recall import RecallRequest
from bethink.recall import rerank
from bethink.recall.pipeline import recall
from bethink.recall.reader import RecallOutcome
from bethink.settings import RecallSettings

DOCS = [
    belief(1, "Ann plays the old cello", subject="Ann"),
    belief(2, "The cello is for sale", subject="Cello"),
    belief(3, "Ann likes the cello of Bo", subject="Bo"),
    belief(4, "Nothing of the kind", subject="Zoe"),
]


class Scorer:
    """Scores a text by the first of its phrases; remembers what it read."""

    def __init__(self, **scores: float) -> None:
        self.known, self.read = scores, []

    def scores(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        self.read.append((question, list(texts)))
        return [next((score for word, score in self.known.items() if word in text), 0.1) for text in texts]


class Broken:
    """Fails, answers for too few, answers nonsense, or waits until it is let go."""

    def __init__(self, kind: str) -> None:
        self.kind, self.gone = kind, threading.Event()

    def scores(self, _question: str, texts: Sequence[str]) -> Sequence[float]:
        if self.kind == "late":
            self.gone.wait(20)
        if self.kind == "fails":
            raise RuntimeError(self.kind)
        return {"few": [0.5], "outside": [2.0] * len(texts)}.get(self.kind, [float("nan")] * len(texts))


def ask(model: object, place: str = "after", *, models: bool = True, milliseconds: int = 5_000) -> RecallOutcome:
    """One question with a reranker."""
    settings = RecallSettings(rerank=place, read_models=models, rerank_ms=milliseconds)
    return recall(RecallRequest("Who plays the cello?"), House(DOCS).reader(settings=settings, reranker=model))


def order(outcome: RecallOutcome) -> list[int]:
    """The keys of the items, best first."""
    return [int(item.id[-3:]) for item in outcome.result.items]


@requirement("E47")
def test_it_is_off_unless_it_is_handed_in_placed_and_reads_may_use_models():
    scorer = Scorer(sale=0.9)
    plain = ask(None)

    for one in (ask(scorer, "off"), ask(scorer, models=False), ask(None, "instead")):
        assert one.result.rendered == plain.result.rendered
        assert [item.score for item in one.result.items] == [item.score for item in plain.result.items]
        assert one.result.policy == "task@7"
    assert scorer.read == []
    assert RecallSettings().rerank == "off"
    with pytest.raises(InvalidInput, match="none of off, after, instead"):
        ask(scorer, "before")


@requirement("E47")
def test_after_the_floors_it_orders_the_survivors_and_reads_nothing_else():
    plain, scorer = ask(None), Scorer(sale=0.9, likes=0.8, plays=0.7)
    ranked = ask(scorer)
    (question, texts), *more = scorer.read

    assert order(ranked) == [2, 3, 1] != order(plain)
    assert sorted(order(ranked)) == sorted(order(plain))
    assert (question, more) == ("Who plays the cello?", [])
    assert len(texts) == 3
    assert not any("Nothing of the kind" in text for text in texts)
    assert [item.score for item in ranked.result.items] == [0.9, 0.8, 0.7]
    assert dict(ranked.result.items[0].explanation.parts) == {"rerank": 0.9}
    assert (ranked.result.policy, ranked.trace.policy) == ("task@7+rerank@1", "task@7+rerank@1")
    assert 'policy="task@7+rerank@1"' in ranked.result.rendered


@requirement("E47")
def test_instead_of_the_floors_its_own_floor_decides_over_everything_found():
    scorer = Scorer(sale=0.9, Nothing=0.6, plays=0.49)
    ranked = ask(scorer, "instead")
    cuts = {int(cut.id[-3:]): (cut.value, cut.bound) for cut in ranked.trace.cuts if cut.stage == "rerank"}

    assert rerank.FLOOR == 0.5
    assert order(ranked)[0] == 2
    assert cuts[1] == (0.49, 0.5)
    assert 1 not in order(ranked)
    assert all(item.score >= 0.5 for item in ranked.result.items)


@requirement("E47")
@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("late", "out of time"),
        ("fails", "RuntimeError"),
        ("few", "it did not score"),
        ("outside", "it did not score"),
        ("nan", "it did not score"),
    ],
)
@pytest.mark.parametrize("place", ["after", "instead"])
def test_when_it_is_late_or_fails_floors_and_fused_order_stand_and_the_answer_says_so(kind, said, place):
    plain, model = ask(None), Broken(kind)
    try:
        left = ask(model, place, milliseconds=50 if kind == "late" else 5_000)
    finally:
        model.gone.set()

    assert left.result.rendered == plain.result.rendered
    assert [item.score for item in left.result.items] == [item.score for item in plain.result.items]
    (notice,) = [notice for notice in left.result.notices if notice.code == "not_reranked"]
    assert said in notice.text
    assert "not_reranked" in left.trace.notices
    assert left.result.policy == "task@7"


def test_what_it_does_not_read_keeps_its_order_behind_what_it_does(monkeypatch):
    monkeypatch.setattr(rerank, "MOST", 1)
    plain, ranked = ask(None), ask(Scorer(plays=0.2, sale=0.2, likes=0.2))

    assert order(ranked) == order(plain)
    assert [item.score for item in ranked.result.items] == [0.2, -1.0, -2.0]
