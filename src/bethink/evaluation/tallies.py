"""The integers of a benchmark run. Formation, retrieval and currency are counted apart: each can fail alone.

What was never formed cannot be recalled, so recall is counted against what was formed, and against what was wanted.
What replaces a fact and was never formed says nothing about currency, so that is a count of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from bethink.evaluation.playing import Kept, Played, Tried
from bethink.evaluation.scenario import CATEGORIES

Better = Literal["more", "less", "same"]

METRICS: Mapping[str, tuple[Better, str]] = {
    "beliefs": ("same", "statements that should be formed"),
    "formed": ("more", "of these, formed: active, of the right subject, in the right words"),
    "unwanted": ("same", "statements that must not become active"),
    "unwanted_formed": ("less", "of these, active"),
    "replacements": ("same", "statements that should replace another"),
    "replaced": ("more", "of these, replaced it"),
    "protected_stored": ("less", "protected strings that are stored where they must not be"),
    "probes": ("same", "questions"),
    "wanted": ("same", "labels that questions want back"),
    "wanted_formed": ("more", "of these, formed or said"),
    "recalled_formed": ("more", "of these, recalled: retrieval alone"),
    "recalled": ("more", "wanted labels recalled, also those held as provisional: end to end"),
    "answerable": ("same", "questions whose answer should stand in the block word for word"),
    "answered": ("more", "of these, answered"),
    "returned": ("same", "items returned"),
    "noise": ("less", "of these, neither wanted nor allowed"),
    "prohibited_returned": ("less", "items returned that may not be"),
    "currency_probes": ("same", "questions about a fact that was replaced"),
    "currency_unformed": ("less", "of these, without a formed present fact, which say nothing"),
    "currency_violations": ("less", "of the others, with an older value returned"),
    "foreign_returned": ("less", "items returned that belong to somebody or somewhere else"),
    "leaks": ("less", "protected strings rendered"),
    "abstentions": ("same", "questions that memory should not answer"),
    "abstained": ("more", "of these, answered with nothing"),
    "transfers": ("same", "labels wanted in another project than they were learned in"),
    "transferred": ("more", "of these, recalled"),
    "transferred_isolated": ("less", "of these, recalled with projects as walls: the rest is the lift"),
    "supported": ("more", "recalled beliefs that name the turn they were quoted from"),
    "tokens": ("same", "tokens of all blocks"),
}
"""By metric: which direction is better (``same`` has none), and what it counts."""

BY_CATEGORY = "probes wanted wanted_formed recalled_formed recalled answerable answered returned noise".split()
"""The counts that are given for each category."""

_QUIET = frozenset({"abstention", "no_search"})


def tally(played: Played) -> dict[str, int]:
    """Every metric of a run."""
    return _formation(played) | _retrieval(played)


def by_category(played: Played) -> dict[str, dict[str, int]]:
    """What each category of probe came to, in a few counts."""
    formed = _formed(played.kept)
    sums = {name: _sum(_row(one, formed) for one in played.tried if one.probe.category == name) for name in CATEGORIES}
    return {name: {metric: row.get(metric, 0) for metric in BY_CATEGORY} for name, row in sums.items()}


def by_probe(played: Played) -> dict[str, dict[str, int]]:
    """The counts of each probe that are not zero, by scenario and id."""
    formed = _formed(played.kept)
    rows = {f"{one.scenario}/{one.probe.id}": _row(one, formed) for one in played.tried}
    return {name: {key: value for key, value in row.items() if value} for name, row in rows.items()}


def by_write(played: Played) -> dict[str, int]:
    """Whether each statement was formed, by scenario and label."""
    return {f"{one.scenario}/{one.written.label}": int(one.formed) for one in played.kept}


def _formation(played: Played) -> dict[str, int]:
    """What became of the writes."""
    good = [one for one in played.kept if not one.written.unwanted]
    bad = [one for one in played.kept if one.written.unwanted]
    heirs = [one for one in good if one.written.supersedes]
    return {
        "beliefs": len(good),
        "formed": sum(one.formed for one in good),
        "unwanted": len(bad),
        "unwanted_formed": sum(one.formed for one in bad),
        "replacements": len(heirs),
        "replaced": sum(one.written.supersedes in one.superseded for one in heirs),
        "protected_stored": len(played.stored_leaks),
    }


def _retrieval(played: Played) -> dict[str, int]:
    """What came back."""
    formed = _formed(played.kept)
    return _sum(_row(one, formed) for one in played.tried)


def _row(one: Tried, formed: Mapping[str, bool]) -> dict[str, int]:
    """The counts of one probe. A turn counts as formed, for it was said."""
    probe, back = one.probe, set(one.returned)
    there = [label for label in probe.wanted if formed.get(f"{one.scenario}/{label}", True)]
    allowed = {*probe.wanted, *probe.also}
    current = not probe.stale or len(there) == len(probe.wanted)
    quiet = probe.category in _QUIET
    return {
        "probes": 1,
        "wanted": len(probe.wanted),
        "wanted_formed": len(there),
        "recalled_formed": len(back & set(there)),
        "recalled": len(back & set(probe.wanted)),
        "answerable": int(bool(probe.answer)),
        "answered": int(bool(probe.answer) and all(text in one.result.rendered for text in probe.answer)),
        "returned": len(one.returned),
        "noise": sum(label not in allowed for label in one.returned),
        "prohibited_returned": len(back & set(probe.prohibited)),
        "currency_probes": int(bool(probe.stale)),
        "currency_unformed": int(not current),
        "currency_violations": int(current and bool(back & set(probe.stale))),
        "foreign_returned": len(back & set(probe.foreign)),
        "leaks": len(one.leaked),
        "abstentions": int(quiet),
        "abstained": int(quiet and not one.returned),
        "transfers": len(probe.wanted) if probe.category == "transfer" else 0,
        "transferred": len(back & set(probe.wanted)) if probe.category == "transfer" else 0,
        "transferred_isolated": len(set(one.isolated) & set(probe.wanted)),
        "supported": len(set(one.supported) & set(probe.wanted)),
        "tokens": one.result.tokens,
    }


def _formed(kept: Iterable[Kept]) -> dict[str, bool]:
    """Whether each statement was formed, by scenario and label."""
    return {f"{one.scenario}/{one.written.label}": one.formed for one in kept}


def _sum(rows: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """The sums over rows, metric by metric."""
    totals: dict[str, int] = {}
    for row in rows:
        for name, value in row.items():
            totals[name] = totals.get(name, 0) + value
    return totals
