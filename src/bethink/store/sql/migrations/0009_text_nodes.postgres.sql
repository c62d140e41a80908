-- What PostgreSQL's planner may assume of the table of this step before anybody analysed it; 0001_statistics says how.
insert into text_node select 't', 'v', g / 4, g % 4, g, g + 1, '' from generate_series(1, 4000) g;
analyze text_node;
truncate text_node;

-- The wall between tenants around the new table, as 0001_tenancy builds it around the first ones.
alter table text_node enable row level security;
alter table text_node force row level security;
create policy tenant_rows on text_node as permissive using (true);
create policy tenant_wall on text_node as restrictive
    using (tenant = nullif(current_setting('app.tenant', true), ''))
    with check (tenant = nullif(current_setting('app.tenant', true), ''));
alter table text_node add constraint text_node_has_tenant check (tenant <> '');
grant select, insert, update, delete on text_node to bethink_app;
