"""The demo: the main job, on a conversation that ships with the package, each line of it checked as it is printed.

Nothing is fetched. The store is a new one in a folder of the caller's choosing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path

from bethink.domain.record import Status
from bethink.domain.source import SourceKind
from bethink.memory import BoundMemory
from bethink.opening import open_memory
from bethink.operations.importing import ImportRequest
from bethink.operations.recall import RecallResult
from bethink.operations.upkeep import EmbedResult
from bethink.recall.explain import EMPTY_REASONS

_HOME = "Where does Maya live?"
_NOTHING = "Which serial number is printed on the boiler?"
_APRIL = datetime(2026, 4, 1, tzinfo=UTC)

_FACTS = (
    ("Maya lives in Lisbon", "user_attribute", "home city", "I live in Lisbon now", "demo-2026-03-02"),
    ("Maya is allergic to almonds", "user_attribute", "allergy", "I'm allergic to almonds", "demo-2026-03-02"),
    ("Keep your answers short", "preference", "answer length", "keep your answers short", "demo-2026-03-02"),
    (
        "We decided to use SQLite for Maré",
        "decision",
        "database",
        "We decided to use SQLite for Maré",
        "demo-2026-04-14",
    ),
)
_CORRECTION = ("Maya lives in Porto", "user_attribute", "home city", "I live in Porto now", "demo-2026-06-20")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the demo: what it shows, and whether it came out as promised."""

    text: str
    holds: bool
    detail: str = ""


def demo(folder: Path, show: Callable[[Line], None]) -> bool:
    """Run the demo in `folder`, show each line, and return whether every one of them held."""
    with open_memory(folder / "demo.db") as memory:
        memory.grant("maya", "demo", "user:maya", read=True, write=True)
        caller = memory.bind(user="maya", agent="demo", surface="cli", voice="user")
        lines = list(_shown(_steps(caller, memory.embed_pending), show))
    return all(line.holds for line in lines)


def _shown(lines: Iterator[Line], show: Callable[[Line], None]) -> Iterator[Line]:
    for line in lines:
        show(line)
        yield line


def _steps(caller: BoundMemory, embed: Callable[[], EmbedResult]) -> Iterator[Line]:
    yield _import(caller, embed)
    for fact in _FACTS:
        yield _remember(caller, fact)
    before = caller.recall(_HOME)
    yield _answer("a question is answered from evidence", before, "Lisbon")
    yield _correct(caller)
    after = caller.recall(_HOME)
    yield _answer("the corrected fact answers now", after, "Porto")
    yield Line("the old fact is gone from live recall", "Lisbon" not in after.rendered)
    past = caller.recall(_HOME, as_of=_APRIL)
    yield _answer("and is found as of 1 April 2026", past, "Lisbon")
    nothing = caller.recall(_NOTHING)
    yield Line(
        "a question memory cannot answer gets nothing, with the reason",
        not nothing.items and nothing.rendered == "" and bool(nothing.empty_reason),
        f"{_NOTHING} -> {EMPTY_REASONS.get(str(nothing.empty_reason))} ({nothing.empty_reason})",
    )
    yield _lost(caller, after, before)
    yield _proof(caller, after)


def _import(caller: BoundMemory, embed: Callable[[], EmbedResult]) -> Line:
    source = resources.files("bethink.interfaces.cli") / "demo_conversations.json"
    with resources.as_file(source) as path:
        result = caller.import_transcript(ImportRequest(path, format="claude", self_name="Maya"))
        again = caller.import_transcript(ImportRequest(path, format="claude", self_name="Maya"))
    embed()
    return Line(
        f"{result.turns} turns of {result.sessions} sessions imported; importing again stored {again.turns}",
        (result.turns, result.sessions, again.turns) == (19, 3, 0),
    )


def _remember(caller: BoundMemory, fact: tuple[str, str, str, str, str]) -> Line:
    content, kind, attribute, quote, session = fact
    result = caller.remember(content, type=kind, subject="Maya", attribute=attribute, evidence=quote, session=session)
    return Line(
        f"remembered {content!r} with its evidence",
        result.evidence_located and result.status is Status.ACTIVE and result.source is SourceKind.IMPORT,
        f'{result.short_id}  "{quote}"  ({session}, {result.outcome})',
    )


def _correct(caller: BoundMemory) -> Line:
    content, kind, attribute, quote, session = _CORRECTION
    result = caller.remember(content, type=kind, subject="Maya", attribute=attribute, evidence=quote, session=session)
    return Line(
        f"corrected: {content!r}",
        result.outcome == "superseded" and len(result.superseded) == 1,
        f"{result.short_id} supersedes the older record, which stays in history",
    )


def _answer(text: str, result: RecallResult, word: str) -> Line:
    first = result.items[0] if result.items else None
    return Line(
        f"{text}: {_HOME}",
        first is not None and word in first.text and first.short_id in result.rendered,
        result.rendered,
    )


def _lost(caller: BoundMemory, after: RecallResult, before: RecallResult) -> Line:
    old = next((item.id for item in before.items if "lives in Lisbon" in item.text), "")
    why = caller.why(after.trace_id, old) if old else None
    return Line(
        "why the old fact was not recalled",
        why is not None and why.stage == "fence",
        why.text if why else "the old fact was never recalled",
    )


def _proof(caller: BoundMemory, after: RecallResult) -> Line:
    stored = caller.trace(after.trace_id)
    return Line(
        "the trace holds the exact bytes the model would have seen",
        stored.verification == "verified" and stored.recomputed_sha256 == after.sha256,
        f"trace {after.trace_id}  sha256 {after.sha256}  {stored.verification}",
    )
