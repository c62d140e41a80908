-- The table of this step stands behind the same wall as those of the first; 0001_tenancy says how it is built.
do $$
declare
    place text;
begin
    foreach place in array array['column_segment'] loop
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
