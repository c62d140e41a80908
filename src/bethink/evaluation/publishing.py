"""A run of the scenarios laid open: every record, write, question, candidate, admission and end of validity, as data.

Texts are those of the scenarios, which are fixtures: no one's memory is in them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import bethink
from bethink.domain.record import Record
from bethink.domain.time import iso
from bethink.evaluation.playing import AGENT, Kept, Played, Tried
from bethink.evaluation.scenario import Corpus


def published(corpus: Corpus, played: Played) -> dict[str, Any]:
    """By scenario its records and its questions, under the versions and the identities it ran with.

    ``ids`` says which turn or record each label stands for.
    """
    return {
        "version": bethink.__version__,
        "retriever": played.policy,
        "blocks": played.digest,
        "index": f"{played.engine}, schema {played.schema}, words alone",
        "identity": "tenant: the scenario's name; user: the one a session or probe names, else the scenario's; "
        f"agent: {AGENT}; project: the one a session or probe names",
        "scenarios": {
            scenario.name: {
                "about": scenario.about,
                "user": scenario.user,
                "ids": dict(played.ids[scenario.name]),
                "writes": _writes(one for one in played.kept if one.scenario == scenario.name),
                "probes": _probes(one for one in played.tried if one.scenario == scenario.name),
            }
            for scenario in corpus.scenarios
        },
    }


def _writes(kept: Iterable[Kept]) -> list[dict[str, Any]]:
    """Each write with what it became, and what it ended."""
    return [
        {
            "label": one.written.label,
            "asked": one.written.content,
            "unwanted": one.written.unwanted,
            "outcome": one.outcome,
            "formed": one.formed,
            "invalidated": list(one.superseded),
            "record": None if one.record is None else _envelope(one.record),
        }
        for one in kept
    ]


def _envelope(record: Record) -> dict[str, Any]:
    """A record as it stands in the end."""
    content, source = record.content, record.content.source
    return {
        "id": record.id,
        "text": content.text,
        "type": content.type,
        "subject": content.subject,
        "attribute": content.attribute,
        "scope": content.scope.key,
        "project": content.origin.project,
        "status": record.status.value,
        "source": {"kind": source.kind.value, "ref": source.ref, "revision": source.revision},
        "quote": source.evidence.quote if source.evidence else None,
        "recorded_at": iso(record.recorded_at),
        "superseded_by": record.superseded_by,
        "conflicts": list(record.conflicts),
        "flags": sorted(content.flags),
    }


def _probes(tried: Iterable[Tried]) -> list[dict[str, Any]]:
    """Each question with its candidates, what was admitted, what should and what may not be, and the exact block."""
    return [
        {
            "id": one.probe.id,
            "category": one.probe.category,
            "user": one.probe.user,
            "project": one.probe.project,
            "question": one.probe.question,
            "expected": list(one.probe.wanted),
            "prohibited": [*one.probe.stale, *one.probe.foreign, *one.probe.prohibited],
            "candidates": list(one.pool),
            "admitted": list(one.returned),
            "ids": [item.id for item in one.result.items],
            "empty_reason": one.result.empty_reason,
            "block": one.result.rendered,
            "sha256": one.result.sha256,
            "position": one.result.position,
        }
        for one in tried
    ]
