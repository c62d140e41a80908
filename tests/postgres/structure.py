"""The structure gate: what the catalogue must say about a store, whoever migrated it and however."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg

APP = "bethink_app"
SHARED = {"meta", "space"}
"""Tables of the whole deployment, which name no tenant."""
LISTED = {"tenant", "job", "embedding_pending", "passage_pending", "trace_ref"}
"""Tables that name tenants, ids and counts, and show those to upkeep."""
APPENDED = {"event", "receipt", "tombstone", "trace_erased"}
"""Tables the app adds to and takes nothing from."""
WALL = "(tenant = NULLIF(current_setting('app.tenant'::text, true), ''::text))"
LIST = (
    f"({WALL} OR ((NULLIF(current_setting('app.tenant'::text, true), ''::text) IS NULL)"
    " AND (current_setting('app.upkeep'::text, true) = 'list'::text)))"
)

Found = Iterator[str]


def findings(on: psycopg.Connection, schema: str) -> list[str]:
    """What is wrong, in words; empty when the wall stands."""
    checks = (roles, owners, row_security, policies, keys, foreign_keys, privileges, functions, views)
    return [finding for check in checks for finding in check(on, schema)]


def roles(on: psycopg.Connection, _schema: str) -> Found:
    """The app's role has no power of its own."""
    flags = on.execute(
        "select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication, rolcanlogin from pg_roles"
        " where rolname = %s", [APP],
    ).fetchone()  # fmt: skip
    if flags != (False,) * 6:
        yield f"{APP} has a power or is missing: {flags}"
    for (role,) in on.execute(
        "select r.rolname from pg_auth_members m join pg_roles r on r.oid = m.roleid where m.member = %s::regrole",
        [APP],
    ):
        yield f"{APP} is a member of {role}"


def owners(on: psycopg.Connection, schema: str) -> Found:
    """It owns nothing and may make nothing."""
    for name, _ in tables(on, schema, owner=APP):
        yield f"{name} is owned by the app"
    if on.execute("select has_schema_privilege(%s, %s, 'create')", [APP, schema]).fetchone()[0]:
        yield "the app may create in the schema"


def row_security(on: psycopg.Connection, schema: str) -> Found:
    """Every table is policed; those with a tenant police their owner too and refuse an empty name."""
    named = {name for name, _ in tables(on, schema, column="tenant")}
    for name, (enabled, forced) in tables(on, schema):
        if name not in named | SHARED:
            yield f"{name} has no tenant and is no table of the deployment"
        if name in named and not (enabled and forced):
            yield f"{name} has row-level security {'not forced' if enabled else 'off'}"
        if name in named and not on.execute(
            "select 1 from pg_constraint where conrelid = %s::regclass and contype = 'c'"
            " and pg_get_constraintdef(oid) = %s", [f"{schema}.{name}", "CHECK ((tenant <> ''::text))"],
        ).fetchone():  # fmt: skip
            yield f"{name} lets a tenant be empty"


def policies(on: psycopg.Connection, schema: str) -> Found:
    """One restrictive policy for every command and role, beside the permissive one that lets rows through at all.

    A partition may have none, which lets nothing through.
    """
    for name, _ in tables(on, schema, column="tenant"):
        found = {
            (kind, command, *texts)
            for kind, command, *texts in on.execute(
                "select permissive, cmd, qual, with_check from pg_policies where schemaname = %s and tablename = %s"
                " and roles = '{public}'", [schema, name],
            )
        }  # fmt: skip
        walls = {("RESTRICTIVE", "ALL", WALL, WALL)}
        if name in LISTED:
            walls = {
                ("RESTRICTIVE", "SELECT", LIST, None), ("RESTRICTIVE", "INSERT", None, WALL),
                ("RESTRICTIVE", "UPDATE", WALL, WALL), ("RESTRICTIVE", "DELETE", WALL, None),
            }  # fmt: skip
        if found != walls | {("PERMISSIVE", "ALL", "true", None)} and not (not found and is_part(on, schema, name)):
            yield f"{name} has other policies than its wall: {sorted(map(str, found))}"


