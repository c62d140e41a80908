"""The log alone tells how everything stands: what is not in it did not happen."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bethink.domain.source import SourceKind
from bethink.domain.time import FOREVER
from bethink.errors import BethinkError
from bethink.memory import BoundMemory
from tests.behaviour.house import House
from tests.behaviour.requirements import requirement
from tests.databases import rows_of

NUMBERS = itertools.count()
FACTS = st.integers(0, 2)
PLACES = st.integers(0, 9)
KINDS = st.sampled_from((SourceKind.SYSTEM, SourceKind.DOCUMENT, None))


def told(house: House, tenant: str) -> tuple[dict[str, Any], dict[str, int]]:
    """How everything stands and which version is live, folded from nothing but the log."""
    standings: dict[str, Any] = {}
    heads: dict[str, int] = {}
    rows = rows_of(
        house.opened[0]._parts.store, "select payload from event where tenant = ? order by position, part", [tenant]
    )
    for (payload,) in rows:
        change = json.loads(payload)
        standings |= change.get("standings", {})
        heads |= change.get("heads", {})
    return standings, heads


def stored(house: House, tenant: str) -> tuple[dict[str, Any], dict[str, int]]:
    """The same as the tables have it; a turn that never changed has stood since it was said."""
    store = house.opened[0]._parts.store
    spans = rows_of(
        store,
        "select s.record_id, s.status, s.ends_at, s.successor, s.reason from status_event s where s.tenant = ?"
        f" and s.recorded_to = {FOREVER}",
        [tenant],
    )
    standings = {
        item: [status, None if ends_at == FOREVER else ends_at, successor]
        for item, status, ends_at, successor, reason in spans
        if reason != "said"
    }
    heads = rows_of(store, "select id, versions from record where tenant = ?", [tenant])
    return standings, dict(heads)


def settled(house: House, tenant: str) -> dict[str, Any]:
    """What the log tells, without what a user took along who was erased: of that not even a mark stays."""
    known, _ = told(house, tenant)
    store = house.opened[0]._parts.store
    left = {kind for (kind,) in rows_of(store, "select kind from event where tenant = ?", [tenant])}
    if "user.erased" not in left:
        return known
    kept = stored(house, tenant)[0]
    return {item: how for item, how in known.items() if item in kept or how[0] != "deleted"}


class Life:
    """One caller doing this and that."""

    def __init__(self, house: House, tenant: str) -> None:
        self.house = house
        self.tenant = tenant
        self.come()
        self.known: list[str] = []
        self.said = 0

    def come(self) -> None:
        """Bind the user and the agent, which lets the agent in."""
        self.user = self.house.bind(tenant=self.tenant)
        self.agent = self.house.bind(tenant=self.tenant, voice="agent", session="talk", project="kiln")
        self.user.session("talk")

    def at(self, place: int) -> str:
        """One of the records so far."""
        return self.known[place % len(self.known)] if self.known else "m:0000"

    def remember(self, place: int, fact: int, kind: SourceKind | None) -> None:
        memory: BoundMemory = self.agent if kind is None else self.user
        about = {"subject": f"thing {fact}", "attribute": "colour"} if place % 3 else {}
        polarity = {"polarity": "retract"} if place == 7 else {}
        done = memory.remember(f"Thing {fact} is colour {place % 4}", source=kind, **about, **polarity)
        self.known.append(done.id)

    def type(self, place: int, fact: int, _kind: object) -> None:
        self.known.append(self.user.remember(f"I like thing {fact} in colour {place % 4}", type="preference").id)

    def speak(self, place: int, fact: int, _kind: object) -> None:
        with self.user.session("talk") as talk:
            self.known += talk.turn(f"I live in town {fact}. I have {place} cats at home.").ids

    def extract(self, *_: object) -> None:
        self.known += [belief.id for belief in self.user.extract("talk").beliefs]

    def rederive(self, *_: object) -> None:
        self.user.rederive("talk")

    def revise(self, place: int, fact: int, _kind: object) -> None:
        if fact == 0:
            self.user.revise(self.at(place), action="confirm")
        elif fact == 1:
            self.known.append(self.user.revise(self.at(place), action="supersede", content=f"It is now {place}").id)
        else:
            self.user.revise(self.at(place), action="expire")

    def merge(self, place: int, fact: int, _kind: object) -> None:
        self.user.revise(self.at(place), action="merge", other=self.at(place + fact + 1))

    def reject(self, place: int, fact: int, _kind: object) -> None:
        reasons = ("untrue", "changed", "unspecified")
        self.user.reject(self.at(place), reason=reasons[fact])

    def forget(self, place: int, fact: int, _kind: object) -> None:
        mode = ("stop", "restore", "erase")[fact]
        self.user.forget(self.at(place), mode=mode, with_sources=bool(place % 2))

    def freeze(self, place: int, fact: int, _kind: object) -> None:
        with self.user.session("talk") as talk:
            talk.snapshot(f"Thing {fact} in colour {place % 4}")
            talk.delta()

    def document(self, place: int, fact: int, _kind: object) -> None:
        if fact == 2:
            self.user.documents.forget(f"page {place % 3}")
        else:
            self.user.documents.add(text=f"# Thing {fact}\nIt is colour {place}.", name=f"page {place % 3}")

    def associate(self, place: int, fact: int, _kind: object) -> None:
        names = (f"term {place % 2}", "kiln")
        if fact == 2:
            self.user.associations.remove(names[0])
            return
        for name in names:
            self.user.associations.register(name)
        source = self.at(place) if fact else None
        made = self.user.associations.relate(names[0], predicate="melts", object=names[1], source=source)
        if place > 6:
            self.user.associations.retract(made.relation.id)

    def honour(self, place: int, *_: object) -> None:
        memory = self.house.opened[0]
        self.forget(place, 0, None)
        memory.honour(memory.receipts(tenant=self.tenant).receipts, tenant=self.tenant)

    def leave(self, place: int, *_: object) -> None:
        if place == 0:
            self.house.opened[0].erase_user("maya", tenant=self.tenant)
            self.come()

    def work(self, place: int, *_: object) -> None:
        self.house.clock.advance(days=place * 7)
        self.house.opened[0].run_jobs()


DOINGS: tuple[Callable[..., None], ...] = (
    Life.remember,
    Life.remember,
    Life.type,
    Life.speak,
    Life.extract,
    Life.rederive,
    Life.revise,
    Life.merge,
    Life.reject,
    Life.forget,
    Life.freeze,
    Life.document,
    Life.associate,
    Life.honour,
    Life.leave,
    Life.work,
)
STEPS = st.lists(st.tuples(st.sampled_from(DOINGS), PLACES, FACTS, KINDS), min_size=3, max_size=14)


@requirement("E107")
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], derandomize=True)
@given(steps=STEPS)
def test_how_everything_stands_is_told_by_the_log_alone(house, steps):
    tenant = f"t{next(NUMBERS)}"
    life = Life(house, tenant)
    for doing, place, fact, kind in steps:
        house.clock.advance(minutes=1)
        try:
            doing(life, place, fact, kind)
        except BethinkError:
            continue
    known, live = told(house, tenant)
    standings, heads = stored(house, tenant)

    assert settled(house, tenant) == standings
    assert {item: number for item, number in live.items() if item in heads} == heads
    gone = {item for item, (status, *_) in known.items() if status == "deleted"}
    assert live.keys() - heads.keys() <= gone


@requirement("E107")
def test_a_store_that_went_through_everything_is_told_by_its_log(house):
    life = Life(house, "whole")
    for number, doing in enumerate(DOINGS * 4):
        house.clock.advance(hours=1)
        try:
            doing(life, number % 10, number % 3, (SourceKind.SYSTEM, None)[number % 2])
        except BethinkError:
            continue
    known, _ = told(house, "whole")

    assert settled(house, "whole") == stored(house, "whole")[0]
    assert {status for status, *_ in known.values()} >= {"active", "provisional", "superseded", "deleted"}


@requirement("E107")
def test_the_log_holds_no_words(house):
    life = Life(house, "words")
    for number, doing in enumerate(DOINGS * 2):
        try:
            doing(life, number % 10, number % 3, SourceKind.SYSTEM)
        except BethinkError:
            continue
    rows = rows_of(house.opened[0]._parts.store, "select payload from event where tenant = 'words'")

    assert rows
    assert not [payload for (payload,) in rows if "colour" in payload or "cats" in payload or "Thing" in payload]


@pytest.mark.parametrize("lost", range(3))
def test_a_log_with_an_event_missing_tells_another_story(house, lost):
    life = Life(house, "lost")
    for number in range(3):
        life.remember(1, number, SourceKind.SYSTEM)
    store = house.opened[0]._parts.store
    (place,) = rows_of(
        store, "select position from event where tenant = 'lost' and kind = 'memory.written' order by position"
    )[lost]
    rows_of(store, "delete from event where tenant = 'lost' and position = ?", [place])

    assert told(house, "lost") != stored(house, "lost")
