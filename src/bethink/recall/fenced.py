"""A fence as plain data and back, so that a stored trace says exactly what its recall could see."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from bethink.domain.fence import Fence
from bethink.domain.record import Status
from bethink.domain.scope import Scope, Sensitivity
from bethink.domain.source import SourceKind
from bethink.domain.time import iso, parse_instant
from bethink.domain.types import Kind

_TIMES = ("known_at", "since", "until")


def fence_data(fence: Fence, latest: datetime) -> dict[str, Any]:
    """The fence; `latest`, the store's last recorded instant, stands for a `known_at` that was left open."""
    told: dict[str, Any] = {
        "scopes": [scope.key for scope in fence.scopes],
        "ceiling": fence.ceiling.name.lower(),
        "statuses": sorted(fence.statuses),
        "instant": iso(fence.instant),
        "latest": iso(latest),
        "kinds": None if fence.kinds is None else sorted(fence.kinds),
        "types": None if fence.types is None else sorted(fence.types),
        "sources": None if fence.sources is None else sorted(fence.sources),
        "channel": fence.channel,
        "after": fence.after,
        "project": fence.project,
        "isolate": fence.isolate,
        "timeless": fence.timeless or None,
        "named_subjects": sorted(fence.named_subjects),
    }
    told |= {name: iso(value) for name in _TIMES if (value := getattr(fence, name)) is not None}
    return {name: value for name, value in told.items() if value is not None}


def fence_of(data: Mapping[str, Any], tenant: str) -> Fence:
    """The fence as the recall had it, its `known_at` closed at the store's state then."""
    return Fence(
        tenant=tenant,
        scopes=tuple(Scope.parse(key) for key in data["scopes"]),
        ceiling=Sensitivity[data["ceiling"].upper()],
        statuses=frozenset(Status(status) for status in data["statuses"]),
        instant=parse_instant(data["instant"], "instant"),
        known_at=parse_instant(data.get("known_at", data["latest"]), "known_at"),
        kinds=frozenset(Kind(kind) for kind in data["kinds"]) if "kinds" in data else None,
        types=frozenset(data["types"]) if "types" in data else None,
        sources=frozenset(SourceKind(source) for source in data["sources"]) if "sources" in data else None,
        channel=data.get("channel"),
        since=parse_instant(data["since"], "since") if "since" in data else None,
        until=parse_instant(data["until"], "until") if "until" in data else None,
        after=data.get("after"),
        project=data.get("project"),
        isolate=data["isolate"],
        named_subjects=frozenset(data["named_subjects"]),
        timeless=data.get("timeless", False),
    )
