"""The wall between tenants stands in the catalogue, and a gap in it does not go unnoticed."""

from __future__ import annotations

import pytest

from tests.postgres.structure import findings
from tests.postgres.template import SCHEMA, SCHEMAS


@pytest.mark.parametrize("schema", SCHEMAS)
def test_the_wall_between_tenants_has_no_gap(owner, schema):
    assert findings(owner, schema) == []


@pytest.mark.parametrize(
    ("gap", "found"),
    [
        ("alter role bethink_app bypassrls", "bethink_app has a power"),
        ("alter role bethink_app login", "bethink_app has a power"),
        ("grant pg_read_all_data to bethink_app", "bethink_app is a member of pg_read_all_data"),
        ("alter table entry owner to bethink_app", "entry is owned by the app"),
        ("grant create on schema bethink to bethink_app", "the app may create"),
        ("create table note (id text primary key)", "note has no tenant"),
        ("create table note (tenant text, id text, primary key (tenant, id))", "note has row-level security off"),
        ("alter table entry disable row level security", "entry has row-level security off"),
        ("alter table entry no force row level security", "entry has row-level security not forced"),
        ("alter table entry drop constraint entry_has_tenant", "entry lets a tenant be empty"),
        ("drop policy tenant_wall on entry", "entry has other policies"),
        ("create policy wide on entry as restrictive using (true)", "entry has other policies"),
        ("alter policy tenant_wall on entry using (true)", "entry has other policies"),
        ("alter policy tenant_wall on entry to bethink_app", "entry has other policies"),
        ("alter policy tenant_wall_update on tenant using (true)", "tenant has other policies"),
        ("create unique index leaky on entry (record_id, key)", "leaky does not begin with the tenant"),
        ("create index slow on entry (record_id)", "slow does not begin with the tenant"),
        ("alter table entry drop constraint entry_pkey", "entry has no primary key"),
        ("alter table usage add foreign key (record_id) references space (id)", "usage_record_id_fkey does not lead"),
        ("grant truncate on entry to bethink_app", "the app may TRUNCATE entry"),
        ("grant delete on event to bethink_app", "the app may DELETE event"),
        ("grant select on entry to public", "entry is granted to PUBLIC"),
        ("create function f() returns int language sql security definer return 1", "f() runs as its owner"),
        ("create function f() returns int language sql leakproof return 1", "f() claims to be leakproof"),
        ("create view peek as select * from entry", "peek is a relation of kind v"),
        ("create materialized view peek as select * from entry", "peek is a relation of kind m"),
        ("create table past partition of whole default; grant all on past to bethink_app", "the app may DELETE"),
    ],
)  # fmt: skip
def test_a_gap_in_the_wall_is_found(admin, gap, found):
    with admin.transaction(force_rollback=True):
        if "whole" in gap:
            admin.execute("create table whole (tenant text, primary key (tenant)) partition by range (tenant)")
        admin.execute(gap)

        assert any(found in finding for finding in findings(admin, SCHEMA))
