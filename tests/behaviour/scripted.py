"""A reader of sessions that plays a script: it suggests and rules what the test says, and keeps what it was shown."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from bethink.domain.transcript import Transcript
from bethink.memory import BoundMemory, Memory
from bethink.operations.extraction import Assessment, ExtractResult, Suggested, Suggestion
from bethink.operations.jobs import JobsResult
from bethink.ports.advice import PairVerdict
from bethink.ports.models import Case, Readers
from tests.behaviour.house import House, events, record

LIVES = "I live in Porto with two cats."
Ruling = Callable[[Sequence[Case]], tuple[Assessment, ...]]


def accepting(cases: Sequence[Case]) -> tuple[Assessment, ...]:
    """A reviewer who accepts all."""
    return tuple(Assessment(place, "accept") for place in range(len(cases)))


@dataclass
class Script:
    """Plays extractor and reviewer."""

    suggestions: Sequence[Suggestion] = ()
    summary: str | None = None
    ruling: Ruling = accepting
    failing: Exception | None = None
    transcripts: list[Transcript] = field(default_factory=list)
    cases: list[Case] = field(default_factory=list)
    name: str = "scripted"

    def suggest(self, transcript: Transcript) -> Suggested:
        self.transcripts.append(transcript)
        if self.failing is not None:
            raise self.failing
        return Suggested(tuple(self.suggestions), self.summary)

    def review(self, cases: Sequence[Case]) -> tuple[Assessment, ...]:
        self.cases += cases
        return self.ruling(cases)

    @property
    def readers(self) -> Readers:
        return Readers(self, self)


class Glue:
    """A judge that makes one text of whatever it is shown."""

    name = "glue"

    def review(self, pairs):
        return [PairVerdict("merge", f"{pair.a.text.rstrip('.')}. {pair.b.text}") for pair in pairs]


def talk(house: House, *turns: str | tuple[str, str], session: str = "talk", close: bool = True, **about: Any) -> None:
    """Turns of a session, a minute apart; the user's unless a role is named."""
    memory = house.bind(**about)
    opened = memory.session(session)
    for turn in turns:
        role, text = turn if isinstance(turn, tuple) else ("user", turn)
        house.clock.advance(minutes=1)
        opened.turn(text, role=role, said_at=house.clock.now())
    if close:
        opened.close()


def read(house: House, session: str = "talk") -> ExtractResult:
    """Read a session now."""
    return house.bind().extract(session)


def played(house: House, script: Script) -> Memory:
    """The store, from here on read by a script."""
    memory = house.open(readers=script.readers)
    house.opened.insert(0, house.opened.pop())
    return memory


def beliefs(memory: BoundMemory, result: ExtractResult) -> list[str]:
    """What the admitted beliefs say."""
    return [record(memory, item.id).content.text for item in result.beliefs]


def work(house: House) -> JobsResult:
    """A round of work."""
    return house.opened[0].run_jobs()


def log(memory: BoundMemory, kind: str) -> list[dict[str, Any]]:
    """The payloads of a kind of event."""
    return [json.loads(payload) for name, payload in events(memory) if name == kind]
