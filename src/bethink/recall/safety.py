"""Safety: what of a survivor may be shown. Memory is data, so its text is screened, redacted and escaped here.

An item that fails the screen, and that no person let go, keeps its place and its id and shows ``[BLOCKED]``: the
reader sees that something was withheld, and an operator can look it up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bethink.domain.hit import Body, Scored
from bethink.domain.record import short_ids
from bethink.domain.scope import Sensitivity
from bethink.domain.source import UNTRUSTED, SourceKind
from bethink.domain.types import Kind
from bethink.recall.reader import Stopwatch
from bethink.text.escape import render_safe
from bethink.text.screen import LABEL_ONLY, outcome, screen
from bethink.text.secrets import redact_secrets
from bethink.text.template import belief_text

NAMED_PARTNERS = 8
"""Of what an item conflicts with so many are named in its line; the others are counted."""

BLOCKED = "[BLOCKED]"
NAME_LIMIT = 80
"""Characters of a speaker or project shown."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A survivor as it may be shown. Its texts are escaped; `blocked` is why it is withheld."""

    item: Scored
    body: Body
    statement: str
    speaker: str = ""
    origin: str = ""
    blocked: str = ""
    subject: str | None = None


Show = Callable[[Scored], Shown | None]
"""From a survivor to what may be shown of it; None when it has no text."""


def screened(bodies: Mapping[int, Body], ceiling: Sensitivity, watch: Stopwatch) -> Show:
    """The screen over these texts under this ceiling, timed as ``safety``."""

    def show(item: Scored) -> Shown | None:
        body = bodies.get(item.candidate.key)
        with watch("safety"):
            return None if body is None else _shown(item, body, ceiling)

    return show


def label(kept: Sequence[Scored]) -> dict[str, str]:
    """Short ids of the items, and of each so many of those it conflicts with as its line names, unique among them all.

    Of these the items themselves go first, as they do in what is returned: whoever contradicts a record a thousand
    times makes its line no longer, and a line names what stands beside it.
    """
    own = {item.candidate.id for item in kept}
    named = set(own)
    for item in kept:
        named.update(sorted(item.candidate.conflicts, key=lambda id_: (id_ not in own, id_))[:NAMED_PARTNERS])
    short = short_ids(named)
    return {id_: short[id_] for id_ in sorted(named, key=lambda id_: (id_ not in own, id_))}


def escaped(item: Scored, body: Body) -> Shown:
    """A survivor that is not withheld: its texts without secrets, each a safe part of one line."""
    return _escaped(item, body, redact_secrets(_statement(item, body)).text)


def _escaped(item: Scored, body: Body, clean: str) -> Shown:
    """The parts of the line around a statement that holds no secrets."""
    candidate = item.candidate
    speaker = shown_name(body.speaker or "") if candidate.kind is Kind.EPISODIC else ""
    trusted, subject = candidate.source not in UNTRUSTED, body.subject
    statement = render_safe(clean, trusted=trusted)
    if subject is not None and not trusted:
        subject = render_safe(redact_secrets(subject).text, trusted=False)
    return Shown(item, body, statement, speaker, shown_name(candidate.project or ""), subject=subject)


def _statement(item: Scored, body: Body) -> str:
    """What is said: a turn's words, or a belief's with its subject."""
    return body.text if item.candidate.kind is Kind.EPISODIC else belief_text(body.subject, body.text)


def _shown(item: Scored, body: Body, ceiling: Sensitivity) -> Shown:
    """One survivor, escaped or withheld."""
    candidate, text = item.candidate, _statement(item, body)
    if candidate.sensitivity > ceiling:
        clean, withheld = "", "above the ceiling"
    elif "quarantined" in candidate.flags:
        clean, withheld = "", "quarantined"
    elif body.clean:
        clean, withheld = text, ""
    elif "released" in candidate.flags:
        clean, withheld = redact_secrets(text).text, ""
    else:
        clean, withheld = _screened(text, candidate.source)
    if withheld:
        return Shown(item, body, BLOCKED, origin=shown_name(candidate.project or ""), blocked=withheld)
    return _escaped(item, body, clean)


def _screened(text: str, source: SourceKind) -> tuple[str, str]:
    """The text without secrets, and why it is withheld, empty when it is not.

    What the screen only labels is not screened: the user may give orders to the user's own agent. The screen finds
    secrets too, so a text it found none in is not read for them again.
    """
    if source.value in LABEL_ONLY:
        return redact_secrets(text).text, ""
    findings = screen(text)
    clean = redact_secrets(text).text if any(finding.rule == "secret" for finding in findings) else text
    if outcome(findings, source.value) != "quarantine":
        return clean, ""
    return clean, f"screen: {', '.join(sorted({finding.rule for finding in findings if finding.strong}))}"


def for_a_model(text: str, source: SourceKind, flags: frozenset[str] = frozenset()) -> str:
    """Text looked up by id as a model may see it: without secrets, withheld like in a block, dead if from outside."""
    if "quarantined" in flags:
        return BLOCKED
    clean, withheld = (redact_secrets(text).text, "") if "released" in flags else _screened(text, source)
    if withheld:
        return BLOCKED
    return render_safe(clean, trusted=False) if source in UNTRUSTED else clean


def shown_name(name: str) -> str:
    """A name as it may stand in a line."""
    return render_safe(name[:NAME_LIMIT], trusted=False)
