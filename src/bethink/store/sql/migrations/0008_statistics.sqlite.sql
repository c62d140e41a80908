-- What SQLite's planner may assume of this step; see 0001_statistics.
insert into sqlite_stat1 (tbl, idx, stat) values
    ('entry', 'entry_of_session', '10000 5000 20 1'),
    ('receipt', 'receipt', '1000 500 1');
analyze sqlite_schema;
