-- Who may see which rows on PostgreSQL. The owner of the schema runs this; the role `bethink_app`, which owns nothing, works
-- under it. Every transaction names its tenant with set_config('app.tenant', :tenant, true): unset means no rows and no writes.
-- docs/postgres.md says how a deployment names its roles.

do $$
begin
    if not exists (select from pg_catalog.pg_roles where rolname = 'bethink_app') then
        create role bethink_app nologin nosuperuser nobypassrls nocreatedb nocreaterole noreplication;
    end if;
exception
    when duplicate_object or unique_violation then null;  -- another database of this server made it meanwhile
    when insufficient_privilege then
        raise insufficient_privilege using
            message = 'The role bethink_app does not exist and this user may not create it.',
            hint = 'As an administrator, once per server: create role bethink_app nologin; grant bethink_app to this user.';
end $$;

do $$
begin
    if exists (select from pg_catalog.pg_roles where rolname = 'bethink_app' and (rolsuper or rolbypassrls)) then
        raise exception using
            message = 'The role bethink_app may bypass row-level security.',
            hint = 'alter role bethink_app nosuperuser nobypassrls;';
    end if;
    -- So that whoever opens the store as its owner can step down to the role.
    if not (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
        execute format('grant bethink_app to %I', current_user);
    end if;
exception
    when insufficient_privilege then null;  -- an administrator made the role, and the membership with it
end $$;

-- Each table with a tenant: its policies bind the owner too, an empty name is no tenant, and the app may write rows but not
-- TRUNCATE, which no policy sees. One restrictive policy is the wall; the permissive one only lets rows through at all, so a
-- permissive policy added later cannot widen anything. A partition is policed and not granted: it is reached by its parent.
do $$
declare
    place record;
begin
    execute format('grant usage on schema %I to bethink_app', current_schema());
    for place in
        select c.relname as name, c.relispartition as part from pg_catalog.pg_class c
        where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
            and exists (select from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant' and a.attnum > 0)
        order by c.relname
    loop
        execute format('alter table %I enable row level security', place.name);
        execute format('alter table %I force row level security', place.name);
        execute format('create policy tenant_rows on %I as permissive using (true)', place.name);
        execute format(
            $wall$create policy tenant_wall on %I as restrictive
            using (tenant = nullif(current_setting('app.tenant', true), ''))
            with check (tenant = nullif(current_setting('app.tenant', true), ''))$wall$, place.name);
        if not place.part then
            execute format('alter table %I add constraint %I check (tenant <> '''')', place.name, place.name || '_has_tenant');
            execute format('grant select, insert, update, delete on %I to bethink_app', place.name);
        end if;
    end loop;
end $$;

-- Upkeep goes tenant by tenant and has to learn where there is work. These three name tenants, ids and counts and no memory; they
-- open to a transaction that says `list` instead of naming a tenant, and only for reading.
do $$
declare
    place text;
begin
    foreach place in array array['tenant', 'job', 'embedding_pending'] loop
        execute format('drop policy tenant_wall on %I', place);
        execute format(
            $wall$create policy tenant_wall on %I as restrictive for select
            using (
                tenant = nullif(current_setting('app.tenant', true), '')
                or (nullif(current_setting('app.tenant', true), '') is null and current_setting('app.upkeep', true) = 'list')
            )$wall$, place);
        execute format(
            $wall$create policy tenant_wall_insert on %I as restrictive for insert
            with check (tenant = nullif(current_setting('app.tenant', true), ''))$wall$, place);
        execute format(
            $wall$create policy tenant_wall_update on %I as restrictive for update
            using (tenant = nullif(current_setting('app.tenant', true), ''))
            with check (tenant = nullif(current_setting('app.tenant', true), ''))$wall$, place);
        execute format(
            $wall$create policy tenant_wall_delete on %I as restrictive for delete
            using (tenant = nullif(current_setting('app.tenant', true), ''))$wall$, place);
    end loop;
end $$;

-- What happened and what was erased is added to and never taken back.
revoke update, delete on event, tombstone from bethink_app;
revoke delete on tenant from bethink_app;

-- Tables of the whole deployment. The app reads the ledger of migrations, the store's id and its secret, and writes none.
grant select, insert, update, delete on meta, space to bethink_app;
alter table meta enable row level security;
create policy meta_read on meta for select using (true);
create policy meta_write on meta
    using (name not in ('store_id', 'secret') and name not like 'migration/%')
    with check (name not in ('store_id', 'secret') and name not like 'migration/%');
