"""The fence as values for SQL. Its meaning is `Fence.admits`; `sql/fence.sql` is the same rule over rows."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from bethink.domain.fence import Fence
from bethink.domain.time import FOREVER, lower_micros, to_micros, upper_micros

_ENCODE = json.JSONEncoder(ensure_ascii=False).encode
"""Made once: a recall binds two dozen arrays, and `json.dumps` would make an encoder for each."""


def fence_values(fence: Fence) -> dict[str, Any]:
    """What `fence.sql` binds.

    `known` is the last instant before the open end when the latest knowledge is asked, so that one comparison finds
    the open version and span.
    """
    return {
        "tenant": fence.tenant,
        "scopes": array(scope.key for scope in fence.scopes),
        "ceiling": int(fence.ceiling),
        "channel": fence.channel,
        "kinds": None if fence.kinds is None else array(sorted(fence.kinds)),
        "types": None if fence.types is None else array(sorted(fence.types)),
        "sources": None if fence.sources is None else array(sorted(fence.sources)),
        "instant": to_micros(fence.instant),
        "timeless": int(fence.timeless),
        "known": FOREVER - 1 if fence.known_at is None else to_micros(fence.known_at),
        "statuses": array(sorted(fence.statuses)),
        "since": lower_micros(fence.since),
        "until": upper_micros(fence.until),
        "after": -1 if fence.after is None else fence.after,
        "project": fence.project,
        "isolate": int(fence.isolate),
        "subjects": array(sorted(fence.named_subjects)),
    }


def array(items: Iterable[Any]) -> str:
    """A JSON array for ``each(:name)``."""
    return _ENCODE(list(items))
