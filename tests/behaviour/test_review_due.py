"""A record that asked to be looked at again is flagged when the time comes, once, and is otherwise left as it is."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from bethink.domain.record import Status
from tests.behaviour.house import MARCH, events, record
from tests.behaviour.requirements import requirement

DUE = MARCH + timedelta(days=10)
FLIGHT = "The user has a flight to Turin on 10 March."


def flags(memory) -> list[dict]:
    """The payloads of the events that a review is due."""
    return [json.loads(payload) for kind, payload in events(memory) if kind == "record.review_due"]


@requirement("E28", "E81", "E21")
def test_a_record_is_flagged_once_when_its_date_comes_and_is_not_rewritten(house, maya):
    item = maya.remember(FLIGHT, review_at=DUE).id
    before = record(maya, item)
    house.clock.set(DUE - timedelta(seconds=1))
    assert house.opened[0].run_jobs().counts.get("flagged for review", 0) == 0

    house.clock.set(DUE + timedelta(minutes=20))
    assert house.opened[0].run_jobs().counts["flagged for review"] == 1

    after = record(maya, item)
    assert (after.content, after.version, after.status, after.history) == (
        before.content,
        before.version,
        Status.ACTIVE,
        before.history,
    )
    assert after.usage.review_flagged_at >= DUE
    assert (after.usage.confidence, after.usage.evidence_count) == (before.usage.confidence, 1)
    assert flags(maya) == [{"review_at": "2026-03-11T00:00:00.000000Z"}]
    house.clock.advance(days=30)
    assert house.opened[0].run_jobs().counts["flagged for review"] == 0


@requirement("E81")
def test_workers_at_once_flag_a_record_once(house, maya):
    for number in range(6):
        maya.remember(f"{FLIGHT} Bag {number}.", review_at=DUE)
    house.clock.set(DUE + timedelta(days=1))
    memories = [house.open() for _ in range(3)]

    with ThreadPoolExecutor(3) as pool:
        done = list(pool.map(lambda memory: memory.run_jobs().counts.get("flagged for review", 0), memories))

    assert (sum(done), len(flags(maya))) == (6, 6)


def test_what_was_forgotten_is_not_flagged(house, maya):
    gone = maya.remember("The user has a flight to Rome.", review_at=DUE).id
    maya.forget(gone)
    house.clock.set(DUE + timedelta(days=1))

    assert house.opened[0].run_jobs().counts.get("flagged for review", 0) == 0
    assert flags(maya) == []
