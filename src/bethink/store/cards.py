"""Index cards made from what is stored, the same whether an entry is new or its index is rebuilt."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime

from bethink.domain.record import Content
from bethink.domain.session import Turn
from bethink.domain.time import optional_instant
from bethink.store.card import IndexCard
from bethink.store.database import Connection
from bethink.text.asking import asks
from bethink.text.instructing import instructs
from bethink.text.template import day_words

_PAGE = 1_000

_ANSWERED_BY_PEOPLE = frozenset({"participant", "assistant"})
"""Roles whose questions somebody answers of whom a memory is kept; a user's are answered by the model."""


def record_card(
    connection: Connection, tenant: str, record_id: str, version: tuple[int, Content, datetime]
) -> IndexCard:
    """What the index is told about a version (key, content, recorded time) of a record whose links are stored."""
    key, content, at = version
    aliases = tuple(row[0] for row in connection.rows("aliases_of_record", tenant=tenant, id=record_id))
    return IndexCard(
        key=key,
        scope=content.scope.key,
        content=_searched(content.text, content.tags),
        subject=content.subject or "",
        aliases=tuple(dict.fromkeys(aliases)),
        date=day_words(content.event_at or content.valid_from or at),
    )


def turn_card(turn: Turn, scope: str, key: int) -> IndexCard:
    """What the index is told about a turn."""
    return IndexCard(
        key=key,
        scope=scope,
        content=turn.text,
        speaker=turn.speaker,
        date=day_words(turn.said_at),
        asks=_asks(turn.role, turn.text),
        instructs=_instructs(turn.role, turn.text),
    )


def stored_cards(connection: Connection, tenant: str) -> Iterator[IndexCard]:
    """The cards of everything a tenant has stored, by key: what an index rebuilt from the truth holds."""
    after = 0
    while rows := connection.rows("read_cards", tenant=tenant, after=after, limit=_PAGE):
        for key, record_id, scope, event_at, valid_from, recorded_at, subject, content, tags, *turn in rows:
            speaker, said, role = turn
            linked = connection.rows("aliases_of_record", tenant=tenant, id=record_id) if speaker is None else ()
            own = (optional_instant(value) for value in (event_at, valid_from, recorded_at))
            yield IndexCard(
                key=key,
                scope=scope,
                content=_searched(content, json.loads(tags)) if speaker is None else said,
                subject=subject or "",
                aliases=tuple(dict.fromkeys(row[0] for row in linked)),
                speaker=speaker or "",
                date=day_words(next((value for value in own if value is not None), None)),
                asks=speaker is not None and _asks(role, said),
                instructs=speaker is not None and _instructs(role, said),
            )
        after = rows[-1][0]


def _asks(role: str, text: str) -> bool:
    """Whether a turn asks what somebody may answer of whom a memory is kept."""
    return role in _ANSWERED_BY_PEOPLE and asks(text)


def _instructs(role: str, text: str) -> bool:
    """Whether a turn says how the model is to go about things from now on: the user's word alone says that."""
    return role == "user" and instructs(text)


def _searched(text: str, tags: Sequence[str]) -> str:
    """What of a version is found by its words: the statement and the words it is filed under."""
    return "\n".join((text, *tags))
