"""Transcript: a session's turns as they may be read for beliefs, without what was recalled, injected or made by us."""

from __future__ import annotations

from collections.abc import Sequence

from bethink.domain.session import Session, Turn
from bethink.domain.transcript import Passage, Transcript
from bethink.text.echo import memory_tool, own_words

CONTEXT = 6
"""Passages before the first unread one that a reader sees for context."""


def transcribed(session: Session, turns: Sequence[Turn], first_unread: int) -> Transcript:
    """The session as it is read.

    System text and the answers of memory's own tools are left out whole; of every other turn, what its speaker quoted,
    pasted or was shown is blanked out. A turn with nothing left is counted and not read.

    Args:
        session: whose turns they are.
        turns: its turns by place, from some place on.
        first_unread: the place of the first turn that was not read before.
    """
    readable = [passage for turn in turns if (passage := _passage(turn)) is not None]
    unread = tuple(passage for passage in readable if passage.turn.seq >= first_unread)
    before = [passage for passage in readable if passage.turn.seq < first_unread]
    new = sum(turn.seq >= first_unread for turn in turns)
    return Transcript(session, session.user, unread, tuple(before[-CONTEXT:]), hidden=new - len(unread))


def _passage(turn: Turn) -> Passage | None:
    """A turn as it may be read, None when nothing of it may."""
    if turn.role == "system" or (turn.role == "tool" and memory_tool(turn.speaker, turn.text)):
        return None
    passage = Passage(turn, own_words(turn.text))
    return passage if passage.speaks else None
