"""Collapse: one survivor per fact and per wording, both sides of a conflict, and no subject crowding out the rest.

`current` takes out the turns whose statement was superseded, so that an old utterance does not pass as what holds now.
`merge` needs no texts: it drops what another item says better, `cap` what is too much of one subject; `demote` reads
the texts of the shortlist and moves near-duplicates down. None of these three empties an answer: each drop has a
survivor.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from bethink.domain.hit import Body, Candidate, Scored
from bethink.domain.session import is_typed
from bethink.domain.source import RANK
from bethink.domain.trace import Cut
from bethink.domain.types import Kind
from bethink.recall.rank import NEAR_DUPLICATE, in_order
from bethink.recall.reader import Asked
from bethink.text.analyse import analyse

SIMILAR = 0.8
"""Token Jaccard at which two beliefs of one subject and type are near-duplicates."""


BEHIND = 1e-6
"""How far behind its successor a superseded item stands, at least."""

ENOUGH = "enough of its subject"
"""Why a belief past its subject's share was cut."""

SPENT = "evidence of a superseded record"
"""Why a spent turn was cut."""


@dataclass(frozen=True, slots=True)
class Collapsed:
    """Survivors in order, and what was dropped for whom."""

    kept: tuple[Scored, ...]
    cuts: tuple[Cut, ...]


def spendable(admitted: Sequence[Scored], asked: Asked) -> tuple[str, ...]:
    """The turns that a superseded record may have spent: none where the past is asked about."""
    request = asked.request
    if request.as_of is not None or request.include_superseded or asked.query.events:
        return ()
    return tuple(item.candidate.id for item in admitted if item.candidate.type == "turn")


def current(admitted: Sequence[Scored], spent: Collection[str]) -> Collapsed:
    """Drop the spent turns: what they said was superseded, and no record they support still holds."""
    kept = tuple(item for item in admitted if item.candidate.id not in spent)
    gone = (item.candidate.id for item in admitted if item.candidate.id in spent)
    return Collapsed(kept, tuple(Cut("collapse", id_, SPENT) for id_ in gone))


def merge(
    admitted: Sequence[Scored], project: str | None, *, history: bool = False, instant: datetime | None = None
) -> Collapsed:
    """Drop what a kept item supersedes, restates word for word, or holds the current value of.

    What a user typed is a turn and a record of the same words: the record speaks for both.

    Args:
        admitted: in order; the first of equals survives.
        project: where it is asked: a value of this project goes before a carried one of the same fact.
        history: whether the caller wants what was replaced too; then it stands behind its successor, marked.
        instant: the present of the read: what holds only later replaces nothing yet.
    """
    cuts: list[Cut] = []
    superseded = {old: item.candidate.id for item in admitted for old in item.candidate.supersedes}
    stated = {item.candidate.digest: item.candidate.id for item in admitted if item.candidate.kind is not Kind.EPISODIC}
    by_words: dict[tuple[object, ...], str] = {}
    current = _current_values(admitted, project)
    kept = []
    for item in admitted:
        candidate = item.candidate
        words = (*_words(candidate), _holds(candidate, instant))
        fact = _fact(candidate)
        if candidate.id in superseded and not history:
            cuts.append(Cut("collapse", candidate.id, f"superseded by {superseded[candidate.id]}"))
        elif is_typed(candidate.session or "") and candidate.type == "turn" and candidate.digest in stated:
            cuts.append(Cut("collapse", candidate.id, f"says the same as {stated[candidate.digest]}"))
        elif words in by_words:
            cuts.append(Cut("collapse", candidate.id, f"says the same as {by_words[words]}"))
        elif fact is not None and not history and not _stands(candidate, current[fact]):
            cuts.append(Cut("collapse", candidate.id, f"older value of the fact in {current[fact].id}"))
        else:
            by_words[words] = candidate.id
            kept.append(item)
    return Collapsed(behind(kept, instant) if history else tuple(kept), tuple(cuts))


def behind(kept: Sequence[Scored], instant: datetime | None = None) -> tuple[Scored, ...]:
    """Put what was superseded behind what superseded it, however well it matches; the part it loses says so.

    What holds only after the instant stands behind what it is to replace.
    """
    standing = {item.candidate.id: item for item in kept}
    for _ in kept:  # no chain is longer
        pairs = (
            (item, successor) if _holds(successor.candidate, instant) else (successor, item)
            for successor in standing.values()
            for item in (standing.get(old) for old in successor.candidate.supersedes)
            if item is not None
        )
        high = [(last, first) for last, first in pairs if last.score > first.score - BEHIND]
        if not high:
            break
        standing |= {last.candidate.id: _below(last, first) for last, first in high}
    return in_order(standing.values())


