-- The table of this step stands behind the same wall as those of the first; 0001_tenancy says how it is built.
alter table receipt enable row level security;
alter table receipt force row level security;
create policy tenant_rows on receipt as permissive using (true);
create policy tenant_wall on receipt as restrictive
    using (tenant = nullif(current_setting('app.tenant', true), ''))
    with check (tenant = nullif(current_setting('app.tenant', true), ''));
alter table receipt add constraint receipt_has_tenant check (tenant <> '');

-- What was done is added to and never taken back.
grant select, insert on receipt to bethink_app;
