"""Taking every row out of a store, so that the next test finds what a new one finds."""

from __future__ import annotations

import psycopg
from psycopg import sql

from tests.postgres.template import KEPT, SCHEMAS

_LARGE = 1_000_000
"""Bytes from which a table is truncated: below, deleting its rows is ten times faster."""


def clean(on: psycopg.Connection) -> None:
    """Empty the tables that hold rows, whoever is still connected, and put back what a new store holds."""
    on.execute(
        "select pg_terminate_backend(pid) from pg_stat_activity"
        " where datname = current_database() and pid <> pg_backend_pid()"
    )
    names = on.execute(
        "select n.nspname, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace"
        " where n.nspname = any(%s) and c.relkind = 'r' order by 1, 2", [list(SCHEMAS)],
    ).fetchall()  # fmt: skip
    tables = [sql.Identifier(schema, name) for schema, name in names if (schema, name) not in KEPT]
    sizes = sql.SQL(" union all ").join(
        sql.SQL("select {}, pg_relation_size({}) where exists (select from {})").format(
            sql.Literal(place), sql.Literal(table.as_string(on)), table
        )
        for place, table in enumerate(tables)
    )
    full = on.execute(sizes).fetchall()
    for place, size in full:
        statement = "truncate {}" if size > _LARGE else "delete from {}"
        on.execute(sql.SQL(statement).format(tables[place]))
    for schema, name in KEPT:
        kept, now = sql.Identifier("template", f"{schema}_{name}"), sql.Identifier(schema, name)
        on.execute(sql.SQL("delete from {0}; insert into {0} select * from {1}").format(now, kept))
