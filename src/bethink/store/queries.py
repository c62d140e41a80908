"""Named queries, read once from `store/sql/*.sql`.

A file holds queries under ``-- name: verb_noun`` lines, each with a comment saying what it is for. Values are bound as
``:name``. One text serves both databases; where they differ in words, a mark stands that each dialect expands:

- ``/*fence*/``: the one predicate of `fence.sql` over the aliases ``e`` (entry) and ``s`` (status_event);
- ``x in each(:list)``, ``x in each_number(:list)``: whether x is in a JSON array of texts or numbers, bound as text;
- ``list[x by y]``: the values of x in the order of y as one text, joined by commas; ``lines[x by y]``: by U+001E.
  SQLite reads rows in the order of the index, so only PostgreSQL sorts;
- ``/*indexed by i*/``: the index SQLite has to take;
- ``/*for update skip locked*/``: PostgreSQL passes over rows that others are taking; SQLite's writers take turns;
- ``vector(:v)``: float32 little-endian bytes, bound as the column stores vectors;
- ``/*table*/`` and its kin: a query ``verb_table`` that stands for one ``verb_table/name`` per table of `tables.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources

from bethink.store.tables import TRACES, TRUTH

_NAME = re.compile(r"^-- name: (\w+)\n", re.MULTILINE)
_VECTOR = re.compile(r"\bvector\(:(\w+)\)")
_SQL = resources.files("bethink.store") / "sql"
DIALECTS: dict[str, tuple[tuple[str, str], ...]] = {
    "sqlite": (
        (r"\beach(?:_number)?\((:\w+)\)", r"(select value from json_each(\1))"),
        (r"\blist\[([^\]]+) by [^\]]+\]", r"group_concat(\1)"),
        (r"\blines\[([^\]]+) by [^\]]+\]", r"group_concat(\1, char(30))"),
        (r"/\*(indexed by \w+)\*/", r"\1"),
        (r" /\*for update skip locked\*/", ""),
        (_VECTOR.pattern, r":\1"),
    ),
    "postgres": (
        (r"\bin each\((:\w+)\)", r"= any(array(select json_array_elements_text(\1::json)))"),
        (r"\bin each_number\((:\w+)\)", r"= any(array(select json_array_elements_text(\1::json)::bigint))"),
        (r"\blist\[([^\]]+) by ([^\]]+)\]", r"string_agg((\1)::text, ',' order by \2)"),
        (r"\blines\[([^\]]+) by ([^\]]+)\]", r"string_agg(\1, chr(30) order by \2)"),
        (r"\bchar\((\d+)\)", r"chr(\1)"),
        (r"/\*(for update skip locked)\*/", r"\1"),
        (_VECTOR.pattern, r":\1"),
        (r"%", r"%%"),
        (r"(?<![:\w]):([a-z]\w*)", r"%(\1)s"),
    ),
}
"""How each dialect writes the marks, in the order in which they are expanded."""


@cache
def queries(dialect: str) -> dict[str, str]:
    """Query texts by name: the shared files and those of the dialect (``*_sqlite.sql``), marks expanded."""
    found: dict[str, str] = {}
    for name, text in _texts(dialect):
        if name in found:
            msg = f"query {name} is defined twice"
            raise ValueError(msg)
        for mark, words in DIALECTS[dialect]:
            text = re.sub(mark, words, text)  # noqa: PLW2901 - each mark goes over what the one before left
        found[name] = text
    return found


@cache
def vectors_of(dialect: str) -> dict[str, tuple[str, ...]]:
    """For each query that binds vectors, the names of those values."""
    named = ((name, tuple(_VECTOR.findall(text))) for name, text in _texts(dialect))
    return {name: values for name, values in named if values}


def _texts(dialect: str) -> Iterator[tuple[str, str]]:
    """Every query of a dialect with its fence and without its comments."""
    fence = _strip((_SQL / "fence.sql").read_text("utf-8"))
    for item in sorted(_SQL.iterdir(), key=lambda entry: entry.name):
        stem = item.name.removesuffix(".sql")
        foreign = any(stem.endswith("_" + other) for other in DIALECTS if other != dialect)
        if not item.name.endswith(".sql") or stem == "fence" or foreign:
            continue
        parts = _NAME.split(item.read_text("utf-8"))
        for name, text in zip(parts[1::2], parts[2::2], strict=True):
            text = _strip(text).replace("/*fence*/", fence)  # noqa: PLW2901 - what follows goes over the same text
            if "/*table*/" not in text:
                yield name, text
                continue
            verb, many, _ = name.partition("_many")
            yield from (
                (f"{verb}/{table.name}{many}", table.written(text))
                for table in (*TRUTH, *TRACES)
                if table.plain or not many
            )


def _strip(text: str) -> str:
    """The SQL without its line comments and closing semicolon."""
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("--")).strip().rstrip(";")
