"""A state machine over every operation: SQLite, PostgreSQL and a model in plain Python never say different things.

`make test` plays a few dozen sequences; ``DIFFERENTIAL_SEQUENCES=2000`` plays as many as it says.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, multiple, rule, run_state_machine_as_test

from bethink.domain.source import SourceKind
from bethink.errors import BethinkError
from tests.behaviour.house import USER
from tests.databases import Files, Servers
from tests.differential.model import Model
from tests.differential.pair import Pair, Site

SEQUENCES = int(os.environ.get("DIFFERENTIAL_SEQUENCES", "20"))
STEPS = 16
HALF = timedelta(minutes=30)
WORDS = st.sampled_from(("blue", "hot", "old", "loud", "cracked"))
FACTS = st.integers(0, 2)
SESSIONS = st.sampled_from("ab")
BACK = st.integers(0, 8)
GUEST = "bard"
"""Another agent of the same user, which is granted what it may."""
PATIENCE = 120 + 10 * SEQUENCES
"""Seconds the whole may take on a machine that does much else: a sequence takes about half a second on a quiet one."""


class Machine(RuleBasedStateMachine):
    """Each rule is one call on both databases and one on the model. Instants asked about lie between the writes."""

    databases: tuple[Any, ...] = ()
    told = Bundle("told")

    @initialize()
    def begin(self) -> None:
        self.open = ExitStack()
        self.pair = Pair(tuple(Site(self.open.enter_context(one.passing())) for one in self.databases))
        self.open.callback(self.pair.close)
        self.model = Model()
        self.instants = [self.pair.now]
        self.number = 0
        self.frozen: dict[str, Any] = {}
        self.grant(read=False, write=False)

    def teardown(self) -> None:
        if not hasattr(self, "pair"):
            return
        with self.open:
            self.recall_now()
            self.recall_the_past(3)
            self.pair.check()

    def tick(self) -> datetime:
        """Half an hour later something happens, and half an hour after that is an instant to ask about."""
        self.pair.advance(HALF)
        self.instants.append(self.pair.now + HALF)
        self.number += 1
        return self.pair.now

    def tock(self) -> None:
        self.pair.advance(HALF)

    @rule(target=told, word=WORDS)
    def remember(self, word: str) -> str:
        now = self.tick()
        answer = self.pair.know(f"The kiln log {self.number} says {word}", valid_from=now)
        self.model.add(answer.id, now)
        self.tock()
        return answer.id

    @rule(target=told, word=WORDS, fact=FACTS)
    def correct(self, word: str, fact: int) -> str:
        now = self.tick()
        before = {one.id for one in self.model.rivals(fact, now)}
        about = {"subject": f"kiln {fact}", "attribute": "looks", "valid_from": now}
        answer = self.pair.know(f"The kiln {fact} is {word} and {self.number}", **about)
        assert set(answer.superseded) == before
        self.model.add(answer.id, now, fact=fact)
        self.tock()
        return answer.id

    @rule(target=told, word=WORDS)
    def ask_the_same_twice(self, word: str) -> str:
        now = self.tick()
        request = {"valid_from": now, "idempotency_key": f"k{self.number}"}
        first = self.pair.know(f"The kiln card {self.number} says {word}", **request)
        self.model.add(first.id, now)
        again = self.pair.know(f"The kiln card {self.number} says {word}", **request)
        assert again.id == first.id
        self.tock()
        return first.id

    @rule(target=told, word=WORDS, session=SESSIONS)
    def say(self, word: str, session: str) -> str:
        now = self.tick()
        text = f"I think the kiln looks {word} {self.number}"
        answer = self.pair.ask(lambda memory: memory.session(session).turn(text, said_at=now))
        self.model.add(answer.ids[0], now, turn=True)
        self.tock()
        return answer.ids[0]

    @rule(item=told)
    def confirm(self, item: str) -> None:
        now = self.tick()
        answer = self.revise(item, action="confirm")
        assert isinstance(answer, BethinkError) != self.model.stands(item, now)
        self.tock()

    @rule(item=told)
    def expire(self, item: str) -> None:
        now = self.tick()
        answer = self.revise(item, action="expire", at=now)
        assert isinstance(answer, BethinkError) != self.model.stands(item, now)
        if self.model.stands(item, now):
            assert answer.outcome == "expired"
            self.model.expire(item, now)
        self.tock()

    @rule(target=told, item=told, word=WORDS)
    def supersede(self, item: str, word: str) -> Any:
        now = self.tick()
        answer = self.revise(item, action="supersede", at=now, content=f"That kiln is {word} and {self.number}")
        assert isinstance(answer, BethinkError) != self.model.stands(item, now)
        self.tock()
        if isinstance(answer, BethinkError):
            return multiple()
        assert answer.superseded == (item,)
        self.model.replace(item, answer.id, now)
        return answer.id

    @rule(item=told, other=told)
    def merge(self, item: str, other: str) -> None:
        now = self.tick()
        answer = self.pair.ask(lambda memory: memory.revise(item, action="merge", other=other))
        assert isinstance(answer, BethinkError) != self.model.fits(item, other, now)
        if self.model.fits(item, other, now):
            self.model.merge(item, other, now)
        self.tock()

    def revise(self, item: str, **change: Any) -> Any:
        """A change in the name of a system, like what it changes."""
        return self.pair.ask(lambda memory: memory.revise(item, source=SourceKind.SYSTEM, **change))

    @rule(read=st.booleans(), write=st.booleans())
    def grant(self, read: bool, write: bool) -> None:  # noqa: FBT001 - drawn by name
        self.tick()
        self.pair.manage(lambda memory: memory.grant(USER, GUEST, f"user:{USER}", read=read, write=write))
        self.granted = (read, write)
        self.tock()

    @rule()
    def revoke(self) -> None:
        self.tick()
        was = self.pair.manage(lambda memory: memory.revoke(USER, GUEST, f"user:{USER}"))
        assert was == any(self.granted)
        self.granted = (False, False)
        self.tock()

    @rule(item=told)
    def ask_as_a_guest(self, item: str) -> None:
        """Another agent sees and changes what it was granted, and learns nothing of the rest."""
        now, who = self.tick(), {"agent": GUEST, "voice": "agent"}
        reads, writes = self.granted
        _, trace = self.pair.recall("kiln", who, max_items=50)
        assert {row["id"] for row in trace.pool} == (self.model.seen(now, now) if reads else set())
        answer = self.pair.ask(lambda memory: memory.forget(item), **who)
        known = item in self.model.told
        assert isinstance(answer, BethinkError) != (known and reads and writes)
        if known and reads and writes:
            self.model.hide(item, now)
        self.tock()

    @rule(item=told)
    def forget(self, item: str) -> None:
        now = self.tick()
        self.pair.ask(lambda memory: memory.forget(item))
        self.model.hide(item, now)
        self.tock()

    @rule(item=told)
    def restore(self, item: str) -> None:
        now = self.tick()
        self.pair.ask(lambda memory: memory.forget(item, mode="restore"))
        self.model.restore(item, now)
        self.tock()

    @rule(item=told)
    def erase(self, item: str) -> None:
        self.tick()
        self.pair.ask(lambda memory: memory.forget(item, mode="erase"))
        self.model.erase(item)
        self.tock()

    @rule(word=WORDS, which=FACTS)
    def keep_a_document(self, word: str, which: int) -> None:
        """No recall ever finds it, and a search gives the same block on both."""
        self.tick()
        text = f"# Kiln book {which}\n" + f"The kiln was {word} and {self.number}. " * (40 * which + 10)
        self.pair.ask(lambda memory: memory.documents.add(text=text, name=f"book-{which}"))
        self.search_documents(word)
        self.tock()

    @rule(word=WORDS)
    def search_documents(self, word: str) -> None:
        found = self.pair.ask(lambda memory: memory.documents.search(f"Which kiln was {word}?", limit=5))
        self.pair.ask(lambda memory: memory.trace(found.trace_id))

    @rule(which=FACTS)
    def forget_a_document(self, which: int) -> None:
        self.tick()
        self.pair.ask(lambda memory: memory.documents.forget(f"book-{which}"))
        self.pair.ask(lambda memory: memory.documents.list())
        self.tock()

    @rule(item=told, word=WORDS, other=WORDS)
    def relate(self, item: str, word: str, other: str) -> None:
        """No recall ever reads it, and a walk is the same on both."""
        self.tick()
        for name in (word, other):
            self.pair.ask(lambda memory, name=name: memory.associations.register(name, aliases=(f"very {name}",)))
        request = {"predicate": "looks like", "object": f"very {other}", "source": item}
        self.pair.ask(lambda memory: memory.associations.relate(word, **request))
        self.walk(word)
        self.tock()

    @rule(word=WORDS)
    def walk(self, word: str) -> None:
        self.pair.ask(lambda memory: memory.associations.traverse(word, hops=3))
        self.pair.ask(lambda memory: memory.associations.list())

    @rule(word=WORDS)
    def remove_a_term(self, word: str) -> None:
        self.tick()
        self.pair.ask(lambda memory: memory.associations.remove(word))
        self.tock()

    @rule()
    def reopen(self) -> None:
        for site in self.pair.sites:
            site.open()

    @rule(item=told)
    def look_up(self, item: str) -> None:
        self.pair.ask(lambda memory: memory.get(item, history=True))

    @rule(session=SESSIONS)
    def read_a_session(self, session: str) -> None:
        self.pair.ask(lambda memory: memory.episodes(session=session))

    @rule(session=SESSIONS)
    def freeze(self, session: str) -> None:
        """A snapshot stays as it is until something in it is forgotten, and what changed since is told beside it."""
        now = self.tick()
        taken = self.pair.ask(lambda memory: memory.session(session).snapshot("Look after the kiln", size="child"))
        held = self.frozen.get(session)
        ids = {item.id for item in taken.items}
        if held is not None and self.model.visible(now) >= {item.id for item in held.items}:
            assert (taken.rendered, taken.epoch, taken.taken) == (held.rendered, held.epoch, False)
        else:
            assert taken.taken
            assert ids <= self.model.seen(now, now)
        self.frozen[session] = taken
        told = self.pair.ask(lambda memory: memory.session(session).delta(max_items=50, budget_tokens=5_000))
        assert ids.isdisjoint(item.id for item in told.changes.items)
        assert {item.id for item in told.changes.items} <= self.model.seen(now, now)
        self.tock()

    @rule(word=WORDS)
    def recall(self, word: str) -> None:
        self.pair.recall(f"Which kiln is {word}?", max_items=5)

    @rule()
    def recall_now(self) -> None:
        now = self.pair.now
        assert self.found() == self.model.seen(now, now)

    @rule(back=BACK)
    def recall_the_past(self, back: int) -> None:
        instant = self.instants[-1 - back % len(self.instants)]
        assert self.found(as_of=instant) == self.model.seen(instant, self.pair.now)
        assert self.found(as_of=instant, known_at=instant) == self.model.seen(instant, instant)

    def found(self, **asked: Any) -> set[str]:
        """Every candidate of a question that all words answer to."""
        _, trace = self.pair.recall("kiln", max_items=50, **asked)
        return {row["id"] for row in trace.pool}


@pytest.mark.timeout(PATIENCE)
def test_no_sequence_of_operations_parts_the_databases_or_the_model(postgres, tmp_path, monkeypatch):
    monkeypatch.setattr("bethink.store.column_segments.SEALED", 3)
    monkeypatch.setattr("bethink.store.context.LOOK", 1)
    memory = Path("/dev/shm")  # noqa: S108 - where there is such a folder, syncing costs nothing

    class Pairs(Machine):
        databases = (Files(memory if memory.is_dir() else tmp_path), Servers(postgres))

    run_state_machine_as_test(
        Pairs,
        settings=settings(
            max_examples=SEQUENCES,
            stateful_step_count=STEPS,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            print_blob=True,
        ),
    )
