-- Transactions on PostgreSQL. Every setting is the transaction's own, so a pooled connection carries nothing to its next borrower.

-- name: begin_read
-- One snapshot, fixed by the first statement that reads.
begin isolation level repeatable read read only;

-- name: begin_write
-- Each statement sees what was committed before it: after the tenant's lock that is all other writers did.
begin isolation level read committed read write;

-- name: open_transaction
-- Where the tables lie, whose rows may be seen, how long to wait for a lock and for a statement. A write that must outlive the
-- server is never acknowledged before it is on disk, whatever the server's default. Every query is made to go by an index, row by
-- row and through its tables in the order in which it names them, so its plan is made once and is the same on an empty store as on a
-- large one: what was planned for an empty table would read all of a full one until the server happens to look again. Last, the role that owns nothing, where the
-- login may step down to it: row-level security binds it, as it would not bind an administrator.
select set_config('search_path', :path, true), set_config('app.tenant', :tenant, true),
    set_config('app.upkeep', :upkeep, true), set_config('lock_timeout', :lock_timeout, true),
    set_config('statement_timeout', :timeout, true),
    set_config('synchronous_commit', case
        when :durable = 0 then 'off'
        when current_setting('synchronous_commit') = 'off' then 'on'
        else current_setting('synchronous_commit')
    end, true),
    set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
    set_config('enable_mergejoin', 'off', true), set_config('join_collapse_limit', '1', true), set_config('plan_cache_mode', 'force_generic_plan', true),
    set_config('jit', 'off', true), set_config('role', :role, true);

-- name: touch
-- Nothing: whoever answers is there, and the snapshot is fixed.
select 1;

-- name: read_standing
-- What every transaction of a tenant asks first, at once: where the tenant stands, and who made the index of words.
select 'tenant' as about, null as value, position, latest from tenant where tenant = :tenant
union all
select name, value, null, null from meta where name in ('analyser', 'words');

-- name: is_replica
-- Whether this server plays back another one's log; one that was promoted does not and may have parted from it.
select pg_is_in_recovery();

-- name: which_database
-- What a server shares with those that follow it and with no other: its cluster's number, and the database's in it.
select system_identifier, (select oid::bigint from pg_database where datname = current_database()) from pg_control_system();

-- name: log_end
-- How far the log of a primary goes: what is committed lies before it.
select pg_current_wal_lsn()::text;

-- name: log_played
-- Whether a replica has played the log back up to there.
select coalesce(pg_last_wal_replay_lsn() >= cast(:upto as pg_lsn), false);

-- name: enter_tenant
-- Speak of one tenant from here on.
select set_config('app.tenant', :tenant, true), set_config('app.upkeep', '', true);

-- name: limit_statement
-- How long the next statements may take each.
select set_config('statement_timeout', :timeout, true);

-- name: mark_statement
-- Where to go back to when a statement runs out of time, which ends a transaction otherwise.
savepoint timed;

-- name: undo_statement
-- Back there, with the same snapshot.
rollback to savepoint timed;

-- name: lock_store
-- Alone in the store, once every other write is done.
select pg_advisory_xact_lock(hashtextextended(:store, 0));

-- name: lock_tenant
-- Alone in the tenant, beside the writers of others.
select pg_advisory_xact_lock_shared(hashtextextended(:store, 0)), pg_advisory_xact_lock(hashtextextended(:tenant, 1));

-- name: share_tenant
-- Beside others that share the tenant.
select pg_advisory_xact_lock_shared(hashtextextended(:store, 0)), pg_advisory_xact_lock_shared(hashtextextended(:tenant, 1));

-- name: commit
commit;

-- name: rollback
rollback;

-- name: find_ledger
-- Whether the schema is there and may be used, and its ledger of migrations. Asked of the catalogue's tables: what a name resolves to is remembered
-- by the connection, and somebody else may have made them while it waited for the store's lock.
select (select has_schema_privilege(oid, 'usage') from pg_namespace where nspname = :schema),
    exists (
        select from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = :schema and c.relname = 'meta'
    );

-- name: make_schema
-- The schema of the tables, named by a setting since no name can be bound.
do $$ begin execute format('create schema if not exists %I', current_setting('app.schema')); end $$;

-- name: name_schema
-- Which schema `make_schema` makes.
select set_config('app.schema', :schema, true);

-- name: may_write
-- Whether this server and this role can write a table; true of one that is not there yet.
select not pg_is_in_recovery() and current_setting('default_transaction_read_only') = 'off'
    and coalesce(has_table_privilege(to_regclass(:named), 'insert'), true);

-- name: find_role
-- The role the login steps down to, where there is one for this schema and it may.
select rolname::text from pg_roles
where rolname = 'bethink_app' and rolname <> current_user and pg_has_role(current_user, oid, 'member')
    and has_schema_privilege(oid, to_regnamespace(:schema), 'usage');

-- name: find_vector_type
-- How vectors are stored: the type of their column.
select atttypid::bigint from pg_attribute where attrelid = to_regclass('bethink.vector') and attname = 'vector';

-- name: missing_trace_months
-- How many of this month and the next two have no partition yet.
select count(*) from generate_series(
    date_trunc('month', now() at time zone 'UTC'), now() at time zone 'UTC' + interval '2 months', interval '1 month'
) month
where to_regclass('bethink_traces.trace_' || to_char(month, 'YYYY_MM')) is null;

-- name: make_trace_months
-- Partitions for the traces of this month and the next two. A month that has traces in the default already stays there, and
-- where the login may make none all do. Nobody reads a partition but through its parent: its own wall lets nothing through.
do $$
declare
    month timestamp;
    name text;
    first text;
    beyond text;
begin
    for month in select generate_series(
        date_trunc('month', now() at time zone 'UTC'), now() at time zone 'UTC' + interval '2 months', interval '1 month'
    ) loop
        name := 'trace_' || to_char(month, 'YYYY_MM');
        continue when to_regclass('bethink_traces.' || name) is not null;
        first := lpad(to_hex((extract(epoch from month) * 1000)::bigint), 12, '0');
        beyond := lpad(to_hex((extract(epoch from month + interval '1 month') * 1000)::bigint), 12, '0');
        begin
            execute format(
                'create table bethink_traces.%I partition of bethink_traces.trace for values from (%L) to (%L)',
                name, substr(first, 1, 8) || '-' || substr(first, 9), substr(beyond, 1, 8) || '-' || substr(beyond, 9)
            );
            execute format('alter table bethink_traces.%I enable row level security', name);
            execute format('alter table bethink_traces.%I force row level security', name);
        exception when check_violation or insufficient_privilege or duplicate_table then
            null;
        end;
    end loop;
end $$;

-- name: limit_session
-- How long a statement outside a transaction may take.
select set_config('statement_timeout', :timeout, false);

-- name: vacuum_bethink
-- Take the rows an erase deleted out of the pages. A role that owns none of the tables is told so and nothing happens.
vacuum bethink.record, bethink.entry, bethink.status_event, bethink.version, bethink.usage, bethink.support, bethink.lineage,
    bethink.turn, bethink.entity, bethink.entity_alias, bethink.entity_link, bethink.conflict, bethink.idempotency,
    bethink.posting, bethink.name_gram, bethink.name_entry, bethink.vector, bethink.vector_segment, bethink.column_segment;

-- name: vacuum_bethink_traces
-- The same for traces.
vacuum bethink_traces.trace, bethink_traces.trace_ref;
