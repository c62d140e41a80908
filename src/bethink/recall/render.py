"""Render: one deterministic block of text.

The first line names the instant the block speaks for and the policy that ordered it; then one line per item; then the
closing tag. No clock, no relative time, no score: an unchanged store gives unchanged bytes, so a prompt prefix that
holds the block stays cached. Therefore the instant is the request's `as_of`, else the store's last recorded instant,
and never the clock's present. Nothing to show is no block at all: zero bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from bethink.domain.record import Status
from bethink.domain.source import SourceKind
from bethink.domain.types import Kind
from bethink.operations.recall import Band, Order
from bethink.recall.safety import NAMED_PARTNERS, Shown

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


@dataclass(frozen=True, slots=True)
class Line:
    """One item of a block in its parts, each safe to show; `origin` only where it was carried, `marks` in order."""

    short_id: str
    origin: str
    day: str
    speaker: str
    statement: str
    authority: str
    band: str
    marks: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Short id, where it was learned, day, speaker, statement, then authority, band and standing."""
        words = [
            self.short_id,
            self.origin and f"(learned in {self.origin})",
            self.day and f"[{self.day}]",
            self.speaker and f"{self.speaker}:",
        ]
        standing = "; ".join((f"{self.authority}, {self.band}", *self.marks))
        return f"{' '.join((*filter(None, words), self.statement))} ({standing})"


def parts(shown: Shown, short_ids: Mapping[str, str], project: str | None, *, cut: bool = False) -> Line:
    """What the line of one item shows."""
    return Line(
        short_id=short_ids[shown.item.candidate.id],
        origin=shown.origin if carried(shown, project) else "",
        day=_day(shown),
        speaker="" if shown.blocked else shown.speaker,
        statement=shown.statement,
        authority=AUTHORITY_NAMES[shown.item.candidate.source],
        band=band(shown, project),
        marks=tuple(_markers(shown, short_ids, cut=cut)),
    )


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
        named = [other for other in candidate.conflicts if other in short_ids]
        if len(named) > NAMED_PARTNERS:
            place = {id_: at for at, id_ in enumerate(short_ids)}  # what is shown stands first
            named = sorted(named, key=place.__getitem__)[:NAMED_PARTNERS]
        partners = sorted(short_ids[other] for other in named)
        more = len(candidate.conflicts) - len(partners)
        markers += [f"conflicts=[{', '.join((*partners, *([f'{more} more'] if more else [])))}]"] if partners else []
    return [*markers, "cut"] if cut else markers
