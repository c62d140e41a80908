-- What PostgreSQL's planner may assume of the taxonomy; 0001_statistics says why and how.
insert into taxonomy_node select 't', 'n' || g, 'w' || g, g from generate_series(1, 200) g;
insert into taxonomy_filing select 't', 'r' || g, 'n' || g % 200, 'caller', g from generate_series(1, 2000) g;
analyze taxonomy_node, taxonomy_filing;
truncate taxonomy_node, taxonomy_filing;

-- Who may see which rows of it; 0001_tenancy says why each line stands.
do $$
declare
    place text;
begin
    foreach place in array array['taxonomy_node', 'taxonomy_filing'] loop
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
