"""Turns: reading them inside a fence, appending them to a session."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from bethink.domain.fence import Fence
from bethink.domain.record import Status, StatusSpan, content_digest, fold
from bethink.domain.session import Session, Turn
from bethink.domain.time import FOREVER, to_micros
from bethink.domain.types import Kind
from bethink.store import codec
from bethink.store.cards import turn_card
from bethink.store.context import Reading, Writing
from bethink.store.failures import decoding
from bethink.store.predicate import array, fence_values
from bethink.store.sessions import session_values
from bethink.text.screen import clean_under


class Turns:
    """The `TurnReads` port over one connection."""

    def __init__(self, context: Reading | Writing) -> None:
        self._on = context.connection
        self._tenant = context.tenant

    def get(self, fence: Fence, ids: Sequence[str]) -> tuple[Turn, ...]:
        """The turns with these ids inside the fence, in the order of `ids`."""
        found = {row[1]: row for row in self._on.rows("get_turns", ids=array(ids), **self._values(fence))}
        with decoding():
            return tuple(codec.turn(found[item]) for item in dict.fromkeys(ids) if item in found)

    def of_session(
        self, fence: Fence, session: str, *, limit: int, after: int = -1, holding: str = ""
    ) -> tuple[Turn, ...]:
        """Turns of a session by seq, those after seq `after`; see the port for `holding`."""
        values = self._values(fence) | {"session_id": session, "after": after, "limit": limit, "holding": holding}
        with decoding():
            return tuple(codec.turn(row) for row in self._on.rows("turns_of_session", **values))

    def between(self, fence: Fence, *, limit: int) -> tuple[Turn, ...]:
        """Turns inside the fence's window, by time then key."""
        with decoding():
            return tuple(codec.turn(row) for row in self._on.rows("turns_between", limit=limit, **self._values(fence)))

    def held(self, scope_key: str, session: str, message_ids: Sequence[str]) -> frozenset[str]:
        """Those of the message ids that a scope's session holds."""
        about = {"tenant": self._tenant, "scope": scope_key, "session_id": session}
        rows = self._on.rows("known_messages", message_ids=array(message_ids), **about)
        return frozenset(row[0] for row in rows)

    def _values(self, fence: Fence) -> dict[str, Any]:
        """The fence's values, its tenant being the connection's own."""
        return fence_values(fence) | {"tenant": self._tenant}


class TurnWriter(Turns):
    """The `TurnWrites` port inside one write transaction."""

    def __init__(self, context: Writing) -> None:
        super().__init__(context)
        self._writing = context

    def append(
        self, session: Session, turns: Sequence[Turn], at: datetime, *, holds_from: datetime | None = None
    ) -> tuple[Turn, ...]:
        """Store the turns whose message id the session does not hold yet; returns those stored, with keys.

        A turn holds from when it was said, or from the later instant that is told of what it says.
        Places in the session are given here, one after the other, so that neighbours stand side by side.
        """
        about = {"tenant": self._tenant, "scope": session.scope.key}
        self._on.post("ensure_session", tenant=self._tenant, **session_values(session))
        held = set(self.held(session.scope.key, session.id, [turn.message_id for turn in turns]))
        row = self._on.row("next_seq", id=session.id, **about)
        seq = row[0] if row else 0
        stored = []
        for turn in turns:
            if turn.message_id in held:
                continue
            held.add(turn.message_id)
            stored.append(self._insert(session, replace(turn, seq=seq), at, holds_from))
            seq += 1
        self._on.post("set_next_seq", id=session.id, next_seq=seq, **about)
        return tuple(stored)

    def _insert(self, session: Session, turn: Turn, at: datetime, holds_from: datetime | None) -> Turn:
        """One turn, in its place: its words, entry, status and index card."""
        key, seq = self._writing.take(), turn.seq
        self._on.post(
            "add_turn",
            tenant=self._tenant,
            key=key,
            id=turn.id,
            scope=session.scope.key,
            session_id=session.id,
            seq=seq,
            message_id=turn.message_id,
            role=turn.role,
            speaker=turn.speaker,
            said_at=to_micros(turn.said_at),
            time_text=turn.time_text,
            zone_assumed=int(turn.zone_assumed),
            content=turn.text,
            screened=clean_under(turn.text),
        )
        self._on.post("add_entry", tenant=self._tenant, key=key, seq=seq, **_entry(session, turn, at, holds_from))
        self._on.post(
            "add_span",
            tenant=self._tenant,
            id=turn.id,
            position=self._writing.take(),
            scope=session.scope.key,
            **codec.span_values(StatusSpan(Status.ACTIVE, at, reason="said")),
        )
        self._writing.index(turn_card(turn, session.scope.key, key))
        return replace(turn, session=session.id, seq=seq, key=key, recorded_at=at)


def _entry(session: Session, turn: Turn, at: datetime, holds_from: datetime | None) -> dict[str, Any]:
    """The index card of a turn: it holds from when it was said or later, and its speaker is no subject."""
    said = min(to_micros(turn.said_at), to_micros(at))
    return {
        "record_id": turn.id,
        "kind": Kind.EPISODIC,
        "type": "turn",
        "scope": session.scope.key,
        "channel": session.channel,
        "sensitivity": int(turn.sensitivity),
        "portability": int(turn.portability),
        "project": session.project,
        "subject_key": "",
        "attribute_key": "",
        "digest": content_digest(turn.text),
        "session_id": session.id,
        "valid_from": said if holds_from is None else max(said, to_micros(holds_from)),
        "valid_until": FOREVER,
        "event_at": to_micros(turn.said_at),
        "recorded_at": to_micros(at),
        "retired_at": FOREVER,
        "created_at": to_micros(at),
        "source_kind": turn.source,
        "subject_entity": None,
        "speaker_key": fold(turn.speaker),
        "flags": "[]",
        "id_hash": codec.id_hash(turn.id),
    }
