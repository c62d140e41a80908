-- How PostgreSQL keeps it: turns in ranges of keys, vectors as the extension's type where it can be made, segments uncompressed.
create table turn_to_1m partition of turn for values from (minvalue) to (1000000);
create table turn_to_4m partition of turn for values from (1000000) to (4000000);
create table turn_to_16m partition of turn for values from (4000000) to (16000000);
create table turn_beyond partition of turn default;

alter table vector_segment alter column keys set storage external;
alter table vector_segment alter column bits set storage external;
alter table vector_segment alter column bytes set storage external;

do $$
declare
    place text;
begin
    begin
        create extension if not exists vector with schema public;
    exception when insufficient_privilege or feature_not_supported or undefined_file or invalid_schema_name then
        null;
    end;
    select quote_ident(n.nspname) into place
    from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'vector';
    if place is not null then
        execute 'alter table vector alter column vector type ' || place || '.vector using null';
    end if;
end $$;
