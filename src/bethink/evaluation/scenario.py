"""A scenario: what is said and written in several sessions, and what is asked afterwards, every item with a label.

The corpus is our own and ships with the package, so that the benchmark needs no data.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from importlib import resources
from typing import Any, TypeVar

from bethink.domain.session import Role
from bethink.domain.source import SourceKind
from bethink.domain.time import parse_instant
from bethink.domain.trace import Moment
from bethink.domain.types import Portability
from bethink.errors import InvalidInput
from bethink.operations.records import ForgetMode

T = TypeVar("T")

CATEGORIES: Mapping[str, str] = {
    "single_hop": "one fact answers",
    "multi_hop": "two facts answer together",
    "temporal": "what happened when, or what held then",
    "update": "the newer value answers, the older one must not",
    "correction": "what was said in error must not come back",
    "preference": "how somebody likes things",
    "transfer": "what was learned in one project is wanted in another",
    "abstention": "memory does not know, and says nothing",
    "conflict": "two sources disagree, and both are shown as disagreeing",
    "ambiguity": "a name stands for more than one",
    "boundary": "what belongs to somebody or somewhere else stays there",
    "no_search": "a message that asks memory nothing gets nothing",
    "protected": "what may never be shown is asked for",
}
"""What each category of probe tries."""


@dataclass(frozen=True, slots=True)
class Said:
    """A turn. A `label` names it for probes."""

    role: Role
    text: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Written:
    """A statement that an agent (or, by `voice`, its user) asks to remember.

    What is `unwanted` must not become active. What is `disputed` contradicts a better source, and has to stand beside
    it as a conflict. What is `transient` is taken away later on purpose. `supersedes` names
    the label it has to replace.
    """

    label: str
    content: str
    type: str
    subject: str
    attribute: str | None = None
    evidence: str | None = None
    voice: str = "agent"
    target: str = "personal"
    source: SourceKind | None = None
    source_ref: str | None = None
    source_revision: str | None = None
    portability: Portability | None = None
    supersedes: str | None = None
    unwanted: bool = False
    disputed: bool = False
    transient: bool = False


@dataclass(frozen=True, slots=True)
class Forgotten:
    """A label to forget, and how far."""

    label: str
    mode: ForgetMode
    with_sources: bool = False


@dataclass(frozen=True, slots=True)
class Talk:
    """One session: so long after the one before, its turns, then what is written and forgotten."""

    turns: tuple[Said, ...]
    writes: tuple[Written, ...] = ()
    forget: tuple[Forgotten, ...] = ()
    advance_seconds: int = 0
    user: str | None = None
    project: str | None = None


@dataclass(frozen=True, slots=True)
class Probe:
    """One question after so many sessions (all, where `after` is 0).

    `wanted` labels should come back, `also` may. `stale` ones were replaced, `foreign` ones belong elsewhere,
    `prohibited` ones may not come back for another reason. `answer` are words the block must hold for the question to
    be answerable from it. Where nothing is wanted and nothing allowed, the block must be empty.
    """

    id: str
    category: str
    question: str
    wanted: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()
    prohibited: tuple[str, ...] = ()
    answer: tuple[str, ...] = ()
    after: int = 0
    user: str | None = None
    project: str | None = None
    moment: Moment = "tool"
    as_of: datetime | None = None
    may_show_protected: bool = False


@dataclass(frozen=True, slots=True)
class Scenario:
    """Sessions and probes around one story.

    `protected` strings may never be rendered, nor stored, unless `protected_may_be_stored` says that somebody else
    may know them. `grants` open project scopes to the user.
    """

    name: str
    about: str
    start: datetime
    user: str
    sessions: tuple[Talk, ...]
    probes: tuple[Probe, ...]
    protected: tuple[str, ...] = ()
    protected_may_be_stored: bool = False
    grants: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Corpus:
    """Every scenario, by name in order, and a hash of them all."""

    scenarios: tuple[Scenario, ...]
    digest: str


def shipped() -> Corpus:
    """The scenarios that come with the package."""
    folder = resources.files("bethink.evaluation") / "scenarios"
    files = sorted((item for item in folder.iterdir() if item.name.endswith(".json")), key=lambda item: item.name)
    return corpus({item.name.removesuffix(".json"): json.loads(item.read_text("utf-8")) for item in files})


def corpus(told: Mapping[str, Any]) -> Corpus:
    """Scenarios from plain data, by name.

    Raises:
        InvalidInput: a field is missing or unknown, a label stands twice or nowhere, or a category is unknown.
    """
    scenarios = tuple(_scenario(name, told[name]) for name in sorted(told))
    canonical = json.dumps(told, sort_keys=True, ensure_ascii=True)
    return Corpus(scenarios, hashlib.sha256(canonical.encode()).hexdigest()[:16])


def labels(scenario: Scenario) -> Iterator[str]:
    """Every label of a scenario."""
    for talk in scenario.sessions:
        yield from (said.label for said in talk.turns if said.label)
        yield from (written.label for written in talk.writes)


def _scenario(name: str, told: Mapping[str, Any]) -> Scenario:
    """One scenario, its labels checked."""
    made = _built(Scenario, {"name": name, **told}, _READ)
    known = list(labels(made))
    if len(known) != len(set(known)):
        raise InvalidInput(f"Scenario {name}: a label stands twice.")
    for probe in made.probes:
        used = {*probe.wanted, *probe.also, *probe.stale, *probe.foreign, *probe.prohibited}
        if missing := used - set(known):
            raise InvalidInput(f"Scenario {name}, probe {probe.id}: nothing is called {', '.join(sorted(missing))}.")
        if probe.category not in CATEGORIES:
            raise InvalidInput(f"Scenario {name}, probe {probe.id}: no category {probe.category[:40]!r}.")
    return made


def _built(kind: type[T], told: Mapping[str, Any], read: Mapping[str, Any]) -> T:
    """A value from plain data; lists become tuples, and some fields are read by a rule."""
    named = {item.name for item in fields(kind)}  # type: ignore[arg-type]  # every kind passed is a dataclass
    if unknown := told.keys() - named:
        raise InvalidInput(f"{kind.__name__}: unknown {', '.join(sorted(unknown))}.")
    try:
        return kind(**{key: read.get(key, _plain)(value) for key, value in told.items()})
    except (TypeError, KeyError, ValueError) as error:
        raise InvalidInput(f"{kind.__name__}: {error}.") from error


def _plain(value: Any) -> Any:
    """A value as it is, a list as a tuple."""
    return tuple(value) if isinstance(value, list) else value


def _instant(text: str) -> datetime:
    return parse_instant(text, "an instant of a scenario")


_WRITE: Mapping[str, Any] = {"source": SourceKind, "portability": lambda name: Portability[name.upper()]}
_TALK: Mapping[str, Any] = {
    "turns": lambda rows: tuple(_built(Said, row, {}) for row in rows),
    "writes": lambda rows: tuple(_built(Written, row, _WRITE) for row in rows),
    "forget": lambda rows: tuple(_built(Forgotten, row, {}) for row in rows),
}
_READ: Mapping[str, Any] = {
    "start": _instant,
    "sessions": lambda rows: tuple(_built(Talk, row, _TALK) for row in rows),
    "probes": lambda rows: tuple(_built(Probe, row, {"as_of": _instant}) for row in rows),
}
