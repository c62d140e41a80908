-- What PostgreSQL's planner may assume of a store nobody has analysed yet. A statement is planned once for a connection, often while
-- its tables are empty; without statistics all indexes of an empty table are worth the same, and a lookup by id may be planned as
-- a walk over the scope. So each table is filled with rows of a likely shape, analysed, and emptied again: the statistics stay until
-- autovacuum measures the real ones. Four tenants, ten scopes each; ids, keys, hashes and positions all differ.
insert into tenant select 't' || g, g, g from generate_series(1, 40) g;
insert into record
select 't' || g % 4, 'r' || g, g, 1, 'semantic', 'fact', g, '[]', g from generate_series(1, 2000) g;
insert into entry
select 't' || g % 4, g, 'r' || g, 'semantic', 'fact', 's' || g % 40, null, 1, 2, null, 'b' || g % 400, 'a' || g % 20, 'd' || g, 'n' || g % 100,
    g, g, 1152921504606846976, g, g, 1152921504606846976, case when g % 50 = 0 then g else 0 end, g, 'user_statement', 'e' || g % 200, null,
    '[]', 'h' || g
from generate_series(1, 2000) g;
insert into status_event
select 't' || g % 4, 'r' || g, g, 's' || g % 40, 'active', g, 1152921504606846976,
    case when g % 50 = 0 then g else 1152921504606846976 end, null, ''
from generate_series(1, 2000) g;
insert into version
select 't' || g % 4, g, 'r' || g, 1, null, null, 'positive', 'q' || g, null, null, 'c', 'direct', null, null, '[]', '[]', null, '{}', 'w' || g
from generate_series(1, 2000) g;
insert into usage select 't' || g % 4, 'r' || g, 1, 1, g, g, 0, null from generate_series(1, 2000) g;
insert into support select 't' || g % 4, 'r' || g, 'q' || g, 'user_statement', g from generate_series(1, 2000) g;
insert into lineage select 't' || g % 4, 'p' || g, 'r' || g, 'evidence' from generate_series(1, 2000) g;
insert into turn
select 't' || g % 4, g, 'r' || g, 's' || g % 40, 'n' || g % 100, g, 'm' || g, 'user', 'p' || g % 40, g, null, 0, 'w' || g
from generate_series(1, 2000) g;
insert into session select 't' || g % 4, 's' || g % 40, 'n' || g, 'u', 'a', null, null, g, null, 1 from generate_series(1, 2000) g;
insert into entity select 't' || g % 4, 'e' || g, 'person', 'w' || g, 's' || g % 40, 1, g from generate_series(1, 2000) g;
insert into entity_alias select 't' || g % 4, 's' || g % 40, 'w' || g, 'e' || g, 'w' || g from generate_series(1, 2000) g;
insert into entity_link select 't' || g % 4, 'r' || g, 'e' || g % 200, 'about' from generate_series(1, 2000) g;
insert into conflict select 't' || g % 4, 'r' || g, 'r' || g + 1, g from generate_series(1, 2000) g;
insert into scope_grant select 't' || g % 4, 'u' || g, 'a' || g, 's' || g % 40, 1, 1, g from generate_series(1, 2000) g;
insert into event select 't' || g % 4, g, 0, 'memory.added', 'r' || g, g, '{}' from generate_series(1, 2000) g;
insert into job select 't' || g % 4, 'j' || g, 'scrub', '{}', 'waiting', 0, g, null from generate_series(1, 40) g;
insert into idempotency select 't' || g % 4, 'u' || g % 40, 'k' || g, 'h', '{}', 'r' || g, g from generate_series(1, 2000) g;
insert into tombstone select 't' || g % 4, 'd' || g, g from generate_series(1, 2000) g;
insert into posting select 't' || g % 4, 's' || g % 40, 'w' || g % 1000, g, 1 from generate_series(1, 4000) g;
insert into name_gram select 't' || g % 4, 's' || g % 40, 'g' || g % 400, 'p' || g from generate_series(1, 4000) g;
insert into name_entry select 't' || g % 4, 's' || g % 40, 'p' || g % 1000, g from generate_series(1, 4000) g;
insert into vector select 't' || g % 4, 'v', g, 's' || g % 40, '[0]' from generate_series(1, 2000) g;
insert into vector_state select 't' || g % 4, 'v', 's' || g, 1, 1 from generate_series(1, 200) g;
insert into vector_segment select 't' || g % 4, 'v', 's' || g % 40, g, g, 1, 1, '', '', '' from generate_series(1, 200) g;
insert into embedding_pending select 't' || g % 4, 'v', g from generate_series(1, 2000) g;

analyze tenant, record, entry, status_event, version, usage, support, lineage, turn, session, entity, entity_alias, entity_link, conflict,
    scope_grant, event, job, idempotency, tombstone, posting, name_gram, name_entry, vector, vector_state, vector_segment,
    embedding_pending;
truncate tenant, record, entry, status_event, version, usage, support, lineage, turn, session, entity, entity_alias, entity_link, conflict,
    scope_grant, event, job, idempotency, tombstone, posting, name_gram, name_entry, vector, vector_state, vector_segment,
    embedding_pending;
