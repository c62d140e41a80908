-- Who may see which rows of the traces; the same wall as around the truth, whose migration says more and makes the role.

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

-- Upkeep goes tenant by tenant and has to learn which there are. This table names tenants and ids and no memory; it opens to a
-- transaction that says `list` instead of naming a tenant, and only for reading.
do $$
declare
    place text;
begin
    foreach place in array array['trace_ref'] loop
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

-- What was erased is added to and never taken back.
revoke update, delete on trace_erased from bethink_app;

-- The app reads the ledger of migrations and writes none.
grant select, insert, update, delete on meta to bethink_app;
alter table meta enable row level security;
create policy meta_read on meta for select using (true);
create policy meta_write on meta using (name not like 'migration/%') with check (name not like 'migration/%');
