-- What PostgreSQL's planner may assume of the tables of this step before anybody analysed them; 0001_statistics says how.
insert into document
select 't', 'd' || g, 's', '', 'p' || g, 1, null, 'w', 'h' || g, 'v', g, 'a', g from generate_series(1, 2000) g;
insert into passage select 't', 'd' || g % 200, g, g, g + 1, g, 0, '[]', 'w' || g from generate_series(1, 4000) g;
insert into passage_word select 't', 'w' || g % 1000, 'd' || g % 200, g, 1 from generate_series(1, 4000) g;
insert into passage_vector select 't', 'v', 'd' || g % 200, g, 1, '' from generate_series(1, 4000) g;
insert into passage_pending select 't', 'v', 'd' || g from generate_series(1, 200) g;
analyze document, passage, passage_word, passage_vector, passage_pending;
truncate document, passage, passage_word, passage_vector, passage_pending;

-- The tables of this step stand behind the same wall as those of the first; 0001_tenancy says how it is built.
do $$
declare
    place text;
begin
    foreach place in array array['document', 'passage', 'passage_word', 'passage_vector'] loop
        execute format('alter table %I enable row level security', place);
        execute format('alter table %I force row level security', place);
        execute format('create policy tenant_rows on %I as permissive using (true)', place);
        execute format(
            $wall$create policy tenant_wall on %I as restrictive
            using (tenant = nullif(current_setting('app.tenant', true), ''))
            with check (tenant = nullif(current_setting('app.tenant', true), ''))$wall$, place);
        execute format('alter table %I add constraint %I check (tenant <> '''')', place, place || '_has_tenant');
        execute format('grant select, insert, update, delete on %I to bethink_app', place);
    end loop;
end $$;

-- What waits names tenants and ids and no memory; like what waits of entries it opens to a transaction that says `list`, and only
-- for reading.
alter table passage_pending enable row level security;
alter table passage_pending force row level security;
create policy tenant_rows on passage_pending as permissive using (true);
create policy tenant_wall on passage_pending as restrictive for select
    using (
        tenant = nullif(current_setting('app.tenant', true), '')
        or (nullif(current_setting('app.tenant', true), '') is null and current_setting('app.upkeep', true) = 'list')
    );
create policy tenant_wall_insert on passage_pending as restrictive for insert
    with check (tenant = nullif(current_setting('app.tenant', true), ''));
create policy tenant_wall_update on passage_pending as restrictive for update
    using (tenant = nullif(current_setting('app.tenant', true), ''))
    with check (tenant = nullif(current_setting('app.tenant', true), ''));
create policy tenant_wall_delete on passage_pending as restrictive for delete
    using (tenant = nullif(current_setting('app.tenant', true), ''));
alter table passage_pending add constraint passage_pending_has_tenant check (tenant <> '');
grant select, insert, update, delete on passage_pending to bethink_app;
