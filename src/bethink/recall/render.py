"""Render: one deterministic block of text.

The first line names the instant the block speaks for and the policy that ordered it; then one line per item; then the
closing tag. No clock, no relative time, no score: an unchanged store gives unchanged bytes, so a prompt prefix that
holds the block stays cached. Therefore the instant is the request's `as_of`, else the store's last recorded instant,
and never the clock's present. Nothing to show is no block at all: zero bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from bethink.domain.record import Status
from bethink.domain.source import SourceKind
from bethink.domain.types import Kind
from bethink.operations.recall import Band, Order
from bethink.recall.safety import Shown

HIGH, MEDIUM = 0.80, 0.55
"""Bounds of the confidence bands."""

CLOSING = "</memory>"
AUTHORITY_NAMES: dict[SourceKind, str] = {
    SourceKind.USER_STATEMENT: "user",
    SourceKind.SYSTEM: "system",
    SourceKind.TOOL_RESULT: "tool",
    SourceKind.SESSION_SUMMARY: "summary",
    SourceKind.DOCUMENT: "document",
    SourceKind.IMPORT: "imported",
    SourceKind.AGENT_INFERENCE: "inferred",
}
"""Who says it, in one word, beside every item."""

_BANDS: tuple[Band, ...] = ("low", "medium", "high")


def opening(instant: datetime, policy: str) -> str:
    """The first line."""
    return f'<memory as_of="{instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")}" policy="{policy}">'


def block(lines: Sequence[str], instant: datetime, policy: str, order: Order) -> str:
    """The whole block of lines given best first, empty without lines."""
    if not lines:
        return ""
    placed = lines if order == "best_first" else tuple(reversed(lines))
    return "\n".join((opening(instant, policy), *placed, CLOSING))


def line(shown: Shown, short_ids: Mapping[str, str], project: str | None, *, cut: bool = False) -> str:
    """One item: short id, where it was learned, day, speaker, statement, then authority, band and standing."""
    candidate = shown.item.candidate
    words = [short_ids[candidate.id]]
    if carried(shown, project):
        words.append(f"(learned in {shown.origin})")
    if day := _day(shown):
        words.append(f"[{day}]")
    if shown.speaker and not shown.blocked:
        words.append(f"{shown.speaker}:")
    words.append(shown.statement)
    return f"{' '.join(words)} ({'; '.join((standing(shown, project), *_markers(shown, short_ids, cut=cut)))})"


def standing(shown: Shown, project: str | None) -> str:
    """Authority and band: ``user, high``."""
    return f"{AUTHORITY_NAMES[shown.item.candidate.source]}, {band(shown, project)}"


def band(shown: Shown, project: str | None) -> Band:
    """The confidence in a word: one band lower while provisional, one lower when carried from another project."""
    candidate = shown.item.candidate
    level = 2 if candidate.confidence >= HIGH else 1 if candidate.confidence >= MEDIUM else 0
    level -= (candidate.status is Status.PROVISIONAL) + carried(shown, project)
    return _BANDS[max(0, level)]


def carried(shown: Shown, project: str | None) -> bool:
    """Whether the item was learned in another project than the one it is shown in."""
    origin = shown.item.candidate.project
    return origin is not None and origin != project


def _day(shown: Shown) -> str:
    """The day it happened, or since when it holds."""
    candidate = shown.item.candidate
    happened = candidate.event_at or shown.body.said_at
    if happened is not None:
        return happened.astimezone(UTC).date().isoformat()
    if candidate.kind is not Kind.EPISODIC and candidate.valid_from is not None:
        return f"since {candidate.valid_from.astimezone(UTC).date().isoformat()}"
    return ""


def _markers(shown: Shown, short_ids: Mapping[str, str], *, cut: bool) -> list[str]:
    """What stands out about the item, in a fixed order."""
    candidate = shown.item.candidate
    markers = [] if candidate.status is Status.ACTIVE else [candidate.status.value]
    markers += [flag for flag in ("review", "stale") if flag in candidate.flags]
    if candidate.conflicts:
        partners = sorted(short_ids[other] for other in candidate.conflicts if other in short_ids)
        markers += [f"conflicts=[{', '.join(partners)}]"] if partners else []
    return [*markers, "cut"] if cut else markers
