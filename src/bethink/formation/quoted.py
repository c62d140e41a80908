"""Quoted: where a statement's words were found already, and in which words it is stored."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bethink.domain.session import Turn
from bethink.domain.source import Evidence
from bethink.formation.draft import Draft
from bethink.text.spans import Span


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quote in its turn, and the statement as it is stored: with dates in place of `tomorrow`."""

    turn: Turn
    span: Span
    words: str

    def worded(self, draft: Draft) -> Draft:
        """The draft in these words, with this evidence; an inference keeps the quote it was drawn from too."""
        quote = Evidence(self.turn.text[self.span.start : self.span.end], self.turn.id, self.span.start, self.span.end)
        source = replace(draft.content.source, evidence=quote, role=self.turn.role)
        return replace(draft, content=replace(draft.content, text=self.words, source=source))
