"""Append what was said: check → redact → split → name → embed → store. Turns are appended and never rewritten."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bethink.domain.ids import check_id
from bethink.domain.record import content_digest
from bethink.domain.scope import Scope, Sensitivity
from bethink.domain.session import ROLE_SOURCE, Session, Turn
from bethink.domain.source import SourceKind
from bethink.domain.time import iso, utc
from bethink.domain.types import Portability
from bethink.errors import InvalidInput
from bethink.formation.access import writable_session
from bethink.formation.desk import Desk
from bethink.formation.embed import embedded, put_vectors, waits
from bethink.formation.reading import put_reading
from bethink.formation.secrecy import Redactor
from bethink.formation.typed import default_speaker
from bethink.operations.common import Notice
from bethink.operations.sessions import OpenSessionRequest, SessionTurns, TurnInput, TurnsResult
from bethink.ports.store import UnitOfWork
from bethink.session.open import taken_up, wanted_session
from bethink.session.split import split
from bethink.text.door import check_text
from bethink.text.template import Phrase, phrased, turn_text

MAX_TURNS = 10_000
"""Turns of one call; an import sends them in batches."""

CHAIN = 64
"""A text this many times the content limit is refused; a shorter one becomes a chain of turns."""

EMBED_AT_ONCE = 8
"""A batch up to this size gets its vectors at once; a larger one waits for `embed_pending`."""

TIME_TEXT_LIMIT = 200


@dataclass(frozen=True, slots=True)
class CheckedTurns:
    """Turns ready to store but for their session, and what the caller should know."""

    turns: tuple[Turn, ...]
    notices: tuple[Notice, ...]


def append_turns(
    session_id: str, inputs: Sequence[TurnInput], desk: Desk, *, scope: Scope | None = None
) -> TurnsResult:
    """Append turns to an open session, all or none.

    A turn the session holds already is counted and left alone. What makes two turns one is the message id; without one
    it is who said the same words at the same stated time, and which repetition of them in this call it is. A turn
    with neither message id nor time is always new: a person may say "ok" twice.

    A text longer than the content limit becomes a chain of turns (message ids ``…``, ``…#2``, ``…#3``) and a notice
    says so; beyond 64 times the limit it is refused. A turn of the role `system` is not kept, and a notice says so: an
    instruction that came back as a memory would be obeyed. Secrets are replaced by markers before anything is stored.

    Args:
        session_id: the session.
        inputs: what was said, in order.
        desk: who appends it.
        scope: whose session of that id; the first the caller may use unless given.

    Raises:
        InvalidInput: a turn cannot be used (nothing was stored), or the session is closed.
        NotFound: there is no such session that this caller may use.
        AccessDenied: the caller may read it and not write it.
    """
    session_id = check_id(session_id, "session")
    now = desk.clock.now()
    ready = checked_turns(session_id, inputs, desk, now)
    return _append((ready,), lambda work: (_open(session_id, desk, work, scope),), desk)


def append_sessions(batch: Sequence[SessionTurns], desk: Desk) -> TurnsResult:
    """Open sessions, or take them up, and append the turns of each in one transaction, all or none.

    What holds of one session's turns is as in `append_turns`. One transaction for many short sessions costs a fraction
    of one for each, for most of what it writes lies on the same pages.

    Raises:
        InvalidInput: a turn or a session cannot be used; nothing was stored.
        AccessDenied: the caller may not write its own scope.
    """
    now = desk.clock.now()
    wanted = [wanted_session(OpenSessionRequest(said.session, opened_at=said.opened_at), desk) for said in batch]
    ready = [checked_turns(session.id, said.turns, desk, now) for session, said in zip(wanted, batch, strict=True)]
    return _append(ready, lambda work: (taken_up(session, desk, work) for session in wanted), desk)


def _append(
    ready: Sequence[CheckedTurns], opened: Callable[[UnitOfWork], Iterable[Session]], desk: Desk
) -> TurnsResult:
    """Store the turns of one or several sessions in one transaction; a few get their vectors with them."""
    turns = [turn for checked in ready for turn in checked.turns]
    vectors, waiting = embedded(desk, said_at_once(turns))
    stored: list[Turn] = []
    with desk.store.write(desk.tenant) as work:
        for session, checked in zip(opened(work), ready, strict=True):
            stored += _store(session, checked.turns, desk, work)
        placed = _placed(turns, stored)
        kept = vectors is not None and put_vectors(work, desk, vectors, placed)
    split = vectors.split(row for _, row in placed) if vectors is not None and kept else ()
    return TurnsResult(
        ids=tuple(turn.id for turn in stored),
        repeated=len(turns) - len(stored),
        embedding_pending=0 if kept or not waits(desk) else len(stored),
        notices=(*dict.fromkeys(notice for checked in ready for notice in checked.notices), *split, *waiting),
    )


def said_at_once(turns: Sequence[Turn]) -> list[Phrase]:
    """What the model reads of the turns of one call at once: all of a few, none of many."""
    if len(turns) > EMBED_AT_ONCE:
        return []
    return [phrased(turn_text(turn.speaker, turn.text, turn.said_at), turn.text) for turn in turns]


def _placed(turns: Sequence[Turn], stored: Sequence[Turn]) -> list[tuple[int, int]]:
    """The keys of the turns that were stored, each with its place among all."""
    rows = {turn.id: row for row, turn in enumerate(turns)}
    return [(turn.key, rows[turn.id]) for turn in stored]


def _open(session_id: str, desk: Desk, work: UnitOfWork, scope: Scope | None) -> Session:
    """The session, open and writable."""
    session = writable_session(session_id, desk.caller, work, scope)
    if session.closed_at is not None:
        raise InvalidInput(f"Session {session_id[:60]!r} is closed.", remedy="Open it again to go on.")
    return session


def _store(session: Session, turns: Sequence[Turn], desk: Desk, work: UnitOfWork) -> tuple[Turn, ...]:
    """Append what is new and was not erased before, log how much it was, and see that it is read when it has ended."""
    welcome = [
        turn for turn in turns if not (turn.source is SourceKind.IMPORT and work.is_erased(content_digest(turn.text)))
    ]
    stored = work.turns.append(session, welcome, work.recorded_at)
    if stored:
        payload = {"count": len(stored), "first": stored[0].id, "last": stored[-1].id}
        work.event("turns.appended", session.id, payload)
        if any(turn.source is not SourceKind.IMPORT for turn in stored):
            put_reading(session, desk, work, desk.clock.now() + timedelta(minutes=desk.settings.formation.idle_minutes))
    return stored


def checked_turns(session_id: str, inputs: Sequence[TurnInput], desk: Desk, now: datetime) -> CheckedTurns:
    """Every turn checked, redacted, split and named; what a host tells its model is left out and counted."""
    if len(inputs) > MAX_TURNS:
        raise InvalidInput(f"{len(inputs):,} turns were passed; at most {MAX_TURNS:,} fit one call.")
    redactor, said, chains, told = Redactor(), Counter[str](), 0, 0
    turns: list[Turn] = []
    for given in inputs:
        whole = _turn(session_id, given, desk, now, redactor)
        if given.role == "system":
            told += 1
            continue
        said[whole.message_id] += 1
        again = said[whole.message_id]
        if given.message_id is None and again > 1:
            whole = replace(whole, message_id=f"{whole.message_id}.{again}")
        pieces = tuple(_pieces(whole, desk))
        chains += len(pieces) > 1
        turns += pieces
    notices = redactor.notices
    if chains:
        text = f"{chains} texts longer than {desk.content_limit:,} characters were each stored as a chain of turns."
        notices = (*notices, Notice("split", text))
    if told:
        text = f"{told} system turns were not kept: what a host tells its model is no memory of anybody's."
        notices = (*notices, Notice("system_not_kept", text))
    return CheckedTurns(tuple(turns), notices)


def _turn(session_id: str, given: TurnInput, desk: Desk, now: datetime, redactor: Redactor) -> Turn:
    """One utterance as a turn, however long."""
    if given.role not in ROLE_SOURCE:
        raise InvalidInput(f"Role {str(given.role)[:40]!r} is none of {', '.join(ROLE_SOURCE)}.")
    if not isinstance(given.sensitivity, Sensitivity):
        raise InvalidInput("sensitivity is none of public, normal, restricted, secret.")
    text = redactor.text(check_text(given.text, "text", desk.content_limit * CHAIN))
    speaker = default_speaker(given.role, desk.caller) if given.speaker is None else given.speaker
    speaker = redactor.name(" ".join(check_text(speaker, "speaker", 200).split()))
    said_at = now if given.said_at is None else utc(given.said_at, "said_at")
    turn_id = desk.ids.new(now)
    return Turn(
        id=turn_id,
        session=session_id,
        seq=0,
        role=given.role,
        speaker=speaker,
        text=text,
        said_at=said_at,
        message_id=_message_id(given, turn_id, (session_id, speaker, iso(said_at), content_digest(text))),
        source=SourceKind.IMPORT if given.imported else ROLE_SOURCE[given.role],
        sensitivity=given.sensitivity,
        zone_assumed=given.zone_assumed,
        portability=Portability.LOCAL if given.local else Portability.PORTABLE,
        time_text=None if given.time_text is None else check_text(given.time_text, "time_text", TIME_TEXT_LIMIT),
    )


def _message_id(given: TurnInput, turn_id: str, said: tuple[str, ...]) -> str:
    """What makes a repeat harmless: the host's id, else who said what when; without a time the turn's own id."""
    if given.message_id is not None:
        return check_id(given.message_id, "message_id")
    if given.said_at is None:
        return turn_id
    return "d:" + hashlib.sha256("\x1f".join(said).encode()).hexdigest()[:32]


def _pieces(whole: Turn, desk: Desk) -> Iterator[Turn]:
    """The turn, or the chain it becomes when it is longer than a turn may be."""
    for number, text in enumerate(split(whole.text, desk.content_limit), 1):
        if number == 1:
            yield whole if text == whole.text else replace(whole, text=text)
        else:
            turn_id = desk.ids.new(whole.said_at)
            yield replace(whole, id=turn_id, text=text, message_id=f"{whole.message_id}#{number}")
