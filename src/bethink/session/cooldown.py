"""Cooldown: which memories of a session were put into its prompt unasked, and at which turn.

Kept in memory by one open store and nowhere else: whoever opens the store again begins anew, at worst a memory is shown
once more. Thread-safe. Bounded: the session that was used longest ago goes first.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field

from bethink.recall.rest import REST_TURNS

SESSIONS = 1_000
"""Sessions remembered at once."""

Key = tuple[str, ...]


@dataclass(slots=True)
class _Shown:
    """One session: its latest turn, and by memory the turn it was shown at."""

    turn: int = 0
    at: dict[str, int] = field(default_factory=dict)


class Cooldown:
    """What was shown, by session."""

    def __init__(self, sessions: int = SESSIONS) -> None:
        """Remember at most so many sessions."""
        self._most = sessions
        self._lock = threading.Lock()
        self._sessions: OrderedDict[Key, _Shown] = OrderedDict()

    def begin(self, session: Key, turn: int | None) -> tuple[int, dict[str, int]]:
        """Begin a turn: its number, and by memory how many turns ago it was shown, of those that still rest.

        Args:
            session: the caller and the session.
            turn: the host's number of the turn; one past the last where None. A lower one than before means that the
                host counts anew, and nothing rests.
        """
        with self._lock:
            known = self._sessions.setdefault(session, _Shown())
            self._sessions.move_to_end(session)
            while len(self._sessions) > self._most:
                self._sessions.popitem(last=False)
            now = known.turn + 1 if turn is None else turn
            if now < known.turn:
                known.at.clear()
            known.turn = now
            known.at = {item: at for item, at in known.at.items() if now - at < REST_TURNS}
            return now, {item: now - at for item, at in known.at.items()}

    def note(self, session: Key, turn: int, shown: Iterable[str]) -> None:
        """Remember what a turn was shown; of a session that was forgotten meanwhile, nothing."""
        with self._lock:
            known = self._sessions.get(session)
            if known is not None:
                known.at |= dict.fromkeys(shown, turn)
