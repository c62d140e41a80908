"""A store with rows in every table, in two tenants, and everything a recall says about it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import bethink
from bethink.domain.job import NewJob
from bethink.domain.reading import SessionReading
from bethink.domain.scope import Scope, ScopeKind
from bethink.domain.source import SourceKind
from bethink.opening import _side
from bethink.operations.remember import Mention
from bethink.ports.pairs import RecordPair
from bethink.settings import load_settings
from bethink.store.database import Row
from bethink.store.tables import TRACES, TRUTH
from bethink.system import SystemClock
from bethink.testing.fakes import CountingIds, ManualClock
from bethink.upkeep.hints import run_hints
from bethink.upkeep.synthesis import run_synthesis
from tests.behaviour.house import Shelf

TENANTS = ("atelier", "default")
QUESTIONS = ("Where is the kiln?", "What did Noor say about glaze?", "Zoë Keller", "harbour 17")
SEALED = 8


def furnish(url: Path | str) -> None:
    """Make the store and fill it. The segments are small where the test says so."""
    clock = ManualClock()
    files = Shelf({"AGENTS.md": "# Kiln\nHeat it slowly.\n# Glaze\nDip it twice.\n"})
    with bethink.open(url, clock=clock, ids=CountingIds(), embedder="hash", files=files) as memory:
        for tenant in TENANTS:
            maya = memory.bind("maya", "aria", voice="user", tenant=tenant)
            _speak(maya, clock)
            _learn(maya, clock)
            for question in QUESTIONS:
                maya.recall(question)
            maya.recall("Xerxes", subjects=("Xerxes",))
            gone = maya.remember("The spare key is under the blue pot.", source=SourceKind.SYSTEM)
            maya.recall("Where is the spare key?")
            maya.forget(gone.id, mode="erase")
            memory.grant("maya", "aria", "project:kiln", read=True, tenant=tenant)
            memory.put_node("craft", tenant=tenant)
            memory.put_node("craft.firing", "Firing", tenant=tenant)
            maya.remember("Glaze 2 wants a slow fire.", source=SourceKind.SYSTEM, taxonomy=("craft.firing",))
            with memory._parts.store.write(tenant) as work:
                work.jobs.put(NewJob(f"job-{tenant}", "scrub", clock.now()))
                work.readings.put(SessionReading(Scope(ScopeKind.USER, "maya"), "talk-0", next_seq=1))
            run_synthesis(maya._desk, 10)
            maya.register_skill("glaze", description="How to glaze.", instructions="Dip twice.", tool_names=("brush",))
            maya.remember("Maya is left-handed.", type="user_attribute", source=SourceKind.SYSTEM)
            maya.snapshot(session="talk-0")
            maya.associations.register("kiln", aliases=("oven",))
            maya.associations.register("cone")
            maya.associations.relate("kiln", predicate="melts", object="cone")
            maya.documents.add(text="# Kiln\n" + "Fire it slowly. " * 400, name="kiln.md")
            maya.add_files("notes")
            first, second = maya.scan_files().scans[0].created
            with memory._parts.store.write(tenant) as work:
                work.pairs.note(RecordPair.of(first, second, "near", 0.9), work.recorded_at)
            maya.reject(maya.remember("The wheel is broken.", source=SourceKind.SYSTEM).id)
            clock.advance(minutes=5)
            run_hints(maya._desk, memory._parts.traces, 100)
    with bethink.open(url, clock=clock, ids=CountingIds(), embedder=None, any_space=True) as memory:
        waiting = memory.bind("maya", "aria", voice="user", tenant="default")
        waiting.remember("Words that wait for a vector.")
        waiting.documents.add(text="A page that waits for its vectors.", name="waits.md")


def _speak(maya: Any, clock: ManualClock) -> None:
    """Turns, more than a segment of them."""
    for number in range(3):
        with maya.session(f"talk-{number}") as talk:
            for line in range(SEALED - 1):
                clock.advance(seconds=7)
                talk.turn(f"Noor fired {line} bowls with glaze {number} at harbour {line * number}.", role="user")


def _learn(maya: Any, clock: ManualClock) -> None:
    """Beliefs that supersede, support and contradict each other."""
    about = {"subject": "kiln", "attribute": "place"}
    for place in ("the yard", "the cellar", "the shed"):
        clock.advance(hours=1)
        maya.remember(f"The kiln is in {place}.", source=SourceKind.SYSTEM, **about)
    maya.remember("The kiln is in the shed.", source=SourceKind.DOCUMENT, **about)
    maya.remember("The kiln is in the attic.", source=SourceKind.DOCUMENT, **about)
    maya.remember(
        "Repairs wheels.", subject="Zoë Keller", mentions=(Mention("Zoë Keller", "person"),), idempotency_key="k"
    )
    for text in ("glazes", "throws", "trims", "fires", "packs"):
        maya.remember(f"{text} pots all day.", subject="Z. Keller", source=SourceKind.SYSTEM)
    maya.merge_entities("Z. Keller", into="Zoë Keller")
    maya.remember("The kiln book: " + "fire it slowly, then let it rest. " * 60, source=SourceKind.SYSTEM)
    said = "Noor fired 3 bowls"
    maya.remember("Noor fired three bowls.", subject="Noor", evidence=said, session="talk-1")


def contents(url: Path | str) -> dict[str, list[Row]]:
    """Every row of every table, in the order of the keys."""
    found: dict[str, list[Row]] = {}
    with _side(url, load_settings({}, {}), SystemClock(), made=True) as side:
        for database, tables in ((side.truth, TRUTH), (side.traces.opened(), TRACES)):
            for table in tables:
                found[table.name] = []
                for tenant in TENANTS:
                    with database.reading(tenant=tenant) as on:
                        found[table.name] += on.rows(f"begin_table/{table.name}", tenant=tenant, limit=1_000_000)
        with side.truth.reading() as on:
            found["space"] = on.rows("list_spaces")
            found["secret"] = on.rows("read_meta", name="secret")
    return found


def answers(url: Path | str) -> list[Any]:
    """What each tenant is told, now and of the past: blocks, items, and every candidate and score on the way."""
    clock, told = ManualClock(), []
    clock.advance(hours=20)
    early = clock.now() - timedelta(hours=18)
    with bethink.open(url, clock=clock, ids=CountingIds(), embedder="hash") as memory:
        for tenant in TENANTS:
            maya = memory.bind("maya", "aria", voice="user", tenant=tenant)
            for question in QUESTIONS:
                for when in ({}, {"as_of": early}, {"known_at": early}, {"as_of": early, "known_at": early}):
                    result = maya.recall(question, **when)
                    trace = maya.trace(result.trace_id).trace
                    told.append((result.rendered, result.sha256, result.items, trace.pool, trace.arms, trace.cuts))
    return told
