"""Claim a session for reading, and let go of it: one reader at a time, each turn read once.

The watermark moves in the transaction that stores what was read. So a reading that was interrupted is done again, and
one that was done is never done twice.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bethink.domain.job import NewJob
from bethink.domain.reading import ReadingOutcome, SessionReading
from bethink.domain.record import content_digest
from bethink.domain.scope import Scope
from bethink.domain.session import Session, is_typed
from bethink.errors import SessionBusy
from bethink.formation.access import writable_session
from bethink.formation.desk import Desk
from bethink.ports.store import UnitOfWork

HOLD = timedelta(minutes=10)
"""How long a reader may take before another may begin."""

EXTRACT = "extract"
"""The kind of job that reads a session."""

WORKERS_READ = frozenset({"rules", "model"})
"""The extractors that a worker runs; the others are an agent's own, or none."""


@dataclass(frozen=True, slots=True)
class Held:
    """A session, and how far it is read; `reading.claim` is this reader's own, None where nothing is unread."""

    session: Session
    reading: SessionReading


def take(session_id: str, desk: Desk, scope: Scope | None = None, *, again: bool = False) -> Held:
    """Claim the turns of a session that nobody read yet, or all of them.

    Raises:
        NotFound, AccessDenied: the caller may not use it.
        SessionBusy: somebody else holds it.
    """
    with desk.store.write(desk.tenant) as work:
        session = writable_session(session_id, desk.caller, work, scope)
        known = work.readings.get(session.scope.key, session.id) or SessionReading(session.scope, session.id)
        now = desk.clock.now()
        if known.claim is not None and known.claimed_until is not None and now < known.claimed_until:
            raise SessionBusy(f"Session {session.id[:60]!r} is being read.")
        known = replace(known, next_seq=0) if again else known
        upto = work.sessions.next_seq(session.scope.key, session.id)
        if upto <= known.next_seq:
            return Held(session, replace(known, claim=None))
        claimed = replace(known, claim=desk.ids.new(now), claimed_until=now + HOLD, upto=upto)
        work.readings.put(claimed)
    return Held(session, claimed)


def unclaimed(session_id: str, desk: Desk, scope: Scope | None = None) -> Held:
    """All the turns of a session, looked at and not claimed.

    Raises:
        NotFound, AccessDenied: the caller may not use it.
    """
    with desk.store.snapshot(desk.tenant) as snapshot:
        session = writable_session(session_id, desk.caller, snapshot, scope)
        known = snapshot.readings.get(session.scope.key, session.id) or SessionReading(session.scope, session.id)
        upto = snapshot.sessions.next_seq(session.scope.key, session.id)
    return Held(session, replace(known, claim=None, next_seq=0, upto=upto))


def claimed_by(session_id: str, claim: str, desk: Desk) -> Held:
    """A session as the reader with this claim holds it.

    Raises:
        NotFound, AccessDenied: the caller may not use it.
        SessionBusy: the claim ran out, or is another's.
    """
    with desk.store.write(desk.tenant) as work:
        session = writable_session(session_id, desk.caller, work)
        reading = work.readings.get(session.scope.key, session.id)
    if reading is None or reading.claim != claim:
        raise SessionBusy(f"The claim on session {session.id[:60]!r} is no longer held.")
    return Held(session, reading)


def still_held(held: Held, work: UnitOfWork) -> None:
    """Pass when the claim was not lost meanwhile.

    Raises:
        SessionBusy: it ran out and somebody else took it.
    """
    known = work.readings.get(held.session.scope.key, held.session.id)
    if known is None or known.claim != held.reading.claim:
        raise SessionBusy(f"Session {held.session.id[:60]!r} was taken over by another reader.")


def read_through(held: Held, work: UnitOfWork, outcome: ReadingOutcome, summary_id: str | None) -> None:
    """Move the watermark behind what was read and let go, in the transaction that stores what it gave."""
    reading = held.reading
    done = replace(reading, next_seq=reading.upto, outcome=outcome, problem=None, summary_id=summary_id)
    work.readings.put(replace(done, claim=None, claimed_until=None, runs=reading.runs + 1))


def let_go(held: Held, desk: Desk, problem: str) -> None:
    """Give the claim back, with the turns unread and the code of what went wrong."""
    with desk.store.write(desk.tenant) as work:
        still_held(held, work)
        reading = replace(held.reading, outcome="extraction_failed", problem=problem, runs=held.reading.runs + 1)
        work.readings.put(replace(reading, claim=None, claimed_until=None))
        work.event("session.extraction_failed", held.session.id, {"problem": problem, "upto": held.reading.upto})


def put_reading(session: Session, desk: Desk, work: UnitOfWork, run_at: datetime) -> None:
    """Make the reading of a session due, for a moment when it has ended, where a worker reads sessions at all."""
    if is_typed(session.id) or desk.settings.formation.extractor not in WORKERS_READ:
        return
    about = content_digest(f"{session.scope.key}\x1f{session.id}")[:24]
    payload = {"scope": session.scope.key, "session": session.id}
    work.jobs.put(NewJob(f"{EXTRACT}:{about}", EXTRACT, run_at, payload))
