-- What PostgreSQL's planner may assume of a store nobody has analysed yet. A statement is planned once for a connection, often while
-- its tables are empty; without statistics all indexes of an empty table are worth the same, and a lookup by id may be planned as
-- a walk over the scope. So each table is filled with rows of a likely shape, analysed, and emptied again: the statistics stay until
-- autovacuum measures the real ones. One tenant and one scope, so that neither ever looks selective; ids, keys, hashes and positions
-- all differ.
insert into tenant select 't' || g, g, g from generate_series(1, 40) g;
insert into record
select 't', 'r' || g, g, 1, 'semantic', 'fact', g, '[]', g from generate_series(1, 2000) g;
insert into entry
select 't', g, 'r' || g, 'semantic', 'fact', 's', null, 1, 2, null, 'b' || g % 400, 'a' || g % 20, 'd' || g, 'n' || g % 100,
    g, g, 1152921504606846976, g, g, 1152921504606846976, case when g % 50 = 0 then g else 0 end, g, 'user_statement', 'e' || g % 200, null,
    '[]', 'h' || g
from generate_series(1, 2000) g;
insert into status_event
select 't', 'r' || g, g, 's', 'active', g, 1152921504606846976,
    case when g % 50 = 0 then g else 1152921504606846976 end, null, ''
from generate_series(1, 2000) g;
insert into version
select 't', g, 'r' || g, 1, null, null, 'positive', 'q' || g, null, null, 'c', 'direct', null, null, '[]', '[]', null, '{}', 'w' || g
from generate_series(1, 2000) g;
insert into usage select 't', 'r' || g, 1, 1, g, g, 0, null from generate_series(1, 2000) g;
insert into support select 't', 'r' || g, 'q' || g, 'user_statement', g from generate_series(1, 2000) g;
insert into lineage select 't', 'p' || g, 'r' || g, 'evidence' from generate_series(1, 2000) g;
insert into turn
select 't', g, 'r' || g, 's', 'n' || g % 100, g, 'm' || g, 'user', 'p' || g % 40, g, null, 0, 'w' || g
from generate_series(1, 2000) g;
insert into session select 't', 's', 'n' || g, 'u', 'a', null, null, g, null, 1 from generate_series(1, 2000) g;
insert into entity select 't', 'e' || g, 'person', 'w' || g, 's', 1, g from generate_series(1, 2000) g;
insert into entity_alias select 't', 's', 'w' || g, 'e' || g, 'w' || g from generate_series(1, 2000) g;
insert into entity_link select 't', 'r' || g, 'e' || g % 200, 'about' from generate_series(1, 2000) g;
insert into conflict select 't', 'r' || g, 'r' || g + 1, g from generate_series(1, 2000) g;
insert into scope_grant select 't', 'u' || g, 'a' || g, 's', 1, 1, g from generate_series(1, 2000) g;
insert into event select 't', g, 0, 'memory.added', 'r' || g, g, '{}' from generate_series(1, 2000) g;
insert into job select 't', 'j' || g, 'scrub', '{}', 'waiting', 0, g, null from generate_series(1, 40) g;
insert into idempotency select 't', 'u' || g % 40, 'k' || g, 'h', '{}', 'r' || g, g from generate_series(1, 2000) g;
insert into tombstone select 't', 'd' || g, g from generate_series(1, 2000) g;
insert into posting select 't', 's', 'w' || g % 1000, g, 1 from generate_series(1, 4000) g;
insert into name_gram select 't', 's', 'g' || g % 400, 'p' || g from generate_series(1, 4000) g;
insert into name_entry select 't', 's', 'p' || g % 1000, g from generate_series(1, 4000) g;
insert into vector select 't', 'v', g, 's', '[0]' from generate_series(1, 2000) g;
insert into vector_state select 't', 'v', 's' || g, 1, 1 from generate_series(1, 200) g;
insert into vector_segment select 't', 'v', 's', g, g, 1, 1, '', '', '' from generate_series(1, 200) g;
insert into embedding_pending select 't', 'v', g from generate_series(1, 2000) g;

analyze tenant, record, entry, status_event, version, usage, support, lineage, turn, session, entity, entity_alias, entity_link, conflict,
    scope_grant, event, job, idempotency, tombstone, posting, name_gram, name_entry, vector, vector_state, vector_segment,
    embedding_pending;
truncate tenant, record, entry, status_event, version, usage, support, lineage, turn, session, entity, entity_alias, entity_link, conflict,
    scope_grant, event, job, idempotency, tombstone, posting, name_gram, name_entry, vector, vector_state, vector_segment,
    embedding_pending;
