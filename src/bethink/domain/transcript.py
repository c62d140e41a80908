"""A session as it is read for beliefs: its turns in order, each with the words that are its speaker's own."""

from __future__ import annotations

from dataclasses import dataclass

from bethink.domain.session import Session, Turn


@dataclass(frozen=True, slots=True)
class Passage:
    """One turn. `text` is as long as the turn's, with everything that is not its speaker's own blanked out."""

    turn: Turn
    text: str

    @property
    def speaks(self) -> bool:
        """Whether anything is left to read."""
        return bool(self.text.strip())


@dataclass(frozen=True, slots=True)
class Transcript:
    """What is read of a session.

    `unread` are the passages that were not read before, `before` those in front of them, for context alone. `user` is
    what the user is called. `hidden` counts turns nothing may be read from.
    """

    session: Session
    user: str
    unread: tuple[Passage, ...]
    before: tuple[Passage, ...] = ()
    hidden: int = 0
