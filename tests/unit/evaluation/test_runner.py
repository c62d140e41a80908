"""A trace that a busy disk put off is waited for, because ranks are read from it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from bethink.errors import StoreError
from bethink.evaluation.runner import _traced
from bethink.operations.recall import RecallResult

STORED = RecallResult((), "", "", 0, "t", "stored", "p", "best_first", 0, 0)
PUT_OFF = replace(STORED, trace="deferred", trace_reason="busy")


@dataclass
class Busy:
    """A store whose disk is busy for so many recalls."""

    for_so_long: int
    asked: list[str] = field(default_factory=list)

    def recall(self, question):
        self.asked.append(question)
        return PUT_OFF if len(self.asked) < self.for_so_long else STORED


def test_a_recall_is_asked_again_until_its_trace_is_stored():
    busy = Busy(3)

    assert _traced(busy, "who?", PUT_OFF) == STORED
    assert busy.asked == ["who?"] * 3


def test_a_recall_whose_trace_is_stored_is_asked_once():
    busy = Busy(1)

    assert _traced(busy, "who?", STORED) == STORED
    assert busy.asked == []


def test_a_disk_that_stays_busy_ends_the_run():
    with pytest.raises(StoreError, match="deferred \\(busy\\)"):
        _traced(Busy(10_000), "who?", PUT_OFF)
