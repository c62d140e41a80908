-- What SQLite's planner may assume; see the truth's statistics.
analyze;
insert into sqlite_stat1 (tbl, idx, stat) values
    ('trace', 'sqlite_autoindex_trace_1', '100000 50000 1'),
    ('trace', 'trace_of_session', '100000 50000 10000 20 1 1'),
    ('trace', 'trace_expiring', '100000 50000 2'),
    ('trace_ref', 'trace_ref', '100000 50000 1');
