"""A question keeps no word that an erase took out of the store, whether its recall met the record or not."""

from __future__ import annotations

from contextlib import closing
from datetime import timedelta
from typing import Any

import pytest

from bethink.domain.scope import Principal
from bethink.domain.trace import Trace
from bethink.errors import DeadlineExceeded, StoreBusy
from bethink.ports.traces import UNDER_WAY, Lost
from bethink.store import traces as module
from bethink.store.index import SearchIndex
from bethink.testing.fakes import CountingIds, ManualClock
from tests.behaviour.requirements import requirement
from tests.databases import everything_held, rows_of, traces_held
from tests.store.trace_things import trace

ANN = Principal("acme", "ann", "cli")
NAMES = ("arms", "pool", "returned", "cuts", "blocked", "carried_in", "conflicts", "cited", "beliefs")


def lost(*terms: str, texts: tuple[str, ...] = (), before: int = 8, **parts: Any) -> Lost:
    """What an erase at position 8 takes; a trace of these tests read at 7."""
    return Lost(frozenset(terms), texts, "english", before, **parts)


def asked(clock: ManualClock, trace_id: str, text: str = "", *, position: int = 7, **query: Any) -> Trace:
    """A trace that names nothing."""
    said = {"text": text, "fence": {"scopes": ["user:ann"], "named_subjects": []}, **query}
    return trace(clock, trace_id, query=said, rendered="", position=position, **dict.fromkeys(NAMES, ()))


@pytest.fixture
def traces(database, store, clock):
    opened = database.traces(store, clock)
    yield opened
    opened.close()


@requirement("P46")
@pytest.mark.parametrize(
    ("query", "gone"),
    [
        ({"text": "Where are the ZANZIBARS?"}, True),
        ({"text": "Is it in zanzibar-7319?"}, True),
        ({"text": "", "objective": "Find zanzibar"}, True),
        ({"text": "x", "open_questions": ["who", "is it zanzibar"]}, True),
        ({"text": "", "subjects": ["zanzibar"]}, True),
        ({"text": "Where is the stove?"}, False),
        ({"text": "Is there a KEY behind the stove, Ann?"}, True),
        ({"text": "The stove is behind a key"}, False),
        ({"text": "Is a key behind"}, False),
    ],
    ids=str,
)
def test_a_question_that_says_a_lost_word_or_the_erased_text_is_emptied(traces, store, clock, query, gone):
    traces.record(asked(clock, "0190-asked", **query))
    traces.record(trace(clock, "0190-other", tenant="other", query={"text": "zanzibar", "fence": {}}))
    erased = lost("zanzibar", texts=("A key behind the stove.",))

    assert traces.erase("acme", ["r404"], lost=erased, deadline=5) == int(gone)
    found = traces.get(ANN, "0190-asked")
    assert (found.erased, found.query == {}) == (gone, gone)
    assert not traces.get(Principal("other", "ann", "cli"), "0190-other").erased
    traces.close()
    assert b"".join(held for _, held in everything_held(store)).lower().count(b"zanzibar") == 1


def test_a_text_without_words_is_looked_for_as_it_stands(traces, clock):
    traces.record(asked(clock, "0190-asked", "who said \U0001f419?"))
    traces.record(asked(clock, "0190-other", "who said \U0001f980?"))

    assert traces.erase("acme", ["r404"], lost=lost(texts=("\U0001f419",)), deadline=5) == 1
    assert [traces.get(ANN, item).erased for item in ("0190-asked", "0190-other")] == [True, False]


def test_every_page_of_questions_is_read(traces, clock, monkeypatch):
    monkeypatch.setattr(module, "_PAGE", 3)
    for number in range(10):
        traces.record(asked(clock, f"0190-{number}", "zanzibar" if number % 3 == 0 else "stove"))

    assert traces.erase("acme", ["r404"], lost=lost("zanzibar"), deadline=5) == 4
    erased = [trace.erased for trace in traces.listed(ANN, "", 20, "s1")]
    assert erased == [number % 3 == 0 for number in range(10)]


