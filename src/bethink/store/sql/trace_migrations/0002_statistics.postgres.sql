-- What the planner may assume of traces nobody has analysed yet; see the truth's statistics.
insert into trace
select 't', 'i' || g, 'u' || g % 40, 'a' || g % 40, 'n' || g % 100, g, g, 0, '{}', case when g % 50 = 0 then ''::bytea end
from generate_series(1, 2000) g;
insert into trace_ref select 't', 'i' || g, '' from generate_series(1, 2000) g;
insert into trace_erased select 't', g from generate_series(1, 2000) g;
analyze trace, trace_ref, trace_erased;
truncate trace, trace_ref, trace_erased;
