"""From a format's turn to a turn of ours: role, time and identity settled by one set of rules."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import tzinfo

from bethink.domain.ids import MAX_ID
from bethink.domain.session import Role
from bethink.importing.times import SaidAt, read_time
from bethink.importing.transcript import TranscriptSession, TranscriptTurn, digest, role_of, unstorable
from bethink.operations.importing import BadItem
from bethink.operations.sessions import TurnInput

_LONGEST_TIME_TEXT = 100
_LONGEST_ID = MAX_ID - 10
"""A long turn is stored as a chain, whose ids are a little longer than the first one's."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What the caller decided: who is the user, and the zone to assume."""

    self_name: str | None
    zone: tzinfo


class Settler:
    """Settles turns one after another, remembering what the next one needs: the time and the repeats so far.

    `tally` counts what was assumed: ``time_missing``, ``time_unreadable``, and turns by role.
    """

    def __init__(self, rules: Rules) -> None:
        self.tally: Counter[str] = Counter()
        self.speakers: dict[str, None] = {}
        self._rules = rules
        self._session: TranscriptSession | None = None
        self._before: SaidAt | None = None
        self._said: Counter[str] = Counter()

    def settle(self, turn: TranscriptTurn) -> TurnInput | BadItem:
        """The turn as it is to be stored, or why it cannot be kept."""
        reason = unstorable(turn.text)
        if reason is not None:
            return BadItem(turn.place, reason)
        if turn.session is not self._session:  # a second copy of a conversation counts its repeats afresh
            self._session, self._before, self._said = turn.session, None, Counter()
        speaker = _name(turn.speaker)
        role = role_of(turn.said, speaker, self._rules.self_name)
        self._count(role, speaker)
        said_at = self._time(turn)
        return TurnInput(
            text=turn.text.strip(),
            role=role,
            speaker=speaker or (self._rules.self_name if role == "user" else None),
            said_at=said_at.at if said_at else None,
            message_id=self._identity(turn, speaker),
            zone_assumed=said_at.zone_assumed if said_at else False,
            time_text=_time_text(turn.time, said_at),
            imported=True,
        )

    def _count(self, role: Role, speaker: str | None) -> None:
        """Keep who spoke, to say later whether the user was among them."""
        self.tally[role] += 1
        if speaker is not None and len(self.speakers) < 20:
            self.speakers[speaker] = None

    def _time(self, turn: TranscriptTurn) -> SaidAt | None:
        """The turn's own time, else the one before it, else its session's; None leaves it to the import's own."""
        own = read_time(turn.time, self._rules.zone)
        if own is None:
            self.tally["time_missing" if turn.time is None or turn.time == "" else "time_unreadable"] += 1
        self._before = own or self._before or read_time(turn.session.time, self._rules.zone)
        return self._before

    def _identity(self, turn: TranscriptTurn, speaker: str | None) -> str:
        """The format's message id, else one made of who said what, and for the how manieth time."""
        if turn.message_id is not None:
            return turn.message_id if len(turn.message_id) <= _LONGEST_ID else f"c:{digest(turn.message_id)}"
        words = digest(turn.said, speaker or "", turn.text)
        self._said[words] += 1
        again = self._said[words]
        return f"c:{words}" if again == 1 else f"c:{words}.{again}"


def _name(speaker: str | None) -> str | None:
    """A speaker's name on one line, without what cannot be printed."""
    shown = "".join(c if c.isprintable() else " " for c in speaker or "")
    return " ".join(shown.split())[:MAX_ID].strip() or None


def _time_text(time: object, said_at: SaidAt | None) -> str | None:
    """The words a time stood in: the turn's own also when they could not be read."""
    if isinstance(time, str) and time.strip():
        return "".join(c for c in time.strip() if c.isprintable())[:_LONGEST_TIME_TEXT] or None
    return said_at.text if said_at else None
