"""The database every test's store is a copy of: migrated by an owner who is no superuser, used by the app's login."""

from __future__ import annotations

from importlib import resources

import psycopg

SCHEMA = "bethink"
SCHEMAS = (SCHEMA,)
KEPT = ((SCHEMA, "meta"),)
"""Tables a new store holds rows in."""
OWNER = "bethink_owner"
AGENT = "bethink_agent"
"""A login whose one privilege is to be of the app's role."""


def make_roles(url: str) -> None:
    """Who owns a store and who uses it, once for a server."""
    with psycopg.connect(url, autocommit=True) as on:
        on.execute(f"create role {OWNER} login createrole")
        on.execute(f"create role {AGENT} login")


def make_extensions(url: str) -> None:
    """What only an administrator may install."""
    with psycopg.connect(url, autocommit=True) as on:
        on.execute("create extension vector")
        on.execute("create extension pg_trgm")


def make_template(url: str) -> None:
    """Migrate an empty database as its owner, who then lets the login in."""
    with psycopg.connect(url, autocommit=True) as on:
        on.execute("create schema bethink")
        on.execute("set search_path = bethink")
        for part in ("0001_initial", "0001_tenancy.postgres"):
            on.execute((resources.files("bethink.store") / f"sql/migrations/{part}.sql").read_text("utf-8"))
        on.execute(f"grant bethink_app to {AGENT}")
        on.execute("create schema template")
        for schema, name in KEPT:
            on.execute(f"create table template.{schema}_{name} as table {schema}.{name}")
