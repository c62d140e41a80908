"""Screening: text that reads like orders is labelled or held back by the channel it came through, never dropped.

Words that were erased before may come back as a new statement, and whoever states them is told.
"""

from __future__ import annotations

from dataclasses import dataclass

from bethink.domain.record import QUARANTINED, REVIEW, content_digest
from bethink.domain.source import SourceKind
from bethink.operations.common import Notice
from bethink.ports.store import UnitOfWork
from bethink.text.screen import outcome, screen


@dataclass(frozen=True, slots=True)
class Screened:
    """The flags a text earns and what the caller is told."""

    flags: frozenset[str] = frozenset()
    notices: tuple[Notice, ...] = ()


def screened(text: str, channel: SourceKind) -> Screened:
    """Screen a text that came through `channel`, a source kind."""
    findings = [finding for finding in screen(text) if finding.rule != "secret"]
    rules = ", ".join(sorted({finding.rule for finding in findings}))
    match outcome(findings, channel.value):
        case "label":
            notice = Notice("screen_review", f"The text is flagged for review: {rules}.")
            return Screened(frozenset({REVIEW}), (notice,))
        case "quarantine":
            notice = Notice(
                "screen_quarantined",
                f"The text reads like orders from outside ({rules}); it is kept for review and not recalled.",
            )
            return Screened(frozenset({REVIEW, QUARANTINED}), (notice,))
        case _:
            return Screened()


def erased_before(work: UnitOfWork, text: str) -> tuple[Notice, ...]:
    """A word to whoever states again what was erased: a new statement may come back, an import may not."""
    if not work.is_erased(content_digest(text)):
        return ()
    return (Notice("erased_before", "These words were erased before; they are remembered again as a new statement."),)