def keys(on: psycopg.Connection, schema: str) -> Found:
    """The tenant leads every index, the unique ones so that no collision tells of a foreign row."""
    for name, _ in tables(on, schema, column="tenant"):
        indexed = on.execute(
            "select i.indexrelid::regclass::text, i.indisprimary, a.attname from pg_index i"
            " left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]"
            " where i.indrelid = %s::regclass",
            [f"{schema}.{name}"],
        ).fetchall()  # fmt: skip
        if not any(primary for _, primary, _ in indexed):
            yield f"{name} has no primary key"
        for index, _, first in indexed:
            if first != "tenant":
                yield f"{index} does not begin with the tenant"


def foreign_keys(on: psycopg.Connection, schema: str) -> Found:
    """A foreign key pairs the tenant with the tenant, so that a foreign row is as absent as none."""
    for name, mine, theirs in on.execute(
        "select c.conname, a.attname, b.attname from pg_constraint c"
        " join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]"
        " join pg_attribute b on b.attrelid = c.confrelid and b.attnum = c.confkey[1]"
        " where c.contype = 'f' and c.connamespace = %s::regnamespace", [schema],
    ):  # fmt: skip
        if (mine, theirs) != ("tenant", "tenant"):
            yield f"foreign key {name} does not lead with the tenant"


def privileges(on: psycopg.Connection, schema: str) -> Found:
    """The app may touch rows, add to logs, and reach a partition through its parent only; nobody else may anything."""
    for name, _ in tables(on, schema):
        held = {
            privilege
            for (privilege,) in on.execute(
                "select privilege_type from information_schema.role_table_grants"
                " where table_schema = %s and table_name = %s and grantee = %s", [schema, name, APP],
            )
        }  # fmt: skip
        allowed = {"SELECT", "INSERT", "UPDATE", "DELETE"}
        if is_part(on, schema, name):
            allowed = set()
        elif name in APPENDED:
            allowed = {"SELECT", "INSERT"}
        if held - allowed:
            yield f"the app may {', '.join(sorted(held - allowed))} {name}"
    for name, grantee in on.execute(
        "select table_name, grantee from information_schema.table_privileges where table_schema = %s"
        " and grantee <> %s and grantee <> (select nspowner::regrole::text from pg_namespace where nspname = %s)",
        [schema, APP, schema],
    ):
        yield f"{name} is granted to {grantee}"


def functions(on: psycopg.Connection, schema: str) -> Found:
    """No function runs with its owner's rights, none claims to leak nothing, and no trigger acts on the side."""
    for name, definer, leakproof in on.execute(
        "select p.oid::regprocedure::text, p.prosecdef, p.proleakproof from pg_proc p"
        " join pg_namespace n on n.oid = p.pronamespace"
        " where n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg_temp%'"
    ):
        if definer:
            yield f"{name} runs as its owner"
        if leakproof:
            yield f"{name} claims to be leakproof"
    for (name,) in on.execute(
        "select t.tgname from pg_trigger t join pg_class c on c.oid = t.tgrelid"
        " where c.relnamespace = %s::regnamespace and not t.tgisinternal", [schema],
    ):  # fmt: skip
        yield f"trigger {name} acts on the side"


def views(on: psycopg.Connection, schema: str) -> Found:
    """Nothing else can be read: a view shows what its owner sees, a materialised one what he saw."""
    for name, kind in on.execute(
        "select relname, relkind from pg_class"
        " where relnamespace = %s::regnamespace and relkind in ('v', 'm', 'f', 'S')",
        [schema],
    ):
        yield f"{name} is a relation of kind {kind}"


def is_part(on: psycopg.Connection, schema: str, name: str) -> bool:
    """Whether a table is a partition of another."""
    return on.execute("select relispartition from pg_class where oid = %s::regclass", [f"{schema}.{name}"]).fetchone()[
        0
    ]


def tables(
    on: psycopg.Connection, schema: str, *, column: str | None = None, owner: str | None = None
) -> list[tuple[str, tuple[bool, bool]]]:
    """Tables and partitions of a schema, with whether row-level security is on and forced."""
    rows = on.execute(
        "select c.relname, c.relrowsecurity, c.relforcerowsecurity from pg_class c"
        " where c.relnamespace = %(schema)s::regnamespace and c.relkind in ('r', 'p')"
        " and (%(owner)s::text is null or c.relowner = %(owner)s::regrole)"
        " and (%(column)s::text is null or exists (select from pg_attribute a where a.attrelid = c.oid"
        " and a.attname = %(column)s and not a.attisdropped)) order by 1",
        {"schema": schema, "column": column, "owner": owner},
    )
    return [(name, (enabled, forced)) for name, enabled, forced in rows]
