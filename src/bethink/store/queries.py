"""Named queries, read once from `store/sql/*.sql`.

A file holds queries under ``-- name: verb_noun`` lines, each with a comment saying what it is for. Values are bound as
``:name``. Two marks are expanded, so that a query stays constant text: ``/*fence*/`` becomes the one predicate of
`fence.sql` over the aliases ``e`` (entry) and ``s`` (status_event), and ``each(:list)`` the dialect's way to unfold a
JSON array bound as text.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

_NAME = re.compile(r"^-- name: (\w+)\n", re.MULTILINE)
_EACH = re.compile(r"\beach\((:\w+)\)")
_SQL = resources.files("bethink.store") / "sql"
DIALECTS = {"sqlite": r"(select value from json_each(\1))"}


@cache
def queries(dialect: str) -> dict[str, str]:
    """Query texts by name: the shared files and those of the dialect (``*_sqlite.sql``), marks expanded."""
    fence = _strip((_SQL / "fence.sql").read_text("utf-8"))
    found: dict[str, str] = {}
    for item in sorted(_SQL.iterdir(), key=lambda entry: entry.name):
        stem = item.name.removesuffix(".sql")
        foreign = any(stem.endswith("_" + other) for other in ("sqlite", "postgres") if other != dialect)
        if not item.name.endswith(".sql") or stem == "fence" or foreign:
            continue
        parts = _NAME.split(item.read_text("utf-8"))
        for name, text in zip(parts[1::2], parts[2::2], strict=True):
            if name in found:
                msg = f"query {name} is defined twice"
                raise ValueError(msg)
            found[name] = _EACH.sub(DIALECTS[dialect], _strip(text).replace("/*fence*/", fence))
    return found


def _strip(text: str) -> str:
    """The SQL without its line comments and closing semicolon."""
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("--")).strip().rstrip(";")
