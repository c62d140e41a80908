-- What PostgreSQL's planner may assume of the tables of this step before anybody analysed them; 0001_statistics says how.
insert into term select 't', 'e' || g, 's', null, 1, 'w' || g, g from generate_series(1, 2000) g;
insert into term_name select 't', 's', '', 'w' || g, 'e' || g, 'w' || g from generate_series(1, 2000) g;
insert into relation
select 't', 'x' || g, 's', null, 1, 'e' || g % 500, 'p' || g % 20, 'e' || g % 400, 'r' || g, null, 'a', g from generate_series(1, 2000) g;
analyze term, term_name, relation;
truncate term, term_name, relation;

-- The tables of this step stand behind the same wall as those of the first; 0001_tenancy says how it is built.
do $$
declare
    place text;
begin
    foreach place in array array['term', 'term_name', 'relation'] loop
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