def test_questions_from_before_the_last_look_are_not_read_again(traces, clock):
    traces.record(asked(clock, "0190-asked", "zanzibar"))
    after = clock.advance(minutes=5)

    assert traces.erase("acme", ["r404"], lost=lost("zanzibar", since=after), deadline=5) == 0
    assert traces.erase("acme", ["r404"], lost=lost("zanzibar", since=after - timedelta(minutes=5)), deadline=5) == 1


@requirement("P39")
def test_a_question_that_waits_in_memory_is_emptied(database, traces, store, clock):
    traces.record(asked(clock, "0190-first"))
    with traces_held(store):
        for trace_id, text in (("deferred-1", "zanzibar"), ("deferred-2", "stove")):
            assert traces.record(asked(clock, trace_id, text, position=8))[0] == "deferred"
    traces.erase("acme", ["r404"], lost=lost("zanzibar"), deadline=5)
    traces.close()

    with closing(database.traces(store, clock)) as anew:
        assert [anew.get(ANN, item).erased for item in ("deferred-1", "deferred-2")] == [True, False]


def test_a_recall_that_was_under_way_keeps_no_question_and_a_later_one_does(traces, clock):
    traces.record(asked(clock, "0190-first", "stove"))
    traces.erase("acme", ["r404"], lost=lost("zanzibar", before=8), deadline=5)
    traces.erase("acme", ["r405"], lost=lost("nairobi", before=5), deadline=5)
    traces.record(asked(clock, "under-way", "zanzibar", position=7))
    traces.record(asked(clock, "new-recall", "zanzibar", position=8))
    traces.record(trace(clock, "0190-other", tenant="other"))
    clock.advance(seconds=UNDER_WAY.total_seconds() + 1)
    traces.record(asked(clock, "from-a-backup", "zanzibar", position=7))

    found = [traces.get(ANN, item) for item in ("0190-first", "under-way", "new-recall", "from-a-backup")]
    assert [item.erased for item in found] == [False, True, False, False]
    assert not traces.get(Principal("other", "ann", "cli"), "0190-other").erased


@pytest.mark.parametrize("body", ["replace(body, '{\"', '{\"\"')", "cast(x'ff' as text)", "'{\"query\":7}'"])
def test_a_question_that_cannot_be_read_goes_as_a_whole_and_costs_no_other(traces, store, clock, body):
    traces.record(asked(clock, "0190-asked", "zanzibar"))
    traces.record(asked(clock, "0190-broken", "zanzibar"))
    traces.record(asked(clock, "0190-other", "stove"))
    rows_of(store, f"update trace set body = {body} where id = '0190-broken'", traces=True)

    assert traces.erase("acme", ["r404"], lost=lost("zanzibar"), deadline=5) == 2
    found = {item.id: item.erased for item in traces.listed(ANN, "", 20, "s1")}
    assert found == {"0190-asked": True, "0190-other": False}


def test_looking_through_the_questions_ends_at_its_deadline_and_is_finished_by_another_call(
    database, place, traces, clock
):
    traces.record(asked(clock, "0190-asked", "zanzibar"))
    hurried = Hurried(0.4)
    late_store = database.store(place, (hurried, CountingIds(), SearchIndex("english")))
    late = database.traces(late_store, hurried)
    with pytest.raises((DeadlineExceeded, StoreBusy)):
        late.erase("acme", ["r404"], lost=lost("zanzibar"), deadline=1)
    late.close()
    late_store.close()
    assert not traces.get(ANN, "0190-asked").erased

    assert traces.erase("acme", ["r404"], lost=lost("zanzibar"), deadline=5) == 1


class Hurried(ManualClock):
    """A clock on which each look at the stopwatch takes its step."""

    def __init__(self, step: float) -> None:
        super().__init__()
        self._step, self._passed = step, 0.0

    def elapsed(self) -> float:
        self._passed += self._step
        return self._passed
