-- The wall between tenants around the new table, as 0001_tenancy builds it around the first ones.
alter table extraction enable row level security;
alter table extraction force row level security;
create policy tenant_rows on extraction as permissive using (true);
create policy tenant_wall on extraction as restrictive
    using (tenant = nullif(current_setting('app.tenant', true), ''))
    with check (tenant = nullif(current_setting('app.tenant', true), ''));
alter table extraction add constraint extraction_has_tenant check (tenant <> '');
grant select, insert, update, delete on extraction to bethink_app;
