"""The block of passages: one line each, cited by document, place, line and characters, escaped like every block."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from bethink.domain.source import SourceKind
from bethink.operations.documents import Document, FoundPassage
from bethink.ports.documents import Cited, StoredPassage
from bethink.recall.safety import BLOCKED, for_a_model
from bethink.text.escape import render_safe
from bethink.text.template import place_of

POLICY = "passages@1"
"""Name and version of the rules of the order; it tells the trace of a search of documents from one of a recall."""

AUTHORITY = "document"
CLOSING = "</documents>"
_NAME_LIMIT = 200


def opening(instant: datetime, policy: str) -> str:
    """The first line: the instant the block speaks for, and the rules of its order."""
    return f'<documents as_of="{instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")}" policy="{policy}">'


def block(lines: Sequence[str], instant: datetime, policy: str) -> str:
    """The whole block, empty without lines."""
    return "\n".join((opening(instant, policy), *lines, CLOSING)) if lines else ""


def shown(cited: Cited, of: Document, passage: StoredPassage, short_id: str) -> FoundPassage:
    """A passage as it may be shown, its score left to be set: screened by the rules of today, without live links."""
    text = BLOCKED if passage.flagged else for_a_model(passage.text.strip(), SourceKind.DOCUMENT)
    return FoundPassage(
        id=cited.id,
        short_id=short_id,
        document=of.id,
        title=_safe(of.title),
        source=_safe(of.source),
        headings=tuple(map(_safe, passage.headings)),
        start=passage.start,
        end=passage.end,
        line=passage.line,
        text=text,
        blocked=text == BLOCKED,
    )


def place(item: FoundPassage) -> str:
    """Where a passage stands: title and headings, source, line and characters."""
    where = f"{item.source}, line {item.line}, characters {item.start}-{item.end}"
    return f"{place_of(item.title, () if item.blocked else item.headings)} [{where}]"


def line(short_id: str, stands: str, text: str) -> str:
    """A passage's line: short id, where it stands, what it says, and that a document says it."""
    return f"{short_id} {stands}: {text} ({AUTHORITY})"


def _safe(name: str) -> str:
    """A name as it may stand in a line."""
    return render_safe(name[:_NAME_LIMIT], trusted=False)
