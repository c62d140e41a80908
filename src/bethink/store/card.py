"""What the search index is told about one version or turn."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class IndexCard:
    """The searchable words of an entry by field.

    `names` are what the fuzzy arm may match: aliases of linked entities, the subject, the speaker. `date` is the
    entry's own day in words (``8 May 2023 monday``), so that a question can name it. `asks` says that it is a turn that
    ends by asking somebody who is remembered, not a model; `instructs` that it is a turn in which the user gives a
    standing instruction.
    """

    key: int
    scope: str
    content: str
    subject: str = ""
    aliases: tuple[str, ...] = ()
    speaker: str = ""
    date: str = ""
    asks: bool = False
    instructs: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The names the fuzzy arm covers."""
        return tuple(name for name in (self.subject, self.speaker, *self.aliases) if name)
