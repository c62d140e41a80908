-- What SQLite's planner may assume of the tables of this step.
insert into sqlite_stat1 (tbl, idx, stat) values
    ('session_snapshot', 'session_snapshot', '1000 500 100 2 1'),
    ('snapshot_line', 'snapshot_line', '40000 20000 4000 80 40 1'),
    ('snapshot_line', 'snapshot_line_of_record', '40000 20000 20');
analyze sqlite_schema;