def _holds(candidate: Candidate, instant: datetime | None) -> bool:
    """Whether it has begun to hold by then."""
    return instant is None or candidate.valid_from is None or candidate.valid_from <= instant


def _below(item: Scored, successor: Scored) -> Scored:
    """The item with a score below the one it stands behind."""
    score = round(successor.score - BEHIND, 9)
    cost = item.parts.get("superseded", 0.0) + score - item.score
    return Scored(item.found, score, {**item.parts, "superseded": round(cost, 9)})


def cap(kept: Sequence[Scored], per_subject: int) -> Collapsed:
    """Keep at most `per_subject` beliefs of a subject; a conflict partner of a kept belief does not count."""
    counts: dict[str, int] = {}
    partners: set[str] = set()
    survivors, cuts = [], []
    for item in kept:
        candidate = item.candidate
        bound = candidate.kind is not Kind.EPISODIC and candidate.subject_key and candidate.id not in partners
        if bound and counts.get(candidate.subject_key, 0) >= per_subject:
            cuts.append(Cut("collapse", candidate.id, ENOUGH, bound=float(per_subject)))
            continue
        if bound:
            counts[candidate.subject_key] = counts.get(candidate.subject_key, 0) + 1
        partners.update(candidate.conflicts)
        survivors.append(item)
    return Collapsed(tuple(survivors), tuple(cuts))


def demote(kept: Sequence[Scored], bodies: Mapping[int, Body], instant: datetime | None = None) -> tuple[Scored, ...]:
    """Take the near-duplicate penalty from beliefs that nearly say what a higher one of their subject and type says."""
    seen: dict[tuple[str, str], list[frozenset[str]]] = {}
    crowded = Counter(_about(item.candidate) for item in kept if item.candidate.key in bodies)
    out = []
    for item in kept:
        about = _about(item.candidate)
        if about is None or crowded[about] < 2 or item.candidate.key not in bodies:
            out.append(item)
            continue
        words = frozenset(analyse(bodies[item.candidate.key].text, "none"))
        others = seen.setdefault(about, [])
        out.append(_down(item) if any(_jaccard(words, other) >= SIMILAR for other in others) else item)
        others.append(words)
    return behind(out, instant)


def _about(candidate: Candidate) -> tuple[str, str] | None:
    """What near-duplicates share, the subject and type of a belief; None for what has none."""
    if candidate.kind is Kind.EPISODIC or not candidate.subject_key:
        return None
    return candidate.subject_key, candidate.type


def _words(candidate: Candidate) -> tuple[object, ...]:
    """The key of "the same words": of two written events only those of one time say the same."""
    happened = candidate.event_at if candidate.kind is Kind.EPISODIC and candidate.type != "turn" else None
    return candidate.kind, candidate.subject_key, candidate.digest, happened


def _fact(candidate: Candidate) -> tuple[str, str, str] | None:
    """The key of "the same fact", None for an episode, what has no attribute, and a passing preference.

    A passing preference stands beside the standing one, which it neither replaces nor hides.
    """
    if candidate.kind is Kind.EPISODIC or not candidate.subject_key or not candidate.attribute_key:
        return None
    if "temporary" in candidate.flags:
        return None
    return candidate.subject_key, candidate.type, candidate.attribute_key


def _current_values(admitted: Sequence[Scored], project: str | None) -> dict[tuple[str, str, str], Candidate]:
    """Per fact the candidate that holds its current value: of this project, then of the higher source, then later."""
    current: dict[tuple[str, str, str], Candidate] = {}
    for item in admitted:
        fact = _fact(item.candidate)
        if fact is not None and (
            fact not in current or _claim(item.candidate, project) > _claim(current[fact], project)
        ):
            current[fact] = item.candidate
    return current


def _claim(candidate: Candidate, project: str | None) -> tuple[bool, int, float, str]:
    """What decides between two values of one fact; the id only breaks ties."""
    here = project is not None and candidate.project == project
    since = (candidate.valid_from or candidate.event_at or candidate.recorded_at).timestamp()
    return here, RANK[candidate.source], since, candidate.id


def _stands(candidate: Candidate, current: Candidate) -> bool:
    """Whether a value may be shown beside the current one: it is the same, or the two openly disagree."""
    return (
        candidate.id == current.id
        or current.id in candidate.conflicts
        or candidate.id in current.conflicts
        or (candidate.scope != current.scope and candidate.project == current.project)
    )


def _down(item: Scored) -> Scored:
    """The item with the near-duplicate penalty."""
    cost = min(NEAR_DUPLICATE, max(0.0, item.score))
    return Scored(item.found, round(item.score - cost, 9), {**item.parts, "near_duplicate": -cost})


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Shared tokens over all tokens."""
    return len(one & other) / len(one | other) if one or other else 1.0
