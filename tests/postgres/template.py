"""The database every test's store is a copy of: migrated by an owner who is no superuser, used by the app's login."""

from __future__ import annotations

import os

import psycopg

import bethink
from tests.postgres.server import NAMED

SCHEMAS = ("bethink", "bethink_traces")
SCHEMA, TRACES = SCHEMAS
KEPT = ((SCHEMA, "meta"), (TRACES, "meta"))
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
    """What only an administrator may install: all of it, unless a run names a server that may lack it."""
    with psycopg.connect(url, autocommit=True) as on:
        held = {name for (name,) in on.execute("select name from pg_available_extensions")}
        for name in ("vector", "pg_trgm"):
            if name in held or NAMED not in os.environ:
                on.execute(f"create extension {name}")


def make_template(url: str) -> None:
    """Migrate an empty database as its owner, who then lets the login in; note what a new store holds."""
    bethink.open(url, embedder=None).close()
    with psycopg.connect(url, autocommit=True) as on:
        on.execute(f"grant bethink_app to {AGENT}")
        on.execute("create schema template")
        for schema, name in KEPT:
            on.execute(f"create table template.{schema}_{name} as table {schema}.{name}")
