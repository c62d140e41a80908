"""Safety: what of a survivor may be shown. Memory is data, so its text is screened, redacted and escaped here.

An item that fails the screen keeps its place and its id and shows ``[BLOCKED]``: the reader sees that something was
withheld, and an operator can look it up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bethink.domain.hit import Body, Candidate, Scored
from bethink.domain.record import short_ids
from bethink.domain.scope import Sensitivity
from bethink.domain.source import UNTRUSTED
from bethink.domain.types import Kind
from bethink.text.escape import render_safe
from bethink.text.screen import outcome, screen
from bethink.text.secrets import redact_secrets
from bethink.text.template import belief_text

BLOCKED = "[BLOCKED]"
NAME_LIMIT = 80
"""Characters of a speaker or project shown."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A survivor as it may be shown. `statement`, `speaker` and `origin` are escaped; `blocked` is why it is not."""

    item: Scored
    body: Body
    statement: str
    speaker: str = ""
    origin: str = ""
    blocked: str = ""


def make_safe(kept: Sequence[Scored], bodies: Mapping[int, Body], ceiling: Sensitivity) -> tuple[Shown, ...]:
    """Each survivor that has a text, screened, redacted and escaped, in order."""
    pairs = ((item, bodies[item.candidate.key]) for item in kept if item.candidate.key in bodies)
    return tuple(_shown(item, body, ceiling) for item, body in pairs)


def label(safe: Sequence[Shown]) -> dict[str, str]:
    """Short ids of the items and of those they conflict with, unique among them all."""
    candidates = [shown.item.candidate for shown in safe]
    return short_ids({id_ for candidate in candidates for id_ in (candidate.id, *candidate.conflicts)})


def escaped(item: Scored, body: Body) -> Shown:
    """A survivor that is not withheld: its texts without secrets, each a safe part of one line."""
    candidate = item.candidate
    episodic = candidate.kind is Kind.EPISODIC
    text = body.text if episodic else belief_text(body.subject, body.text)
    statement = render_safe(redact_secrets(text).text, trusted=candidate.source not in UNTRUSTED)
    return Shown(item, body, statement, _name(body.speaker or "") if episodic else "", _name(candidate.project or ""))


def _shown(item: Scored, body: Body, ceiling: Sensitivity) -> Shown:
    """One survivor, escaped or withheld."""
    if reason := _withheld(item.candidate, body.text, ceiling):
        return Shown(item, body, BLOCKED, origin=_name(item.candidate.project or ""), blocked=reason)
    return escaped(item, body)


def _withheld(candidate: Candidate, text: str, ceiling: Sensitivity) -> str:
    """Why a text is not shown, empty when it is."""
    if candidate.sensitivity > ceiling:
        return "above the ceiling"
    if "quarantined" in candidate.flags:
        return "quarantined"
    findings = screen(text)
    if outcome(findings, candidate.source.value) != "quarantine":
        return ""
    return f"screen: {', '.join(sorted({finding.rule for finding in findings if finding.strong}))}"


def _name(name: str) -> str:
    """A name as it may stand in a line."""
    return render_safe(name[:NAME_LIMIT], trusted=False)
