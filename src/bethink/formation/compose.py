"""Compose: a profile as one text, by rule: its statements as they were made, the best supported first."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bethink.domain.entity import Entity
from bethink.domain.record import Record
from bethink.domain.time import EPOCH

PROFILE_LIMIT = 2_000
"""Characters of a profile."""

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


def ordered(records: Sequence[Record]) -> tuple[Record, ...]:
    """Sources in the order a profile names them: by rank, confidence, last evidence, then id; each wording once."""

    def place(record: Record) -> tuple[float, float, float, str]:
        last = record.usage.last_evidence_at or record.created_at
        age = (last - EPOCH).total_seconds()
        return -record.content.source.rank, -record.usage.confidence, -age, record.id

    first: dict[str, Record] = {}
    for record in sorted(records, key=place):
        first.setdefault(record.content.digest, record)
    return tuple(first.values())


def composed(entity: Entity, records: Sequence[Record]) -> str:
    """The profile: a name, other names, and the statements that fit whole, in their order."""
    others = ", ".join(sorted(alias for alias in entity.aliases if alias != entity.name))
    lines = [f"{entity.name}, also called {others}:" if others else f"{entity.name}:"]
    room = PROFILE_LIMIT - len(lines[0])
    for record in records:
        line = f"- {' '.join(record.content.text.split())}"
        if len(line) + 1 <= room:
            lines.append(line)
            room -= len(line) + 1
    return "\n".join(lines)


def invented(text: str, statements: Sequence[str]) -> tuple[str, ...]:
    """The numbers of a text that stand in none of the statements it was made from."""
    known = {number for statement in statements for number in _NUMBER.findall(statement)}
    return tuple(dict.fromkeys(number for number in _NUMBER.findall(text) if number not in known))
